// The encodings that the explorer shows, as pure functions, defined as on the pages: theory,
// learnable, rope, relative, longer. tests/browser/test_explorer.py compares them with torch.
//
// A view says what is looked at: kind ("sin" sinusoid, "cat" the same with all sines first, "rand" a
// random table, "table" the trained one, "rope", "alibi"), d, n positions, base; for RoPE scale,
// s, L (training length) and qk; for ALiBi heads and head.

const TURN = 2 * Math.PI;

/** theta: the angle by which each pair turns from one position to the next. */
export const frequencies = (base, d) => Float64Array.from({ length: d / 2 }, (_, i) => base ** (-2 * i / d));

// By parts: `keep` says how much of each frequency stays, the rest is slowed s times.
const parts = (theta, s, keep) => theta.map((t, i) => {
  const kept = Math.min(1, Math.max(0, keep(t, i)));
  return kept * t + (1 - kept) * t / s;
});

const ntk = (base, d, s) => frequencies(base * s ** (d / Math.max(d - 2, 1)), d);

/** Each scaling of the page on long text: theta, then what cosine and sine are multiplied by. */
const SCALINGS = {
  none: (v) => [frequencies(v.base, v.d), 1],
  pi: (v) => [frequencies(v.base, v.d).map((t) => t / v.s), 1],
  ntk: (v) => [ntk(v.base, v.d, v.s), 1],
  dynamic: (v) => [ntk(v.base, v.d, Math.max(v.n, v.L) / v.L), 1],
  yarn: (v) => {
    const pair = (turns) => v.d * Math.log(v.L / (TURN * turns)) / 2 / Math.log(v.base);
    const first = Math.max(Math.floor(pair(32)), 0);
    const last = Math.min(Math.ceil(pair(1)), v.d - 1);
    const theta = frequencies(v.base, v.d);
    const keep = (_, i) => 1 - (i - first) / Math.max(last - first, 0.001);
    return [parts(theta, v.s, keep), 0.1 * Math.log(v.s) + 1];
  },
  llama3: (v) => [parts(frequencies(v.base, v.d), v.s, (t) => (v.L * t / TURN - 1) / 3), 1],
};

/** The frequencies in use, and the factor of cosine and sine. */
export const speeds = (v) => SCALINGS[v.kind === "rope" ? v.scale : "none"](v);

/** One slope per head: the rule of Press et al. and their code. */
export function slopes(heads) {
  const power = 2 ** Math.floor(Math.log2(heads));
  const first = Array.from({ length: power }, (_, i) => 2 ** (-8 * (i + 1) / power));
  const finer = Array.from({ length: power }, (_, i) => 2 ** (-8 * (2 * i + 1) / (2 * power)));
  return [...first, ...finer.slice(0, heads - power)];
}

// Random numbers that Python reproduces: mulberry32 with seed 2017, its outputs counted from 0.
function uniform(count) {
  const a = (2017 + Math.imul(count + 1, 0x6d2b79f5)) | 0;
  let t = Math.imul(a ^ (a >>> 15), 1 | a);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
}

/** Pair i of row pos of the random table: two standard normal numbers (Box and Muller). */
export function normal(pos, i) {
  const count = 2 * (256 * pos + i);
  const length = Math.sqrt(-2 * Math.log(uniform(count)));
  const angle = TURN * uniform(count + 1);
  return [length * Math.cos(angle), length * Math.sin(angle)];
}

let random;
function randomTable() {
  if (!random) {
    random = { rows: 1024, cols: 512, values: new Float32Array(1024 * 512) };
    for (let pair = 0; pair < 1024 * 256; pair++) random.values.set(normal(pair >> 8, pair & 255), 2 * pair);
  }
  return random;
}

/** A NumPy file of float16 numbers with two axes. */
export function npy(buffer) {
  const bytes = new DataView(buffer);
  const start = 10 + bytes.getUint16(8, true);
  const header = new TextDecoder().decode(new Uint8Array(buffer, 10, start - 10));
  const shape = /'descr': '<f2', 'fortran_order': False, 'shape': \((\d+), (\d+)\)/.exec(header);
  if (!shape) throw new Error(`not a table of float16: ${header}`);
  const values = Float32Array.from(new Uint16Array(buffer.slice(start)), (half) => {
    const sign = half >> 15 ? -1 : 1, exponent = (half >> 10) & 31, rest = half & 1023;
    return sign * (exponent ? (1024 + rest) * 2 ** (exponent - 25) : rest * 2 ** -24);
  });
  return { rows: Number(shape[1]), cols: Number(shape[2]), values };
}

/** Turn the points (x, y) by theta from row to row. `write(row, x, y)` sees each row; a million
 *  sines and cosines would take longer than a frame. */
function turning(theta, x, y, n, write) {
  const c = theta.map(Math.cos), s = theta.map(Math.sin);
  for (let row = 0; row < n; row++) {
    write(row, x, y);
    for (let i = 0; i < c.length; i++) {
      const was = x[i];
      x[i] = was * c[i] - y[i] * s[i];
      y[i] = was * s[i] + y[i] * c[i];
    }
  }
}

/** Query and key: all ones, or rows 0 and 1 of the random table. */
export function vectors(v) {
  const of = (row) => (v.qk === "ones" ? new Float64Array(v.d).fill(1)
    : Float64Array.from({ length: v.d }, (_, j) => normal(row, j >> 1)[j & 1]));
  return [of(0), of(1)];
}

const every = (array, from, by) => array.filter((_, j) => j % by === from);

/** What the heat map shows: { rows, cols, values, most }, with the colours from -most to most.
 *  For RoPE it is the query, turned at each position; for ALiBi the bias by distance and head.
 *  `space` is an array to use again, so that there is no litter while a slider moves. */
export function table(v, trained, space) {
  const { kind, d, n } = v;
  if (kind === "alibi") {
    const slope = slopes(v.heads);
    const values = Float32Array.from({ length: n * v.heads }, (_, at) => -slope[at % v.heads] * Math.floor(at / v.heads));
    return { rows: n, cols: v.heads, values, most: 8 };
  }
  const values = space?.length >= n * d ? space.subarray(0, n * d) : new Float32Array(n * d);
  if (kind === "rand" || kind === "table") {
    const from = kind === "rand" ? randomTable() : trained;
    for (let row = 0; row < n; row++) {
      values.set(from.values.subarray(row * from.cols, row * from.cols + d), row * d);
    }
    return { rows: n, cols: d, values, most: kind === "rand" ? 2.5 : 0.15 };
  }
  const half = d / 2, [theta, factor] = speeds(v);
  // At position 0 the hands of a sinusoid point to sine 0 and cosine 1.
  let x = new Float64Array(half).fill(1), y = new Float64Array(half), most = 1;
  let [forX, forY, step] = kind === "cat" ? [half, 0, 1] : [1, 0, 2];
  if (kind === "rope") {
    const query = vectors(v)[0].map((value) => value * factor);
    [x, y] = [every(query, 0, 2), every(query, 1, 2)];
    [forX, forY, most] = [0, 1, (v.qk === "ones" ? 1.5 : 2.5) * factor];
  }
  const sums = new Float64Array(n);
  turning(theta, x, y, n, (row, x, y) => {
    let sum = 0;
    for (let i = 0, at = row * d; i < half; i++, at += step) {
      sum += x[i];
      values[at + forX] = x[i];
      values[at + forY] = y[i];
    }
    sums[row] = sum;
  });
  return { rows: n, cols: d, values, most, sums };
}

/** By distance, from 0: the cosine similarity of two rows, for a table with row p as the first; the
 *  dot product of turned query and key, divided by d (RoPE); the bias (ALiBi). */
export function curve(v, shown) {
  if (v.kind === "alibi") {
    const slope = slopes(v.heads)[v.head];
    return Float64Array.from({ length: v.n }, (_, k) => -slope * k);
  }
  if (v.kind === "rand" || v.kind === "table") {
    return Float64Array.from({ length: v.n - v.p }, (_, k) => cosine(shown, v.p, v.p + k));
  }
  // Row 0 times row k is the sum of the cosines of row k.
  const half = v.d / 2;
  if (v.kind !== "rope") return shown.sums.map((sum) => sum / half);
  const [theta, factor] = speeds(v), [q, k] = vectors(v), values = new Float64Array(v.n);
  const size = factor * factor / v.d;
  const x = theta.map((_, i) => size * (q[2 * i] * k[2 * i] + q[2 * i + 1] * k[2 * i + 1]));
  const y = theta.map((_, i) => size * (q[2 * i + 1] * k[2 * i] - q[2 * i] * k[2 * i + 1]));
  turning(theta, x, y, v.n, (row, x) => {
    for (let i = 0; i < half; i++) values[row] += x[i];
  });
  return values;
}

function cosine({ values, cols }, a, b) {
  let dot = 0, one = 0, two = 0;
  for (let j = 0; j < cols; j++) {
    const left = values[a * cols + j], right = values[b * cols + j];
    dot += left * right;
    one += left * left;
    two += right * right;
  }
  return dot / Math.sqrt(one * two);
}

/** Row p + k minus row p. */
export const difference = ({ values, cols }, p, k) => Float64Array.from({ length: cols }, (_, j) => values[(p + k) * cols + j] - values[p * cols + j]);

// What differs by less is rounding.
const TINY = 1e-9;

/** The first distance whose value is below the next one's; -1 if there is none. */
export const firstRise = (values) => values.findIndex((value, k) => values[k + 1] > value + TINY);

/** The shorter distances, 0 apart, whose value is lower than that of k. */
export const lower = (values, k) => [...values.slice(1, k).keys()].map((at) => at + 1).filter((at) => values[at] < values[k] - TINY);

/** Pairs that do not go round in L positions, and those of them that n positions take to new angles. */
export function beyond(v) {
  const before = frequencies(v.base, v.d), [theta] = speeds(v);
  const slow = [...before.keys()].filter((i) => v.L * before[i] < TURN);
  return { slow, fresh: slow.filter((i) => v.n * theta[i] > 1.001 * v.L * before[i]) };
}
