// Elements and texts. Data comes into the page as text only, never as markup.
'use strict';

/** An element with properties and children; a string is a text. */
function el(name, properties, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'class') node.className = value;
    else if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(9).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

/** `1 path`, `2 paths`. */
function counted(count, noun) {
  const many = /(sh|ss|ch|x)$/.test(noun) ? noun + 'es' : /[^aeiou]y$/.test(noun) ? noun.slice(0, -1) + 'ies' : noun + 's';
  return `${count.toLocaleString('en')} ${count === 1 ? noun : many}`;
}

function percent([covered, all]) {
  return all === 0 ? 100 : Math.floor((100 * covered) / all);
}

function meter(part, wide) {
  const bar = el('i', {});
  bar.style.width = percent(part) + '%';
  return el('span', { class: wide ? 'meter wide' : 'meter', 'aria-hidden': 'true' }, bar);
}

const VERDICTS = { crash: 'crash', incomplete: 'incomplete', safe: 'safe', ignored: 'safe but for ignored crashes' };

function pill(word) {
  return el('span', { class: 'pill ' + word }, VERDICTS[word] || word);
}

function linkTo(name) {
  return '#' + encodeURIComponent(name).replace(/%3A/g, ':').replace(/%2F/g, '/').replace(/%40/g, '@');
}

/** A place as a link if its source is in the page. */
function placeLink(file, line, column) {
  if (!file) return null;
  const text = file + (line ? ':' + line : '') + (line && column ? ':' + column : '');
  const known = state.files.get(file);
  if (!known || known.text === undefined) return el('span', { class: 'mono' }, text);
  return el('a', { class: 'mono', href: linkTo(line ? `${file}:${line}` : file) }, text);
}

const ERLANG_WORDS = 'after and andalso band begin bnot bor bsl bsr bxor case catch cond div else end fun if let maybe not of or orelse receive rem try when xor';
const ELIXIR_WORDS = 'after alias and case catch cond def defdelegate defexception defguard defimpl defmacro defmodule defp defprotocol defstruct do else end fn for if import in not or quote raise receive require rescue try unless unquote use when with';
const TOKENS = {
  erlang: tokens('%.*', ERLANG_WORDS, "'(?:\\\\.|[^'\\\\])*'?"),
  elixir: tokens('#.*', ELIXIR_WORDS, ':(?:[a-z_]\\w*[?!]?|"(?:\\\\.|[^"\\\\])*")|\\b[a-z_]\\w*:(?!:)'),
};

function tokens(comment, words, atom) {
  return new RegExp(
    `(?<comment>${comment})|(?<string>"(?:\\\\.|[^"\\\\])*"?|\\$\\\\?\\S)|(?<atom>${atom})|` +
      `(?<keyword>\\b(?:${words.replace(/ /g, '|')})\\b(?!\\())|(?<variable>\\b[A-Z_]\\w*)|(?<number>\\b\\d[\\w#.]*)|` +
      `(?<call>\\b[a-z]\\w*(?=\\())`, 'g');
}

/** A line of code with its tokens marked. */
function highlighted(text, file) {
  const pattern = /\.exs?$/.test(file || '') ? TOKENS.elixir : TOKENS.erlang;
  const out = [];
  let from = 0;
  for (const match of text.slice(0, 2000).matchAll(pattern)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (match.index > from) out.push(text.slice(from, match.index));
    out.push(el('span', { class: 't-' + kind }, match[0]));
    from = match.index + match[0].length;
  }
  out.push(text.slice(from));
  return out;
}

/** A text to be copied, with the button that does so. */
function copyable(text, label) {
  const said = el('span', {}, 'Copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(box);
      said.textContent = 'Selected';
    }
    setTimeout(() => { said.textContent = 'Copy'; }, 1500);
  };
  const box = el('code', {}, text.length > 4000 ? text : highlighted(text));
  return el('div', { class: 'call-box' }, el('pre', {}, box),
    el('button', { type: 'button', class: 'plain', 'aria-label': 'Copy ' + label, onclick: copy }, said));
}
