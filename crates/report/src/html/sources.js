// Sources with their coverage, in pieces that are drawn when they come into view.

const PIECE = 200;
const LINE = 20;
const AROUND = 3;

/** The state of a line that has no code but branches. */
const ONLY_BRANCHES = 2;

function sourcesView() {
  const row = (file) => {
    const { lines, branches } = fileCoverage(file);
    const cell = (part) => el('td', { class: 'number' }, part[1] ? `${part[0]}/${part[1]}` : '·', part[1] > 0 && meter(part, true));
    const found = data.findings.filter((finding) => finding.file === file.name).length;
    return el('tr', {}, el('td', {}, placeLink(file.name)), cell(lines), cell(branches), el('td', { class: 'number' }, found ? String(found) : '·'));
  };
  const heads = ['Lines', 'Branch outcomes', 'Findings'].map((head) => el('th', { class: 'number', scope: 'col' }, head));
  return [el('h1', { class: 'plainly' }, counted(data.files.length, 'file')), el('section', {}, el('div', { class: 'panel scroll' },
    el('table', { class: 'plain-table' }, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'File'), heads)), el('tbody', {}, data.files.map(row)))))];
}

/** A file's lines of text, and what is known of each. */
function sourceOf(file) {
  if (!file.parts) {
    file.parts = { texts: file.text.split(/\r?\n/), lines: new Map(file.lines.map((line) => [line[0], line])), findings: new Map() };
    if (file.parts.texts.at(-1) === '') file.parts.texts.pop();
    data.findings.filter((finding) => finding.file === file.name && !finding.same_as)
      .forEach((finding) => file.parts.findings.set(finding.line, [...(file.parts.findings.get(finding.line) || []), finding]));
  }
  return file.parts;
}

function lineState(line) {
  if (!line) return '';
  const [, code, had, all] = line;
  if (code === 0 || (code === ONLY_BRANCHES && had === 0)) return 'missed';
  return had < all ? 'part' : 'hit';
}

const SAID = { '': '', missed: 'not run', part: 'run, without some outcomes of its branches', hit: 'run' };

function sourceLine(file, number, wanted) {
  const { texts, lines } = sourceOf(file);
  const line = lines.get(number), kind = lineState(line);
  const outcomes = kind === 'part' ? `${line[2]}/${line[3]}` : '';
  return el('div', { class: `line ${kind}${number === wanted ? ' target' : ''}`, title: kind === 'part' ? `${line[2]} of ${line[3]} outcomes of its branches` : null },
    el('a', { class: 'no', href: linkTo(`${file.name}:${number}`), 'aria-label': `Line ${number}${kind ? ', ' + SAID[kind] : ''}` }, String(number)),
    el('span', { class: 'bar' }), el('span', { class: 'marks', 'aria-hidden': 'true' }, outcomes), el('span', { class: 'text' }, highlighted(texts[number - 1] ?? '', file.name)));
}

function sourceNotes(file, number) {
  const note = (finding) => el('div', { class: 'note' }, el('span', { class: 'caret' }, ' '.repeat(Math.max(0, finding.column - 1)) + '^'),
    el('a', { href: '#finding-' + finding.number }, `#${finding.number} ${finding.title.slice(0, 120)}`));
  return (sourceOf(file).findings.get(number) || []).map(note);
}

function sourceView(file, wanted) {
  if (file.text === undefined) return [el('h1', {}, file.name), el('p', { class: 'quiet' }, 'The source was not there when the page was written.')];
  const { texts } = sourceOf(file);
  const { lines, branches } = fileCoverage(file);
  const code = el('div', { class: 'panel code', role: 'region', tabindex: '0', 'aria-label': 'Source of ' + file.name });
  const draw = (piece) => {
    if (piece.childElementCount > 0) return;
    piece.style.height = '';
    for (let number = piece.first; number < piece.first + PIECE && number <= texts.length; number += 1) {
      piece.append(sourceLine(file, number, wanted), ...sourceNotes(file, number));
    }
  };
  const seen = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => draw(entry.target)), { rootMargin: '600px' });
  for (let first = 1; first <= texts.length; first += PIECE) {
    const piece = el('div', { class: 'chunk' });
    piece.first = first;
    piece.style.height = Math.min(PIECE, texts.length - first + 1) * LINE + 'px';
    code.append(piece);
    if (first === 1 || (wanted >= first && wanted < first + PIECE)) draw(piece);
    seen.observe(piece);
  }
  const part = (noun, value) => value[1] > 0 && el('span', {}, el('b', {}, `${value[0]}/${value[1]}`), ' ' + noun, meter(value, true));
  return [el('h1', {}, file.name), el('div', { class: 'facts' }, part('lines', lines), part('branch outcomes', branches)),
    el('div', { class: 'legend-code' }, [['hit', 'run'], ['part', 'run, not with every outcome of its branches'], ['missed', 'not run']]
      .map(([kind, text]) => el('span', {}, el('i', { class: kind }), text))), code];
}

/** The lines around a finding. */
function excerpt(finding) {
  const file = state.files.get(finding.file);
  if (!file || file.text === undefined || !finding.line) return null;
  const { texts } = sourceOf(file);
  const out = [];
  for (let number = Math.max(1, finding.line - AROUND); number <= Math.min(texts.length, finding.line + AROUND); number += 1) {
    const isHere = number === finding.line;
    const row = (no, text, kind) => el('div', { class: 'line ' + kind }, no, el('span', { class: 'text' }, text));
    const link = el('a', { class: 'no', href: linkTo(`${file.name}:${number}`), 'aria-label': 'Line ' + number }, String(number));
    out.push(row(link, highlighted(texts[number - 1], file.name), isHere ? 'here' : ''));
    if (isHere && finding.column > 0) {
      const indent = texts[number - 1].slice(0, finding.column - 1).replace(/[^\t]/g, ' ');
      out.push(row(el('span', { class: 'no' }), indent + '^', 'here caret-line'));
    }
  }
  return el('div', { class: 'code excerpt', role: 'region', tabindex: '0', 'aria-label': `${file.name}, line ${finding.line}` }, out);
}
