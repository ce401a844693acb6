// Keys, colours, and the beginning of it all.

const search = byId('search'), side = byId('side'), dialog = byId('keys');
const THEME = 'hound-theme';

function closeList() {
  side.classList.remove('shown');
  byId('menu').setAttribute('aria-expanded', 'false');
}

function stored() {
  try { return localStorage.getItem(THEME); } catch { return null; }
}

const preferred = matchMedia('(prefers-color-scheme: dark)');

function colour(theme) {
  const shown = theme || (preferred.matches ? 'dark' : 'light');
  document.documentElement.dataset.theme = shown;
  byId('theme').setAttribute('aria-pressed', String(shown === 'dark'));
}

function turnColours() {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  try { localStorage.setItem(THEME, theme); } catch { /* it lasts as long as the page */ }
  colour(theme);
}

function searched() {
  state.words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  filter();
  if (['overview', 'findings', 'remains'].includes(target(location.hash).view)) show();
}

function step(by) {
  if (state.shown.length === 0) return;
  moveTo(Math.max(0, Math.min(state.shown.length - 1, state.cursor + by)));
}

function open() {
  const one = state.shown[state.cursor];
  if (one) location.hash = linkTo(one.name);
}

/** The next finding in the order of ranks, among those that match. */
function stepFinding(by) {
  const found = ranked.filter((finding) => matches(finding.text));
  if (found.length === 0) return;
  const at = found.indexOf(state.finding);
  const next = at < 0 ? (by > 0 ? 0 : found.length - 1) : (at + by + found.length) % found.length;
  location.hash = '#finding-' + found[next].number;
}

function openSource() {
  const at = state.finding || state.function;
  if (at && at.file && state.files.has(at.file)) location.hash = linkTo(`${at.file}:${at.line}`);
}

function escape() {
  if (side.classList.contains('shown')) return closeList();
  if (search.value) {
    search.value = '';
    searched();
    return search.blur();
  }
  if (document.activeElement === search) return search.blur();
  location.hash = '#';
}

const KEYS = {
  '/': () => { search.focus(); search.select(); }, '?': () => dialog.showModal(), j: () => step(1), k: () => step(-1),
  ArrowDown: () => step(1), ArrowUp: () => step(-1), Enter: open, n: () => stepFinding(1), p: () => stepFinding(-1),
  s: openSource, t: turnColours, Escape: escape,
};

function pressed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || dialog.open) return;
  const isTyping = event.target === search;
  if (isTyping && !['ArrowDown', 'ArrowUp', 'Enter', 'Escape'].includes(event.key)) return;
  // What has the focus has these keys: a link or a button is pressed, a region is scrolled.
  const isOther = !isTyping && event.target !== document.body && event.target.id !== 'list' && event.target.id !== 'main';
  if (isOther && ['Enter', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
  if (!KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
}

colour(stored());
preferred.addEventListener('change', () => colour(stored()));
buildList();
filter();
show();
addEventListener('hashchange', show);
addEventListener('keydown', pressed);
search.addEventListener('input', searched);
byId('theme').addEventListener('click', turnColours);
byId('help').addEventListener('click', () => dialog.showModal());
byId('menu').addEventListener('click', () => {
  const isShown = side.classList.toggle('shown');
  byId('menu').setAttribute('aria-expanded', String(isShown));
});
byId('main').addEventListener('click', closeList);
byId('skip').addEventListener('click', (event) => { event.preventDefault(); byId('main').focus(); });
