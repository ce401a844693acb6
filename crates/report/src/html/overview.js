// The overview, all findings, and all that remains.

const FEW = 12;

function tally(list, key, names) {
  return names.map((name) => [name, list.filter((one) => one[key] === name).length]).filter(([, count]) => count > 0);
}

function stack(parts) {
  return el('div', { class: 'stack', 'aria-hidden': 'true' }, parts.map(([name, count]) => {
    const part = el('i', { class: name });
    part.style.flexGrow = count;
    return part;
  }));
}

function figure(title, big, small, parts, legend) {
  return el('div', { class: 'panel figure' }, el('h2', {}, title),
    el('div', { class: 'big' }, big, small && el('small', {}, ' ' + small)), stack(parts),
    el('div', { class: 'legend' }, legend));
}

function legend(parts) {
  return parts.map(([name, count]) => el('span', {}, el('b', {}, String(count)), ' ' + (VERDICTS[name] || name)));
}

/** Covered and all: lines, and outcomes of branches. */
function fileCoverage(file) {
  const code = file.lines.filter((line) => line[1] !== ONLY_BRANCHES);
  const lines = [code.filter((line) => line[1]).length, code.length];
  const branches = [0, 0];
  file.lines.forEach(([, , had, all]) => { branches[0] += had; branches[1] += all; });
  return { lines, branches };
}

function coverageFigure(title, part) {
  return figure(title, percent(part) + '%', `${part[0]} of ${part[1]}`,
    [['covered', part[0]], ['rest', part[1] - part[0]]].filter(([, count]) => count > 0), []);
}

function overview(unknown) {
  const verdicts = tally(data.functions, 'verdict', ['crash', 'incomplete', 'ignored', 'safe']);
  const ranks = tally(data.findings, 'rank', RANKS);
  const [lines, branches] = [[0, 0], [0, 0]];
  data.files.map(fileCoverage).forEach((one) => [[lines, one.lines], [branches, one.branches]].forEach(([sum, part]) => {
    sum[0] += part[0]; sum[1] += part[1];
  }));
  const names = data.modules.length <= 3 ? data.modules.join(', ') : counted(data.modules.length, 'module');
  return [
    el('h1', { class: 'plainly' }, names || 'Nothing was explored'),
    unknown ? el('p', { class: 'quiet' }, `There is nothing here by the name ${unknown}.`) : null,
    el('div', { class: 'figures' },
      figure('Functions', String(data.functions.length), null, verdicts, legend(verdicts)),
      figure('Findings', String(data.findings.length), null, ranks.length ? ranks : [['safe', 1]], legend(ranks)),
      lines[1] > 0 && coverageFigure('Lines covered', lines),
      branches[1] > 0 && coverageFigure('Branch outcomes taken', branches)),
    findingList(ranked, FEW), remainsList(FEW),
    data.modules.length > 1 && moduleTable(),
  ];
}

function findingItem(finding) {
  return el('li', {}, el('a', { class: 'item', href: '#finding-' + finding.number },
    el('span', {}, pill(finding.rank)), el('span', { class: 'what' }, finding.title),
    el('span', { class: 'where' }, finding.file ? `${finding.file}:${finding.line}` : finding.function),
    el('code', { class: 'call' }, finding.call.slice(0, 300))));
}

function findingList(all, most) {
  const found = all.filter((finding) => matches(finding.text));
  const heading = el('h2', {}, state.words.length ? `Findings that match: ${found.length}` : 'Findings');
  if (found.length === 0) {
    const why = state.words.length ? 'No finding matches the search.' : 'No call was found that fails.';
    return el('section', {}, heading, el('p', { class: 'panel empty' }, why));
  }
  const shown = found.slice(0, most);
  const more = found.length - shown.length;
  return el('section', { 'aria-label': 'Findings' }, heading, el('div', { class: 'panel' },
    el('ul', { class: 'items' }, shown.map(findingItem)),
    more > 0 && el('a', { class: 'more', href: '#findings' }, `All ${found.length} findings`)));
}

function findingsView() {
  const list = el('div', {}, findingList(ranked, 500));
  return [el('h1', { class: 'plainly' }, counted(data.findings.length, 'finding')), list];
}

/** Reasons by their text, those of most functions first, each with its functions. */
function reasons() {
  const all = new Map();
  data.functions.forEach((one) => one.remains.forEach((reason) => {
    const known = all.get(reason.text) || { ...reason, functions: new Set() };
    known.functions.add(one);
    all.set(reason.text, known);
  }));
  const matching = [...all.values()].filter((reason) =>
    matches(`${reason.text} ${[...reason.functions].map((one) => one.name).join(' ')}`.toLowerCase()));
  return matching.sort((a, b) => b.functions.size - a.functions.size);
}

function reasonItem(reason) {
  const functions = [...reason.functions];
  return el('li', {}, el('span', {}, reason.text), el('span', { class: 'quiet mono' }, reason.code),
    el('span', { class: 'lift' }, reason.help), el('span', { class: 'where' }, functions.slice(0, 8).map((one) => el('a', { class: 'mono', href: linkTo(one.name) }, one.name)),
      functions.length > 8 && `and ${functions.length - 8} more`));
}

function remainsList(most) {
  const all = reasons();
  if (all.length === 0 && most > FEW && state.words.length > 0) {
    return el('section', {}, el('p', { class: 'panel empty' }, 'No reason matches the search.'));
  }
  if (all.length === 0) return null;
  return el('section', { 'aria-label': 'What remains' }, el('h2', {}, 'What remains, and why'),
    el('div', { class: 'panel' }, el('ul', { class: 'remains' }, all.slice(0, most).map(reasonItem)),
      all.length > most && el('a', { class: 'more', href: '#remains' }, `All ${all.length} reasons`)));
}

function remainsView() {
  const open = data.functions.filter((one) => !one.complete).length;
  const said = open === 0 ? 'Nothing: every path was run or proved to be none.'
    : `${counted(open, 'function')} of ${data.functions.length} ${open === 1 ? 'has' : 'have'} paths that were neither run nor proved to be none.`;
  return [el('h1', { class: 'plainly' }, 'What remains'), el('p', { class: 'quiet' }, said), remainsList(1000)];
}

function moduleTable() {
  const row = (module) => {
    const own = data.functions.filter((one) => one.module === module);
    const count = (verdict) => own.filter((one) => one.verdict === verdict).length;
    const cell = (count) => el('td', { class: 'number' }, count ? String(count) : '·');
    return el('tr', {}, el('td', {}, el('a', { class: 'mono', href: linkTo(own[0].name) }, module)), cell(own.length),
      cell(count('crash')), cell(count('incomplete')), cell(count('safe') + count('ignored')));
  };
  const heads = ['Functions', 'Crash', 'Incomplete', 'Safe'].map((head) => el('th', { class: 'number', scope: 'col' }, head));
  return el('section', {}, el('h2', {}, 'Modules'), el('div', { class: 'panel scroll' }, el('table', { class: 'plain-table' },
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Module'), heads)), el('tbody', {}, data.modules.map(row)))));
}
