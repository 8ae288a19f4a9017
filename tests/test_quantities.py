"""What has one name has one meaning: on every page `theta`, `angle`, `pe`, `rotate` … are what the
formulas say they are, whether or not the output of the program depends on it.

A program may print a shape, or True, and nothing of the numbers in between. They are on the page
all the same. So the tensors and functions that a program leaves behind are compared here with
formulas of our own. Where a page shows something else on purpose, it is in OTHERWISE, with why.
"""

import re
import shutil

import pytest
import torch
import torch.nn.functional as F
from house import ROOT, SNIPPETS
from test_encodings import load
from torch.testing import assert_close

NAMES = re.compile(
    r"^(?:def (rotate|interleaved|half_split)\(|(theta|angle|pe) = |(pe)\[)", re.MULTILINE
)


def named(path):
    """Which of the names with one meaning a snippet defines."""
    text = path.read_text(encoding="utf-8").partition("\n```\n")[0]
    return {name for match in NAMES.findall(text) for name in match if name}


def key(path):
    return path.relative_to(ROOT / "snippets").as_posix()


def formula(d, base=10000):
    """theta_i = base^(-2i/d), Vaswani et al., section 3.5."""
    return base ** (-torch.arange(0, d, 2).double() / d)


def is_frequencies(defined):
    theta = defined.theta.flatten().double()
    ought = formula(2 * len(theta), getattr(defined, "base", 10000))
    assert_close(theta, ought, rtol=1e-5, atol=0)


def is_angles(defined):
    """A row for each position from 0 on, a column for each frequency."""
    pos = torch.arange(len(defined.angle)).double()[:, None]
    assert_close(
        defined.angle.double(), pos * defined.theta.flatten().double(), rtol=1e-5, atol=1e-5
    )


def is_table(defined):
    """Sines in the even columns, cosines in the odd ones; or all sines first."""
    T, d = defined.pe.shape
    angle = torch.arange(T).double()[:, None] * formula(d)
    sines, cosines = angle.sin(), angle.cos()
    interleaved = torch.stack([sines, cosines], dim=-1).flatten(1)
    halves = torch.cat([sines, cosines], dim=1)
    first = interleaved if (defined.pe[0, 1] == 1) else halves
    assert_close(defined.pe.double(), first, rtol=0, atol=1e-4)


def is_rotation(rotate, defined, turn=None):
    """Lengths stay, and the score of a query and a key depends on the distance alone; for ones it
    is the sum of 2 cos(distance · theta_i) in either layout of the pairs."""
    D = 2 * defined.theta.numel() if hasattr(defined, "theta") else 64
    T = len(defined.angle) if hasattr(defined, "angle") else 12
    kind = defined.theta.dtype if hasattr(defined, "theta") else torch.float64
    q, k, ones = (x.expand(T, D).to(kind) for x in (*torch.randn(2, 1, D), torch.ones(1, D)))
    p, r, one = (turn(rotate, x) if turn else rotate(x) for x in (q, k, ones))
    assert_close(p.norm(dim=-1), q.norm(dim=-1))
    scores = p @ r.T
    assert_close(scores[1:, 1:], scores[:-1, :-1], rtol=0, atol=1e-4)
    theta = formula(D, getattr(defined, "base", 10000))
    by_distance = 2 * (torch.arange(T)[:, None] * theta).cos().sum(dim=1)
    assert_close((one @ one[0]).double(), by_distance, rtol=0, atol=1e-3)


def waves(pos, theta):
    angle = pos.double()[..., None] * theta.double()
    return torch.cat([angle.sin(), angle.cos()], dim=-1)


MEANINGS = {"theta": is_frequencies, "angle": is_angles, "pe": is_table}
# How a rotation with more to say than the vectors is called for the positions 0, 1, 2 …
TURN = {
    "exercises/other_way.md": lambda rotate, x: rotate(x[0], 1),
    "longer/cached_keys.md": lambda rotate, x: rotate(x, torch.arange(len(x)), 1),
    "pitfalls-lengths/off_by_one.md": lambda rotate, x: rotate(x, 0),
    "pitfalls-rope/distance_alone.md": lambda rotate, x: rotate(
        x, lambda each: each.repeat_interleave(2, dim=1)
    ),
    "pitfalls-rope/far_apart.md": lambda rotate, x: torch.cat(
        [rotate(row[None], m, True) for m, row in enumerate(x)]
    ),
    "pitfalls-rope/longer_than_trained.md": lambda rotate, x: rotate(
        x, torch.arange(len(x)).double(), 1.0
    ),
    "pitfalls-rope/minus_for_keys.md": lambda rotate, x: rotate(x[0], 1),
    "pitfalls-table/odd_heads.md": lambda rotate, x: rotate(x[None, None])[0, 0],
    "rope/every_pair.md": lambda rotate, x: rotate(x[0]),
    "rope/never_the_values.md": lambda rotate, x: rotate(x, 0),
}
# Names that stand for something else here, and why.
OTHERWISE = {
    "a random table": [
        "exercises/lost_order.md pe",
        "pitfalls-wiring/dropout_check.md pe",
        "pitfalls-wiring/dropout_twice.md pe",
    ],
    "a table of zeros": ["pitfalls-wiring/four_ways.md pe"],
    "the mistake that the page is about": [
        "pitfalls-rope/half_and_half.md rotate",
        "pitfalls-table/whole_numbers.md pe",
    ],
    "another definition, below": [
        "exercises/video.md pe",
        "grids-and-time/axial_rope.md angle",
        "grids-and-time/axial_rope.md rotate",
        "grids-and-time/gaps_matter.md theta",
        "grids-and-time/time_stamps.md pe",
        "pitfalls-table/wrong_axis.md theta",
        "pitfalls-table/wrong_axis_repaired.md theta",
        "taught-wrong/alternate.md angle",
        "why/cards.md angle",
    ],
    "compared with transformers": [
        "grids-and-time/audio_frames.md pe",
        "usage/whisper.md pe",
        "usage/whisper.md theta",
        "grids-and-time/table_2d.md pe",
    ],
}
ELSEWHERE = {place for places in OTHERWISE.values() for place in places}


def patches(height, width):
    patch = torch.arange(height * width)
    return patch // width, patch % width


def turned(x, angle):
    """RoPE on half-split pairs, as a product of complex numbers."""
    pairs = torch.complex(*x.double().chunk(2, dim=-1))
    pairs = pairs * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([pairs.real, pairs.imag], dim=-1)


# What a program leaves behind, and what it ought to be: where the output would not tell.
OUGHT = {
    "choose/cost.md": lambda d: [(d.a.shape, (2, d.B, d.heads, d.T, d.d // d.heads // 2))],
    "exercises/video.md": lambda d: [
        (
            d.pe,
            torch.cat([waves(axis, formula(d.d // 3)) for axis in (d.time, d.row, d.column)], 1),
        )
    ],
    "flow/shapes_added.md": lambda d: [
        (d.y, F.scaled_dot_product_attention(d.q, d.k, d.v).transpose(1, 2).flatten(2))
    ],
    "flow/shapes_rope.md": lambda d: [(d.scores, d.q @ d.k.mT / 4)],
    "grids-and-time/axial_rope.md": lambda d: [
        (
            d.angle,
            torch.cat([p[:, None] * formula(d.D // 2) for p in patches(d.H, d.W)], 1),
        ),
        (d.rotate(d.q).norm(dim=1), d.q.norm().expand(d.H * d.W)),
    ],
    "grids-and-time/gaps_matter.md": lambda d: [
        (d.theta, 4 * formula(d.d, 10)),
        (d.pe, waves(d.time, d.theta)),
    ],
    "grids-and-time/similarity_maps.md": lambda d: [
        (d.line, waves(torch.arange(196), formula(64))),
        (d.grid, torch.cat([waves(axis, formula(32)) for axis in patches(14, 14)], 1)),
    ],
    "grids-and-time/time_stamps.md": lambda d: [(d.pe, waves(d.burst, formula(16)))],
    "pitfalls/too_long.md": lambda d: [(d.learned.num_embeddings, 512)],
    "pitfalls-rope/flip_the_rows.md": lambda d: [
        (d.trained, turned(d.x @ d.W_q.T, d.angle) @ turned(d.x @ d.W_k.T, d.angle).T)
    ],
    "pitfalls-rope/slopes_check.md": lambda d: [
        (torch.tensor(d.formula(8)), 0.5 ** torch.arange(1, 9))
    ],
    "pitfalls-table/wrong_axis.md": lambda d: [(d.theta, formula(16).repeat_interleave(2))],
    "pitfalls-table/wrong_axis_repaired.md": lambda d: [
        (d.theta, formula(16).repeat_interleave(2)),
        (d.encode(d.t)[:, 0::2], (d.t[:, None] * formula(16)).sin()),
    ],
    "relative/alibi_is_blooms.md": lambda d: [
        (d.ours, d.slope[:, None, None] * (d.pos[None, None, :] - d.pos[None, :, None]))
    ],
    "relative/shaw.md": lambda d: [
        (d.scores, torch.stack([q @ (d.k + a).T / 4 for q, a in zip(d.q, d.a, strict=True)]))
    ],
    "rope/every_pair.md": lambda d: [
        (d.spread, max((line.max() - line.min()).item() for line in d.lines))
    ],
    "taught-wrong/alternate.md": lambda d: [
        (d.angle, torch.arange(64)[:, None] * formula(16).repeat_interleave(2))
    ],
    "theory/heatmap_512.md": lambda d: [(d.halves, waves(torch.arange(512), formula(512)))],
    "theory/waves.md": lambda d: [(d.pos, torch.arange(64))],
    "why/cards.md": lambda d: [
        (d.angle, torch.arange(3)[:, None] * formula(8)),
        (d.P[:, 0::2], d.angle.sin()),
        (d.P[:, 1::2], d.angle.cos()),
    ],
}
CASES = [
    (path, name)
    for path in SNIPPETS
    for name in sorted(named(path))
    if f"{key(path)} {name}" not in ELSEWHERE
]


# The lines of a figure, one after the other, as the formulas have them.
CURVES = {
    "explorer/nearer.md": lambda d: [waves(torch.arange(64), formula(16))[:, 8:].mean(dim=1)],
    "longer/times_slower.md": lambda d: [
        formula(128, 500_000) / theta.double() for theta in d.after.values()
    ],
    "rope/decay.md": lambda d: [
        (distance * formula(64)).cos().mean(dim=1)
        for distance in (torch.arange(257)[:, None], torch.arange(-100, 157)[:, None])
    ],
    "theory/similarity_curve.md": lambda d: [
        similarity[dots]
        for similarity in (
            waves(torch.arange(65), formula(n))[:, n // 2 :].mean(1) for n in WIDTHS
        )
        for dots in (slice(None), [3, 7])
    ],
    "theory/waves.md": lambda d: [
        wave(torch.arange(64) * formula(16)[i])
        for i in (0, 2, 4)
        for wave in (torch.sin, torch.cos)
    ],
}
WIDTHS = (16, 64, 512)
HEAT_MAPS = [path for path in SNIPPETS if "imshow(" in path.read_text(encoding="utf-8")]


@pytest.fixture(autouse=True)
def beside_the_data(tmp_path, monkeypatch):
    for file in (ROOT / "data").glob("*.npy"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    torch.manual_seed(0)


@pytest.mark.parametrize(("path", "name"), CASES, ids=[f"{key(p)} {name}" for p, name in CASES])
def test_one_name_one_meaning(path, name):
    defined = load(key(path))
    if name in MEANINGS:
        MEANINGS[name](defined)
    else:
        is_rotation(getattr(defined, name), defined, TURN.get(key(path)))


@pytest.mark.parametrize("path", OUGHT)
def test_what_the_output_would_not_tell(path):
    for found, ought in OUGHT[path](load(path)):
        assert_close(found, ought, rtol=1e-4, atol=1e-4, check_dtype=False)


def drawn(defined):
    return [axes for axes in defined.fig.axes if axes.get_label() != "<colorbar>"]


@pytest.mark.parametrize("path", CURVES)
def test_curves_are_those_of_the_formulas(path):
    defined = load(path)
    lines = [line.get_ydata() for axes in drawn(defined) for line in axes.lines]
    for line, ought in zip(lines, CURVES[path](defined), strict=False):
        assert_close(torch.as_tensor(line).double(), ought, rtol=1e-4, atol=1e-4)
    assert len(lines) >= len(CURVES[path](defined))


@pytest.mark.parametrize("path", HEAT_MAPS, ids=key)
def test_colours_have_zero_in_the_middle_and_room_for_all_values(path):
    """In a heat map with other limits the same colour would mean something else."""
    for axes in drawn(load(key(path))):
        for image in axes.images:
            least, most = image.get_clim()
            largest = abs(image.get_array()).max()
            assert least == -most
            assert 0.9 * most <= largest <= 1.001 * most, f"{largest} on a scale up to {most}"


def test_exceptions_exist():
    known = {f"{key(path)} {name}" for path in SNIPPETS for name in named(path)}
    assert known >= ELSEWHERE | {f"{path} rotate" for path in TURN}
    for why, places in OTHERWISE.items():
        if why == "another definition, below":
            assert {place.partition(" ")[0] for place in places} <= OUGHT.keys()
