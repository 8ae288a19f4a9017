// What the explorer hands out: the numbers of a panel, and the Python program that prints the same.
// It is loaded when someone asks. tests/browser/test_explorer.py runs the programs.
import { beyond, difference, frequencies, speeds } from "./encodings.js";

const TURN = 2 * Math.PI;

/** The numbers of a panel as rows of text, the first one names the columns. */
export function rows(v, panel, shown, curve) {
  const heads = [...Array(shown.cols).keys()];
  const at = (row, col) => shown.values[row * shown.cols + col].toFixed(6);
  const each = (columns) => [
    [v.kind === "alibi" ? "distance" : "position", ...columns],
    ...Array.from({ length: shown.rows }, (_, row) => [row, ...columns.map((col) => at(row, col))]),
  ];
  if (panel === "curve") return [["distance", "value"], ...Array.from(curve, (value, k) => [k, value.toFixed(6)])];
  if (panel === "map") return each(heads);
  if (panel === "waves") return each(v.columns);
  if (panel === "steps") {
    const [one, two] = [v.p, v.q].map((start) => difference(shown, start, v.k));
    return [["dimension", `from ${v.p}`, `from ${v.q}`], ...heads.map((j) => [j, one[j].toFixed(6), two[j].toFixed(6)])];
  }
  const [theta] = speeds(v), before = frequencies(v.base, v.d), { slow, fresh } = beyond(v);
  return [
    ["pair", "frequency", "wavelength", `turns in ${v.L}`, `turns at ${v.p}`, `turns at ${v.p + v.k}`, "goes round", "new angles"],
    ...Array.from(theta, (t, i) => [
      i, t.toFixed(9), (TURN / t).toFixed(6),
      ...[v.L * before[i], v.p * t, (v.p + v.k) * t].map((angle) => (angle / TURN).toFixed(6)),
      Number(!slow.includes(i)), Number(fresh.includes(i)),
    ]),
  ];
}

const SINUSOID = (v, [sines, cosines]) => `pe = torch.zeros(T, d_model).double()                # (T, d)
pe[:, ${sines}] = torch.sin(pos * theta)            # (T, d/2)
pe[:, ${cosines}] = torch.cos(pos * theta)            # (T, d/2)
table, curve = pe, torch.cos(pos * theta).mean(dim=1)  # (T, d), (T,)`;

const ROWS = "curve = torch.cosine_similarity(table[p][None], table[p:])  # (T - p,)";

const RANDOM = `

def uniform(count):
    """mulberry32 with seed 2017: its outputs number \`count\`, from 0."""
    a = (2017 + (count + 1) * 0x6D2B79F5) & 0xFFFFFFFF
    t = (a ^ (a >> 15)) * (a | 1) & 0xFFFFFFFF
    t = t ^ (t + ((t ^ (t >> 7)) * (t | 61) & 0xFFFFFFFF)) & 0xFFFFFFFF
    return ((t ^ (t >> 14)).double() + 0.5) / 2**32


def normal(pos, i):
    """Pair i of row pos: two standard normal numbers (Box and Muller)."""
    count = 2 * (256 * pos + i)
    length = torch.sqrt(-2 * torch.log(uniform(count)))
    angle = 2 * math.pi * uniform(count + 1)
    pair = [length * torch.cos(angle), length * torch.sin(angle)]
    return torch.stack(pair, dim=-1).flatten(-2)

`;

const SCALINGS = {
  none: "m = 1",
  pi: "theta, m = theta / s, 1                # all positions divided by s",
  ntk: "theta = (base * s ** (d_model / max(d_model - 2, 1))) ** (-i / d_model)\nm = 1",
  dynamic: "s = max(T, L) / L\ntheta = (base * s ** (d_model / max(d_model - 2, 1))) ** (-i / d_model)\nm = 1",
  yarn: `first, last = (d_model * math.log(L / (2 * math.pi * n)) / 2 / math.log(base)
               for n in (32, 1))       # pairs with 32 turns in L, with 1
first, last = max(math.floor(first), 0), min(math.ceil(last), d_model - 1)
keep = 1 - ((i / 2 - first) / max(last - first, 0.001)).clamp(0, 1)
theta = keep * theta + (1 - keep) * theta / s
m = 0.1 * math.log(s) + 1              # on cosine and sine`,
  llama3: `keep = ((L * theta / (2 * math.pi) - 1) / (4 - 1)).clamp(0, 1)
theta, m = keep * theta + (1 - keep) * theta / s, 1`,
};

const ROPE = (v) => `${v.qk === "ones" ? "q = key = torch.ones(d_model).double()" : "pair = torch.arange(d_model // 2)\nq, key = (normal(torch.tensor(row), pair) for row in (0, 1))"}  # (d,)


def rotate(x):                         # (d,) -> (T, d), at each position
    a, b = x[0::2], x[1::2]
    c, s = m * torch.cos(pos * theta), m * torch.sin(pos * theta)
    return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(1)


table = rotate(q)                      # (T, d)
curve = table @ rotate(key)[0] / d_model  # (T,) by distance`;

const ALIBI = `

def slopes(heads):
    power = 2 ** math.floor(math.log2(heads))
    first = [2 ** (-8 * (i + 1) / power) for i in range(power)]
    finer = [2 ** (-8 * (i + 1) / (2 * power)) for i in range(0, 2 * power, 2)]
    return first + finer[: heads - power]


table = -torch.tensor(slopes(heads)).double() * pos  # (T, heads)
curve = table[:, head]                               # (T,)`;

const THETA = `i = torch.arange(0, d_model, 2).double()
theta = base ** (-i / d_model)         # (d/2,)`;

const PAIRED = "(torch.arange(T)[:, None], torch.arange(d_model // 2))";

const COLUMNS = `range(d_model // 2), theta.tolist(), (turn / theta).tolist(),
               (L * before / turn).tolist(), (p * theta / turn).tolist(),
               ((p + k) * theta / turn).tolist(), (~slow).int().tolist(), fresh.int().tolist()`;

/** A complete program that prints the numbers of a panel. */
export function program(v, panel) {
  const given = [["T", v.n]];
  const turns = v.kind !== "alibi";
  if (turns) given.push(["d_model", v.d], ["p", v.p], ["k", v.k]);
  if (turns && v.kind !== "table" && v.kind !== "rand") given.push(["base", v.base], ["L", v.L]);
  if (v.kind === "rope") given.push(["s", v.s]);
  if (!turns) given.push(["heads", v.heads], ["head", v.head]);
  const body = {
    sin: () => `${THETA}\n${SINUSOID(v, ["0::2", "1::2"])}`,
    cat: () => `${THETA}\n${SINUSOID(v, [": d_model // 2", "d_model // 2 :"])}`,
    rand: () => `${RANDOM}\ntable = normal${PAIRED}  # (T, d)\n${ROWS}`,
    table: () => `table = np.load("minilm-l6-v2-positions.npy")[:T, :d_model]  # (T, d)\ntable = torch.tensor(table).double()\n${ROWS}`,
    rope: () => `${v.qk === "ones" ? "" : RANDOM + "\n"}${THETA}\nbefore = theta\n${SCALINGS[v.scale]}\n${ROPE(v)}`,
    alibi: () => ALIBI,
  }[v.kind]();
  const line = (names, values) => `print("${names}")\nfor row in zip(${values}):\n    print(",".join(f"{x:.9g}" if isinstance(x, float) else str(x) for x in row))`;
  const first = turns ? "position" : "distance";
  const clocks = `pair,frequency,wavelength,turns in ${v.L},turns at ${v.p},turns at ${v.p + v.k},goes round,new angles`;
  const print = {
    curve: () => line("distance,value", "range(T), curve.tolist()"),
    map: () => `columns = range(table.shape[1])\n${line(first + '," + ",".join(map(str, columns)) + "', "range(T), *table.T.tolist()")}`,
    waves: () => `columns = [${v.columns.join(", ")}]\n${line([first, ...v.columns].join(), "range(T), *table[:, columns].T.tolist()")}`,
    steps: () => `q = ${v.q}\n${line("dimension,from " + v.p + ",from " + v.q, "range(d_model), (table[p + k] - table[p]).tolist(),\n               (table[q + k] - table[q]).tolist()")}`,
    clocks: () => `turn, before = 2 * math.pi, ${v.kind === "rope" ? "before" : "theta"}
slow = L * before < turn
fresh = slow & (T * theta > 1.001 * L * before)
${line(clocks, COLUMNS)}`,
  }[panel]();
  const source = `${given.map(([name]) => name).join(", ")} = ${given.map(([, value]) => value).join(", ")}
${turns ? "pos = torch.arange(T).double()[:, None]  # (T, 1)" : "pos = torch.arange(T).double()[:, None]  # (T, 1), distances"}
${body}
${print}
`;
  const imports = [["math", "import math\n"], ["np", "import numpy as np\n"]].filter(([name]) => source.includes(`${name}.`)).map(([, text]) => text);
  return `${imports.join("\n")}${imports.length && imports[0].includes("math") ? "\n" : ""}import torch\n\n${source}`;
}
