// The list of functions, and one function with its findings.

const rows = new Map();

function functionRow(one) {
  const bugs = one.findings.some((at) => data.findings[at - 1].rank === 'bug');
  const short = one.name.slice(one.module.length + 1);
  const said = `${one.name}, ${VERDICTS[one.verdict]}, ${counted(one.findings.length, 'finding')}`;
  return el('a', { class: 'row', role: 'option', id: 'row-' + rows.size, href: linkTo(one.name), tabindex: '-1', 'aria-label': said, title: one.name },
    el('span', { class: 'dot ' + one.verdict }), el('span', { class: 'name' }, short),
    one.findings.length > 0 && el('span', { class: bugs ? 'badge bug' : 'badge' }, String(one.findings.length)), meter(one.lines));
}

function buildList() {
  const list = byId('list');
  data.modules.forEach((module) => {
    const head = el('div', { class: 'module', role: 'presentation', title: module }, module);
    const group = el('div', { role: 'group', 'aria-label': module }, head);
    data.functions.filter((one) => one.module === module).forEach((one) => {
      const row = functionRow(one);
      rows.set(one.name, row);
      group.append(row);
    });
    list.append(group);
  });
  const verdicts = tally(data.functions, 'verdict', ['crash', 'incomplete', 'safe', 'ignored']);
  byId('chips').replaceChildren(...verdicts.map(([verdict, count]) => {
    const press = () => {
      state.verdicts.has(verdict) ? state.verdicts.delete(verdict) : state.verdicts.add(verdict);
      chip.setAttribute('aria-pressed', String(state.verdicts.has(verdict)));
      filter();
    };
    const chip = el('button', { type: 'button', class: 'chip', 'aria-pressed': 'false', onclick: press },
      el('span', { class: 'dot ' + verdict }), `${verdict} ${count}`);
    return chip;
  }));
}

/** Shows the functions that the search and the verdicts allow. */
function filter() {
  const at = state.shown[state.cursor];
  state.shown = data.functions.filter((one) => (state.verdicts.size === 0 || state.verdicts.has(one.verdict)) && matches(one.text));
  const shown = new Set(state.shown);
  data.functions.forEach((one) => { rows.get(one.name).hidden = !shown.has(one); });
  byId('list').querySelectorAll('[role=group]').forEach((group) => { group.hidden = !group.querySelector('.row:not([hidden])'); });
  const all = data.functions.length;
  byId('count').textContent = shown.size === all ? counted(all, 'function') : `${shown.size} of ${counted(all, 'function')}`;
  moveTo(state.words.length && state.shown.length ? Math.max(0, state.shown.indexOf(at)) : state.shown.indexOf(at));
}

function moveTo(cursor) {
  rows.get(state.shown[state.cursor]?.name)?.classList.remove('cursor');
  byId('list').querySelector('.cursor')?.classList.remove('cursor');
  state.cursor = cursor;
  const row = rows.get(state.shown[cursor]?.name);
  row?.classList.add('cursor');
  row?.scrollIntoView({ block: 'nearest' });
  row ? byId('list').setAttribute('aria-activedescendant', row.id) : byId('list').removeAttribute('aria-activedescendant');
}

function markSelected() {
  byId('list').querySelectorAll('[aria-selected]').forEach((row) => row.removeAttribute('aria-selected'));
  if (!state.function) return;
  rows.get(state.function.name)?.setAttribute('aria-selected', 'true');
  moveTo(state.shown.indexOf(state.function));
}

function functionView(one, finding) {
  const fact = (count, noun, rest) => el('span', {}, el('b', {}, count.toLocaleString('en')), counted(count, noun).replace(/^\S+/, '') + (rest || ''));
  const part = (noun, value) => value[1] > 0 && el('span', {}, el('b', {}, `${value[0]}/${value[1]}`), ' ' + noun, meter(value, true));
  return [
    el('div', { class: 'title' }, el('h1', {}, one.name), pill(one.verdict), one.private && pill('private'), one.property && pill('property')),
    el('div', { class: 'facts' }, placeLink(one.file, one.line), fact(one.paths, 'path'), fact(one.runs, 'run'),
      one.schedules > 0 && fact(one.schedules, 'schedule'), fact(one.infeasible, 'branch', ' proved impossible'),
      part('lines', one.lines), part('branch outcomes', one.branches)),
    el('p', { class: 'said' }, verdictSentence(one)),
    one.findings.length > 0 && el('section', { 'aria-label': 'Findings' }, el('h2', {}, counted(one.findings.length, 'finding')),
      one.findings.map((at) => findingCard(data.findings[at - 1], finding))),
    one.remains.length > 0 && el('section', { 'aria-label': 'What remains' }, el('h2', {}, 'What remains, and why'),
      el('ul', { class: 'panel remains' }, one.remains.map(remaining))),
    one.notes.length > 0 && el('section', {}, el('h2', {}, 'Notes'), el('ul', { class: 'notes' }, one.notes.map((note) => el('li', {}, note)))),
    pathSection(one),
  ];
}

function verdictSentence(one) {
  const rest = one.complete ? 'Every path was run or proved to be none.' : 'Some paths were neither run nor proved to be none.';
  switch (one.verdict) {
    case 'safe': return 'No input that the spec allows makes it fail. ' + rest;
    case 'ignored': return 'No input makes it fail but in ways that are ignored. ' + rest;
    case 'crash': return `The Erlang VM has confirmed ${counted(one.findings.length, 'finding')}. ` + rest;
    default: return 'Nothing was found, and nothing is proved. ' + rest;
  }
}

function remaining(reason) {
  const at = reason.at && el('span', { class: 'where' }, placeLink(reason.at.file, reason.at.line), el('span', { class: 'mono' }, reason.at.function));
  return el('li', {}, el('span', {}, reason.text + (reason.count > 1 ? ` (${reason.count} times)` : '')),
    el('span', { class: 'quiet mono' }, reason.code), el('span', { class: 'lift' }, reason.help), at);
}

function findingCard(finding, wanted) {
  const entry = (name, value) => value && [el('dt', {}, name), el('dd', {}, value)];
  const steps = finding.path.length > 0 && el('ol', { class: 'steps' }, finding.path.slice(-24).map((step) => el('li', {}, step)));
  return el('article', { class: finding === wanted ? 'panel finding target' : 'panel finding', 'aria-label': `Finding ${finding.number}: ${finding.title}` },
    el('header', {}, el('a', { class: 'id', href: '#finding-' + finding.number, 'aria-label': 'Finding ' + finding.number }, '#' + finding.number),
      pill(finding.rank), el('h3', {}, finding.title), placeLink(finding.file, finding.line, finding.column)),
    el('div', { class: 'body' }, copyable(finding.sequence?.length > 1 ? finding.sequence.join(',\n') : finding.call, 'the call'),
      finding.message && el('pre', { class: 'message' }, finding.message), excerpt(finding),
      el('dl', {}, entry('rank', `${finding.rank}: ${finding.rank_reason}`), entry('cause', finding.cause && el('code', {}, finding.cause)),
        entry('root', finding.root), entry('path', steps), entry('paths', String(finding.paths)),
        entry('same as', finding.same_as && el('a', { class: 'mono', href: linkTo(finding.same_as) }, finding.same_as)),
        finding.notes.map((note) => entry('note', note))),
      finding.schedule && scheduleChart(finding)));
}
