# ---
# en:
#   description: Small decoders, trained on 32 positions and read at 256, on two questions. One needs exact distances, one needs far words. What breaks in each encoding, why, and which scaling of RoPE saves which question.
# zh:
#   description: 小解码器只用 32 个位置训练，再读 256 个位置，回答两个问题：一个要精确的距离，一个要远处的内容。每种编码在哪里失灵，为什么失灵，RoPE 的哪种缩放对哪个问题管用。
# given:
#   - {numbers: ["50", "200"], source: "tokens beyond 512, Press et al. 2021, arXiv:2108.12409, section 2.2"}
#   - {number: "512", source: "training length, Press et al. 2021, arXiv:2108.12409, section 2.2"}
#   - {numbers: ["18", "29"], source: "longer/unseen_angles.md"}
#   - {number: "1000", source: "steps of fine-tuning, Chen et al. 2023, arXiv:2306.15595, Table 3"}
# ---

# %% [markdown] tags=["en"]
# # Beyond the training length { #beyond }
#
# After this lab you can:
#
# - say which part of the sinusoid and of RoPE breaks beyond the training length, and name the experiment that shows it;
# - predict which scaling of RoPE helps which task, and when it does harm;
# - distrust the sentence “this encoding extrapolates” until it names the task.
#
# ## The idea { #idea }
#
# We train small decoders on texts of 32 positions. Then they read 64, 128 and 256. Each has to answer one of two
# questions, and the two are opposites:
#
# - **near**: which word stood three places back? This needs an exact distance. It does not help to know what the words are.
# - **far**: a word was shown with a colour. Later the word comes again, without it. What was the colour? This needs the content of a word that may be far
#   away. Its distance does not matter.
#
# The page on [long text](../longer.md) says what is new beyond the training length, and computes the scalings of RoPE. Here we train, and look.

# %% [markdown] tags=["zh"]
# # 超过训练长度 { #beyond }
#
# 做完这个实验，你能：
#
# - 说出超过训练长度（training length）以后，正弦和 RoPE 各是哪一部分失灵，哪个实验能证明；
# - 预先判断 RoPE 的哪种缩放对哪种任务有用，什么时候反而有害；
# - 听到“这种编码能外推”，先问一句：在什么任务上？
#
# ## 想法 { #idea }
#
# 我们用 32 个位置的文本训练几个很小的解码器（decoder），再让它们读 64、128、256 个位置的文本。每个模型只回答一个问题。问题有两个，要求正好相反：
#
# - **near**（近）：往回数三个位置，是哪个词？这需要精确的距离，光知道有哪些词，没有用。
# - **far**（远）：一个词第一次出现时带着颜色，后来再出现就不带了。它原来是什么颜色？这需要那个词的内容，词可能在很远的地方，究竟隔多远倒无关紧要。
#
# 超过训练长度会遇到什么新东西，RoPE 的各种缩放怎样算，[长文本](../longer.md)那一页都讲了。这里动手训练，看结果。

# %%
import copy
import math
from functools import partial
from itertools import pairwise

import matplotlib.pyplot as plt
import torch
from IPython.display import display
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
L, LENGTHS = 32, (32, 64, 128, 256)             # trained on 32 positions
RUNS, ANSWERS, WORDS = 3, 16, 128
STEPS, MORE = 120, 20                           # of training, and afterwards
BLANK = WORDS + ANSWERS                         # the id of "no colour"

# %% [markdown] tags=["en"]
# ## Two questions { #tasks }
#
# `near` uses sixteen words and no colours. `far` uses sixteen colours. So both have sixteen possible answers, and guessing gives 0.06. In `far` every word of a text comes twice, in two random orders.
# So the distance between its two places varies, and no fixed distance can be learned by heart.
#
# The program prints a text of `far` with eight positions, one in each line. Word and colour stand in the same position: their vectors are added. Behind each arrow stands the colour that is asked for.

# %% [markdown] tags=["zh"]
# ## 两个问题 { #tasks }
#
# `near` 只用十六个词，不用颜色；`far` 用十六种颜色。所以两个问题都有十六种可能的答案，瞎猜的准确率是 0.06。在 `far` 里，一段文本的每个词都出现两次，两次的顺序都是随机的。
# 所以两处之间的距离有长有短，没法死记一个固定的距离。
#
# 程序打印一段 `far` 的文本，共八个位置，一行一个。词和颜色在同一个位置上，两个向量相加。箭头后面是要答的颜色。

# %%
def near(B, T, g):
    """Which word stood three places back?"""
    word = torch.randint(ANSWERS, (B, T), generator=g)        # (B, T)
    wanted = torch.full_like(word, -100)        # -100: not asked here
    wanted[:, 3:] = word[:, :-3]
    return torch.stack([word, torch.full_like(word, BLANK)], -1), wanted


def far(B, T, g):
    """Each word comes twice, at first with a colour. Which was it?"""
    first = torch.rand(B, WORDS, generator=g).argsort(1)[:, : T // 2]
    order = torch.rand(B, T // 2, generator=g).argsort(1)
    word = torch.cat([first, first.gather(1, order)], 1)      # (B, T)
    colour = torch.randint(ANSWERS, (B, T // 2), generator=g)
    none = torch.full_like(colour, -100)
    wanted = torch.cat([none, colour.gather(1, order)], 1)    # (B, T)
    colour = torch.cat([colour + WORDS, torch.full_like(none, BLANK)], 1)
    return torch.stack([word, colour], -1), wanted


ids, wanted = far(1, 8, torch.Generator().manual_seed(0))     # (1, 8, 2)
for (word, colour), answer in zip(ids[0].tolist(), wanted[0].tolist()):
    shown = "no colour" if colour == BLANK else f"colour {colour - WORDS}"
    asked = "" if answer < 0 else f" -> {answer}"
    print(f"word {word:3}, {shown}{asked}")

# %% [markdown] tags=["en"]
# A model can do better than guessing and still know no order. It *counts*: it names the word, or the colour, that came most often so far.
# How often is that right? The program reads the texts that all accuracies of this lab are measured on. They hold 2048 words at each length, and are the same for all models and runs.
# Not every word is asked for. `near` asks everywhere but at the first three places of a text, `far` only in the second half. So there are fewer questions than words.

# %% [markdown] tags=["zh"]
# 一个模型就算完全不知道顺序，也能胜过瞎猜：它可以*数数*，到目前为止，哪个词、哪种颜色出现得最多，就答哪个。这样能答对多少？
# 下面的程序来数一数。本实验的准确率都是在这批文本上测的：每种长度共 2048 个词，所有模型、所有训练都用同一批。
# 不是每个词都要问：`near` 除了一段文本开头的三个位置，处处都问；`far` 只问后一半。所以问题比词少。

# %%
def texts(task, T):
    """The texts that every accuracy is measured on."""
    return task(2048 // T, T, torch.Generator().manual_seed(1))


def counting(task, T):
    """How often the commonest so far is right."""
    ids, wanted = texts(task, T)
    shown = ids[..., 0] if task is near else ids[..., 1] - WORDS
    count = F.one_hot(shown, ANSWERS + 1)[..., :ANSWERS].cumsum(1)
    return (count.argmax(-1) == wanted)[wanted >= 0].float().mean()


FLOOR = {task: torch.stack([counting(task, T) for T in LENGTHS])
         for task in (near, far)}
print(f"guessing: {1 / ANSWERS:.2f}")
for task, floor in FLOOR.items():
    print(f"{task.__name__ + ', counting:':15}",
          ",  ".join(f"{T}: {a:.2f}" for T, a in zip(LENGTHS, floor)))
for task in (near, far):
    ids, wanted = texts(task, 256)
    print(f"{task.__name__}, 256 positions: {len(ids)} texts,",
          (wanted >= 0).sum().item(), "questions")

# %% [markdown] tags=["en"]
# Counting is a second floor, and it sinks as the texts get longer. Only what lies above both floors shows that a model can do more.
#
# ## One model, five encodings { #model }
#
# First the attention. RoPE turns queries and keys, ALiBi lowers the score with the distance. `cap`, `capped` and `factor` are used further below.

# %% [markdown] tags=["zh"]
# 数数是第二条底线，文本越长，它越低。比两条底线都高，才说明模型真学到了东西。
#
# ## 一个模型，五种编码 { #model }
#
# 先写注意力（attention）。旋转位置编码（rotary position embedding，RoPE）把查询（query）和键（key）各转一个角度，ALiBi 按距离压低分数。
# `cap`、`capped` 和 `factor` 后面才用。

# %%
def weight(*shape, std):
    return nn.Parameter(std * torch.randn(RUNS, *shape))


def turn(x, angle):                             # RoPE, half-split layout
    a, b, c, s = *x.chunk(2, -1), angle.cos(), angle.sin()
    return torch.cat([a * c - b * s, a * s + b * c], -1)


def attention(model, q, k, pos):                # q, k: (RUNS * B, heads, T, D)
    order = torch.arange(len(pos))
    distance = order[:, None] - order           # (T, T)
    score = q @ k.mT
    if model.kind == "RoPE":
        angle = pos[:, None] * model.theta      # (T, D/2)
        score = turn(q, angle) @ turn(k, angle).mT * model.factor**2
        if model.cap is not None:               # used in experiments below
            free = angle * ~model.capped        # of the pairs without a cap
            last = turn(q, free + model.cap * model.theta * model.capped)
            score = torch.where(distance > model.cap,
                                last @ turn(k, free).mT, score)
    score = score / q.shape[-1] ** 0.5          # (RUNS * B, heads, T, T)
    if model.kind == "ALiBi":
        heads = q.shape[1]
        slope = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
        score = score - slope[:, None, None] * distance.clamp(0, model.cap)
    return score.masked_fill(distance < 0, float("-inf")).softmax(-1)

# %% [markdown] tags=["en"]
# Then the decoder: two layers, four heads, width 64. Every weight has one more dimension in front, so that three runs with different random starts and
# different data are trained at once. “None” has no encoding but the causal mask.

# %% [markdown] tags=["zh"]
# 再写解码器：两层，四个头（head），宽 64。每个权重最前面多一维，这样三次训练可以一起跑，三次的初始值不同，数据也不同。
# “none”什么编码也不加，只有因果掩码（causal mask）。

# %%
class Decoder(nn.Module):
    """RUNS small decoders at once: the first dimension of every weight."""

    def __init__(self, kind, d=64, heads=4):
        super().__init__()
        self.kind, self.d, self.heads, D = kind, d, heads, d // heads
        self.theta = 10000 ** (-torch.arange(0, D, 2) / D)    # RoPE: (D/2,)
        self.factor, self.cap = 1.0, None
        self.capped = torch.ones(D // 2, dtype=torch.bool)    # which pairs
        self.emb = weight(BLANK + 1, d, std=0.5)
        self.table = weight(L, d, std=0.5) if kind == "learned" else None
        self.layers = nn.ModuleList(nn.ParameterDict({
            "qkv": weight(d, 3 * d, std=d**-0.5),
            "out": weight(d, d, std=0.5 * d**-0.5),
            "up": weight(d, 2 * d, std=d**-0.5),
            "down": weight(2 * d, d, std=0.5 * (2 * d) ** -0.5),
        }) for _ in range(2))
        self.read = weight(d, ANSWERS, std=d**-0.5)

    def positions(self, pos):                   # what is added to the words
        if self.kind == "learned":
            return self.table[:, None, pos]     # (RUNS, 1, T, d)
        if self.kind == "sinusoid":
            i = torch.arange(0, self.d, 2)
            angle = pos[:, None] * 10000 ** (-i / self.d)     # (T, d/2)
            return torch.cat([angle.sin(), angle.cos()], -1)  # (T, d)
        return 0.0

    def forward(self, ids, pos):                # (RUNS, B, T, 2), (T,)
        S, B, T, _ = ids.shape
        x = torch.stack([e[i].sum(-2) for e, i in zip(self.emb, ids)])
        x = (x + self.positions(pos)).flatten(1, 2)           # (RUNS, B*T, d)
        self.weights = []                       # of each layer, to look at
        for layer in self.layers:
            qkv = F.layer_norm(x, x.shape[-1:]) @ layer["qkv"]
            qkv = qkv.view(S * B, T, 3, self.heads, -1)
            q, k, v = qkv.permute(2, 0, 3, 1, 4)    # (S * B, heads, T, D)
            w = attention(self, q, k, pos)
            self.weights.append(w.detach())
            y = (w @ v).transpose(1, 2).reshape(x.shape)      # (RUNS, B*T, d)
            x = x + y @ layer["out"]
            y = F.gelu(F.layer_norm(x, x.shape[-1:]) @ layer["up"])
            x = x + y @ layer["down"]
        x = F.layer_norm(x, x.shape[-1:]) @ self.read
        return x.view(S, B, T, -1)              # (RUNS, B, T, ANSWERS)

# %% [markdown] tags=["en"]
# ## Training { #training }
#
# Always the same recipe, one learning rate for all, and always 32 positions. Only the encoding differs.
#
# The encodings also differ in how large the vector is that they add to a word. The program prints the mean length (norm) of these vectors before training. Sinusoid: 5.7. Learned table: 4.0.
# Word and colour together: 5.7. RoPE, ALiBi and none add nothing. [Limits](#limits) comes back to this.

# %% [markdown] tags=["zh"]
# ## 训练 { #training }
#
# 训练的办法都一样，学习率（learning rate）也一样，长度都是 32 个位置，只有编码不同。
#
# 编码不同，加到词上的向量也就大小不一。程序打印训练之前这些向量的平均长度，也就是范数（norm）：正弦是 5.7，可学习的表是 4.0，词和颜色加在一起是 5.7。
# RoPE、ALiBi 和 none 什么也不加。这一点，[最后](#limits)还要说到。

# %%
def train(model, task, T, B, steps, lr, label):
    g = torch.Generator().manual_seed(0)
    adam = torch.optim.AdamW(model.parameters(), lr, (0.9, 0.98),
                             weight_decay=0, fused=True)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, lr, steps, pct_start=0.1)
    for step in range(steps):
        if step % 20 == 0:
            text = f"{label}: step {step} of {steps}"
            progress.update({"text/plain": text}, raw=True)
        ids, wanted = task(RUNS * B, T, g)
        scores = model(ids.view(RUNS, B, T, 2), torch.arange(T))
        loss = F.cross_entropy(scores.flatten(0, 2), wanted.flatten())
        adam.zero_grad()
        loss.backward()
        adam.step()
        rate.step()
    return model


@torch.no_grad()
def accuracy(model, task, T, pos=None):
    ids, wanted = texts(task, T)
    pos = torch.arange(T) if pos is None else pos
    right = model(ids.expand(RUNS, *ids.shape), pos).argmax(-1) == wanted
    return right[:, wanted >= 0].float().mean(1)              # (RUNS,)


torch.manual_seed(0)
new = Decoder("learned")                        # not trained
both = new.emb[:, :WORDS, None] + new.emb[:, None, WORDS:]
wave = Decoder("sinusoid").positions(torch.arange(L))
for name, row in (("word and colour", both), ("learned table", new.table),
                  ("sinusoid", wave)):
    print(f"norm of a vector, {name}: {row.norm(dim=-1).mean():.1f}")

# %%
KINDS = ("learned", "sinusoid", "RoPE", "ALiBi", "none")
progress = display({"text/plain": "training"}, raw=True, display_id=True)
models = {}
for task in (near, far):
    for kind in KINDS:
        torch.manual_seed(0)
        label = f"{kind}, {task.__name__}"
        models[task, kind] = train(Decoder(kind), task, L, 24, STEPS, 0.01,
                                   label)
runs = len(models) * RUNS
progress.update({"text/plain": f"{runs} of {runs} runs"}, raw=True)

# %% [markdown] tags=["en"]
# Did they learn it? The program prints what holds in all three runs, and stops if it does not hold. How to read a line:
#
# - `RoPE: at least 0.9`: each run has this accuracy or more.
# - `RoPE > sinusoid: at least 0.2`: in each run RoPE is ahead by this much or more. In a chain each name leads the next one.
# - `none minus counting`: the accuracy of the model, minus that of counting. Near 0 means: no better than counting.
# - `change`: a difference, without its sign.
# - `gain`: accuracy afterwards, minus accuracy before.
#
# The bounds are set by hand, with room to spare; they are no measurements. Read the values in the figures.

# %% [markdown] tags=["zh"]
# 学会了没有？程序只打印三次训练都成立的结论；有一次不成立，它就停下来。打印出来的每一行这样读：
#
# - `RoPE: at least 0.9`：三次训练，准确率都不低于这个数。
# - `RoPE > sinusoid: at least 0.2`：三次训练，RoPE 都领先这么多或者更多。几个名字连着写，就是前一个都领先后一个。
# - `none minus counting`：模型的准确率，减去数数（counting）的准确率。接近 0，就是不比数数强。
# - `change`：相差多少，不管正负。
# - `gain`：后来的准确率，减去原来的准确率。
#
# 打印出来的界限是人为定的，留了余地，不是测出来的值。测得的值看图。

# %%
def check(claim, values, low, high):
    """Print what holds for every run, or stop."""
    least, most = values.min().item(), values.max().item()
    seen = f"{claim}: now {least:.3f} to {most:.3f}"
    assert low <= least and most <= high, f"no longer true: {seen}"
    bound = f"between {low} and {high}"
    if high == 1:
        bound = f"at least {low}"
    if low == 0:
        bound = f"at most {high}"
    print(f"{claim}: {bound}")


def ahead(curves, task, T, low, *names):
    """Print that in each run each of these beats the next, or stop."""
    rows = [curves[task, name][LENGTHS.index(T)] for name in names]
    lead = torch.stack([a - b for a, b in pairwise(rows)])
    check(f"{task.__name__ + ',':5} {T:3}, {' > '.join(names)}", lead, low, 1)


try:
    accuracy(models[near, "learned"], near, 64)
except IndexError as error:
    print("learned, 64 positions:", str(error).split(" for")[0])
else:
    raise AssertionError("the learned table has a row for each position")
result = {}                                     # (lengths, RUNS) each
for (task, kind), model in models.items():
    lengths = LENGTHS[:1] if kind == "learned" else LENGTHS
    result[task, kind] = torch.stack([accuracy(model, task, T)
                                      for T in lengths])
for kind in ("learned", "sinusoid", "RoPE"):
    check(f"near,  32, {kind}", result[near, kind][0], 0.9, 1)
for kind in KINDS:
    check(f"far,   32, {kind}", result[far, kind][0], 0.9, 1)

# %% [markdown] tags=["en"]
# At 32 positions all five can answer `far`. Three can answer `near`: learned table, sinusoid, RoPE. ALiBi and none have no line for `near`. They did not learn it, as the next figure shows.
# The first line printed is about a longer text: the table has no row 32, so it ends with an error.
#
# ## The longer text { #longer-text }
#
# A line is the mean, a mark is one run. The learned table has no line. It can read only 32 positions, and its marks lie among the others. Guessing and counting have no marks.

# %% [markdown] tags=["zh"]
# 读 32 个位置，五种模型都答得出 `far`；答得出 `near` 的有三种：可学习的表、正弦、RoPE。ALiBi 和 none 没有 `near` 的那一行：它们没学会，下一幅图就能看到。
# 打印的第一行说的是更长的文本：表里没有 32 号行，所以报错。
#
# ## 读更长的文本 { #longer-text }
#
# 线是平均值，每个记号是一次训练。可学习的表没有线：它只读得了 32 个位置，记号和别的挤在一起。瞎猜（guessing）和数数（counting）没有记号。

# %%
STYLE = {"sinusoid": "C0o-", "RoPE": "C1s-", "ALiBi": "C2^-", "none": "C3D-",
         "learned": "C4X"}


def draw(curves, style, title):
    """Accuracy against length: a line for the mean, a mark for each run."""
    fig, axes = plt.subplots(2, sharex=True, figsize=(4.8, 5.6))
    for ax, task in zip(axes, (near, far)):
        for k, (name, look) in enumerate(style.items()):
            values = curves[task, name]         # (lengths, RUNS)
            at = torch.arange(len(values)) + 0.03 * k - 0.06  # side by side
            ax.plot(at, values, look[:3], alpha=0.4, linestyle="none")
            ax.plot(at, values.mean(1), look[:2] + look[3:])
            ax.plot([], [], look, label=name)  # line and mark
        ax.plot(FLOOR[task], "C4--", label="counting")
        ax.axhline(1 / ANSWERS, color="C4", linestyle=":", label="guessing")
        ax.set(title=f"{task.__name__}: {title}", ylabel="accuracy",
               ylim=(0, 1.05), xticks=range(4), xticklabels=LENGTHS)
    axes[1].set(xlabel="positions (trained on 32)")
    fig.legend(*ax.get_legend_handles_labels(), ncols=3,
               loc="outside lower center")
    plt.show()


draw(result, STYLE, "as trained")
ahead(result, near, 64, 0.2, "RoPE", "sinusoid")
ahead(result, near, 128, 0.1, "RoPE", "sinusoid")
ahead(result, near, 256, 0.05, "RoPE", "sinusoid")
ahead(result, near, 256, 0.05, "RoPE", "ALiBi")
ahead(result, far, 256, 0.01, "none", "ALiBi", "RoPE", "sinusoid")
lead = {key: a - FLOOR[key[0]][: len(a), None] for key, a in result.items()}
check("near, 256, RoPE", result[near, "RoPE"][3], 0.3, 0.65)
check("near, all lengths, ALiBi", result[near, "ALiBi"], 0.15, 0.4)
check("near, ALiBi, change from 32",
      (result[near, "ALiBi"] - result[near, "ALiBi"][0]).abs(), 0, 0.05)
check("near, none minus counting", lead[near, "none"], -0.05, 0.1)
check("far,   64, ALiBi", result[far, "ALiBi"][1], 0.85, 1)
check("far,  256, RoPE", result[far, "RoPE"][3], 0.15, 0.5)
check("far,  256, sinusoid minus counting", lead[far, "sinusoid"][3],
      -0.05, 0.2)
check("far,  256, none", result[far, "none"][3], 0.85, 1)

# %% [markdown] tags=["en", "alt"]
# Two panels, accuracy against 32, 64, 128 and 256 positions. Counting sinks from about a fifth to a tenth. Near: sinusoid and RoPE start at one; the sinusoid falls steeply, to a fifth, RoPE slowly, to about a half; ALiBi lies flat at about a quarter; no encoding lies on counting and sinks with it. Far: all start at one; no encoding stays there, ALiBi stays high with a wide spread at the end, RoPE falls steadily, to about a third, the sinusoid almost to counting.

# %% [markdown] tags=["zh", "alt"]
# 上下两幅图，横轴是 32、64、128、256 个位置，纵轴是准确率。数数的线从五分之一左右降到十分之一左右。上图 near：正弦和 RoPE 的起点都是 1，正弦陡降到五分之一，RoPE 慢慢降到一半左右；ALiBi 平平地停在四分之一上下；不加编码的贴着数数的线，一起往下沉。下图 far：五种的起点都是 1，不加编码的一直在那里，ALiBi 也高，但最后三次训练差得很开，RoPE 一路降到三分之一左右，正弦几乎降到数数的线上。

# %% [markdown] tags=["en"]
# Not one of them is best at both questions. At 256 positions RoPE leads on `near`, and the model without an encoding leads on `far`. The sinusoid is behind RoPE on both.
#
# - On `far` the model *without* any encoding is the best, in each run. It has no angle and no distance that could be new; only the number of keys grows. Eight times as many keys do it little harm. The page on [long text](../longer.md#none) shows that a weight *can* thin out. Here the right word still wins. Then come ALiBi and RoPE. The sinusoid ends little above counting.
# - ALiBi begins as well as no encoding, then its runs spread. Which words does it lose? The next program sorts the answers by the distance of the word.
# - On `near`, ALiBi and no encoding are of no use. In this training they never learned it. Without an encoding the model does hardly more than count: its curve sinks as counting sinks. ALiBi does a little more, and that at every length.
# - RoPE and the sinusoid learned `near`, and lose it, the sinusoid much faster.
#
# ALiBi lowers scores with the distance, beyond 31 more than ever in training. Is it that, or the greater number of keys? The program reads the texts a second time and stops the bias: ALiBi treats every
# distance beyond 31 as if it were 31. All keys stay in the text.

# %% [markdown] tags=["zh"]
# 没有哪种编码在两个问题上都最好。读 256 个位置，`near` 上最好的是 RoPE，`far` 上最好的是不加编码。正弦在两个问题上都不如 RoPE。
#
# - 在 `far` 上，三次训练都是*不加*编码的模型最好。它里面没有角度，也没有距离，文本再长，多出来的也只有键。键多到八倍，对它没有多大害处。[长文本](../longer.md#none)那一页算过，权重*可能*变稀；在这里，得到权重的还是那个正确的词。其次是 ALiBi，再次是 RoPE；正弦降到最后，比数数强不了多少。
# - ALiBi 开头和不加编码一样好，后来三次训练的差距越来越大。它丢的是哪些词？下面的程序按词的远近分开统计。
# - 在 `near` 上，ALiBi 和不加编码都没有用：这样训练，它们根本没学会。不加编码的模型几乎只会数数：数数的线往下沉，它的曲线也跟着沉。ALiBi 会的稍多一点，而且文本多长都不丢。
# - RoPE 和正弦学会了 `near`，文本一长又丢了，正弦丢得快得多。
#
# ALiBi 按距离压低分数，距离一超过 31，就压得比训练时的任何一次都狠。丢词是因为这个，还是因为键多了？程序把这些文本再读一遍，这一遍让偏置封顶：凡是超过 31 的距离，ALiBi 一律当作 31。键一个不少。

# %%
@torch.no_grad()
def by_quarter(model, T=256):
    """Accuracy on `far` for words at most T/4 back, T/2, 3T/4, T."""
    ids, wanted = texts(far, T)
    scores = model(ids.expand(RUNS, *ids.shape), torch.arange(T))
    right = (scores.argmax(-1) == wanted)[..., T // 2:]       # (RUNS, B, T/2)
    first, second = ids[..., 0].split(T // 2, dim=1)
    place = (second[..., None] == first[:, None]).float().argmax(-1)
    quarter = (torch.arange(T // 2, T) - place - 1) // (T // 4)
    return torch.stack([right[:, quarter == i].float().mean(1)
                        for i in range(4)])                   # (4, RUNS)


model = models[far, "ALiBi"]
a = by_quarter(model)
model.cap = L - 1
stopped = by_quarter(model)
model.cap = None
fig, ax = plt.subplots(figsize=(4.8, 2.6))
ax.plot(a, "C2^-", alpha=0.7, label=["as trained", None, None])
ax.plot(stopped, "C3o--", alpha=0.7, label=["bias stops at 31", None, None])
ax.set(title="far, 256 positions, ALiBi", ylabel="accuracy", ylim=(0, 1.05),
       xticks=range(4), xlabel="distance of the word",
       xticklabels=("1 to 64", "65 to 128", "129 to 192", "193 to 256"))
ax.legend(loc="lower left")
check("far, 256, ALiBi, words at most 64 back", a[0], 0.9, 1)
check("far, 256, ALiBi, accuracy lost from there to the last quarter",
      a[0] - a[3], 0.02, 0.8)
check("far, 256, ALiBi, bias stops at 31, all quarters", stopped, 0.9, 1)
plt.show()

# %% [markdown] tags=["en", "alt"]
# Accuracy on far against the distance of the word, in four quarters. As trained: three curves begin near one; one falls a little, the other two to about four tenths. With the bias stopped at 31: three curves near one in all quarters.

# %% [markdown] tags=["zh", "alt"]
# far 的准确率随词的距离变化，距离分四段。原样（as trained）：三条线的起点都接近 1，一条只降一点，另外两条降到四成左右。偏置封顶（bias stops at 31）：三条线在四段里都接近 1。

# %% [markdown] tags=["en"]
# ALiBi keeps the words up to 64 back. What it loses, it loses far back, in one run little, in two much. With the bias stopped the far words are back, with as many keys as before. **So the bias lost them, not the number of keys.**
#
# ## Why RoPE falls { #why-rope }
#
# In a longer text two things are new for RoPE as well: there are more keys, and there are distances beyond 31. We can separate them in the same way. Let RoPE
# treat every distance beyond a limit `cap` as if it were `cap`. All keys stay in the text, but no distance is new. (This is
# [ReRoPE](https://kexue.fm/archives/9708), here as an experiment.)
#
# Eight pairs stand in a head. A pair that does not go round within 32 positions is *slow*. The program also caps the slow pairs alone, and the fast ones alone.
#
# Each mark is one run. Where you see fewer than three, some lie on each other.

# %% [markdown] tags=["zh"]
# 往回 64 个位置以内的词，ALiBi 保住了。它丢的是远处的词，一次训练丢得少，另外两次丢得多。偏置封了顶，远处的词就回来了，键一个也没少。
# **可见，丢词是因为偏置，不是因为键多。**
#
# ## RoPE 为什么变差 { #why-rope }
#
# 对 RoPE 来说，文本变长，新东西也是两样：键多了，还出现了大于 31 的距离。可以用同样的办法分开来看：凡是超过上限 `cap` 的距离，RoPE 一律当作 `cap`。
# 这样键一个不少，却没有新的距离。（这就是 [ReRoPE](https://kexue.fm/archives/9708)，这里只拿它做实验。）
#
# 一个头有八对。在 32 个位置里转不满一圈的，是*慢*的对。程序还分别试了：只给慢的对设上限，只给快的对设上限。
#
# 每个记号是一次训练。看上去不到三个，就是有的叠在一起了。

# %%
def dots(values, names, title):
    """A row for each name, a mark for each run of both questions."""
    fig, ax = plt.subplots(figsize=(4.8, 1.2 + 0.3 * len(names)))
    for task, look, up in ((near, "C0o", 0.12), (far, "C1s", -0.12)):
        for y, name in enumerate(names[::-1]):
            ax.plot(values[task, name], [y + up] * RUNS, look, alpha=0.6,
                    label="" if y else task.__name__)
    ax.set(title=title, xlabel="accuracy", xlim=(0, 1.05),
           yticks=range(len(names)), yticklabels=names[::-1])
    fig.legend(*ax.get_legend_handles_labels(), ncols=2,
               loc="outside lower center")


capped = {(task, "no cap"): result[task, "RoPE"][3] for task in (near, far)}
for task in (near, far):
    model = models[task, "RoPE"]
    slow = L * model.theta < 2 * math.pi        # does not go round in 32
    for cap in (31, 23, 15, 7):
        model.cap = cap
        capped[task, f"cap {cap}"] = accuracy(model, task, 256)
    for name, which in (("slow", slow), ("fast", ~slow)):
        model.cap, model.capped = 31, which
        capped[task, f"cap 31, {name} only"] = accuracy(model, task, 256)
    model.cap, model.capped = None, slow | ~slow
NAMES = [name for task, name in capped if task is near]
dots(capped, NAMES, "256 positions, RoPE with a cap")
print(f"slow pairs: {slow.sum()} of {len(slow)}")
for name in NAMES[1:]:
    check(f"near, {name}", capped[near, name], 0.95, 1)
plain = capped[far, "no cap"]
share = (capped[far, "cap 31"] - plain) / (1 - plain)
check("far,  cap 31, share of the lost accuracy that comes back", share,
      0.5, 0.9)
check("far,  cap 15", capped[far, "cap 15"], 0.93, 1)
for cap in (31, 7):
    check(f"far,  cap 15 > cap {cap}",
          capped[far, "cap 15"] - capped[far, f"cap {cap}"], 0.01, 1)
for name, other, most in (("slow", "cap 31", 0.05), ("fast", "no cap", 0.1)):
    check(f"far,  cap 31, {name} only, change from {other}",
          (capped[far, f"cap 31, {name} only"] - capped[far, other]).abs(),
          0, most)
plt.show()

# %% [markdown] tags=["en", "alt"]
# Rows of marks, accuracy at 256 positions. No cap: near a little below a half, far about a third. Near is at one with every cap. Far: cap 31 about four fifths, cap 23 higher, cap 15 highest, almost one, cap 7 a little lower again. Cap 31 for the slow pairs only: far is as with the cap for all; for the fast pairs only: far is as without.

# %% [markdown] tags=["zh", "alt"]
# 一行行的记号，256 个位置的准确率。不设上限：near 略低于一半，far 三分之一左右。只要设上限，near 都是 1。far：上限 31 时八成左右，23 时更高，15 时最高，接近 1，7 时又低一点。只给慢的对设上限 31：far 和全设一样；只给快的对设：far 和不设一样。

# %% [markdown] tags=["en"]
# With any of these caps the accuracy on `near` is whole again at 256 positions, with eight times as many keys. **So on `near` the unseen distances were to blame, not the number of keys.**
#
# On `far` a cap of 31 brings back more than half of the lost accuracy. A cap of 15 brings back nearly all of it. Why more? Distance 31 is *seen*, but hardly ever: in 32 positions only the first and the last word
# are so far apart. A likely reason: seen is not yet learned. It is not that a smaller cap is always better: 7 brings back less than 15. What is missing even with 15 may be due to the number of keys.
#
# On `far` it is the **slow pairs**. Cap them alone, and as much comes back as with all pairs capped. Cap the fast ones alone, and hardly anything comes back. A likely reason, not measured here: words are compared through all pairs,
# and a pair at a new angle spoils the comparison. On `near` either cap is enough; [further below](#three-becomes-24) we see why.
#
# ## Why the sinusoid falls { #why-sinusoid }
#
# A longer text is not needed here. Take the same 32 words, but number them from 64 on. The number of keys is the same. All distances are the same. Only the rows are new.
#
# Then repair a part of each row. A clock that does not go round within 32 positions is *slow*, like a pair of RoPE. “Set back” means: these clocks show again what they showed at 0 to 31. The others go on.
# First the fast clocks are set back, then the slow ones. There are many more slow clocks than fast ones. So there is a third test, “few slow”: as many slow clocks as there are fast ones, the fastest among the slow.
#
# “Moved” says how much setting back changes a row. It is the squared length of the change, as a mean over the rows. “Gain” is what it adds to the accuracy. Again each mark is one run.

# %% [markdown] tags=["zh"]
# 不管用哪个上限，`near` 的准确率都全回来了，尽管读的是 256 个位置，键是训练时的八倍。
# **可见，在 `near` 上，坏事的是没见过的距离，不是键的个数。**
#
# 在 `far` 上，上限取 31，丢掉的准确率回来大半；取 15，几乎全回来。为什么回来得更多？31 这个距离*见过*，但极少见：32 个位置里，只有第一个词和最后一个词隔这么远。
# 一个可能的原因是：见过，不等于学会。上限也不是越小越好，7 就不如 15。取 15 还缺的那一点，也许是因为键多。
#
# 在 `far` 上，问题出在**慢的对**。只给它们设上限，回来的和全设一样多；只给快的对设，几乎什么也不回来。一个可能的原因，这里没有测过：两个词像不像，要所有的对一起来比，有一对到了新的角度，就比不准了。
# 在 `near` 上，给哪一边设都够了，原因[后面](#three-becomes-24)会看到。
#
# ## 正弦为什么变差 { #why-sinusoid }
#
# 这回用不着更长的文本。还是那 32 个词，只是位置从 64 数起：键的个数一样，距离全都一样，只有表里的行是新的。
#
# 然后把每一行修好一部分。在 32 个位置里转不满一圈的钟，和 RoPE 的对一样，也叫*慢*钟。“拨回去”（set back）是说：这些钟又指到 0 到 31 那些位置上的样子，其余的照走。先只拨快钟，再只拨慢钟。
# 慢钟比快钟多得多，所以还有第三次，“few slow”：只拨慢钟里最快的几只，和快钟一样多。
#
# “moved”说的是拨回去让一行变了多少：变化的长度取平方，再对各行取平均。“gain”是准确率因此提高了多少。图里照样每个记号是一次训练。

# %%
pos, LATER = torch.arange(L), 64
theta = 10000 ** (-torch.arange(0, 64, 2) / 64)               # (d/2,)
slow = L * theta < 2 * math.pi                  # does not go round in 32
few = slow & (torch.arange(32) < 2 * (~slow).sum())
BACK = {"fast": ~slow, "slow": slow, "few slow": few}


def rows(pos, back=False):
    """The sinusoid, the clocks in `back` set back."""
    angle = (pos[:, None] - LATER * back) * theta             # (T, d/2)
    return torch.cat([angle.sin(), angle.cos()], -1)


for name, back in BACK.items():
    moved = (rows(pos + LATER) - rows(pos + LATER, back)).square().sum(-1)
    print(f"{name}: {back.sum()} of {len(theta)} clocks,",
          f"moved {moved.mean():.1f}")
first, new = f"rows 0 to {L - 1}", f"rows {LATER} to {LATER + L - 1}"
clocks = {}
for task in (near, far):
    model, gain = models[task, "sinusoid"], {}
    clocks[task, first] = result[task, "sinusoid"][0]
    clocks[task, new] = accuracy(model, task, L, pos + LATER)
    for name, back in BACK.items():
        model.positions = partial(rows, back=back)
        a = accuracy(model, task, L, pos + LATER)
        clocks[task, f"{name} set back"] = a
        gain[name] = a - clocks[task, new]
    del model.positions
    label = f"{task.__name__ + ',':5}"
    check(f"{label} {new}", clocks[task, new], 0, 0.65)
    check(f"{label} slow set back, gain", gain["slow"], 0.25, 0.9)
    check(f"{label} fast set back, gain", gain["fast"], -0.15, 0.15)
    check(f"{label} few slow > fast", gain["few slow"] - gain["fast"], 0.05, 1)
dots(clocks, [name for task, name in clocks if task is near],
     "32 positions, sinusoid")
plt.show()

# %% [markdown] tags=["en", "alt"]
# Rows of marks, accuracy at 32 positions. Rows 0 to 31: one. Rows 64 to 95: far about a half, near below it, in one run far below. Fast clocks set back: hardly more. Slow clocks set back: above four fifths. A few slow clocks set back: in between.

# %% [markdown] tags=["zh", "alt"]
# 一行行的记号，32 个位置的准确率。0 到 31 行：1。64 到 95 行：far 一半左右，near 更低，有一次训练低得多。把快钟拨回去：几乎没有提高。把慢钟拨回去：高于八成。只拨几只慢钟：在两者之间。

# %% [markdown] tags=["en"]
# The rows alone do it: accuracy falls although nothing else changed. And it is mostly the **slow clocks**. Set back, they bring much of it back. The fast ones bring back little or nothing; within 32
# positions they have shown every angle.
#
# Is it only that there are more slow clocks? No. “Few slow” are six clocks, like “fast”. They move the rows no farther: 13.9 against 14.7. Still they bring back more.
#
# ## Scalings of RoPE { #scalings }
#
# Now RoPE, with the scalings of the page on [long text](../longer.md#interpolation): position interpolation (PI), NTK-aware, YaRN. YaRN comes twice, since the formula of the paper and the released code
# [differ](../longer.md#paper-and-code). These four are set for eight times the length, in short texts too. The fifth is dynamic NTK: NTK-aware, set for the length of the text at hand.
#
# YaRN counts how often a pair turns in the training length. With more than 32 turns it is kept, with less than one it is slowed fully. This 32 counts turns. It has nothing to do with our 32 positions, in which no pair turns so often. What then?

# %% [markdown] tags=["zh"]
# 别的什么也没变，单是换了行，准确率就掉下来。问题主要出在**慢钟**：把慢钟拨回去，准确率就回来一大截；拨快钟，几乎没有用，快钟在 32 个位置里什么角度都走过了。
#
# 会不会只是因为慢钟多？不是。“few slow”是六只钟，和“fast”一样多。它们让各行移动得并不更远，是 13.9 比 14.7，回来的却更多。
#
# ## RoPE 的几种缩放 { #scalings }
#
# 再看 RoPE，用[长文本](../longer.md#interpolation)那一页的几种缩放：位置插值（position interpolation，PI）、NTK-aware、YaRN。YaRN 试两种，因为论文的公式和公布的代码
# [不一样](../longer.md#paper-and-code)。这四种都按八倍长度设好，读短文本也不变。第五种是动态 NTK，也就是按手头文本的长度来设的 NTK-aware。
#
# YaRN 看每一对在训练长度里转几圈：多于 32 圈的不动，不到一圈的完全放慢。这里的 32 数的是圈，和我们的 32 个位置不是一回事，在那里，哪一对也转不了那么多圈。那会怎样？

# %%
D, BASE = 16, 10000
i = torch.arange(D // 2)                        # the pairs of a head
theta = BASE ** (-2 * i / D)                    # (D/2,)
turns = L * theta / (2 * math.pi)               # in the training length


def mix(keep, s):                               # keep: (D/2,) from 0 to 1
    return keep * theta + (1 - keep) * theta / s


def scaled(name, s):
    """Frequencies, and the factor on cos and sin."""
    if name == "PI":
        return theta / s, 1.0
    if name == "NTK-aware":
        return (BASE * s ** (D / (D - 2))) ** (-2 * i / D), 1.0
    if name == "YaRN":                          # the ramp of the code
        first, last = (D * math.log(L / (2 * math.pi * r)) / 2 / math.log(BASE)
                       for r in (32, 1))        # pairs that turn so often
        first, last = max(math.floor(first), 0), min(math.ceil(last), D - 1)
        keep = 1 - ((i - first) / max(last - first, 0.001)).clamp(0, 1)
        return mix(keep, s), 0.1 * math.log(s) + 1
    if name == "YaRN, paper":                   # the ramp of the formula
        return mix(((turns - 1) / 31).clamp(0, 1), s), 0.1 * math.log(s) + 1
    return theta, 1.0                           # plain


NAMES = ("PI", "NTK-aware", "YaRN", "YaRN, paper")
print("pair  turns in 32 |", "  ".join(NAMES), " (times slower)")
for pair in i.tolist():
    cells = [f"{(theta / scaled(n, 8)[0])[pair]:{len(n)}.1f}" for n in NAMES]
    print(f"{pair:4}  {turns[pair]:11.3f} |", "  ".join(cells))
print(f"positions in which pair 0 turns 32 times: {32 * 2 * math.pi:.0f}")
assert all(torch.equal(models[task, "RoPE"].theta, theta)
           for task in (near, far)), "other pairs than those of the models"

# %% [markdown] tags=["en"]
# Read the columns as “how many times slower”. Eight pairs stand in a head, and two of them go round in 32 positions.
#
# - **PI** slows all of them 8.0 times. **NTK-aware** slows the slowest 8.0 times, the fastest not at all, and the others by something between.
# - **YaRN**, as the code has it, keeps the fastest pair, slows the next one 1.8 times, and the other six fully. That is close to what its idea asks for.
# - **YaRN by the formula** slows the fastest pair 4.2 times and is nearly PI. Its upper threshold is out of reach here: the fastest pair turns 32 times only in about 201 positions.
#
# What does that do to our two questions?

# %% [markdown] tags=["zh"]
# 表里的数，说的是速度除以多少。一个头有八对，其中两对在 32 个位置里能转满一圈。
#
# - **PI** 把每一对的速度都除以 8.0；**NTK-aware** 最慢的一对也除以 8.0，最快的一对不动，其余的在两者之间。
# - **YaRN** 照代码算，最快的一对不动，下一对除以 1.8，另外六对完全放慢。这和它的本意很接近。
# - **YaRN** 照论文的公式算，最快的一对也要除以 4.2，几乎就是 PI。两个界限里高的那个，在这里够不着：最快的一对，大约要 201 个位置才转满 32 圈。
#
# 这对我们的两个问题有什么影响？

# %%
SCALED = {"plain": "C4o-", "PI": "C0s-", "NTK-aware": "C1^-",
          "dynamic NTK": "C1v:", "YaRN": "C2D-", "YaRN, paper": "C3X-"}
curves = {(task, "plain"): result[task, "RoPE"] for task in (near, far)}
for task in (near, far):
    model = models[task, "RoPE"]
    for name in list(SCALED)[1:]:
        a = []
        for T in LENGTHS:
            if name == "dynamic NTK":
                model.theta, model.factor = scaled("NTK-aware", T / L)
            else:
                model.theta, model.factor = scaled(name, 8)
            a.append(accuracy(model, task, T))
        curves[task, name] = torch.stack(a)     # (lengths, RUNS)
    model.theta, model.factor = theta, 1.0
draw(curves, SCALED, "scaled, not trained again")
for name in ("PI", "YaRN, paper"):
    check(f"near, all lengths, {name}", curves[near, name], 0, 0.15)
    check(f"near,  32, counting > {name}",
          FLOOR[near][0] - curves[near, name][0], 0.03, 1)
ahead(curves, near, 256, 0.02, "YaRN", "NTK-aware", "plain")
check("near, 256, YaRN", curves[near, "YaRN"][3], 0.6, 1)
low = curves[near, "YaRN"][0] < 0.95
assert low.sum() == 2, f"YaRN at 32: {curves[near, 'YaRN'][0]}"
print(f"near,  32, YaRN: below 0.95 in {low.sum()} of {RUNS} runs")
for name in ("PI", "YaRN", "YaRN, paper"):
    check(f"far,  256, {name}", curves[far, name][3], 0.9, 1)
ahead(curves, far, 256, 0.1, "PI", "NTK-aware", "plain")
for task in (near, far):
    change = curves[task, "dynamic NTK"][0] - curves[task, "plain"][0]
    check(f"{task.__name__ + ',':5}  32, dynamic NTK, change from plain",
          change.abs(), 0, 0.01)

# %% [markdown] tags=["en", "alt"]
# Two panels, accuracy against 32, 64, 128 and 256 positions. Near: PI and YaRN by the formula lie at guessing at all lengths, at 32 far below counting; plain RoPE falls to about a half; NTK-aware and dynamic NTK stay above it; YaRN starts below one in two runs and changes little up to the end, with a wide spread. Far: PI and both YaRNs stay near one at all lengths; NTK-aware and dynamic NTK fall to about two thirds, plain RoPE to about a third.

# %% [markdown] tags=["zh", "alt"]
# 上下两幅图，横轴是 32、64、128、256 个位置，纵轴是准确率。上图 near：PI 和公式版 YaRN 在所有长度上都是瞎猜的水平，读 32 个位置时比数数低得多；不缩放的降到一半左右；NTK-aware 和动态 NTK 在它上面；YaRN 有两次训练的起点不到 1，到末尾变化不大，三次训练差得很开。下图 far：PI 和两种 YaRN 一直接近 1；NTK-aware 和动态 NTK 降到三分之二左右，不缩放的降到三分之一左右。

# %% [markdown] tags=["en"]
# This is the main result of the lab. **PI rescues one question and destroys the other.**
#
# - `far`: with PI nine tenths or more are right in every run. No angle lies outside the range of training, and the question does not care about exact distances.
# - `near`: PI falls to guessing, at *every* length. At 32 positions, those of the training, that is worse than counting.
# - NTK-aware helps both and saves neither. Dynamic NTK leaves 32 positions as they were, and is NTK-aware at 256.
# - YaRN as in the code is the only one that is good at both at 256 positions, with a wide spread on `near`. In short texts it does harm: two of the three runs can no longer do `near` as they did. YaRN by the formula behaves like PI.
#
# What does NTK-aware lack? It leaves the fastest pair alone, but its slow pairs still reach new angles. Cap them at 31, as before. Peng et al. name another remedy: set the factor higher
# than the length [asks for](../longer.md#ntk), here 16.
#
# YaRN also multiplies all scores by a number. What does this do? Leave it out.

# %% [markdown] tags=["zh"]
# 这是本实验最要紧的结果：**PI 救了一个问题，毁了另一个。**
#
# - `far`：用 PI，每次训练都能答对九成以上。没有哪个角度超出训练时的范围，而这个问题不在乎精确的距离。
# - `near`：用了 PI，*不管多长*都成了瞎猜。读训练时的 32 个位置，比数数还差。
# - NTK-aware 对两边都有帮助，却哪一边都没有完全救回来。动态 NTK 读 32 个位置时和原来一样，读 256 个位置时就是 NTK-aware。
# - 读 256 个位置，两边都好的只有照代码算的 YaRN，不过 `near` 上三次训练差得很开。读短文本它却有害：三次训练里有两次，`near` 不如原来了。照公式算的 YaRN，表现和 PI 一样。
#
# NTK-aware 差在哪里？最快的一对它没动，可是慢的那几对还是会走到新的角度。那就像前面那样，给它们设上限 31。Peng 等提到另一个办法：把倍数取得比文本[实际需要的](../longer.md#ntk)更大，这里取 16。
#
# YaRN 还给所有的分数乘一个数。它起什么作用？去掉它看看。

# %%
for task in (near, far):
    model, label = models[task, "RoPE"], f"{task.__name__ + ',':5} 256,"
    model.theta, _ = scaled("NTK-aware", 8)
    model.cap, model.capped = 31, turns < 1
    check(f"{label} NTK-aware, slow pairs capped",
          accuracy(model, task, 256), 0.93, 1)
    model.cap, model.capped = None, turns > 0
    model.theta, _ = scaled("NTK-aware", 16)
    check(f"{label} NTK-aware, factor 16 > factor 8",
          accuracy(model, task, 256) - curves[task, "NTK-aware"][3], 0.03, 1)
    model.theta, _ = scaled("YaRN", 8)
    change = accuracy(model, task, 256) - curves[task, "YaRN"][3]
    check(f"{label} YaRN without its multiplier, change", change.abs(),
          0, 0.05)
    model.theta = theta

# %% [markdown] tags=["en"]
# With its slow pairs capped NTK-aware saves both questions. So it was their new angles that did the harm. With factor 16 the slow pairs are slowed more, and both questions gain a little. Without its multiplier YaRN answers nearly as before. What helps is how it slows the pairs.
#
# ## Three becomes twenty-four { #three-becomes-24 }
#
# Why does PI destroy `near`? At factor 8 a distance of 24 has exactly the angles that a distance of 3 had. So a head that learned to look 3 back should now look 24 back. Look at it.
#
# For each run the program takes the head that gives the largest weight to 3 back, out of both layers. It does so with plain RoPE, and keeps this head for PI. The weights are means over 8 texts and over the positions
# from 128 on. These positions have all distances up to 127. The two panels have different scales.

# %% [markdown] tags=["zh"]
# 给慢的对设了上限，NTK-aware 两个问题都救得回来。可见，就是它们的新角度坏了事。倍数取 16，慢的对放得更慢，两边都好一点。YaRN 不乘那个数，答得和原来差不多；管用的是它给各对定的速度。
#
# ## 三变成二十四 { #three-becomes-24 }
#
# PI 为什么毁了 `near`？倍数是 8 的时候，距离 24 的角度，正好是原来距离 3 的角度。所以，一个学会了往回看 3 个位置的头，现在该往回看 24 个。看看是不是这样。
#
# 每次训练，程序在两层所有的头里，挑出给往回 3 个位置权重最大的那个。挑的时候不缩放，换成 PI 以后还看这个头。权重对 8 段文本、对从 128 起的位置取平均：从那里往回，127 以内的距离都有。上下两幅图的刻度不同。

# %%
@torch.no_grad()
def by_distance(model, T=256, B=8, most=128):
    """The mean weight at each distance, for each run and head."""
    ids, _ = near(B, T, torch.Generator().manual_seed(1))
    model(ids.expand(RUNS, *ids.shape), torch.arange(T))
    w = torch.stack(model.weights).view(2, RUNS, B, -1, T, T).mean(2)
    w = w.transpose(0, 1).flatten(1, 2)         # (RUNS, all heads, T, T)
    return torch.stack([w.diagonal(-k, 2, 3)[..., most - k:].mean(-1)
                        for k in range(most)], -1)  # (RUNS, all heads, most)

# %%
model = models[near, "RoPE"]
weights = by_distance(model)                    # (RUNS, all heads, most)
head = weights[:, :, 3].argmax(1)               # looks three back: (RUNS,)
plain = weights[range(RUNS), head]              # (RUNS, most)
model.theta, _ = scaled("PI", 8)
squeezed = by_distance(model)[range(RUNS), head]
model.theta = theta
fig, axes = plt.subplots(2, sharex=True, figsize=(4.8, 4.2))
axes[0].plot(plain.T, "C0", alpha=0.7)
axes[1].plot(squeezed.T, "C0", alpha=0.7)
axes[0].set(title="plain", ylabel="weight")
axes[1].set(title="PI, factor 8", ylabel="weight", xlabel="distance",
            xticks=(3, 24, 122))
peak = plain[:, :L].argmax(1), squeezed.argmax(1)             # (RUNS,) each
assert (peak[0] == 3).all(), f"plain no longer looks three back: {peak[0]}"
assert ((peak[1] - 24).abs() < 5).all(), f"PI: peaks at {peak[1]}"
print("largest weight up to 31, plain: at 3")
print(f"largest weight up to {squeezed.shape[1] - 1}, PI: at 20 to 28")
check("PI, distances with half of the largest weight or more",
      (squeezed > squeezed.amax(1, keepdim=True) / 2).sum(1), 4, 9)
half = plain[:, :L] > plain[:, :L].amax(1, keepdim=True) / 2
assert (half.sum(1) == 1).all(), f"plain: a wide peak, {half.sum(1)}"
print("plain, distances up to 31 with half of it or more: 1")
check("PI, weight from 12 to 40 back", squeezed[:, 12:41].sum(1), 0.95, 1)
high = plain[:, L:].topk(2).indices + L         # (RUNS, 2)
assert ((high - 122).abs() <= 1).any(1).all(), f"false peaks at {high}"
check("plain, near 122: largest weight", plain[:, 121:124].amax(1), 0.08, 0.6)
higher = (plain[:, 121:124].amax(1) > plain[:, 3]).sum().item()
assert higher == 1, f"higher than at 3 in {higher} runs"
print(f"plain, near 122: higher than at 3 in {higher} of {RUNS} runs")
top = plain[:, 1:-1] > torch.maximum(plain[:, :-2], plain[:, 2:])
at = (top & (plain[:, 1:-1] > 0.001)).nonzero()[:, 1] + 1     # all peaks
away = (at[at >= L] - 3) / (2 * math.pi)        # in turns of pair 0
check("plain, false peaks, distance to a whole turn of pair 0",
      (away - away.round()).abs() * 2 * math.pi, 0, 1)
for name, which in (("slow", turns < 1), ("fast", turns >= 1)):
    model.cap, model.capped = 31, which
    check(f"{name} pairs capped: largest weight beyond 31",
          by_distance(model)[range(RUNS), head, L:].amax(1), 0, 0.05)
model.cap, model.capped = None, turns > 0
print("from 3 to 122 the two fast pairs turn",
      *(f"{(122 - 3) * x / 2 / math.pi:.2f}" for x in theta[:2]), "times")
print(f"near, 32: {24 - 3} of {L - 3} questions have no word 24 back")
plt.show()

# %% [markdown] tags=["en", "alt"]
# Two panels, mean attention weight against distance, one curve for each of three runs. Plain: a sharp peak at 3, then little, then sharp false peaks, mostly at the same distances in all runs, with different heights; all three have a high one at 122. With PI: one broad bump around 24, and nothing else.

# %% [markdown] tags=["zh", "alt"]
# 上下两幅图，横轴是距离，纵轴是平均的注意力权重，三次训练各一条线。上图不缩放：3 处一个尖峰，后面很低，再往后又冒出假的尖峰，三次训练大多出现在同样的距离上，高低不同，122 处三次都很高。下图用 PI：只在 24 附近有一个宽宽的鼓包。

# %% [markdown] tags=["en"]
# The lower panel is the answer: the head looks about 24 back. Its peak is wide. In the upper panel the peak at 3 is one distance wide. Here at least 4 distances get half of the largest weight or more. A likely reason:
# neighbours now differ by only an eighth of the former angle. The panel also shows why 32 positions fail: 21 of the 29 questions have no word 24 back.
#
# The upper panel shows more than we asked for: **why plain RoPE falls on `near`.** Beyond 31 there are false peaks. They stand only where the fastest pair has come round again, give or take 1, so at much the same distances in all runs.
# Their heights differ: what is high in one run may be low in another. All three runs have a high one at 122. In one run it is higher than the peak at 3.
#
# Why 122? From 3 to 122 the two fast pairs turn almost a whole number of times, 18.94 and 5.99. So both stand again where they stood at 3. Only slower pairs could tell the two distances apart,
# and at these angles they were never trained.
#
# A false peak needs two things: fast pairs that stand as they do at 3, and slow pairs at angles that were never trained. The caps take away one at a time. With the slow pairs capped no distance beyond 31 gets more than 0.05.
# With the fast pairs capped it is the same. That is why on `near` [either cap](#why-rope) was enough.
#
# With PI `near` failed at 32 positions. Is the eighth of the angle to blame, or only the change after training? Train with squeezed angles from the beginning.

# %% [markdown] tags=["zh"]
# 下图就是答案：这个头往回看 24 个位置左右。它的峰很宽：上图里，在 3 处的峰只占一个距离，这里权重达到最大值一半的距离，至少有 4 个。一个可能的原因是，相邻两个位置的角度只差原来的八分之一。
# 读 32 个位置为什么也不行，由此可见：29 个问题里，有 21 个往回没有 24 个词。
#
# 上图还回答了一件没有问的事：**不缩放的 RoPE 为什么在 `near` 上变差。**
# 31 以外冒出了假峰。它们只出现在最快的一对又转回来的地方，至多差 1，所以三次训练的距离大致相同；高低却不同，这一次高的，那一次可能很低。122 处三次都很高，有一次比 3 处的峰还高。
#
# 为什么是 122？从 3 到 122，最快的两对分别转了 18.94 圈和 5.99 圈，都差不多是整数圈，于是又回到了距离为 3 时的样子。能分清这两个距离的，只有更慢的对，而这些角度，它们训练时从没到过。
#
# 要冒出假峰，两个条件缺一不可：快的对和距离为 3 时一样，慢的对到了没训练过的角度。上限每次去掉一个条件。给慢的对设上限，31 以外没有哪个距离的权重超过 0.05；给快的对设，也是这样。
# 所以在 `near` 上，给[哪一边设上限](#why-rope)都够。
#
# 用了 PI，读 32 个位置也答不出 `near`。该怪角度只剩八分之一，还是只怪训练以后改了角度？那就从一开始就用压缩过的角度来训练。

# %%
progress = display({"text/plain": "training"}, raw=True, display_id=True)
torch.manual_seed(0)
model = Decoder("RoPE")
model.theta = theta / 8                         # squeezed from the beginning
train(model, near, L, 24, STEPS, 0.01, "squeezed, near")
progress.update({"text/plain": f"{RUNS} of {RUNS} runs"}, raw=True)
a = accuracy(model, near, L)
check("near, 32, angles as they are", result[near, "RoPE"][0], 0.95, 1)
check("near, 32, angles / 8 from the beginning", a, 0.5, 0.8)
check("near, 32, angles / 8 only afterwards (PI)", curves[near, "PI"][0],
      0, 0.15)

# %% [markdown] tags=["en"]
# After the same steps the squeezed model is still behind, at 32 positions, with nothing unseen. So narrow angles make exact distances *harder to learn*. But it is far above counting, and far above the model
# whose angles were changed after training. So here the change does the greater harm.
#
# ## With a little training { #fine-tuning }
#
# The papers train some more after scaling. We give each model 20 steps on texts of 256 positions, 4 texts for each run and step.
#
# In the figure empty marks are the runs before the 20 steps, full marks those after. The line joins the two means.

# %% [markdown] tags=["zh"]
# 步数一样，角度压缩过的模型还是落在后面，而且这里只有 32 个位置，没有什么是没见过的。可见，角度挤窄了，精确的距离就*更难学*。
# 但它远好于数数，也远好于训练以后才改角度的模型。所以在这里，害处更大的是训练以后改角度。
#
# ## 再训练一点 { #fine-tuning }
#
# 论文里，缩放以后都再训练一些。我们让每个模型用 256 个位置的文本再训练 20 步；三次训练，每次每步用 4 段文本。
#
# 图里空心的记号是这 20 步以前，实心的是以后，线连着前后两个平均值。

# %%
progress = display({"text/plain": "training"}, raw=True, display_id=True)
again = {}
for task in (near, far):
    for name in ("plain", "PI", "NTK-aware", "YaRN"):
        model = copy.deepcopy(models[task, "RoPE"])
        model.theta, model.factor = scaled(name, 8)
        label = f"again: {name}, {task.__name__}"
        train(model, task, 256, 4, MORE, 0.005, label)
        again[task, name] = accuracy(model, task, 256)        # (RUNS,)
runs = len(again) * RUNS
progress.update({"text/plain": f"{runs} of {runs} runs"}, raw=True)

# %%
fig, axes = plt.subplots(2, sharex=True, figsize=(4.8, 4))
for ax, task in zip(axes, (near, far)):
    for y, name in enumerate(("YaRN", "NTK-aware", "PI", "plain")):
        before, after = curves[task, name][3], again[task, name]
        ax.plot([before.mean(), after.mean()], [y, y], "C4")
        ax.plot(before, [y] * RUNS, "C4o", fillstyle="none")
        ax.plot(after, [y] * RUNS, "C0o")
    ax.set(title=f"{task.__name__}, 256 positions", ylim=(-0.5, 3.5),
           yticks=range(4), yticklabels=("YaRN", "NTK-aware", "PI", "plain"))
axes[1].set(xlabel="accuracy before (empty) and after (full)", xlim=(0, 1.05))
for name in ("plain", "NTK-aware", "YaRN"):
    check(f"near, {MORE} steps, {name}", again[near, name], 0.95, 1)
check(f"near, {MORE} steps, PI", again[near, "PI"], 0, 0.15)
for name in ("PI", "YaRN"):
    check(f"far,  {MORE} steps, {name}", again[far, name], 0.95, 1)
check(f"far,  {MORE} steps, NTK-aware", again[far, "NTK-aware"], 0.75, 0.95)
check(f"far,  {MORE} steps, plain", again[far, "plain"], 0.35, 0.75)
check(f"far,  {MORE} steps, plain, gain",
      again[far, "plain"] - curves[far, "plain"][3], 0.08, 0.4)
plt.show()

# %% [markdown] tags=["en", "alt"]
# Two panels for 256 positions, one row for each of plain, PI, NTK-aware and YaRN, with empty marks before and full marks after the training. Near: plain, NTK-aware and YaRN all end at one; PI stays at guessing. Far: PI and YaRN begin and end near one; NTK-aware rises to nearly nine tenths, plain to about a half.

# %% [markdown] tags=["zh", "alt"]
# 上下两幅图，都是 256 个位置，不缩放、PI、NTK-aware、YaRN 各占一行，空心记号是训练前，实心记号是训练后。上图 near：不缩放、NTK-aware 和 YaRN 最后都到 1，PI 留在瞎猜的水平。下图 far：PI 和 YaRN 前后都接近 1，NTK-aware 升到将近九成，不缩放的升到一半左右。

# %% [markdown] tags=["en"]
# - `near`: plain RoPE, NTK-aware and YaRN are repaired after 20 steps. PI is not. A likely reason: its head looks at the wrong distance, and narrow angles make the right one hard to learn.
# - `far`: PI and YaRN have nothing left to repair. Plain RoPE has come only a part of the way, NTK-aware most of it.
#
# So PI is a good start for `far` only. Plain RoPE is a good start for `near` only. NTK-aware is repaired on `near`; on `far` it still lags behind PI and YaRN. YaRN ends as well as the best on both.
#
# ## And the papers? { #papers }
#
# Ours are tiny models on invented tasks. Where do they agree with what was reported for language models, and where not?
#
# - [Press et al. 2021](https://arxiv.org/abs/2108.12409) trained on 512 tokens: the sinusoid gets worse after 50 more, RoPE improves for 200 more. ALiBi stays nearly flat if every prediction has the full context. Our order on `far` is the same, but at eight times the length our ALiBi is not flat there. `near` shows what a flat curve can hide: ALiBi is flat, at a level of no use.
# - [Chen et al. 2023](https://arxiv.org/abs/2306.15595) repair PI with 1000 steps. Our PI needs no repair on `far` and gets none from 20 steps on `near`. They have wider heads, more layers and more training, and perplexity need not hang on an exact distance. Which of these makes the difference we did not test.
# - [Peng et al. 2023](https://arxiv.org/abs/2309.00071) find NTK-aware better than PI without training. On `near` we see the same. On `far` it is the other way round.
# - [Liu et al. 2023](https://arxiv.org/abs/2310.05209) explain the failure of RoPE by periods: some pairs see only a part of their period in training. Our capped slow pairs fit that.
# - [Kazemnejad et al. 2023](https://arxiv.org/abs/2305.19466) find no encoding best on longer inputs, in small reasoning tasks. On `far` we see the same. On `near` our models without an encoding did not even learn the task in these steps.
#
# ## What this does not show { #limits }
#
# - Nothing here is language. Real texts mix both questions, in shares that we do not know.
# - Two layers, width 64, one base, one training length, one learning rate for all five encodings, none of them tuned.
# - Of our 8 pairs 6 do not go round in the training length. [In Llama 2](../longer.md#unseen-angles) it is 18 of 64, in Llama 3 it is 29 of 64.
# - With more steps ALiBi and no encoding may learn `near` better; we did not look.
# - Before training the vectors of the sinusoid are as large as word and colour together, those of the learned table smaller, as [printed](#training). This lab does not vary the ratio. Another one may move the curves.
# - YaRN's thresholds were made for long training lengths. The code looks for the pair at which slowing begins. Here it would lie before pair 0. There is no such pair, so the code takes pair 0, and pair 0 keeps its speed. Without this the fastest pair would be slowed, too. So it is partly luck that YaRN does well here.
#
# ## Check yourself { #check-yourself }
#
# <details><summary>A model with plain RoPE fails at eight times its length. A colleague says: “Softmax over too many keys.” Which experiment decides?</summary>
#
# Cap the distances and keep all keys, as [above](#why-rope). If all of the accuracy comes back, it was the distances, as for `near`. If only a part comes back, try a smaller cap. Distances that training showed too rarely may be to blame, as for `far`. What no cap brings back may be due to the number of keys.
#
# </details>
#
# <details><summary>You apply PI with factor 8 to a trained model. Its short texts get worse as well. Why?</summary>
#
# Distances are divided in short texts, too. Already at 32 positions a head that looked 3 back wants to look 24 back, where 21 of the 29 questions [have no word at all](#three-becomes-24). Dynamic scaling leaves short texts alone.
#
# </details>
#
# <details><summary>“ALiBi extrapolates.” What do you ask?</summary>
#
# On what task? On `far` it keeps the near words and loses far ones, in one run few, in two many. On `near` it is as good at all lengths, since it never learned it.
#
# </details>
#
# **In one sentence.** Beyond the training length the harm here comes from angles and distances that were never trained, hardly from the number of keys; whether a scaling of RoPE helps depends on the task: exact distances, or far words.
#
# ## Sources { #sources }
#
# - Press et al., *Train Short, Test Long*, [arXiv:2108.12409](https://arxiv.org/abs/2108.12409).
# - Chen et al., *Extending Context Window of Large Language Models via Positional Interpolation*, [arXiv:2306.15595](https://arxiv.org/abs/2306.15595).
# - Peng et al., *YaRN*, [arXiv:2309.00071](https://arxiv.org/abs/2309.00071).
# - Liu et al., *Scaling Laws of RoPE-based Extrapolation*, [arXiv:2310.05209](https://arxiv.org/abs/2310.05209).
# - Kazemnejad et al., *The Impact of Positional Encoding on Length Generalization in Transformers*, [arXiv:2305.19466](https://arxiv.org/abs/2305.19466).
# - Su Jianlin, *ReRoPE*, [kexue.fm/archives/9708](https://kexue.fm/archives/9708), in Chinese: a cap on the distances.

# %% [markdown] tags=["zh"]
# - `near`：不缩放的 RoPE、NTK-aware 和 YaRN，再训练 20 步就修好了，PI 没有。一个可能的原因是：它的头看错了距离，而角度这么窄，正确的距离很难学。
# - `far`：PI 和 YaRN 没有什么可修的。不缩放的 RoPE 只修好了一部分，NTK-aware 修好了大部分。
#
# 所以，从 PI 接着训练，只对 `far` 合适；从不缩放的 RoPE 接着训练，只对 `near` 合适。NTK-aware 在 `near` 上修好了，在 `far` 上还不如 PI 和 YaRN。YaRN 在两边都和最好的差不多。
#
# ## 论文怎么说 { #papers }
#
# 我们的模型很小，任务也是编的。和语言模型上报告的结果比，哪里一致，哪里不一致？
#
# - [Press 等，2021](https://arxiv.org/abs/2108.12409) 用 512 个词元（token）训练，再读更长的文本：正弦多读 50 个以后就变差，RoPE 多读到 200 个还在变好；如果每个预测都有完整的上下文，ALiBi 几乎不变。我们在 `far` 上排出的顺序一样，不过文本长到八倍，我们的 ALiBi 在那里并不平。`near` 还让人看到，曲线平不等于好：ALiBi 在那里是平的，只是平在没有用的水平上。
# - [Chen 等，2023](https://arxiv.org/abs/2306.15595) 再训练 1000 步，把 PI 修好。我们的 PI 在 `far` 上不用修，在 `near` 上再训练 20 步也修不好。他们的头更宽，层更多，训练更久，困惑度（perplexity）也未必取决于精确的距离。到底是哪一条起作用，我们没有测。
# - [Peng 等，2023](https://arxiv.org/abs/2309.00071) 发现，不再训练时 NTK-aware 比 PI 好。`near` 上我们看到的也是这样，`far` 上正好相反。
# - [Liu 等，2023](https://arxiv.org/abs/2310.05209) 用周期来解释 RoPE 为什么失灵：有些对在训练中只见过周期的一部分。我们给慢的对设上限，结果与此相符。
# - [Kazemnejad 等，2023](https://arxiv.org/abs/2305.19466) 发现，在小的推理任务上，输入变长时不加编码最好。`far` 上也是这样。`near` 上，不加编码的模型训练这么多步，连任务都没学会。
#
# ## 这个实验没有说明什么 { #limits }
#
# - 这里的数据不是语言。真实的文本两种问题都有，各占多少，我们不知道。
# - 只有两层，宽 64，一个底数，一种训练长度；五种编码用同一个学习率，哪一种都没有专门调过。
# - 我们的 8 对里，有 6 对在训练长度以内转不满一圈。[Llama 2](../longer.md#unseen-angles) 是 64 对里的 18 对，Llama 3 是 64 对里的 29 对。
# - 步数再多，ALiBi 和不加编码的模型也许能把 `near` 学得更好，我们没有试。
# - 训练之前，正弦的向量和词与颜色之和一样大，可学习的表要小一些，[前面](#training)打印过。这个比例，本实验没有改过；换一个比例，曲线可能不同。
# - YaRN 的界限是为很长的训练长度定的。代码要找从哪一对起开始放慢，在这里，算出来的位置在 0 号对之前。那里没有对，代码就改取 0 号，于是 0 号对的速度不变。不改取 0 号，最快的一对也要放慢。所以 YaRN 在这里表现好，有几分是运气。
#
# ## 自测 { #check-yourself }
#
# <details><summary>用 RoPE、不缩放的模型，读八倍长的文本就不行了。同事说：“键太多，softmax 把权重摊薄了。”用什么实验来判断？</summary>
#
# 给距离设上限，键一个不少，就像[上面](#why-rope)那样。准确率全回来了，就是距离的问题，`near` 就是这样。只回来一部分，就换小一点的上限试试：也许是有些距离训练时见得太少，`far` 就是这样。哪个上限都救不回来的那一点，可能才要怪键的个数。
#
# </details>
#
# <details><summary>你给训练好的模型用上倍数为 8 的 PI，结果读短文本也变差了。为什么？</summary>
#
# 短文本里的距离也要除。就算只有 32 个位置，原来往回看 3 个的头，也想往回看 24 个了，可是 29 个问题里，有 21 个[往回根本没有那么多词](#three-becomes-24)。动态缩放不动短文本。
#
# </details>
#
# <details><summary>有人说：“ALiBi 能外推。”你问什么？</summary>
#
# 在什么任务上？在 `far` 上，它保住近处的词，丢掉远处的，一次训练丢得少，另外两次丢得多。在 `near` 上，不管多长，它的成绩都一样，因为它从来就没学会。
#
# </details>
#
# **一句话总结。**
# 超过训练长度以后，在这里坏事的是没训练过的角度和距离，和键的个数没有多大关系；RoPE 的缩放有没有用，要看任务要的是精确的距离，还是远处的词。
#
# ## 参考资料 { #sources }
#
# - Press 等，*Train Short, Test Long*，[arXiv:2108.12409](https://arxiv.org/abs/2108.12409)。
# - Chen 等，*Extending Context Window of Large Language Models via Positional Interpolation*，[arXiv:2306.15595](https://arxiv.org/abs/2306.15595)。
# - Peng 等，*YaRN*，[arXiv:2309.00071](https://arxiv.org/abs/2309.00071)。
# - Liu 等，*Scaling Laws of RoPE-based Extrapolation*，[arXiv:2310.05209](https://arxiv.org/abs/2310.05209)。
# - Kazemnejad 等，*The Impact of Positional Encoding on Length Generalization in Transformers*，[arXiv:2305.19466](https://arxiv.org/abs/2305.19466)。
# - 苏剑林，*ReRoPE*，[kexue.fm/archives/9708](https://kexue.fm/archives/9708)：给距离设上限。
