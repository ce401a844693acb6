// A schedule as a sequence chart: a column per process, a row per event, an arrow for what goes from one to another.

const COLUMN = 'minmax(170px, 1fr)';

function scheduleChart(finding) {
  const { processes, events, replay, replayed } = finding.schedule;
  const grid = el('div', { class: 'chart-grid', role: 'list' });
  grid.style.gridTemplateColumns = `repeat(${processes.length}, ${COLUMN})`;
  processes.forEach((name, at) => {
    grid.append(placed(el('div', { class: 'chart-head', role: 'listitem' }, name), 1, at, at));
    const life = placed(el('div', { class: 'life', 'aria-hidden': 'true' }), 1, at, at);
    life.style.gridRow = `1 / ${events.length + 3}`;
    grid.append(life);
  });
  events.forEach((event, at) => grid.append(chartEvent(event, at + 2, processes)));
  return el('div', {}, el('div', { class: 'head2' }, el('h2', {}, 'Schedule')),
    el('div', { class: 'chart', tabindex: '0', role: 'region', 'aria-label': 'Schedule, a column per process' }, grid),
    replayed ? null : el('p', { class: 'quiet' }, 'The VM shows it under a schedule of its own; it did not follow this one.'),
    copyable(replay, 'the command that replays it'));
}

function placed(node, row, first, last) {
  node.style.gridRow = String(row);
  node.style.gridColumn = `${first + 1} / ${last + 2}`;
  return node;
}

function chartEvent(event, row, processes) {
  const { column, other, kind, text, at } = event;
  const known = at && state.files.get(at.file)?.text !== undefined;
  const href = known ? linkTo(`${at.file}:${at.line}`) : null;
  const tag = known ? 'a' : 'div';
  const who = column === undefined ? '' : processes[column] + ': ';
  const said = { role: 'listitem', title: who + text + (at ? ` (${at.file}:${at.line})` : ''), 'aria-label': who + text, href };
  if (column === undefined && other === undefined) return placed(el(tag, { ...said, class: 'event passing' }, text), row, 0, processes.length - 1);
  const goes = kind === 'start' || kind === 'message';
  if (goes && other !== undefined && other !== column) {
    const [first, last] = [Math.min(column, other), Math.max(column, other)];
    const direction = other > column ? 'right' : 'left';
    const arrow = placed(el(tag, { ...said, class: `arrow ${kind} ${direction}` }, el('span', {}, text)), row, first, last);
    arrow.style.marginInline = `${50 / (last - first + 1)}%`;
    return arrow;
  }
  const isBad = kind === 'end' && !/^ends: (normal|shutdown)$/.test(text);
  return placed(el(tag, { ...said, class: isBad ? 'event bad' : 'event' }, text), row, column ?? other, column ?? other);
}
