// What is shown: the data, the search, and the place that the address names.

const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);

const state = {
  functions: new Map(data.functions.map((one) => [one.name, one])),
  files: new Map(data.files.map((file) => [file.name, file])),
  /** Verdicts that are shown; all if there are none. */
  verdicts: new Set(),
  words: [],
  /** The functions that the list shows, in order, and the place of the cursor among them. */
  shown: [],
  cursor: -1,
  /** The function and finding of the view, if it has one. */
  function: null,
  finding: null,
};

data.findings.forEach((finding, at) => { finding.number = at + 1; });
const RANKS = ['bug', 'doubtful', 'declared'];
const ranked = [...data.findings].sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) || a.number - b.number);

function searchText(finding) {
  return `${finding.function} ${finding.title} ${finding.call} ${finding.file}:${finding.line} ${finding.rank} ${finding.cause || ''}`.toLowerCase();
}
data.findings.forEach((finding) => { finding.text = searchText(finding); });
data.functions.forEach((one) => {
  one.module = one.name.slice(0, one.name.lastIndexOf(':'));
  one.text = [one.name, one.file, one.verdict, ...one.findings.map((at) => data.findings[at - 1].text)].join(' ').toLowerCase();
});

function matches(text) {
  return state.words.every((word) => text.includes(word));
}

/** What an address is about. */
function target(hash) {
  let name;
  try { name = decodeURIComponent(hash.replace(/^#/, '')); } catch { name = ''; }
  const finding = /^finding-(\d+)$/.exec(name);
  if (finding && data.findings[finding[1] - 1]) return { view: 'finding', finding: data.findings[finding[1] - 1] };
  if (state.functions.has(name)) return { view: 'function', function: state.functions.get(name) };
  if (state.files.has(name)) return { view: 'file', file: state.files.get(name), line: 0 };
  const place = /^(.*):(\d+)$/.exec(name);
  if (place && state.files.has(place[1])) return { view: 'file', file: state.files.get(place[1]), line: Number(place[2]) };
  if (['findings', 'sources', 'remains'].includes(name)) return { view: name };
  return { view: 'overview', unknown: name };
}

function show() {
  const at = target(location.hash);
  state.finding = at.finding || null;
  state.function = at.function || (at.finding && state.functions.get(at.finding.function)) || null;
  const views = {
    overview: () => overview(at.unknown), findings: findingsView, sources: sourcesView, remains: remainsView,
    function: () => functionView(at.function), finding: () => functionView(state.function, at.finding),
    file: () => sourceView(at.file, at.line),
  };
  const main = byId('main');
  main.replaceChildren(...views[at.view]().filter(Boolean));
  main.scrollTop = 0;
  markViews(at.view);
  document.title = (main.querySelector('h1')?.textContent || 'Tracehound') + ' · Tracehound';
  main.querySelector('.target')?.scrollIntoView({ block: at.view === 'file' ? 'center' : 'start' });
  markSelected();
  closeList();
}

function markViews(view) {
  const links = [['overview', '', 'Overview'], ['findings', 'findings', 'Findings', data.findings.length],
    ['sources', 'sources', 'Sources'], ['remains', 'remains', 'Remaining']];
  const current = { finding: 'findings', file: 'sources', function: null }[view] ?? (view === 'function' ? null : view);
  byId('views').replaceChildren(...links.map(([name, hash, text, count]) =>
    el('a', { href: '#' + hash, 'aria-current': name === current ? 'page' : null }, text,
      count ? el('span', { class: 'badge' }, String(count)) : null)));
}
