"""The encodings on the pages equal those that people use.

Each test takes the function or class out of the snippet that the page shows: what is compared is
what is read, not a copy of it.
"""

import contextlib
import functools
import io
from types import SimpleNamespace

import pytest
import rotary_embedding_torch
import torch
from house import ROOT
from pytest_codeblocks import extract_from_file
from torch.testing import assert_close
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.llama import modeling_llama as llama
from transformers.models.t5.modeling_t5 import T5Attention
from transformers.models.vit_mae.modeling_vit_mae import build_2d_sinusoidal_position_embedding
from transformers.models.whisper.modeling_whisper import sinusoids


@functools.cache
def load(path):
    """Run the program of snippets/<path>; return what it defines: load("longer/yarn.md").yarn."""
    (block,) = (b for b in extract_from_file(ROOT / "snippets" / path) if b.syntax == "python")
    defined = {"__name__": "snippet"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(block.code, f"snippets/{path}", "exec"), defined)
    return SimpleNamespace(**defined)


def test_load_takes_what_the_page_shows(tmp_path):
    (tmp_path / "a.md").write_text("```python\nprint(1)\n\n\ndef f():\n    return 2\n```\n")
    assert load(tmp_path / "a.md").f() == 2
    (tmp_path / "b.md").write_text("```text\nno program\n```\n")
    with pytest.raises(ValueError):
        load(tmp_path / "b.md")


# --- RoPE ---------------------------------------------------------------------------------------

WIDTHS = (2, 64, 96, 128)
BASES = (100.0, 10_000.0, 500_000.0)
TYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


def config(D, base, **options):
    parameters = {"rope_type": "default", "rope_theta": base}
    parameters |= options.pop("rope_parameters", {})
    return LlamaConfig(head_dim=D, rope_parameters=parameters, **options)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("T", "offset"), [(300, 0), (1, 4095), (50, 100_000)])
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("D", WIDTHS)
def test_rotary_is_llamas(D, base, T, offset, dtype):
    q, k = torch.randn(2, 2, 3, T, D).to(dtype)  # (B, heads, T, D) each
    pos = torch.arange(offset, offset + T)[None]  # (1, T)
    cos, sin = llama.LlamaRotaryEmbedding(config(D, base))(q, pos)
    rope = load("rope/module_rotary.md").RotaryEmbedding(D, base)
    ours = rope(q, offset), rope(k, offset)
    theirs = llama.apply_rotary_pos_emb(q, k, cos, sin)
    assert ours[0].dtype == dtype
    # Both have angles in float32, which is off by a share of the position; then x's own digits.
    digits = 0 if dtype in (torch.float64, torch.float32) else 0.02
    assert_close(ours, theirs, rtol=digits, atol=digits + 5e-7 * (offset + T))


@pytest.mark.parametrize(("T", "offset"), [(300, 0), (5, 2000)])
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("D", WIDTHS[1:])  # the other one divides by D - 2
def test_rotary_is_lucidrains(D, base, T, offset):
    """Written independently. Its pairs are neighbours: equal once the channels are reordered."""
    their = rotary_embedding_torch.RotaryEmbedding(D, theta=base)
    x = torch.randn(2, 3, T, D)
    order = torch.cat([torch.arange(0, D, 2), torch.arange(1, D, 2)])
    with torch.no_grad():
        theirs = their.rotate_queries_or_keys(x, offset=offset)
    rope = load("rope/module_rotary.md").RotaryEmbedding(D, base)
    assert_close(rope(x[..., order], offset), theirs[..., order], rtol=0, atol=1e-3)
    assert not torch.allclose(rope(x, offset), theirs, atol=0.1)


# --- Beyond the training length -----------------------------------------------------------------


def reference(kind, D, base, factor, L, length=None, **more):
    """Frequencies and attention factor of transformers for a model trained on L positions."""
    if kind in ("yarn", "llama3"):
        more["original_max_position_embeddings"] = L
    longest = L if kind == "dynamic" else int(L * factor)
    parameters = {"rope_type": kind, "factor": factor, **more}
    made = config(D, base, max_position_embeddings=longest, rope_parameters=parameters)
    return ROPE_INIT_FUNCTIONS[kind](made, "cpu", length)


def same(ours, theirs):
    assert ours.shape == theirs.shape
    assert_close(ours.float(), theirs, rtol=5e-6, atol=0)


widths = pytest.mark.parametrize("D", (64, 96, 128))
bases = pytest.mark.parametrize("base", (10_000.0, 500_000.0))
factors = pytest.mark.parametrize("s", (1.0, 1.5, 8.0))
lengths = pytest.mark.parametrize("L", (128, 8192))


@widths
@bases
@factors
def test_interpolation(D, base, s):
    ours = load("longer/interpolation.md").interpolate(D, base, s)
    same(ours, reference("linear", D, base, s, 2048)[0])


@widths
@bases
@factors
@lengths
def test_ntk_aware(D, base, s, L):
    new_base = load("longer/ntk_aware.md").ntk_aware(D, base, s)
    ours = new_base ** (-torch.arange(0, D, 2).double() / D)
    same(ours, llama.LlamaRotaryEmbedding(config(D, new_base)).inv_freq)
    same(ours, reference("dynamic", D, base, 1.0, L, length=int(s * L))[0])


@widths
@bases
@pytest.mark.parametrize("factor", (1.0, 2.0))
@pytest.mark.parametrize("length", (1, 2048, 2049, 100_000))
def test_dynamic_ntk(D, base, factor, length):
    ours = load("longer/dynamic_ntk.md").dynamic_ntk(D, base, 2048, length, factor)
    same(ours, reference("dynamic", D, base, factor, 2048, length)[0])


@widths
@bases
@factors
@lengths
@pytest.mark.parametrize(("low", "high"), [(1, 4), (0.5, 2), (1, 32)])
def test_by_parts(D, base, s, L, low, high):
    ours = load("longer/by_parts.md").by_parts(D, base, s, L, low, high)
    ends = {"low_freq_factor": float(low), "high_freq_factor": float(high)}
    same(ours, reference("llama3", D, base, s, L, **ends)[0])


@widths
@bases
@factors
@lengths
@pytest.mark.parametrize(("fast", "slow"), [(32, 1), (16, 2), (4, 4)])
def test_yarn(D, base, s, L, fast, slow):
    ours, factor = load("longer/yarn.md").yarn(D, base, s, L, fast, slow)
    theirs, their = reference("yarn", D, base, s, L, beta_fast=fast, beta_slow=slow)
    same(ours, theirs)
    assert factor == pytest.approx(their)


@pytest.mark.parametrize(
    ("D", "base", "s", "L"),
    [
        (128, 500_000.0, 8.0, 8192),  # Llama 3.1
        (64, 500_000.0, 32.0, 8192),  # Llama 3.2 1B
        (128, 500_000.0, 32.0, 8192),  # Llama 3.2 3B
    ],
)
def test_llama_3(D, base, s, L):
    ends = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    ours = load("longer/by_parts.md").by_parts(D, base, s, L)
    same(ours, reference("llama3", D, base, s, L, **ends)[0])


@pytest.mark.parametrize(
    ("base", "s", "L"),
    [
        (10_000.0, 16.0, 4096),  # Llama 2 in the paper on YaRN
        (10_000.0, 32.0, 4096),
        (1_000_000.0, 4.0, 32_768),  # Qwen3, with its published settings
    ],
)
def test_published_yarn(base, s, L):
    ours, factor = load("longer/yarn.md").yarn(128, base, s, L)
    theirs, their = reference("yarn", 128, base, s, L)
    same(ours, theirs)
    assert factor == pytest.approx(their)


@pytest.mark.parametrize("path", ["longer/frequencies.md", "longer/times_slower.md"])
def test_table_and_figure_of_frequencies(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # the figure is saved there
    monkeypatch.setenv("MPLBACKEND", "Agg")
    after = load(path).after
    ends = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    given = (128, 500_000.0, 8.0, 8192)
    same(after["PI"], reference("linear", *given)[0])
    same(after["NTK-aware"], reference("dynamic", 128, 500_000.0, 1.0, 8192, length=65_536)[0])
    same(after["YaRN"], reference("yarn", *given)[0])
    same(after["Llama 3"], reference("llama3", *given, **ends)[0])


@widths
@bases
@pytest.mark.parametrize("s", (1.0, 2.0, 8.0))
def test_scaling_is_lucidrains(D, base, s):
    their = rotary_embedding_torch.RotaryEmbedding
    ntk = load("longer/ntk_aware.md").ntk_aware(D, base, s)
    ours = ntk ** (-torch.arange(0, D, 2).double() / D)
    same(ours, their(D, theta=base, theta_rescale_factor=s).freqs.detach())
    pos = torch.arange(100).double()[:, None]
    angle = pos * load("longer/interpolation.md").interpolate(D, base, s)
    theirs = their(D, theta=base, interpolate_factor=s)
    turned = theirs.forward(theirs.get_seq_pos(100))[:, ::2]
    assert_close(angle.float(), turned.detach(), rtol=1e-4, atol=1e-4)


# --- relatives, grids, frames --------------------------------------------------------------------


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("buckets", "far"), [(32, 128), (16, 64), (64, 256)])
def test_buckets_are_t5s(buckets, far, causal):
    distance = torch.arange(-3000, 3001)  # n - m
    theirs = T5Attention._relative_position_bucket(
        distance, bidirectional=not causal, num_buckets=buckets, max_distance=far
    )
    ours = load("relative/t5_buckets.md").bucket(distance, causal, buckets, far)
    assert torch.equal(ours, theirs)


@pytest.mark.parametrize("heads", [1, 2, 3, 4, 6, 8, 12, 16, 20, 32, 112])
def test_slopes_are_blooms(heads):
    theirs = build_alibi_tensor(torch.ones(1, 2), heads, torch.float32)[:, 0, 1]  # (heads,)
    assert_close(torch.tensor(load("relative/alibi_slopes.md").slopes(heads)), theirs)


@pytest.mark.parametrize(("height", "width"), [(14, 14), (6, 10), (10, 6), (1, 7), (24, 3)])
@pytest.mark.parametrize("d_model", [4, 64, 768])
def test_table_2d_is_maes(height, width, d_model):
    ours = load("grids-and-time/table_2d.md").table_2d(height, width, d_model)
    theirs = build_2d_sinusoidal_position_embedding(height, width, d_model)
    assert_close(ours, theirs, atol=1e-5, rtol=0)


@pytest.mark.parametrize(("length", "channels"), [(1500, 384), (1500, 1280), (10, 4), (448, 64)])
def test_frames_are_whispers(length, channels):
    ours = load("grids-and-time/audio_frames.md").frames(length, channels)
    assert_close(ours, sinusoids(length, channels), atol=1e-4, rtol=0)


# --- the core ------------------------------------------------------------------------------------


@pytest.mark.parametrize("d_model", [2, 15, 16, 64, 512])
@pytest.mark.parametrize("T", [1, 10, 512])
def test_sinusoidal_module_is_the_formula(d_model, T):
    module = load("code/module_sinusoidal.md").SinusoidalPositionalEncoding(d_model, 512).eval()
    pos, j = torch.arange(T).double()[:, None], torch.arange(d_model)
    angle = pos / 10000 ** (2 * (j // 2).double() / d_model)  # (T, d)
    formula = torch.where(j % 2 == 0, angle.sin(), angle.cos())
    assert_close(module(torch.zeros(1, T, d_model))[0].double(), formula, atol=1e-4, rtol=0)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_sinusoidal_module_keeps_positions_apart(dtype):
    module = load("code/module_sinusoidal.md").SinusoidalPositionalEncoding(64, 4096).eval()
    rows = module.to(dtype)(torch.zeros(1, 4096, 64, dtype=dtype))[0].float()
    assert len(torch.unique(rows, dim=0)) == 4096


def test_sinusoidal_module_under_another_default_type():
    torch.set_default_dtype(torch.bfloat16)
    try:
        module = load("code/module_sinusoidal.md").SinusoidalPositionalEncoding(64, 512)
    finally:
        torch.set_default_dtype(torch.float32)
    assert module.pe.dtype == torch.float32
    assert len(torch.unique(module.pe, dim=0)) == 512


def test_learnable_module_is_a_table():
    module = load("learnable/module_learnable.md").LearnablePositionalEncoding(64)
    x = torch.randn(2, 10, 64)  # (B, T, d)
    assert_close(module(x) - x, module.table.weight[:10].expand(2, -1, -1))
    module(x).sum().backward()
    assert module.table.weight.grad[:10].all()
    assert not module.table.weight.grad[10:].any()
