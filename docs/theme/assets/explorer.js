// The explorer: move a number and see what it does to an encoding. What is computed stands in
// encodings.js; what is handed out, in export.js, comes when someone asks for it.
import { beyond, curve, difference, firstRise, frequencies, lower, npy, slopes, speeds, table } from "./encodings.js";

// Words -----------------------------------------------------------------------------------------

export const WORDS = {
  en: {
    kind: "encoding", d: "dimensions d", n: "positions", base: "base", p: "position p", k: "distance k",
    q: "other position q", L: "training length L", s: "times longer, s", scale: "scaling", qk: "query and key",
    heads: "heads", head: "head", col: "column", w: "further columns",
    kinds: {
      sin: "sinusoid, sine and cosine in turn", cat: "sinusoid, all sines first", rope: "RoPE",
      alibi: "ALiBi", rand: "learned: before training", table: "learned: MiniLM, trained",
    },
    scales: { none: "none", pi: "position interpolation", ntk: "NTK-aware", dynamic: "dynamic NTK", yarn: "YaRN", llama3: "Llama 3" },
    qks: { ones: "all ones", rand: "fixed random numbers" },
    panels: {
      curve: (value) => `Distance and ${value}`, map: "The whole table", waves: "Columns as waves",
      clocks: "The clocks, and what training has shown them", steps: "The difference vector, from p to p + k",
    },
    values: { sim: "cosine similarity", rope: "score", alibi: "bias" },
    distance: "distance", position: "position", dimension: "dimension",
    rise: "Find where it first rises", differs: "Show that it is not the same everywhere",
    rises: (k, a, b) => `From distance ${k} to ${k + 1} it first rises, from ${a} to ${b}.`,
    never: "It never rises here.",
    higher: (k, list, more) => `Distance ${k} is farther than ${list}${more ? " and " + more + " more" : ""}, yet its value is higher.`,
    lowest: (k) => (k > 1 ? "All shorter distances have higher values." : ""),
    bias: (k, weight) => `At distance ${k} this head multiplies a weight by ${weight}, before all of them are made to sum to one.`,
    cell: (row, col, value, rest) => `position ${row}, column ${col}: ${value}${rest}`,
    biasCell: (row, col, value) => `distance ${row}, head ${col}: ${value}`,
    wave: (i, theta, length) => `; pair ${i}, frequency ${theta}, wavelength ${length}`,
    clocks: (all, round, L) => `A model trained on ${L} positions has seen the green part of each rim. ${round} of ${all} clocks went all the way round. `,
    fresh: (what, last, count) => `Up to ${what} ${last}, clocks beyond the green part: ${count}.`,
    known: "No position lies beyond the training length, so no angle is new.",
    steps: (p, q, k, gap, one, two) => (p === q ? `Both steps begin at position ${p}, so all bars agree. Move q.` : `From ${p} to ${p + k} and from ${q} to ${q + k} the entries differ by up to ${gap}. The two difference vectors have the lengths ${one} and ${two}.`),
    gap: " ", hint: "Tap a cell, or use the arrow keys.", scaleOf: (most) => `Colours from −${most} (blue) to ${most} (orange).`,
    limits: "The trained table has 512 positions and 384 columns.",
    loading: "The trained table is being loaded.", failed: "The trained table could not be loaded.",
    noted: (name, asked, used) => `${name}: “${asked}” does not fit here, ${used} is shown.`,
    data: "Numbers and program", part: "The CSV file holds all of them.", csv: "Save as CSV", python: "Save the program", pair: (i) => `pair ${i}`,
    beyond: "beyond L", below: "Below the white line: beyond the training length L.",
  },
  zh: {
    kind: "编码", d: "维数 d", n: "位置数", base: "底数", p: "位置 p", k: "距离 k",
    q: "另一个位置 q", L: "训练长度 L", s: "加长倍数 s", scale: "缩放", qk: "查询和键",
    heads: "头数", head: "头", col: "列", w: "再加几列",
    kinds: {
      sin: "正弦：正弦、余弦交替", cat: "正弦：正弦全在前", rope: "RoPE",
      alibi: "ALiBi", rand: "可学习：训练之前", table: "可学习：MiniLM，训练好的",
    },
    scales: { none: "不缩放", pi: "位置插值", ntk: "NTK-aware", dynamic: "动态 NTK", yarn: "YaRN", llama3: "Llama 3" },
    qks: { ones: "全是 1", rand: "固定的随机数" },
    panels: {
      curve: (value) => `${value}随距离的变化`, map: "整张表", waves: "把列画成波",
      clocks: "钟，以及训练见过的部分", steps: "差向量：从 p 到 p + k",
    },
    values: { sim: "余弦相似度", rope: "分数", alibi: "偏置" },
    distance: "距离", position: "位置", dimension: "维",
    rise: "找到最先回升的地方", differs: "看看它并非处处相同",
    rises: (k, a, b) => `距离从 ${k} 到 ${k + 1}，最先回升：${a} 升到 ${b}。`,
    never: "这里一直没有回升。",
    higher: (k, list, more) => `距离 ${k} 比 ${list}${more ? " 等 " + more + " 个距离" : " "}更远，值反而更高。`,
    lowest: (k) => (k > 1 ? "更短的距离，值都更高。" : ""),
    bias: (k, weight) => `隔 ${k} 个位置，这个头先把权重乘以 ${weight}，再把所有权重调到总和为 1。`,
    cell: (row, col, value, rest) => `位置 ${row}，第 ${col} 列：${value}${rest}`,
    biasCell: (row, col, value) => `距离 ${row}，头 ${col}：${value}`,
    wave: (i, theta, length) => `；第 ${i} 对，频率 ${theta}，波长 ${length}`,
    clocks: (all, round, L) => `用 ${L} 个位置训练的模型，见过的角度是表盘边上绿色的一段。${all} 只钟里有 ${round} 只转满了一圈。`,
    fresh: (what, last, count) => `到${what} ${last} 为止，指针走出绿色一段的钟有 ${count} 只。`,
    known: "位置没有超出训练长度，所以没有新的角度。",
    steps: (p, q, k, gap, one, two) => (p === q ? `两个差向量都从位置 ${p} 出发，柱子全都一样。拖动 q 看看。` : `从 ${p} 到 ${p + k}，从 ${q} 到 ${q + k}：两个差向量对应的数最多相差 ${gap}，长度分别是 ${one} 和 ${two}。`),
    gap: "", hint: "点一个格子，或者用方向键。", scaleOf: (most) => `颜色从 −${most}（蓝）到 ${most}（橙）。`,
    limits: "训练好的表有 512 个位置、384 列。",
    loading: "正在加载训练好的表。", failed: "训练好的表没有加载成功。",
    noted: (name, asked, used) => `${name}：“${asked}”在这里不行，现在显示的是 ${used}。`,
    data: "数据和程序", part: "全部数据在 CSV 文件里。", csv: "保存为 CSV", python: "保存程序", pair: (i) => `第 ${i} 对`,
    beyond: "超出 L", below: "白线以下的位置超出了训练长度 L。",
  },
};
const words = WORDS[document.documentElement.lang.startsWith("zh") ? "zh" : "en"];

// What is looked at -----------------------------------------------------------------------------

const CHOICES = { kind: Object.keys(words.kinds), scale: Object.keys(words.scales), qk: Object.keys(words.qks) };
const LIMITS = {
  d: [2, 512], n: [2, 1024], base: [10, 1e6], L: [1, 1024], s: [1, 64], heads: [1, 32], head: [0, 31],
  k: [0, 1023], p: [0, 1023], q: [0, 1023], col: [0, 511],
};
const FIRST = {
  kind: "sin", scale: "none", qk: "ones", d: 16, n: 64, base: 10000, L: 64, s: 4, heads: 8, head: 0,
  k: 3, p: 0, q: 10, col: 0, w: [],
};

/** Views with a name: the page has a link with this id, other pages link to it. */
export const VIEWS = {
  nearer: { k: 7 },
  "first-rise": { d: 512, n: 128, L: 128, find: true },
  "not-the-same": { q: 0, panel: "steps" },
  "slow-and-fast": { kind: "cat", d: 512, n: 512, L: 512, col: 100, p: 100, panel: "map" },
  "small-base": { d: 64, n: 256, L: 256, base: 10, k: 20 },
  "rope-and-distance": { kind: "rope", d: 64, n: 257, L: 1024, k: 100 },
  "new-angles": { kind: "rope", n: 512, k: 300, panel: "clocks" },
  "slowed-down": { kind: "rope", scale: "yarn", s: 8, n: 512, k: 300, panel: "clocks" },
  "alibi-near": { kind: "alibi", k: 8, head: 1 },
  "trained-table": { kind: "table", d: 384, n: 512, p: 200, k: 5 },
};

const viewOf = (hash) => (Object.hasOwn(VIEWS, hash.slice(1)) ? VIEWS[hash.slice(1)] : undefined);

/** The nearest that fits. `limit` lowers the upper end where another number asks for it. */
const fit = (name, value, limit = Infinity) => {
  const [low, high] = LIMITS[name];
  const top = Math.max(low, Math.min(high, limit));
  const whole = name === "d" ? 2 * Math.round(value / 2) : Math.round(value);
  return Math.min(top, Math.max(low, whole));
};

const highest = (v) => {
  const trained = v.kind === "table";
  const cols = v.kind === "alibi" ? v.heads : v.d, k = v.n - 1;
  return { d: trained ? 384 : 512, n: trained ? 512 : 1024, k, p: k - v.k, q: k - v.k, head: v.heads - 1, col: cols - 1 };
};

function settled(wanted) {
  const v = { ...wanted };
  for (const name of Object.keys(LIMITS)) v[name] = fit(name, v[name], highest(v)[name]);
  const cols = highest(v).col;
  v.w = [...new Set(v.w)].filter((col) => Number.isInteger(col) && col >= 0 && col <= cols).slice(0, 6);
  // A pair is seen together: sine and cosine, or the two numbers that RoPE turns.
  const other = v.kind === "cat" ? (v.col + v.d / 2) % v.d : v.col ^ 1;
  v.columns = [...new Set([v.col, ...(v.kind === "alibi" ? [] : [other]), ...v.w])].sort((a, b) => a - b);
  return v;
}

/** What an address asks for, and the names of what does not fit. Nothing from it is shown but as text. */
function read({ search, hash }) {
  const named = viewOf(hash);
  if (named) return { v: settled({ ...FIRST, ...named }), off: [], ...named };
  const asked = new URLSearchParams(search), wanted = { ...FIRST }, off = [];
  for (const [name, options] of Object.entries(CHOICES)) {
    if (asked.has(name) && options.includes(asked.get(name))) wanted[name] = asked.get(name);
  }
  for (const name of Object.keys(LIMITS)) {
    const value = Number(asked.get(name)?.trim() || NaN);
    if (Number.isFinite(value)) wanted[name] = value;
    else if (value) wanted[name] = value > 0 ? LIMITS[name][1] : LIMITS[name][0];
  }
  if (asked.get("w")) wanted.w = asked.get("w").split(".").map(Number);
  const v = settled(wanted);
  for (const name of [...Object.keys(CHOICES), ...Object.keys(LIMITS), "w"]) {
    const said = name === "w" ? v.w.join(".") : String(v[name]);
    if (asked.has(name) && asked.get(name).trim() !== said) off.push([name, asked.get(name), said]);
  }
  return { v, off };
}

/** The address of a view: only what differs from the first one. */
function address(v) {
  const query = new URLSearchParams();
  for (const name of Object.keys(FIRST)) {
    const said = name === "w" ? v.w.join(".") : String(v[name]);
    if (said !== String(FIRST[name])) query.set(name, said);
  }
  return `${location.pathname}${query.size ? "?" : ""}${query}`;
}

// The parts of the page -------------------------------------------------------------------------

const make = (tag, options = {}, ...children) => {
  const { data, ...attributes } = options, part = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
  Object.assign(part.dataset, data);
  part.append(...children);
  return part;
};

const root = document.querySelector("#pe-explorer");
const fields = {}, parts = {};

function numbers(name) {
  const [low, high] = LIMITS[name];
  const isLog = name === "base";
  const range = make("input", { type: "range", min: isLog ? 100 : low, max: isLog ? 600 : high, step: name === "d" ? 2 : 1, id: `ex-${name}` });
  const number = make("input", { type: "number", min: low, max: high, step: name === "d" ? 2 : 1, "aria-label": words[name] });
  const rounded = (value) => Number((10 ** (value / 100)).toPrecision(2));
  range.addEventListener("input", () => change({ [name]: isLog ? rounded(range.value) : Number(range.value) }, name));
  number.addEventListener("change", () => change({ [name]: number.value.trim() ? Number(number.value) : view[name] }, name));
  fields[name] = (v, most) => {
    const top = most[name] ?? high;
    if (!isLog) range.max = number.max = top;
    range.value = isLog ? 100 * Math.log10(v.base) : v[name];
    range.setAttribute("aria-valuetext", v[name]);
    if (document.activeElement !== number || Number(number.value) !== v[name]) number.value = v[name];
  };
  return make("div", { class: "ex-field", data: { name } }, make("label", { for: range.id }, words[name]), range, number);
}

function choice(name, options) {
  const select = make("select", { id: `ex-${name}` }, ...CHOICES[name].map((key) => make("option", { value: key }, options[key])));
  select.addEventListener("change", () => change({ [name]: select.value }, name));
  fields[name] = (v) => { select.value = v[name]; };
  return make("div", { class: "ex-field", data: { name } }, make("label", { for: select.id }, words[name]), select);
}

function columns() {
  const input = make("input", { type: "text", id: "ex-w", inputmode: "numeric", placeholder: "4 5 8 9" });
  input.addEventListener("change", () => change({ w: (input.value.match(/\d+/g) || []).map(Number) }, "w"));
  fields.w = (v) => { input.value = v.w.join(" "); };
  return make("div", { class: "ex-field", data: { name: "w" } }, make("label", { for: input.id }, words.w), input);
}

function button(text, act) {
  const part = make("button", { type: "button", class: "ex-button" }, text);
  part.addEventListener("click", act);
  return part;
}

function panel(name, ...controls) {
  const named = name === "curve" ? "" : title(name); // the curve as soon as it is known what it shows
  const canvas = make("canvas", { role: "img", "aria-label": named });
  const say = make("p", { class: "ex-say" });
  const fold = make("details", { class: "ex-data" }, make("summary", {}, words.data));
  fold.addEventListener("toggle", () => (fold.open ? list(name) : fold.querySelector("div")?.remove()));
  const part = make("section", { class: "ex-panel", data: { panel: name } },
    make("h3", {}, named), say, make("div", { class: "ex-plot" }, canvas), ...controls, fold);
  parts[name] = { part, canvas, say, fold };
  return part;
}

// Numbers, files, programs ----------------------------------------------------------------------

function save(name, type, text) {
  const link = make("a", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Fills the fold of a panel: two files, and as many of the numbers as one can look through. */
async function list(name) {
  const { rows, program } = await import("./export.js");
  const { fold } = parts[name];
  const all = () => rows(view, name, shown, values).map((row) => row.join(",")).join("\n");
  const some = rows(view, name, shown, values).slice(0, 65).map((row) => row.slice(0, 9));
  const [head, ...body] = some.map((row, at) => make("tr", {}, ...row.map((cell) => make(at ? "td" : "th", at ? {} : { scope: "col" }, cell))));
  const box = make("div", {},
    make("p", {}, button(words.csv, () => save(`${name}.csv`, "text/csv", `${all()}\n`)), " ",
      button(words.python, () => save(`${name}.py`, "text/x-python", program(view, name)))),
    make("div", { class: "table", role: "group", tabindex: 0, "aria-label": title(name) },
      make("table", { class: "data" }, make("thead", {}, head), make("tbody", {}, ...body))),
    make("p", {}, words.part),
    make("pre", {}, make("code", { tabindex: 0 }, program(view, name))));
  fold.querySelector("div")?.remove();
  if (fold.open) fold.append(box);
}

// Drawing ---------------------------------------------------------------------------------------

// matplotlib's managua_r, the map of the figures, at 17 places.
export const STOPS = "81e7ff76c7ec6baada608ec75776b4505d9c4c46804e3261582948692b3c8139399b4c3db16243c5794ad89353ebb05dffcf67";
const shades = Uint32Array.from({ length: 256 }, (_, at) => {
  const place = at / 255 * 16, stop = Math.min(15, Math.floor(place));
  const part = (which, rgb) => parseInt(STOPS.slice(6 * which + 2 * rgb, 6 * which + 2 * rgb + 2), 16);
  const mixed = [0, 1, 2].map((rgb) => Math.round(part(stop, rgb) + (place - stop) * (part(stop + 1, rgb) - part(stop, rgb))));
  return (255 << 24 | mixed[2] << 16 | mixed[1] << 8 | mixed[0]) >>> 0;
});

const ink = {}, sizes = new Map();
function mix() {
  const style = getComputedStyle(root);
  for (const name of ["ink", "soft", "rule", "line", "position", "token", "sum", "paper", "mark"]) ink[name] = style.getPropertyValue(`--pe-${name}`).trim();
  ink.font = `12px ${style.fontFamily}`;
}

/** Measures the pictures: asked for in each step, sizes would make the browser lay out the page. */
function measure() {
  for (const { canvas } of Object.values(parts)) {
    if (canvas) sizes.set(canvas, [canvas.clientWidth, canvas.clientHeight]);
  }
}

/** A canvas as large as it is shown, cleared; lengths in it are those of the page. */
function sheet(canvas) {
  const [width, height] = sizes.get(canvas), dense = Math.min(devicePixelRatio || 1, 2);
  if (canvas.width !== Math.round(width * dense) || canvas.height !== Math.round(height * dense)) {
    canvas.width = Math.round(width * dense);
    canvas.height = Math.round(height * dense);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = ink.font;
  pen.lineWidth = 1;
  return { pen, width, height };
}

const LEFT = 44, RIGHT = 14, TOP = 14, BOTTOM = 38;

/** Axes; returns the pen and where a point stands. */
function axes(canvas, last, [low, high], label) {
  const { pen, width, height } = sheet(canvas);
  const x = (at) => LEFT + at / Math.max(last, 1) * (width - LEFT - RIGHT);
  const y = (at) => TOP + (high - at) / (high - low || 1) * (height - TOP - BOTTOM);
  pen.fillStyle = ink.soft;
  pen.strokeStyle = ink.rule;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].find((one) => (high - low) / one <= 5) || 1000;
  for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9; tick += step) {
    pen.fillText(String(Number(tick.toFixed(2))).replace("-", "−"), LEFT - 8, y(tick));
    pen.beginPath();
    pen.moveTo(LEFT, y(tick));
    pen.lineTo(width - RIGHT, y(tick));
    pen.stroke();
  }
  pen.textAlign = "center";
  const far = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((one) => last / one <= 8) || 500;
  for (let tick = 0; tick <= last; tick += far) pen.fillText(tick, x(tick), height - BOTTOM + 12);
  pen.textAlign = "right";
  pen.fillText(label, width - RIGHT, height - 9);
  return { pen, x, y, width, height };
}

function line(pen, x, y, count, value, colour, dash = []) {
  // A path of a thousand corners takes longer than a frame: what a dot of the screen's width holds
  // becomes one upright bar, from the lowest value to the highest.
  if (count > 300) {
    pen.fillStyle = colour;
    let place = Math.round(x(0)), low = Infinity, high = -Infinity;
    for (let at = 0; at < count; at++) {
      const height = y(value(at));
      [low, high] = [Math.min(low, height), Math.max(high, height)];
      if (Math.round(x(at)) === place && at < count - 1) continue;
      pen.fillRect(place, Math.round(low) - 1, 2, Math.round(high - low) + 2);
      [place, low, high] = [Math.round(x(at)), height, height];
    }
    return;
  }
  pen.strokeStyle = colour;
  pen.lineWidth = 1.8;
  pen.setLineDash(dash);
  pen.beginPath();
  for (let at = 0; at < count; at++) pen.lineTo(x(at), y(value(at)));
  pen.stroke();
  pen.setLineDash([]);
}

function dot(pen, x, y, size, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, size, 0, 7);
  pen.fill();
}

const exact = (value, digits = 3) => value.toFixed(digits).replace(/^-/, "−");
const turns = () => !["alibi", "rand", "table"].includes(view.kind);
const unit = () => words.values[{ rope: "rope", alibi: "alibi" }[view.kind] || "sim"];

const title = (name) => (name === "curve" ? words.panels.curve(unit()) : words.panels[name]);

/** Where the curve first rises, with as many digits as show it. */
function rising() {
  const k = firstRise(values);
  if (k < 0) return words.never;
  let digits = 3;
  while (digits < 9 && exact(values[k], digits) === exact(values[k + 1], digits)) digits++;
  return words.rises(k, exact(values[k], digits), exact(values[k + 1], digits));
}

const DRAW = {
  curve({ canvas, say }) {
    const { k, kind, L } = view, value = values[k] ?? NaN;
    let low = 0, high = kind === "alibi" ? 0 : 1;
    for (const one of values) { low = Math.min(low, one); high = Math.max(high, one); }
    const below = kind === "alibi" ? [] : lower(values, k);
    const { pen, x, y, width, height } = axes(canvas, values.length - 1, [low, high], words.distance);
    if (turns() && values.length > L) {
      pen.fillStyle = ink.mark;
      pen.globalAlpha = 0.35;
      pen.fillRect(x(L), TOP, width - RIGHT - x(L), height - TOP - BOTTOM);
      pen.globalAlpha = 1;
      pen.fillStyle = ink.soft;
      pen.textAlign = "left";
      pen.fillText(words.beyond, Math.min(x(L) + 4, width - 80), TOP + 8);
    }
    pen.strokeStyle = ink.line;
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(LEFT, y(value));
    pen.lineTo(x(k), y(value));
    pen.lineTo(x(k), height - BOTTOM);
    pen.stroke();
    pen.setLineDash([]);
    line(pen, x, y, values.length, (at) => values[at], ink.position);
    if (values.length <= 130) values.forEach((one, at) => dot(pen, x(at), y(one), 2, ink.position));
    for (const at of below.slice(0, 200)) dot(pen, x(at), y(values[at]), values.length > 130 ? 2.5 : 4.5, ink.token);
    dot(pen, x(k), y(value), 7, ink.ink);
    pen.font = `600 14px ${ink.font.slice(5)}`;
    pen.textAlign = k > values.length * 0.75 ? "right" : "left";
    const label = [`k = ${k}`, x(k) + (pen.textAlign === "left" ? 6 : -6), height - BOTTOM - 10];
    pen.strokeStyle = ink.paper;
    pen.lineWidth = 5;
    pen.strokeText(...label);
    pen.fillText(...label);
    parts.big.replaceChildren(make("span", {}, `${words.distance} ${k}`), " ", make("strong", {}, exact(value)), " ", make("span", {}, unit()));
    const names = below.slice(0, 4).join(words === WORDS.zh ? "、" : ", ");
    const more = words === WORDS.zh && below.length > 4 ? below.length : below.length - 4;
    say.textContent = sought ? rising() : kind === "alibi" ? words.bias(k, exact(Math.exp(value)))
      : below.length ? words.higher(k, names, Math.max(more, 0)) : words.lowest(k);
  },

  map({ canvas }) {
    const { rows, cols, values: all, most } = shown;
    if (canvas.width !== cols || canvas.height !== rows || !picture) {
      [canvas.width, canvas.height] = [cols, rows];
      picture = new ImageData(cols, rows);
      pixels = new Uint32Array(picture.data.buffer);
    }
    const by = 127.5 / most;
    // Waves stay within their colours; random numbers and biases may lie outside.
    if (turns() && view.qk === "ones") for (let at = 0; at < all.length; at++) pixels[at] = shades[(all[at] * by + 127.5) | 0];
    else for (let at = 0; at < all.length; at++) pixels[at] = shades[Math.max(0, Math.min(255, all[at] * by + 127.5)) | 0];
    canvas.getContext("2d").putImageData(picture, 0, 0);
    const [width, height] = sizes.get(canvas);
    canvas.classList.toggle("ex-fine", cols > width || rows > height);
    readOut();
    parts.key.textContent = [words.scaleOf(Number(most.toFixed(2))), turns() && view.L < rows && words.below, words.hint]
      .filter(Boolean).join(words.gap);
  },

  waves({ canvas, say }) {
    let low = -1, high = 1;
    const of = (col) => (at) => shown.values[at * shown.cols + col];
    for (const col of view.columns) for (let at = 0; at < shown.rows; at++) {
      low = Math.min(low, of(col)(at));
      high = Math.max(high, of(col)(at));
    }
    if (view.kind === "alibi") high = 0;
    if (view.kind === "table") [low, high] = [-0.2, 0.2];
    const { pen, x, y, height } = axes(canvas, shown.rows - 1, [low, high], view.kind === "alibi" ? words.distance : words.position);
    const colours = [ink.position, ink.token, ink.sum, ink.soft];
    view.columns.forEach((col, at) => line(pen, x, y, shown.rows, of(col), colours[at % 4], [[], [6, 3], [2, 3]][Math.floor(at / 4)]));
    pen.strokeStyle = ink.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(row()), TOP);
    pen.lineTo(x(row()), height - BOTTOM);
    pen.stroke();
    say.replaceChildren(...view.columns.map((col, at) => make("span", { class: "ex-key", style: `--colour: ${colours[at % 4]}` }, `${view.kind === "alibi" ? words.head : words.col} ${col}`)));
  },

  clocks({ canvas, say }) {
    const [theta] = speeds(view), before = frequencies(view.base, view.d), half = theta.length;
    const { slow, fresh } = beyond(view);
    say.textContent = words.clocks(half, half - slow.length, view.L) + (view.n > view.L
      ? words.fresh(view.kind === "rope" ? words.distance : words.position, view.n - 1, fresh.length) : words.known);
    const pairs = [...new Set(Array.from({ length: 8 }, (_, at) => Math.round(at * (half - 1) / 7)))];
    const { pen, width } = sheet(canvas);
    const across = width < 480 ? 4 : 8, size = width / across, r = Math.min(size * 0.36, 38);
    const hand = (x, y, angle, colour, thick) => {
      pen.strokeStyle = colour;
      pen.lineWidth = thick;
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x + r * Math.sin(angle), y - r * Math.cos(angle));
      pen.stroke();
    };
    pairs.forEach((i, at) => {
      const x = (at % across + 0.5) * size, y = Math.floor(at / across) * 130 + r + 12;
      pen.strokeStyle = ink.rule;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(x, y, r, 0, 7);
      pen.stroke();
      pen.strokeStyle = ink.sum;
      pen.lineWidth = 4;
      pen.beginPath();
      pen.arc(x, y, r, -Math.PI / 2, Math.min(view.L * before[i], 2 * Math.PI) - Math.PI / 2);
      pen.stroke();
      hand(x, y, (view.p + view.k) * theta[i], ink.token, 2);
      hand(x, y, view.p * theta[i], ink.position, 3);
      pen.fillStyle = fresh.includes(i) ? ink.position : ink.soft;
      pen.textAlign = "center";
      pen.fillText(words.pair(i), x, y + r + 16);
      pen.fillText(`λ ${Math.round(2 * Math.PI / theta[i]).toLocaleString("en")}`, x, y + r + 32);
    });
  },

  steps({ canvas, say }) {
    const { p, q, k } = view, ways = [p, q].map((start) => difference(shown, start, k));
    const gap = Math.max(...ways[0].map((one, j) => Math.abs(one - ways[1][j])));
    const length = (way) => Math.hypot(...way).toFixed(3);
    const most = Math.max(1e-3, ...ways.flatMap((way) => [...way].map(Math.abs)));
    const { pen, x, y, width } = axes(canvas, shown.cols, [-most, most], words.dimension);
    const broad = Math.max(1, (width - LEFT - RIGHT) / shown.cols * 0.4);
    ways.forEach((way, which) => {
      pen.fillStyle = which ? ink.token : ink.position;
      way.forEach((one, j) => pen.fillRect(x(j + 0.1 + 0.4 * which), y(Math.max(one, 0)), broad, Math.abs(y(one) - y(0))));
    });
    say.replaceChildren(words.steps(p, q, k, gap.toFixed(2), length(ways[0]), length(ways[1])), " ",
      ...[p, q].map((start, which) => make("span", { class: "ex-key", style: `--colour: ${which ? ink.token : ink.position}` }, `${start} → ${start + k}`)));
  },
};

const pairOf = (col) => (view.kind === "cat" ? col % (view.d / 2) : col >> 1);

function cell(row, col) {
  const value = shown.values[row * shown.cols + col];
  if (view.kind === "alibi") return words.biasCell(row, col, exact(value));
  if (!turns()) return words.cell(row, col, exact(value), "");
  const i = pairOf(col), theta = speeds(view)[0][i];
  const length = (2 * Math.PI / theta).toLocaleString("en", { maximumFractionDigits: 2 });
  return words.cell(row, col, exact(value), words.wave(i, Number(theta.toPrecision(4)), length));
}

const row = () => (view.kind === "alibi" ? view.k : view.p);

/** Reads a cell of the heat map, and puts the cross over it. */
function readOut(at = row(), col = view.col) {
  parts.map.say.textContent = cell(at, col);
  const { style } = parts.cross;
  style.setProperty("--row", (at + 0.5) / shown.rows);
  style.setProperty("--col", (col + 0.5) / shown.cols);
  style.setProperty("--end", turns() && view.L < shown.rows ? view.L / shown.rows : 1);
}

// Change ----------------------------------------------------------------------------------------

let view, shown, values, trained, picture, pixels, space, drawn = "", sought = false;

/** Shows the controls and panels that belong to this kind; measures them if that changes any. */
function arrange() {
  const { kind, scale } = view, alibi = kind === "alibi", rope = kind === "rope";
  const used = {
    base: turns(), L: turns(), d: !alibi, p: !alibi, scale: rope, qk: rope, heads: alibi, head: alibi,
    s: rope && ["pi", "ntk", "yarn", "llama3"].includes(scale), clocks: turns(), steps: !alibi,
  };
  let moved = !sizes.size;
  for (const [name, is] of Object.entries(used)) {
    const part = parts[name]?.part || root.querySelector(`[data-name=${name}]`);
    if (part.hidden === is) [part.hidden, moved] = [!is, true];
  }
  if (moved) measure();
}

/** Computes and draws what has changed; returns how long that took, in milliseconds. */
export function draw(anew = false) {
  const start = performance.now(), heading = parts.curve.part.firstChild;
  if (heading.textContent !== title("curve")) {
    heading.textContent = title("curve");
    parts.curve.canvas.setAttribute("aria-label", title("curve"));
  }
  if (view.kind === "table" && !trained) {
    fetchTrained();
    return 0;
  }
  const key = ["kind", "d", "n", "base", "L", "s", "scale", "qk", "heads"].map((name) => view[name]).join();
  const isNew = anew || key !== drawn;
  if (isNew) {
    arrange();
    shown = table(view, trained, space);
    if (shown.values.byteOffset === 0 && shown.values.length >= (space?.length || 0)) space = shown.values;
    drawn = key;
  }
  values = curve(view, shown);
  if (!isNew) readOut();
  for (const [name, how] of Object.entries(DRAW)) {
    if (!parts[name].part.hidden && (isNew || name !== "map")) how(parts[name]);
  }
  const most = highest(view);
  for (const show of Object.values(fields)) show(view, most);
  return performance.now() - start;
}

function fetchTrained() {
  tell(words.loading);
  fetch(new URL("../data/minilm-l6-v2-positions.npy", import.meta.url))
    .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(answer)))
    .then((buffer) => {
      trained = npy(buffer);
      tell(words.limits);
      if (view.kind === "table") draw();
      after();
    })
    .catch(() => tell(words.failed));
}

const tell = (text) => { parts.note.textContent = text; parts.note.hidden = !text; };

// Text for those who do not see the picture waits until the number stands still.
let quiet;
function after() {
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    for (const [name, { part, canvas, say, fold }] of Object.entries(parts).filter(([, one]) => one.canvas)) {
      const big = name === "curve" ? `${parts.big.textContent}. ` : "";
      canvas.setAttribute("aria-label", `${title(name)}. ${big}${say.textContent}`);
      if (fold.open && !part.hidden) list(name);
    }
    parts.live.textContent = `${parts.big.textContent}. ${parts.curve.say.textContent}`;
  }, 500);
}

let frame, last, writing;
const write = () => {
  clearTimeout(writing);
  if (writing) history.replaceState(null, "", address(view));
  writing = 0;
};

/** One entry in the history for each run of changes of one number; few writes while it moves. */
function change(wanted, name) {
  if (name !== last) write(); // while the view is still that of the entry
  let next = settled({ ...view, ...wanted });
  // A position that is asked for shortens the distance if both do not fit.
  if ((name === "p" || name === "q") && next[name] !== wanted[name]) next = settled({ ...view, ...wanted, k: Math.max(0, view.n - 1 - wanted[name]) });
  view = next;
  sought = false;
  tell(view.kind === "table" ? words.limits : "");
  if (name === last) writing ||= setTimeout(write, 300);
  else history.pushState(null, "", address(view));
  last = name;
  render();
}

function render() {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => draw());
  after();
}

function go(place, scroll) {
  const asked = read(place);
  view = asked.v;
  clearTimeout(writing);
  [last, writing, sought] = ["", 0, false];
  tell(asked.off.map(([name, said, used]) => words.noted(words[name], said.slice(0, 20), used || "–")).join(words.gap));
  draw();
  if (asked.find) rise();
  after();
  if (scroll && viewOf(place.hash)) parts[asked.panel || "curve"].part.scrollIntoView();
}

function rise() {
  const k = firstRise(values);
  if (k >= 0) view = settled({ ...view, k: k + 1 });
  sought = true; // is said until something else is asked for
  draw();
  after();
}

function build() {
  parts.note = make("p", { class: "ex-note", role: "status", hidden: "" });
  parts.live = make("p", { class: "pe-hidden", "aria-live": "polite" });
  parts.big = make("p", { class: "ex-big" });
  const find = button(words.rise, () => {
    write();
    rise();
    history.pushState(null, "", address(view));
    last = "";
  });
  const differs = button(words.differs, () => change({ q: (view.p + 10) % Math.max(1, view.n - view.k) }, "differs"));
  const group = (...all) => make("div", { class: "ex-fields" }, ...all);
  const first = panel("curve", numbers("k"), group(numbers("p"), numbers("head"), make("p", {}, find)));
  first.querySelector(".ex-say").before(parts.big);
  const map = panel("map", group(numbers("col")));
  parts.cross = make("div", { class: "ex-cross" });
  parts.key = make("p", { class: "ex-small" });
  map.querySelector(".ex-plot").append(parts.cross);
  map.querySelector(".ex-plot").after(parts.key);
  root.replaceChildren(parts.note, parts.live, group(choice("kind", words.kinds)), first, panel("clocks"),
    make("section", { class: "ex-panel" }, group(choice("scale", words.scales), choice("qk", words.qks),
      ...["d", "n", "base", "L", "s", "heads"].map(numbers))),
    map, panel("waves", columns()), panel("steps", numbers("q"), make("p", {}, differs)));
  root.classList.add("ex-ready");
  touch();
}

/** Mouse, finger and arrow keys on the pictures. */
function touch() {
  const within = (event, canvas, left = 0, right = 0) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left - left) / (box.width - left - right), (event.clientY - box.top) / box.height]
      .map((part) => Math.min(0.999999, Math.max(0, part)));
  };
  const drag = (canvas, act) => {
    canvas.addEventListener("pointerdown", (event) => { if (event.pointerType !== "touch") canvas.setPointerCapture(event.pointerId); act(event); });
    canvas.addEventListener("pointermove", (event) => { if (event.buttons) act(event); });
  };
  const { canvas } = parts.map;
  drag(parts.curve.canvas, (event) => {
    change({ k: Math.round(within(event, parts.curve.canvas, LEFT, RIGHT)[0] * (values.length - 1)) }, "k");
  });
  const at = (event) => {
    const [x, y] = within(event, canvas);
    return [Math.floor(y * shown.rows), Math.floor(x * shown.cols)];
  };
  const move = (to, col) => {
    const name = view.kind === "alibi" ? "k" : "p";
    change({ [name]: to, col }, name);
  };
  drag(canvas, (event) => move(...at(event)));
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons || event.pointerType === "touch") return;
    readOut(...at(event));
  });
  canvas.addEventListener("pointerleave", () => readOut());
  canvas.tabIndex = 0;
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    move(Math.min(shown.rows - 1, Math.max(0, row() + step[0])), Math.min(shown.cols - 1, Math.max(0, view.col + step[1])));
  });
}

if (root) {
  build();
  mix();
  go(location, true);
  if (viewOf(location.hash)) addEventListener("load", () => requestAnimationFrame(() => parts[viewOf(location.hash)?.panel || "curve"].part.scrollIntoView()));
  const again = () => { mix(); draw(true); };
  new MutationObserver(again).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  document.querySelector("#pe-dark")?.addEventListener("load", again);
  matchMedia("(forced-colors: active)").addEventListener("change", again);
  new ResizeObserver(() => { measure(); draw(true); }).observe(root);
  addEventListener("popstate", () => go(location, true));
  addEventListener("pagehide", write);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (!link || !viewOf(link.hash)) return;
    event.preventDefault();
    write();
    history.pushState(null, "", location.pathname + link.hash);
    go(link, true);
  });
  // The other language shows the same.
  document.querySelector(".pe-language")?.addEventListener("click", (event) => { event.currentTarget.search = location.search; });
}
