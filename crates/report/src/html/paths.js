// The tree of explored paths: a row per outcome, with what comes after it.

const STATES = {
  waiting: 'not tried', infeasible: 'proved impossible', unknown: 'not decided by the solvers', undecided: 'depends on an opaque function',
  elsewhere: 'explored elsewhere', diverged: 'inputs for it went elsewhere', out_of_bounds: 'beyond the bounds on inputs', cut: 'goes on',
};
const SHOWN_CONDITIONS = 3;
const OPENED = 40;

function pathSection(one) {
  const hasTree = one.tree.decisions.length > 0;
  if (!hasTree && one.executions.length === 0) return null;
  const place = el('div', {});
  const views = [['Tree', () => tree(one)], ['Runs', () => runTable(one)]].filter(([name]) => hasTree || name === 'Runs');
  const buttons = views.map(([name, make]) => el('button', { type: 'button', class: 'plain', 'aria-pressed': 'false', onclick: () => choose(name, make) }, name));
  const choose = (name, make) => {
    buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.textContent === name)));
    place.replaceChildren(make());
  };
  choose(...views[0]);
  return el('section', { 'aria-label': 'Paths' }, el('div', { class: 'head2' }, el('h2', {}, 'Explored paths'), buttons), place);
}

/** What an outcome leads to, beyond the decisions that leave no choice. */
function settled(one, conditions, next) {
  const all = [...conditions];
  while (next.decisions?.length === 1) {
    const [only, ...others] = choices(one, next.decisions[0]);
    if (!only || others.length > 0) break;
    all.push({ ...only.condition, only: true });
    next = only.next;
  }
  return { conditions: all, next };
}

/** The possible outcomes of a decision. */
function choices(one, at) {
  const { conditions, branches, at: place } = one.tree.decisions[at];
  const texts = [conditions[1] ?? negated(conditions[0]), conditions[0]];
  const possible = [1, 0].filter((holds) => branches[holds].open !== 'infeasible');
  return possible.map((holds) => ({ condition: { text: texts[holds], at: place }, next: branches[holds] }));
}

/** The rows after a branch. Where one outcome is an end, what comes after the other goes on below it, as its `else`. */
function outcomes(one, branch) {
  const pending = [{ branch, before: [] }], out = [];
  while (pending.length > 0) {
    const { branch, before } = pending.shift();
    for (const at of branch.decisions) {
      const edges = choices(one, at).map(({ condition, next }) => ({ before, ...settled(one, [condition], next) }));
      const inner = edges.filter((edge) => edge.next.decisions);
      const isChain = inner.length === 1 && edges.length <= 2;
      out.push(...(isChain ? edges.filter((edge) => edge !== inner[0]) : edges));
      if (isChain) pending.push({ branch: inner[0].next, before: edges.length === 1 ? before : [...before, ...inner[0].conditions] });
    }
  }
  return out;
}

function tree(one) {
  const first = one.tree.roots.flatMap((root) => (root.decisions ? outcomes(one, root) : [{ conditions: [], before: [], next: root }]));
  const budget = { left: OPENED };
  const list = el('ul', { role: 'tree', 'aria-label': 'Paths of ' + one.name }, first.map((outcome) => treeItem(one, outcome, 1, budget)));
  list.querySelector('[role=treeitem]')?.setAttribute('tabindex', '0');
  list.addEventListener('keydown', treeKey);
  const more = one.tree.more > 0 && el('p', { class: 'quiet' }, `${counted(one.tree.more, 'decision')} more are not shown.`);
  return el('div', {}, el('div', { class: 'panel tree' }, list), more);
}

function treeItem(one, outcome, level, budget) {
  const isInner = Boolean(outcome.next.decisions);
  budget.left -= 1;
  const twist = el('span', { class: 'twist', 'aria-hidden': 'true' }, isInner ? '▸' : '');
  const row = el('div', { class: isInner ? 'branch open-able' : 'branch' }, twist, conditionText(outcome), isInner ? null : endText(one, outcome.next));
  const item = el('li', { role: 'treeitem', tabindex: '-1', 'aria-level': String(level) }, row);
  if (!isInner) return item;
  const toggle = (open) => {
    if (open && !item.querySelector(':scope > ul')) {
      item.append(el('ul', { role: 'group' }, outcomes(one, outcome.next).map((next) => treeItem(one, next, level + 1, budget))));
    }
    const inner = item.querySelector(':scope > ul');
    if (inner) inner.hidden = !open;
    item.setAttribute('aria-expanded', String(open));
    twist.textContent = open ? '▾' : '▸';
  };
  item.toggle = toggle;
  row.addEventListener('click', (event) => { if (!event.target.closest('a')) toggle(item.getAttribute('aria-expanded') !== 'true'); });
  toggle(budget.left > 0 && level < 30);
  return item;
}

/** The opposite of a condition. */
function negated(condition) {
  for (const [word, opposite] of [[' =:= ', ' =/= '], [' < ', ' >= '], [' =< ', ' > ']]) {
    if (condition.split(word).length === 2 && !/ (and|or|andalso|orelse) /.test(condition)) return condition.replace(word, opposite);
  }
  return /^[a-z_]+\([^()]*\)$/.test(condition) ? 'not ' + condition : `not (${condition})`;
}

function conditionText({ conditions, before }) {
  const split = conditions.filter((condition) => !condition.only);
  const all = split.length > 0 ? split : conditions;
  const shown = all.slice(-SHOWN_CONDITIONS);
  const title = [...before, ...conditions].map((condition) => condition.text).join('\nand ');
  const parts = shown.flatMap((condition, at) => [at > 0 && el('span', { class: 'and' }, ' and '), el('span', { class: 'clip' }, highlighted(condition.text))]);
  const last = shown[shown.length - 1];
  const at = last?.at && state.files.get(last.at[0])?.text !== undefined &&
    el('a', { class: 'at', href: linkTo(last.at.join(':')), tabindex: '-1' }, ':' + last.at[1]);
  return [el('span', { class: 'when', title }, before.length > 0 && el('span', { class: 'and' }, 'else '), all.length > shown.length && el('span', { class: 'and' }, '… and '), conditions.length ? parts : 'every input'), at];
}

function endText(one, next) {
  if (next.open) return el('span', { class: 'state ' + next.open }, STATES[next.open] || next.open);
  const run = next.end === null ? undefined : one.executions[next.end];
  if (!run) return el('span', { class: 'state elsewhere' }, 'ends');
  const kind = { value: '', exception: ' exception' }[run.outcome] ?? ' other';
  return [el('span', { class: 'by' }, el('span', { class: 'clip', title: run.call }, run.call.slice(one.module.length + 1))), el('span', { class: 'and quiet' }, '→'),
    el('span', { class: 'end' + kind }, el('span', { class: 'clip', title: run.text }, run.text))];
}

/** The keys of a tree: arrows move, open and close. */
function treeKey(event) {
  const item = event.target.closest('[role=treeitem]');
  if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
  const visible = [...event.currentTarget.querySelectorAll('[role=treeitem]')].filter((one) => one.offsetParent !== null);
  const at = visible.indexOf(item), open = item.getAttribute('aria-expanded');
  const go = (to) => {
    if (!to) return;
    item.setAttribute('tabindex', '-1');
    to.setAttribute('tabindex', '0');
    to.focus({ preventScroll: true });
    to.querySelector('.branch').scrollIntoView({ block: 'nearest' });
  };
  const moves = {
    ArrowDown: () => go(visible[at + 1]), ArrowUp: () => go(visible[at - 1]), Home: () => go(visible[0]), End: () => go(visible[visible.length - 1]),
    ArrowRight: () => (open === 'false' ? item.toggle(true) : open === 'true' && go(item.querySelector('[role=treeitem]'))),
    ArrowLeft: () => (open === 'true' ? item.toggle(false) : go(item.parentElement.closest('[role=treeitem]'))),
    Enter: () => (open ? item.toggle(open !== 'true') : item.querySelector('a')?.click()),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  moves[event.key]();
}

function runTable(one) {
  const row = (run, at) => el('tr', {}, el('td', { class: 'number quiet' }, String(at + 1)), el('td', {}, el('span', { class: 'clip', title: run.call }, run.call)),
    el('td', { class: run.outcome === 'exception' ? 'exception' : null }, el('span', { class: 'clip', title: run.text }, run.text)),
    el('td', { class: 'quiet' }, el('span', { class: 'clip', title: run.path.join(', ') }, run.path.slice(-3).join(', '))));
  const heads = ['', 'Call', 'Result', 'Path'].map((head) => el('th', { scope: 'col' }, head));
  const more = one.paths - one.executions.length;
  return el('div', {}, el('div', { class: 'panel scroll' }, el('table', { class: 'plain-table runs' }, el('thead', {}, el('tr', {}, heads)),
    el('tbody', {}, one.executions.map(row)))), more > 0 && el('p', { class: 'quiet' }, `${counted(more, 'path')} more are not shown.`));
}
