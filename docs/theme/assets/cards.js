// The word cards on the home page and on `why`: move the words, and see what one attention layer
// makes of each of them. It is the layer of snippets/why/cards.md, number for number. The numbers
// stand in the table for readers and for the tests.

const D = 8;
const MOST = 8; // words
const LONG = 14; // characters

// The layer ---------------------------------------------------------------------------------

const range = (length, make) => Array.from({ length }, (_, index) => make(index));
const weight = range(3 * D * D, (index) => 0.85 * Math.sin(8 * (index + 1) ** 2));
const times = (x, which) => x.map((row) => range(D, (column) =>
  row.reduce((sum, value, i) => sum + value * weight[(which * D + i) * D + column], 0)));

// A word's vector depends on its characters alone.
function embed(word) {
  let hash = 0;
  for (const character of word) hash = (37 * hash + character.codePointAt(0)) % 65521;
  return range(D, (i) => Math.sin(hash * (i + 1) ** 2));
}

function position(pos) {
  return range(D, (i) => {
    const angle = pos * 10000 ** (-(i - (i % 2)) / D);
    return i % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

function attention(x) {
  const [q, k, v] = [0, 1, 2].map((which) => times(x, which));
  return q.map((query) => {
    const scores = k.map((key) => key.reduce((sum, value, i) => sum + value * query[i], 0) / D ** 0.5);
    const highest = Math.max(...scores);
    const parts = scores.map((score) => Math.exp(score - highest));
    const total = parts.reduce((sum, part) => sum + part);
    return range(D, (i) => parts.reduce((sum, part, at) => sum + part * v[at][i], 0) / total);
  });
}

const sum = (a, b) => a.map((value, i) => value + b[i]);
const outputs = (words, encoded) =>
  attention(words.map((word, pos) => (encoded ? sum(embed(word), position(pos)) : embed(word))));

// No output is larger than the largest value, in whatever order the words stand.
function largest(words) {
  const inputs = words.flatMap((word) =>
    [embed(word), ...words.map((_, pos) => sum(embed(word), position(pos)))]);
  return Math.max(...times(inputs, 2).flat().map(Math.abs));
}

const equal = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 1e-6);

// What stands on the page -------------------------------------------------------------------

const SAY = {
  en: {
    label: "Word cards",
    turn: "Reverse the order",
    back: "Back to the start",
    add: "Add positions",
    hint: "Drag a card or use its arrows; on a keyboard, the arrow keys. Outlines: the bars of the starting order, with the switch as it is now.",
    left: (word) => `Move ${word} to the left`,
    right: (word) => `Move ${word} to the right`,
    place: (at, count) => `, word ${at} of ${count}`,
    now: (word, at, count) => `${word} is word ${at} of ${count}. `,
    turned: "The order is reversed. ",
    start: "The words stand as at the start. Move one, and watch its bars.",
    added: "Positions are added, so bars and outlines are new. Now move a word.",
    none: "No output has changed: every word keeps its bars. The layer does not see the order.",
    all: "Every output has changed. With positions, the layer sees the order.",
    some: (words) => `Changed: ${words.join(", ")}. With positions, the layer sees the order.`,
    twins: (word, same) => ` ${word} stands there more than once, with ${same ? "the same" : "different"} bars.`,
    same: "same",
    other: "changed",
    own: "Your own words, up to eight, with spaces between them",
    empty: "No word is there. The cards show the last ones.",
    one: "A single word has no order. Write two or more.",
    many: (count) => `These are ${count} words. The cards show the first ${MOST}.`,
    long: "A long word is cut short on its card. Its numbers come from all of it.",
    table: "The numbers behind the bars",
    word: "word",
  },
  zh: {
    label: "词语卡片",
    turn: "倒过来排",
    back: "恢复原来的顺序",
    add: "加上位置",
    hint: "拖动卡片，点箭头，或者选中卡片后按方向键。细线框是原来顺序下的条形，开关和现在一样。",
    left: (word) => `把“${word}”往左移`,
    right: (word) => `把“${word}”往右移`,
    place: (at, count) => `，第 ${at} 个词，共 ${count} 个`,
    now: (word, at, count) => `“${word}”现在是第 ${at} 个词，共 ${count} 个。`,
    turned: "顺序倒过来了。",
    start: "现在是原来的顺序。移动一个词，看它的条形变不变。",
    added: "加上了位置，条形和细线框都换成了新的。现在移动一个词看看。",
    none: "输出都没变：每个词的条形原样跟着它走。这个层看不见顺序。",
    all: "输出全变了。有了位置，这个层就看得见顺序。",
    some: (words) => `输出变了的词：${words.join("、")}。有了位置，这个层就看得见顺序。`,
    twins: (word, same) => `“${word}”出现了不止一次，条形${same ? "相同" : "不同"}。`,
    same: "没变",
    other: "变了",
    own: "换成你自己的词，最多八个，用空格隔开",
    empty: "这里还没有词，卡片上仍是刚才那几个。",
    one: "只有一个词，谈不上顺序。请至少写两个。",
    many: (count) => `一共 ${count} 个词，卡片上只放前 ${MOST} 个。`,
    long: "词太长，卡片上只显示一部分；算的时候用的是整个词。",
    table: "条形背后的数",
    word: "词",
  },
};
const say = SAY[document.documentElement.lang.startsWith("zh") ? "zh" : "en"];

const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");

/* An element with attributes and children; strings become text, never HTML. */
function make(name, attributes = {}, ...children) {
  const part = name === "svg" || name === "rect" || name === "path"
    ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
  part.append(...children);
  return part;
}

const button = (text, own = {}) => make("button", { type: "button", class: "pe-cards__button", ...own }, text);

// Without a blank in it, Chinese is cut into characters: 我爱NLP is three words.
function split(text) {
  const words = text.match(/\S+/g) || [];
  return words.length === 1 ? words[0].match(/\p{Script=Han}|\P{Script=Han}+/gu) : words;
}

// About how many times its height a word is wide.
const width = (word) => [...word].reduce((sum, character) => sum + (character < "\u2e80" ? 0.62 : 1), 0);

function start(root) {
  let items = []; // in the order of the page: {word, home, first, node, ...}
  let scale = 1;
  let drag = null;

  const encoded = make("input", { type: "checkbox", role: "switch", id: "pe-cards-add" });
  const turn = button(say.turn);
  const back = button(say.back);
  const list = make("ol", { class: "pe-cards__list", role: "list" });
  const said = make("p", { class: "pe-cards__said", role: "status" });
  const field = make("input", {
    id: "pe-cards-own", type: "text", value: root.dataset.words, autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", "aria-describedby": "pe-cards-note",
  });
  const note = make("p", { id: "pe-cards-note", class: "pe-cards__note", role: "status" });
  const body = make("tbody");
  const head = [say.word, "pos", ...range(D, String)].map((text) => make("th", { scope: "col" }, text));
  const table = make("table", { class: "data" }, make("thead", {}, make("tr", {}, ...head)), body);

  function card(word, home) {
    const bars = (kind) => range(D, (i) =>
      make("rect", { class: kind, x: i * 10 + 1, y: 0, width: 8, height: 40 }));
    const place = make("span", { class: "pe-hidden" });
    const name = make("button", { type: "button", class: "pe-card__word", "aria-describedby": "pe-cards-hint" },
      make("bdi", {}, word), place);
    name.style.setProperty("--em", width(word));
    const item = {
      word, home, name, place,
      pos: make("span", { class: "pe-card__pos" }),
      state: make("span", { class: "pe-card__state" }),
      bars: bars("pe-card__bar"),
      ghosts: bars("pe-card__ghost"),
      left: button("←", { tabindex: -1, "aria-label": say.left(word) }),
      right: button("→", { tabindex: -1, "aria-label": say.right(word) }),
    };
    const picture = make("svg", { viewBox: "0 -41 80 82", preserveAspectRatio: "none", "aria-hidden": "true" },
      ...item.bars, make("path", { class: "pe-card__zero", d: "M0 0H80" }), ...item.ghosts);
    item.node = make("li", { class: "pe-card" }, name, item.pos, picture, item.state,
      make("span", { class: "pe-card__moves" }, item.left, item.right));
    item.left.addEventListener("click", () => move(item, -1));
    item.right.addEventListener("click", () => move(item, 1));
    name.addEventListener("click", () => render(say.now(word, items.indexOf(item) + 1, items.length)));
    return item;
  }

  function render(what = "") {
    const on = encoded.checked;
    const words = items.map((item) => item.word);
    const rows = outputs(words, on);
    const moved = items.some((item, at) => item.home !== at);
    const changed = items.filter((item, at) => !equal(rows[at], item.first[+on]));
    const stretch = (rects, row) => rects.forEach((rect, i) => {
      rect.style.transform = `scaleY(${-row[i] / scale})`;
    });
    items.forEach((item, at) => {
      const isOther = changed.includes(item);
      stretch(item.bars, rows[at]);
      stretch(item.ghosts, item.first[+on]);
      item.place.textContent = say.place(at + 1, items.length);
      item.pos.textContent = on ? `pos = ${at}` : "";
      item.state.textContent = moved ? `${isOther ? "≠" : "="} ${isOther ? say.other : say.same}` : "";
      item.node.classList.toggle("pe-card--other", isOther);
      item.left.setAttribute("aria-disabled", at === 0);
      item.right.setAttribute("aria-disabled", at === items.length - 1);
    });
    root.classList.toggle("pe-cards--encoded", on);
    body.replaceChildren(...rows.map((row, at) => make("tr", {},
      make("th", { scope: "row" }, make("bdi", {}, words[at])), make("td", {}, on ? at : "–"),
      ...row.map((value) => make("td", {},
        make("data", { value }, (value < 0 ? "" : "+") + value.toFixed(2)))))));

    let result = on ? say.added : say.start;
    if (moved && !changed.length) result = say.none;
    else if (moved) result = changed.length === items.length ? say.all : say.some(changed.map((item) => item.word));
    const twins = new Set(words.filter((word, at) => words.indexOf(word) !== at));
    for (const word of twins) {
      const own = rows.filter((_, at) => words[at] === word);
      result += say.twins(word, own.every((row) => equal(row, own[0])));
    }
    said.replaceChildren(what, make("strong", {}, result));
  }

  // A node that has the focus or a finger on it stays where it is: the others move around it.
  function arrange(next, kept, what) {
    const before = new Map(items.map(({ node }) => [node, node.getBoundingClientRect()]));
    items = next;
    const nodes = items.map(({ node }) => node);
    const at = nodes.indexOf(kept?.node);
    if (at < 0) list.append(...nodes);
    else {
      kept.node.before(...nodes.slice(0, at));
      kept.node.after(...nodes.slice(at + 1));
    }
    render(what);
    if (still.matches) return;
    for (const node of nodes) {
      const from = before.get(node), to = node.getBoundingClientRect();
      if (node !== drag?.item.node) slide(node, from.x - to.x, from.y - to.y);
    }
  }

  function slide(node, x, y) {
    if (still.matches || (!x && !y)) return;
    node.animate({ translate: [`${x}px ${y}px`, "0 0"] }, { duration: 300, easing: "ease-out" });
  }

  function moveTo(item, to) {
    const at = Math.max(0, Math.min(items.length - 1, to));
    const next = items.filter((other) => other !== item);
    next.splice(at, 0, item);
    arrange(next, item, say.now(item.word, at + 1, items.length));
  }
  const move = (item, by) => moveTo(item, items.indexOf(item) + by);

  list.addEventListener("keydown", (event) => {
    const item = items.find(({ node }) => node.contains(event.target));
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -MOST, End: MOST }[event.key];
    if (!item || !by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    move(item, by);
  });

  // Dragging ----------------------------------------------------------------------------------

  list.addEventListener("pointerdown", (event) => {
    const item = items.find(({ node }) => node.contains(event.target));
    if (drag || !item || event.button !== 0 || event.target.closest(".pe-card__moves")) return;
    const box = item.node.getBoundingClientRect();
    drag = {
      item, pointer: event.pointerId, order: items, began: false,
      from: [event.clientX, event.clientY], grip: [event.clientX - box.x, event.clientY - box.y],
    };
  });

  // Where a card stands in the list, whatever it is being moved by.
  const isOver = ({ node }, x, y) => x >= node.offsetLeft && x < node.offsetLeft + node.offsetWidth
    && y >= node.offsetTop && y < node.offsetTop + node.offsetHeight;

  addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { item, from, grip } = drag;
    if (!drag.began) {
      if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 6) return;
      drag.began = true;
      list.setPointerCapture(event.pointerId);
      item.node.classList.add("pe-card--held");
    }
    const box = list.getBoundingClientRect();
    const x = event.clientX - box.x, y = event.clientY - box.y;
    const over = items.findIndex((other) => other !== item && isOver(other, x, y));
    if (over >= 0) moveTo(item, over);
    item.node.style.translate = `${x - grip[0] - item.node.offsetLeft}px ${y - grip[1] - item.node.offsetTop}px`;
  });

  function drop(event) {
    if (!drag || (event.pointerId ?? drag.pointer) !== drag.pointer) return;
    const { item, began, order } = drag;
    drag = null;
    if (!began) return;
    const before = item.node.getBoundingClientRect();
    item.node.classList.remove("pe-card--held");
    item.node.style.translate = "";
    if (event.type !== "pointerup") arrange(order, item, say.now(item.word, order.indexOf(item) + 1, order.length));
    const after = item.node.getBoundingClientRect();
    slide(item.node, before.x - after.x, before.y - after.y);
  }
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
  addEventListener("keydown", (event) => { if (event.key === "Escape") drop(event); });

  // Controls ----------------------------------------------------------------------------------

  turn.addEventListener("click", () => arrange([...items].reverse(), null, say.turned));
  back.addEventListener("click", () => arrange([...items].sort((a, b) => a.home - b.home), null, ""));
  encoded.addEventListener("change", () => render());

  function read() {
    const all = split(field.value) || [];
    const words = all.slice(0, MOST);
    if (all.length > MOST) note.textContent = say.many(all.length);
    else if (!all.length) note.textContent = say.empty;
    else if (all.length === 1) note.textContent = say.one;
    else note.textContent = words.some((word) => [...word].length > LONG) ? say.long : "";
    if (!words.length || words.join(" ") === [...items].sort((a, b) => a.home - b.home).map(({ word }) => word).join(" ")) return;
    const first = [outputs(words, false), outputs(words, true)];
    scale = largest(words);
    items = words.map(card);
    items.forEach((item, at) => { item.first = first.map((rows) => rows[at]); });
    list.replaceChildren(...items.map(({ node }) => node));
    list.style.setProperty("--count", items.length);
    render();
  }
  // Half a syllable of an input method is no word yet.
  field.addEventListener("input", (event) => { if (!event.isComposing) read(); });
  field.addEventListener("compositionend", read);

  root.setAttribute("role", "group");
  root.setAttribute("aria-label", say.label);
  root.replaceChildren(
    make("div", { class: "pe-cards__controls" }, turn,
      make("label", { class: "pe-cards__switch", for: "pe-cards-add" }, encoded, say.add)),
    list, said,
    make("div", { class: "pe-cards__controls" }, back,
      make("p", { class: "pe-cards__note", id: "pe-cards-hint" }, say.hint)),
    make("label", { for: "pe-cards-own" }, say.own), field, note,
    make("details", {}, make("summary", {}, say.table),
      make("div", { class: "table pe-cards__numbers", tabindex: 0, role: "group", "aria-label": say.table }, table)),
  );
  read();
  root.classList.add("pe-cards--on");
}

const root = document.querySelector(".pe-cards");
if (root) start(root);
