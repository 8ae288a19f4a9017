# ---
# en:
#   description: Which models can learn a task in which only the order of the words counts, and which cannot? Training curves, proofs that need no training, and a missing encoding that hides behind a good score.
# zh:
#   description: 任务只看词的顺序时，哪些模型学得会，哪些无论如何也学不会？这里有训练曲线，有不靠训练的证明，还有一个躲在高分后面的错误：忘了加位置编码。
# given:
#   - {numbers: ["75", "90"], source: "https://arxiv.org/abs/2012.15180"}
# ---

# %% [markdown] tags=["en"]
# # Order matters { #order-matters }
#
# After this lab you can:
#
# - say which models learn a task in which only the order counts, and which cannot, whatever you do;
# - prove a “cannot” instead of waiting for a training run to fail;
# - find a missing encoding that hides behind a good score.
#
# ## The idea { #idea }
#
# “A model without positions does badly where order matters.” To test that sentence, we need a task in which *only*
# order matters. Here is one. A sentence of twelve words holds one A and one B among fillers. Which of the two came
# first?
#
# A test set has to be fair. So every sentence stands in it four times: as it was drawn, with A and B swapped,
# reversed, and both. A swap turns the right answer round. So does a reversal.

# %% [markdown] tags=["zh"]
# # 顺序很重要 { #order-matters }
#
# 做完这个实验，你能：
#
# - 说出任务只看顺序时，哪些模型学得会，哪些无论如何也学不会；
# - 直接证明“学不会”，而不是等着看训练失败；
# - 找出躲在高分后面的错误：忘了加位置编码（positional encoding）。
#
# ## 想法 { #idea }
#
# “没有位置的模型，遇到讲究顺序的任务就不行。”要检验这句话，得有一个*只*看顺序的任务。下面就是一个：
# 一句话十二个词，其中有一个 A、一个 B，其余是无关词。问：A 和 B，哪个在前？
#
# 测试集要公平。所以每句话在里面出现四次：原句，A 和 B 对调，整句倒过来，对调再倒过来。
# 对调一次，正确答案就反过来；倒一次，也反过来。

# %%
import matplotlib.pyplot as plt
import torch
from IPython.display import display
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)        # the same numbers on any number of cores
T, words, d_model, heads, N = 12, 12, 32, 4, 50


def which_first(n, g):
    """n sentences with one A and one B; the label is 1 if A comes first."""
    ids = torch.randint(2, words, (n, T), generator=g)               # (n, T)
    place = torch.rand(n, T - 2, generator=g).argsort(1)[:, :2] + 1  # (n, 2)
    ids.scatter_(1, place, torch.tensor([[0, 1]]).expand(n, 2))
    return ids, (place[:, 0] < place[:, 1]).long()


def swap(ids):
    """A and B exchanged, all other words left where they are."""
    return torch.where(ids < 2, 1 - ids, ids)


ids, label = which_first(N, torch.Generator().manual_seed(13))
test = torch.cat([ids, swap(ids), ids.flip(1), swap(ids.flip(1))])  # (4N, T)
answer = torch.cat([label, 1 - label, 1 - label, label])            # (4N,)
for i, kind in enumerate(("drawn", "swapped", "reversed", "both")):
    sentence = " ".join("ABcdefghijkl"[word] for word in test[i * N])
    print(f"{kind:9} {sentence}   first: {'BA'[answer[i * N]]}")

# %% [markdown] tags=["en"]
# Could a model cheat? Perhaps some filler goes with one of the answers, or a length, or padding. Such a trace would
# have to be in the *bag* of words: the words of a sentence and how often each occurs, without their order. So sort
# the words of every sentence, and look at which answers a bag has.

# %% [markdown] tags=["zh"]
# 模型有没有可能作弊？也许某个无关词总和一种答案一起出现，也许句子的长度或填充（padding）露了底。
# 这样的线索，一定藏在*词袋*（bag of words）里，也就是只看一句话有哪些词、各有几个，不看顺序。
# 所以，把每句话的词排好序，看看同一个词袋对应哪些答案。

# %%
bags = {}
for sentence, first in zip(test.tolist(), answer.tolist(), strict=True):
    bags.setdefault(tuple(sorted(sentence)), []).append(first)
share = {sum(answers) / len(answers) for answers in bags.values()}
assert share == {0.5}, "a bag of words gives an answer away"
print("sentences:", len(test), " bags of words:", len(bags))
print("share of the answer A, in every bag:", *share)

# %% [markdown] tags=["en"]
# Every bag has both answers, equally often. Whoever sees only the bag is right in exactly half of the cases.
#
# ## One model, six settings { #model }
#
# Each word is a row of numbers. Two layers work on the rows. At the top the rows are averaged, and two numbers come out, one for each
# answer. The six settings differ in where positions enter:
#
# | setting | positions enter |
# |---|---|
# | none | nowhere |
# | sinusoid | as a fixed table, added to the rows of the words at the bottom |
# | learned | as a learned table, added in the same place |
# | RoPE | in each layer, where queries and keys are turned |
# | ALiBi | in each layer, where a slope times the distance is subtracted from the scores |
# | none, causal | nowhere, but each word sees only itself and the words before it |
#
# The programs of this section write this down. You can skip them.
#
# First the encodings. [Sinusoids](../theory.md#formula) and [RoPE](../rope.md) are those of this site.
# [ALiBi](../relative.md#alibi) subtracts from each score a slope times the distance. The two other kinds of it are
# needed later.

# %% [markdown] tags=["zh"]
# 每个词袋都是两种答案各占一半。谁要是只看得见词袋，正好只能答对一半。
#
# ## 一个模型，六种设置 { #model }
#
# 每个词是一行数。这些行经过两层，最上面对各行取平均，输出两个数，每种答案一个。六种设置的区别，在于位置从哪里进来：
#
# | 设置 | 位置从哪里进来 |
# |---|---|
# | none，不加编码 | 不进来 |
# | sinusoid，正弦 | 一张固定的表，在最下面加到各个词的行上 |
# | learned，可学习的表 | 一张学出来的表，加在同一个地方 |
# | RoPE | 每一层都转动查询（query）和键（key） |
# | ALiBi | 每一层都从分数里减去斜率和距离的乘积 |
# | none, causal，不加编码但有掩码 | 也不进来，但是每个词只看得到自己和前面的词 |
#
# 这一节的程序写的就是这些，可以跳过。
#
# 先写编码。[正弦](../theory.md#formula)和 [RoPE](../rope.md) 就是本站讲过的那两种。
# [ALiBi](../relative.md#alibi) 从每个分数里减去斜率和距离的乘积，它的另外两种变体后面才用到。

# %%
def sinusoid(T, d):
    """One row of sines and cosines per position: (T, d)."""
    theta = 10000 ** (-torch.arange(0, d, 2) / d)          # (d/2,)
    angle = torch.arange(T)[:, None] * theta               # (T, d/2)
    return torch.cat([angle.sin(), angle.cos()], 1)


def rotate(x):
    """RoPE: turn each pair of channels of x (…, T, D) by pos * theta."""
    sin, cos = sinusoid(*x.shape[-2:]).to(x).chunk(2, -1)  # (T, D/2) each
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


def alibi(T, kind):
    """What is added to the scores: (heads, T, T)."""
    slope = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    pos = torch.arange(T)
    away = pos[:, None] - pos           # (T, T): negative if the key is right
    if kind == "ALiBi, two slopes":     # steeper to the right
        away = torch.where(away < 0, 4 * away, away)
    bias = -slope[:, None, None] * away.abs()
    if kind == "ALiBi, two sides":      # heads look left and right by turns
        bias[::2].masked_fill_(away < 0, -torch.inf)
        bias[1::2].masked_fill_(away > 0, -torch.inf)
    return bias

# %% [markdown] tags=["en"]
# Then a layer, and the model. ALiBi and the mask are both a bias, a matrix that is added to the attention scores in every layer.

# %% [markdown] tags=["zh"]
# 再写一层，然后是整个模型。ALiBi 和掩码都是偏置，也就是一个矩阵，每一层都加到注意力分数上。

# %%
class Layer(nn.Module):
    """Attention, then a small network for each word."""

    def __init__(self):
        super().__init__()
        d = d_model
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)

    def forward(self, x, bias, rope):
        B, T, d = x.shape
        qkv = self.qkv(self.norm1(x)).view(B, T, 3, heads, d // heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)           # (B, heads, T, D) each
        if rope:
            q, k = rotate(q), rotate(k)
        scores = q @ k.mT / (d // heads) ** 0.5 + bias     # (B, heads, T, T)
        y = scores.softmax(-1) @ v                         # (B, heads, T, D)
        x = x + self.out(y.transpose(1, 2).reshape(B, T, d))
        return x + self.down(self.up(self.norm2(x)).relu())


# %%
class Model(nn.Module):
    """A small Transformer that sorts sentences into two classes."""

    def __init__(self, encoding, causal=False, layers=2, read="mean"):
        super().__init__()
        self.rope, self.read = encoding == "RoPE", read
        self.embed = nn.Embedding(words + 1, d_model)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(d_model), nn.Linear(d_model, 2)
        table, bias = torch.zeros(T, d_model), torch.zeros(1, T, T)
        if encoding == "sinusoid":
            table = sinusoid(T, d_model)
        if encoding.startswith("ALiBi"):
            bias = alibi(T, encoding)
        if causal:                                     # no look to the right
            bias = bias + torch.full((T, T), -torch.inf).triu(1)
        self.register_buffer("bias", bias)
        self.register_buffer("table", table)
        if encoding == "learned":
            self.table = nn.Parameter(torch.randn(T, d_model))

    def rows(self, ids):
        x = self.embed(ids) + self.table                     # (B, T, d)
        for layer in self.layers:
            x = layer(x, self.bias, self.rope)
        return x

    def forward(self, ids):
        x = self.rows(ids)
        x = x.mean(1) if self.read == "mean" else x[:, -1]   # (B, d)
        return self.head(self.norm(x))                       # (B, 2)

# %% [markdown] tags=["en"]
# ## Who must fail, before any training { #proof }
#
# Suppose that a model gives a sentence and its swapped twin the same answer. The right answers of the two differ. So
# exactly one of the two is right, and the accuracy on the test set is exactly one half. The same argument holds for
# reversed twins.
#
# So ask the *untrained* models: does the output change? Double precision (float64) keeps rounding far below any
# real difference.

# %% [markdown] tags=["zh"]
# ## 还没训练，就知道谁学不会 { #proof }
#
# 假如一个模型对一句话和它对调后的那句话，给出同样的回答。这两句的正确答案相反，所以两句里正好答对一句，
# 在测试集上的准确率正好是一半。倒过来的那句，道理也一样。
#
# 那就去问*没有训练过*的模型：输出变了没有？用双精度（float64）计算，舍入误差就远远小于任何真正的差别。

# %%
models = {
    "none": {"encoding": "none"},
    "sinusoid": {"encoding": "sinusoid"},
    "learned": {"encoding": "learned"},
    "RoPE": {"encoding": "RoPE"},
    "ALiBi": {"encoding": "ALiBi"},
    "none, causal": {"encoding": "none", "causal": True},
}
print("model          swapped    reversed")
for name, arguments in models.items():
    torch.manual_seed(0)
    with torch.no_grad():
        out = Model(**arguments).double()(test).view(4, N, 2)
    moved = [(out[0] - out[twin]).abs().max() for twin in (1, 2)]
    seen = ["the same" if m < 1e-12 else "changes" for m in moved]
    print(f"{name:14} {seen[0]:10} {seen[1]}")

# %% [markdown] tags=["en"]
# Two rows say “the same”. Without an encoding nothing changes the output, neither a swap nor a reversal: the reason is
# that [no term knows an index](../why.md#no-index). ALiBi notices a swap and does not notice a reversal. The reason
# follows [below](#symmetric). It lies in the bias alone and not in the weights, so it holds for trained models too.
#
# The last row has no encoding either. It has a causal mask, which lets each word see only itself and the words
# before it, as in a decoder. It notices both. In this lab, models without this mask are called encoders.
#
# “Changes” means that a model *can* tell the two sentences apart. Whether training makes use of it is another question.
#
# ## Training { #training }
#
# All six are trained in the same way, each from three seeds, on fresh random sentences at every step.

# %% [markdown] tags=["zh"]
# 有两行出现了“the same”，也就是“不变”。不加编码，对调也好，倒序也好，输出都不变，原因是
# [没有一项知道自己排第几](../why.md#no-index)。ALiBi 看得出对调，看不出倒序。原因[后面](#symmetric)再讲。
# 它只出在偏置上，与权重无关，所以训练以后也一样。
#
# 最后一行也没有编码，但是有因果掩码（causal mask）：每个词只看得到自己和前面的词。对调和倒序，它都看得出。
# 这里把有这种掩码的模型叫解码器（decoder），没有的叫编码器（encoder）。
#
# “changes”（有变化）说明模型*能*分清这两句话。训练能不能用上这一点，是另一个问题。
#
# ## 训练 { #training }
#
# 六个模型用同样的方法训练，各用三个随机种子，每一步都换一批新的随机句子。

# %%
def accuracy(model, ids, label):
    with torch.no_grad():
        return (model(ids).argmax(1) == label).double().mean().item()


def train(arguments, data, tests, steps, every, seed, say):
    """The trained model, its accuracy on the tests, its last loss."""
    torch.manual_seed(seed)
    g = torch.Generator().manual_seed(seed)
    model, curve = Model(**arguments), []
    adam = torch.optim.Adam(model.parameters(), lr=3e-3, fused=True)
    slower = torch.optim.lr_scheduler.LinearLR(adam, 1, 0.01, steps)
    for step in range(steps + 1):
        if step % every == 0:
            say(f"seed {seed + 1}: step {step} of {steps}")
            curve.append([accuracy(model, *test) for test in tests])
        ids, label = data(64, g)                         # (B, T), (B,)
        loss = F.cross_entropy(model(ids), label)
        adam.zero_grad()
        loss.backward()
        adam.step()
        slower.step()
    return model, torch.tensor(curve), loss.item()


# %%
def train_all(models, data, tests, steps, every=10, seeds=3):
    """Each model with each seed: name -> models, name -> curves."""
    line = display({"text/plain": ""}, raw=True, display_id=True)
    trained, curves = {}, {}
    for name, arguments in models.items():

        def say(text, name=name):
            line.update({"text/plain": f"{name}, {text}"}, raw=True)

        runs = [
            train(arguments, data, tests, steps, every, seed, say)
            for seed in range(seeds)
        ]
        trained[name] = [model for model, _, _ in runs]
        curves[name] = torch.stack([curve for _, curve, _ in runs], -1)
    total = len(models) * seeds
    line.update({"text/plain": f"{total} of {total} runs"}, raw=True)
    return trained, curves       # a curve: (times, tests, seeds)


trained, curves = train_all(models, which_first, [(test, answer)], 140)

# %%
def draw(curves, rows, columns, every=10):
    """One panel for each model, one line for each seed."""
    size = (4.8, 0.6 + 1.5 * rows)
    fig, axes = plt.subplots(
        rows, columns, figsize=size, sharex=True, sharey=True
    )
    for ax, (name, curve) in zip(axes.flat, curves.items(), strict=True):
        step = every * torch.arange(len(curve))
        ax.axhline(0.5, color="C4", linestyle=":", linewidth=1)
        ax.plot(step, curve[:, 0], color="C0", linewidth=1.2)
        ax.set(title=name, ylim=(0.42, 1.04), yticks=(0.5, 0.75, 1))
    fig.supxlabel("step", fontsize=10)
    fig.supylabel("accuracy, test set", fontsize=10)
    plt.show()


draw(curves, 2, 3)

# %% [markdown] tags=["en", "alt"]
# Six small plots of accuracy over training steps, three lines in each. Sinusoid, learned table and RoPE stay near one half for some tens of steps and then climb to 1. The causal model without encoding climbs to 1 at once. Without encoding, and with ALiBi, all lines lie flat on the dotted line at 0.5.

# %% [markdown] tags=["zh", "alt"]
# 六张小图，画的是准确率随训练步数的变化，每张三条线。正弦、可学习的表和 RoPE 先在一半附近停留几十步，再升到 1。不加编码而有因果掩码的模型一开始就往上升，很快到 1。不加编码的模型和 ALiBi，所有的线都平躺在 0.5 的点线上。

# %%
for name in models:
    if name in ("none", "ALiBi"):
        ends = [accuracy(m.double(), test, answer) for m in trained[name]]
        assert ends == [0.5, 0.5, 0.5], f"{name}: not at chance, {ends}"
        print(f"{name:14} exactly 0.5, every seed")
    else:
        lowest = curves[name][-1, 0].min()
        assert lowest > 0.95, f"{name}: not learned, {lowest}"
        print(f"{name:14} above 0.95, every seed")

# %% [markdown] tags=["en"]
# The two flat lines are no unlucky runs. They say *exactly* 0.5, as they had to. More steps, more layers or another
# learning rate would not move them.
#
# How fast the others climb says little about which encoding is better. It depends on how the table starts, on the
# learning rate and on the task.
#
# ## A training loss that falls proves nothing about order { #by-heart }
#
# Here is the model without encoding once more. This time it is trained on 128 sentences, the same in every step.

# %% [markdown] tags=["zh"]
# 那两条平线，不是运气不好。准确率*正好*是 0.5，也只能是这样。多训练几步，多加几层，换个学习率（learning rate），都动不了它们。
#
# 其余几个升得快还是慢，说明不了哪种编码更好。这要看表从什么值开始、学习率多大、是什么任务。
#
# ## 训练损失下降，不能证明模型知道顺序 { #by-heart }
#
# 再看一遍不加编码的模型。这次只用 128 句话训练，每一步都是这同一批。

# %%
few = which_first(128, torch.Generator().manual_seed(1))
bags = {tuple(sorted(sentence)) for sentence in few[0].tolist()}
line = display({"text/plain": ""}, raw=True, display_id=True)
model, curve, loss = train(
    models["none"],
    lambda n, g: few,
    [few],
    steps=150,
    every=50,
    seed=0,
    say=lambda text: line.update({"text/plain": text}, raw=True),
)
line.update({"text/plain": "1 of 1 run"}, raw=True)
assert loss < 0.1, f"the loss did not fall: {loss}"
assert curve[-1, 0] == 1, f"not learned by heart: {curve[-1, 0]}"
assert accuracy(model.double(), test, answer) == 0.5, "not at chance"
print("sentences:", len(few[0]), " bags of words:", len(bags))
print("loss on these sentences:     below 0.1")
print("accuracy on these sentences: 1.0")
print("accuracy on the test set:    0.5")

# %% [markdown] tags=["en"]
# The loss falls nearly to zero, and every training sentence is answered correctly. Not because of
# order: each of these sentences has a bag of words of its own, so the model can learn them by heart, bag by bag. On the test set, where each bag has both answers, it guesses.
#
# ## Why ALiBi fails, and four repairs { #symmetric }
#
# ALiBi subtracts a slope times the *distance*. Reverse a sentence, and every distance stays as it was. The bias
# matrix, turned round in rows and columns, is the same matrix. So the scores of the reversed sentence are the
# scores of the sentence, turned round, and so on through all layers. The rows only change places, and their mean
# stays. Each of these three variants breaks the symmetry:
#
# - *two slopes*: steeper to the right than to the left;
# - *two sides*: half of the heads look only to the left, half only to the right;
# - *causal mask*: all heads look only to the left, as in the models for which ALiBi was made.

# %% [markdown] tags=["zh"]
# 损失几乎降到零，训练的句子句句答对。靠的却不是顺序：这些句子的词袋各不相同，模型可以按词袋一句一句背下来。
# 到了测试集上，每个词袋两种答案都有，它就只能猜了。
#
# ## ALiBi 为什么学不会，怎么补救 { #symmetric }
#
# ALiBi 减去的是斜率乘*距离*。句子倒过来，距离一个也没变。偏置矩阵行列都倒过来，还是原来那个矩阵。
# 所以，倒过来的句子，分数就是原句的分数倒过来，每一层都是这样。各行只是换了位置，平均值不变。
# 下面三种变体都打破了这种对称性：
#
# - *two slopes*，两种斜率：右边比左边陡；
# - *two sides*，两边分工：一半的头只看左边，一半只看右边；
# - *causal mask*，因果掩码：所有的头都只看左边，ALiBi 原本就是为这样的模型设计的。

# %%
variants = {
    "two slopes": {"encoding": "ALiBi, two slopes"},
    "two sides": {"encoding": "ALiBi, two sides"},
    "causal mask": {"encoding": "ALiBi", "causal": True},
}
print("               same bias   rows only     same")
print("               reversed    turn round    mean")
for name, arguments in {"ALiBi": models["ALiBi"], **variants}.items():
    torch.manual_seed(0)
    model = Model(**arguments).double()
    with torch.no_grad():
        y, z = model.rows(ids), model.rows(ids.flip(1))    # (N, T, d) each
    bias = torch.equal(model.bias, model.bias.flip(1, 2))
    rows = torch.allclose(y.flip(1), z, atol=1e-12)
    mean = torch.allclose(y.mean(1), z.mean(1), atol=1e-12)
    print(f"{name:14} {bias!s:11} {rows!s:13} {mean}")

# %% [markdown] tags=["en"]
# Only the first row says `True` three times. Where the bias is its own mirror image, rows only turn round, whatever the weights are.
#
# There is a fourth repair, and many encoders have it already: a word that stands in front of every
# sentence, like the `[CLS]` of BERT. A text that is turned round keeps its start word in front. So distances to that
# word say which end is which. In the program the word is called S.

# %% [markdown] tags=["zh"]
# 只有第一行是三个 `True`。偏置和自己的镜像相同，各行就只会换位置，不管权重是什么。
#
# 还有第四种补救，很多编码器本来就有：每句话最前面放一个固定的词，例如 BERT 的 `[CLS]`。文本倒过来，开头这个词还在最前面。
# 于是，到它的距离就说明了哪头是头，哪头是尾。程序里，这个词叫 S。

# %%
front = ids.clone()
front[:, 0] = words                                              # S
back = torch.cat([front[:, :1], front[:, 1:].flip(1)], 1)        # S stays
behind = torch.cat([front, swap(front), back, swap(back)])       # (4N, T)
print("in front:", " ".join("ABcdefghijklS"[word] for word in front[0]))
print("reversed:", " ".join("ABcdefghijklS"[word] for word in back[0]))


def with_start(n, g):
    sentences, first = which_first(n, g)
    sentences[:, 0] = words
    return sentences, first


start = {"start word": models["ALiBi"]}
tests = [(test, answer)], [(behind, answer)]
sides = {name: variants[name] for name in ("two slopes", "two sides")}
_, mended = train_all(sides, which_first, tests[0], 120, every=20)
_, slow = train_all(start, with_start, tests[1], 400, every=20)
for name, curve in (mended | slow).items():
    lowest = curve[-1, 0].min()
    assert lowest > 0.8, f"{name}: not learned, {lowest}"
    print(f"{name:14} above 0.8, every seed")
lowest = slow["start word"][120 // 20, 0].min()
assert lowest < 0.8, f"start word: learned by step 120, {lowest}"
print("start word     some below 0.8 at step 120")

# %%
draw(mended | slow, 1, 3, every=20)

# %% [markdown] tags=["en", "alt"]
# Three small plots of accuracy over training steps. With two slopes or two sides the lines climb within some tens of steps, and end at step 120 near 1. With a start word they stay near one half for longer than that, and then climb to 1.

# %% [markdown] tags=["zh", "alt"]
# 三张小图，画的是准确率随训练步数的变化。两种斜率、两边分工这两张，线在几十步之内就往上升，到第 120 步结束时接近 1。有开头词的那张，停在一半附近的时间更长，然后才升到 1。

# %% [markdown] tags=["en"]
# All three work. The causal mask is not trained with ALiBi here: in the first figure it was enough alone. The
# start word needs more steps here. Had we looked at it only at step 120, where the others ended, we might have called
# it useless. That is the difference between “did not learn” and “cannot”: the first
# may need patience, the second has a proof.
#
# So symmetric ALiBi in an encoder is not hopeless. It is blind to a text that is reversed *as a whole*, and only if
# nothing marks an end. Reading the answer from the first row, not from the mean, would mark one too.
#
# ## A decoder without any encoding { #decoder }
#
# A causal mask alone was enough in the first figure. How many layers does it take? Swap A and B, and see which
# words get another output row. `=` stands for the same row, `*` for another one; A and B are compared with
# themselves at their new places.

# %% [markdown] tags=["zh"]
# 三种都管用。ALiBi 加因果掩码，这里没有训练：第一张图里，光靠掩码就够了。开头词在这里要训练得更久，
# 要是只看到第 120 步，也就是另外两种结束的地方，我们也许就会说它没用。
# “没学会”和“学不会”的区别就在这里：前者可能只是要耐心，后者有证明。
#
# 所以，编码器用对称的 ALiBi，并不是没救。它看不出的，只是文本*整个*倒过来，而且只在没有任何东西标出哪头是头的时候。
# 不取平均，只从第一行读出答案，也等于标出了一头。
#
# ## 解码器完全不加编码 { #decoder }
#
# 在第一张图里，光有因果掩码就够了。要几层才行？把 A 和 B 对调，看哪些词的输出行变了。`=` 表示没变，`*` 表示变了；
# A 和 B 是拿自己在新位置上的那一行来比。

# %%
def marks(**arguments):
    torch.manual_seed(0)
    model = Model("none", **arguments).double()
    with torch.no_grad():
        y = model.rows(ids[:1])[0]                          # (T, d)
        z = model.rows(swap(ids[:1]))[0]                    # (T, d)
    a, b = (ids[0] < 2).nonzero().flatten().tolist()
    z[[a, b]] = z[[b, a]]               # A and B find their rows again
    same = (y - z).abs().amax(1) < 1e-12                    # (T,)
    return " ".join("*="[int(equal)] for equal in same)


print("                 ", " ".join("ABcdefghijkl"[i] for i in ids[0]))
print("no mask, 2 layers:", marks())
print("causal, 1 layer:  ", marks(causal=True, layers=1))
print("causal, 2 layers: ", marks(causal=True))

# %% [markdown] tags=["en"]
# Without a mask nothing changes. With a mask and *one* layer, A, B and what stands between them change. Why just these? Take the
# sentence `c A d B e`:
#
# | word | sees | sees after the swap |
# |---|---|---|
# | c | `c` | `c` |
# | A | `c A` | `c B d A` |
# | d | `c A d` | `c B d` |
# | B | `c A d B` | `c B` |
# | e | `c A d B e` | `c B d A e` |
#
# A, d and B see other words than before. Their rows change. The word e sees the same words in another order. It adds up the same rows
# as before, so its own row does not change. This holds for all words behind A and B, and so for the last one.
#
# With two layers the words behind change as well, because what they add up has changed in the first layer.
#
# So it depends on *where the answer is read*. A mean over all rows sees the change after one layer. The last row, where a
# GPT reads, needs two. That is a prediction. Here is the test. (Two layers
# and the mean are in the first figure already.)

# %% [markdown] tags=["zh"]
# 没有掩码，什么都不变。有掩码、只有*一层*时，变的是 A、B 和夹在中间的词。为什么偏偏是它们？拿 `c A d B e` 这句话来看：
#
# | 词 | 看得到 | 对调以后看得到 |
# |---|---|---|
# | c | `c` | `c` |
# | A | `c A` | `c B d A` |
# | d | `c A d` | `c B d` |
# | B | `c A d B` | `c B` |
# | e | `c A d B e` | `c B d A e` |
#
# A、d、B 看到的词和原来不一样，所以它们的行变了。e 看到的还是那些词，只是换了顺序；它加起来的还是原来那几行，所以自己的行不变。
# 排在 A 和 B 后面的词都是这样，最后一个词也不例外。
#
# 有两层时，后面的词也变了，因为它们要加的那些行，在第一层就已经变了。
#
# 所以，关键是*从哪里读出答案*。对所有行取平均，一层就看得出变化。像 GPT 那样从最后一行读，就要两层。
# 这是预测，下面来检验（两层加平均值，第一张图里已经有了）。

# %%
bare = {"encoding": "none", "causal": True}
decoders = {
    "1 layer, mean": {**bare, "layers": 1},
    "1 layer, last": {**bare, "layers": 1, "read": "last"},
    "2 layers, last": {**bare, "layers": 2, "read": "last"},
}
deep, depth = train_all(decoders, which_first, [(test, answer)], 80)
for name, curve in depth.items():
    if name == "1 layer, last":
        ends = [accuracy(m.double(), test, answer) for m in deep[name]]
        assert ends == [0.5, 0.5, 0.5], f"{name}: not at chance, {ends}"
        print(f"{name:14} exactly 0.5, every seed")
    else:
        lowest = curve[-1, 0].min()
        assert lowest > 0.95, f"{name}: not learned, {lowest}"
        print(f"{name:14} above 0.95, every seed")

# %%
draw(depth, 1, 3)

# %% [markdown] tags=["en", "alt"]
# Three small plots of accuracy over training steps, for causal models without encoding. Read from the mean, one layer climbs to 1 quickly. Read from the last row, one layer lies flat at 0.5, and two layers climb to 1.

# %% [markdown] tags=["zh", "alt"]
# 三张小图，画的是没有编码、只有因果掩码的模型，准确率随训练步数的变化。从平均值读出，一层就很快升到 1。从最后一行读出，一层的线平躺在 0.5，两层的升到 1。

# %% [markdown] tags=["en"]
# The prediction holds. That trained decoders without an encoding know positions has been found in language models too
# ([Haviv et al. 2022](https://arxiv.org/abs/2203.16634)).
#
# ## The bug that nobody notices { #unnoticed }
#
# So far the missing encoding was easy to find: the score was as bad as guessing. Most real tasks are not like that.
# They need order now and then. Here is one. Which of two topics does a sentence speak more about? If both have equally
# many words, the topic named first wins. On average, six of a hundred sentences are such ties.
#
# In the output the words `p q r s` belong to topic 0, `t u v w` to topic 1, and dots are fillers.

# %% [markdown] tags=["zh"]
# 预测是对的。在语言模型里也有人发现，训练好的解码器不加编码也知道位置
# （[Haviv 等，2022](https://arxiv.org/abs/2203.16634)）。
#
# ## 没人发现的错误 { #unnoticed }
#
# 到现在为止，忘了加编码很容易发现：得分和瞎猜一样。真实的任务大多不是这样，它们只是偶尔用到顺序。
# 下面就是一个：一句话里有两个话题，哪个说得更多？如果两个话题的词一样多，就算先提到的那个。平均一百句里有六句这样打平。
#
# 输出里，`p q r s` 是话题 0 的词，`t u v w` 是话题 1 的词，点是无关词。

# %%
def topic(ids):
    """0 or 1: the topic with more words; in a tie the one named first."""
    zero, one = ids < 4, ids // 4 == 1                           # (n, T) each
    first = one.int().argmax(1) < zero.int().argmax(1)           # (n,)
    zero, one = zero.sum(1), one.sum(1)                          # (n,) each
    return torch.where(zero == one, first, one > zero).long()


def about(n, g, share=0.06):
    """n sentences about two topics; a share of them are ties."""
    zero = 3 + 2 * torch.randint(2, (n,), generator=g)           # 3 or 5 of 8
    zero[torch.rand(n, generator=g) < share] = 4                 # 4 of 8
    place = torch.rand(n, T, generator=g).argsort(1)             # (n, T)
    kind = (place >= zero[:, None]).long() + (place >= 8)        # 0, 1 or 2
    sentences = 4 * kind + torch.randint(4, (n, T), generator=g)
    return sentences, topic(sentences)


g = torch.Generator().manual_seed(0)
clear = about(940, g, share=0)[0]                                # no ties
ties = about(500, g, share=1)[0]
ties = ties[topic(ties) != topic(ties.flip(1))][:100]
usual = torch.cat([clear, ties[:30], ties[:30].flip(1)])         # (1000, T)
blind = (len(clear) + 60 / 2) / len(usual)     # a guess at each of 60 ties
pairs = torch.cat([ties, ties.flip(1)])                          # (200, T)
for sentence in (clear[0], ties[0], ties[0].flip(0)):
    text = " ".join("pqrstuvw...."[word] for word in sentence)
    print(text, " topic:", topic(sentence[None]).item())
print("best accuracy without order, usual test set:", blind)

# %% [markdown] tags=["en"]
# There are two test sets. The *usual* one is like the training data. It has 1000 sentences: 940 are clear, 60 are ties. The other one
# holds *pairs*: ties whose answer turns round when they are reversed, 100 of them, each with its mirror image. Only order decides here.
#
# How good can a model be on the usual set without order? It can get all 940 clear sentences right. At the 60 ties it can only guess, and
# is right at half of them: each stands there with its mirror image, which has the other answer. That makes 940 + 30 of 1000, or 0.97.
#
# The same model, without an encoding and with sinusoids:

# %% [markdown] tags=["zh"]
# 测试集有两个。*平常的*（usual）和训练数据一样，共 1000 句：940 句没有打平，60 句打平。另一个由*句对*（pairs）组成：100 个打平的句子，
# 每句都配上倒过来的那句，而且一倒过来，答案就变。这里只有顺序说了算。
#
# 看不见顺序，在平常的测试集上最好能对多少？没有打平的 940 句可以全对。打平的 60 句只能猜：每句都有倒过来的那句作伴，答案相反，
# 所以正好对一半。合起来，1000 句里对 940 + 30 句，也就是 0.97。
#
# 同一个模型，一次不加编码，一次加正弦：

# %%
both = {name: models[name] for name in ("none", "sinusoid")}
tests = [(usual, topic(usual)), (pairs, topic(pairs))]
topical, scores = train_all(both, about, tests, 300, every=50)

blank = [m.double() for m in topical["none"]]
ends = [[accuracy(m, *test) for m in blank] for test in tests]
assert min(ends[0]) > 0.96 and max(ends[0]) <= blind, ends[0]
assert ends[1] == [0.5, 0.5, 0.5], f"not at chance: {ends[1]}"
sines = scores["sinusoid"][-1]                             # (tests, seeds)
assert sines[0].min() > 0.98 and sines[1].min() > 0.75, sines
print("             usual           pairs")
print("none         0.96 to 0.97    exactly 0.5")
print("sinusoid     above 0.98      above 0.75")

# %%
fig, axes = plt.subplots(1, 2, figsize=(4.8, 2.7), sharey=True)
for number, title in enumerate(("usual", "pairs")):
    ax = axes[number]
    for name, color in (("none", "C4"), ("sinusoid", "C0")):
        curve = scores[name][:, number]                      # (times, seeds)
        lines = ax.plot(50 * torch.arange(len(curve)), curve, color=color)
        lines[0].set_label(name)
    ax.set(title=title, xlabel="step", ylim=(0.4, 1.04))
axes[0].set_ylabel("accuracy")
axes[0].legend(loc="lower right")
plt.show()

# %% [markdown] tags=["en", "alt"]
# Two plots of accuracy over training steps, three lines for each model. On the usual test set the model without encoding and the one with sinusoids lie close together, just below 1. On the pairs the model without encoding lies flat at 0.5, while the one with sinusoids climbs unevenly to above 0.75.

# %% [markdown] tags=["zh", "alt"]
# 两张图，画的是准确率随训练步数的变化，每个模型三条线。在平常的测试集上，不加编码的模型和加正弦的模型挨得很近，都略低于 1。在句对上，不加编码的模型平躺在 0.5，加正弦的模型起起伏伏地升到 0.75 以上。

# %% [markdown] tags=["en"]
# On the left you would hardly see that anything is wrong, least of all with only the model without encoding at hand.
# A score close to 0.97 looks fine, and what is missing looks like noise. On the right there is no doubt.
#
# ## Find it: change the order, watch the answer { #check }
#
# You rarely have labelled pairs. But often you know what a change of the input should do to the answer, even when
# you do not know the answer. This is called a metamorphic test. Here we know two things. Reversing a sentence of a
# pair must turn the answer round. A shuffled sentence without a tie must leave it. The program counts how many answers change; no label is needed for that.

# %% [markdown] tags=["zh"]
# 只看左图，很难发现有什么不对；手头要是只有不加编码的这一个模型，就更难了。接近 0.97 的得分很不错，差的那一点像是噪声。看右图，就没有疑问了。
#
# ## 怎么发现：改顺序，看回答 { #check }
#
# 手头很少有现成的带标签的句对。不过，我们常常不知道正确答案，却知道输入改一改，回答应该怎么变。这样的测试叫蜕变测试（metamorphic test）。
# 这里我们知道两条：句对里的句子倒过来，回答必须反过来；没有打平的句子，词序打乱，回答必须不变。程序数一数有多少回答变了，用不着标签。

# %%
def changed(model, sentences, others):
    """The share of sentences with another answer in the other form."""
    with torch.no_grad():
        before, after = model(sentences), model(others)      # (n, 2) each
    return (before.argmax(1) != after.argmax(1)).double().mean().item()


def shuffle(ids):
    g = torch.Generator().manual_seed(0)
    return ids.gather(1, torch.rand(ids.shape, generator=g).argsort(1))


must, must_not, score = {}, {}, {}
mixed = shuffle(usual)
for name, trio in topical.items():
    trio = [model.double() for model in trio]
    must[name] = [changed(m, ties, ties.flip(1)) for m in trio]
    must_not[name] = [changed(m, clear, shuffle(clear)) for m in trio]
    score[name] = [accuracy(m, mixed, topic(usual)) for m in trio]
assert max(must["none"] + must_not["none"]) == 0, (must, must_not)
assert min(must["sinusoid"]) > 0.6, must
assert max(must_not["sinusoid"]) < 0.02, must_not
assert min(score["sinusoid"]) > 0.95, score
print("answers that change   pairs        no tie")
print("none                  0            0")
print("sinusoid              above 0.6    below 0.02")
print("usual test set, shuffled, sinusoid: above 0.95")

# %% [markdown] tags=["en"]
# Look at the column *pairs*. Where every answer should change, the model without encoding changes none. A
# zero there says that the model does not tell these sentences from their mirror images, whatever the score was. It does not say why: either the model
# cannot see the difference, or it has not learned to use it. To tell the two apart, ask the untrained model, as [above](#proof). Nor does
# a zero say that no order is used at all: [symmetric ALiBi](#symmetric) uses distances, and it, too, would show a zero here.
#
# The last line is a warning. Shuffle the whole usual test set, and the score of the *good* model stays above 0.95. A
# shuffled test set on which the score hardly falls says something about the test set. It does not say that the
# model is blind. In real data it is often like that: of the correct answers that BERT-based classifiers gave on many
# GLUE tasks, 75 to 90 percent remained when the words were shuffled
# ([Pham et al. 2020](https://arxiv.org/abs/2012.15180)).
#
# For a model that is not trained yet, there is a check of a few lines: [`knows_order`](../pitfalls.md#forgotten-check).
#
# ## What this does not show { #limits }
#
# - **Nothing about which encoding is best.** All models are tiny, all sentences have one length, and any working encoding solves the task.
# - **“Above 0.95” is about these three seeds and these numbers of steps.** “Exactly 0.5” is about every set of weights.
# - **The proofs are about whole symmetries.** A real encoder may have a start word, padding that nobody masks, or a convolution in front; any of these can break the symmetry, as S did.
# - **The share of six in a hundred is ours.** How much order your data need, only your data can tell.
#
# ## Check yourself { #check-yourself }
#
# <details><summary>A model without encoding reaches a training loss near zero. Does it know order?</summary>
#
# Not if it is an encoder. It may have learned the sentences [by heart](#by-heart), by their fillers. Test it on pairs that hold the same words and have
# different answers.
#
# </details>
#
# <details><summary>Why do A and B never stand in the last place?</summary>
#
# The [decoder](#decoder) with one layer that reads the last row would then see its own word there. An A in the last place came second, so the model could
# answer these sentences without knowing anything about order elsewhere, and it would no longer be at exactly 0.5. A task leaks easily; look for the leak before you trust a curve.
#
# </details>
#
# <details><summary>Does a start word help a model without any encoding, too?</summary>
#
# Not an encoder. S helps ALiBi because distances to S are known. Without an encoding there are no distances: swapping A and B behind S leaves the output
# [as it was](#proof), because every word still sees the same words.
#
# </details>
#
# **In one sentence.** That a model cannot see order is a matter of symmetry and can be proved before training; whether it uses what it can see, neither the training loss
# nor a good score tells you, only a test in which order alone decides.
#
# ## Sources { #sources }
#
# - Press et al., *Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation*, [arXiv:2108.12409](https://arxiv.org/abs/2108.12409): ALiBi, under a causal mask.
# - Press, [ofirpress/attention_with_linear_biases#5](https://github.com/ofirpress/attention_with_linear_biases/issues/5): what has to change for an encoder.
# - Haviv et al., *Transformer Language Models without Positional Encodings Still Learn Positional Information*, [arXiv:2203.16634](https://arxiv.org/abs/2203.16634).
# - Pham et al., *Out of Order: How Important Is The Sequential Order of Words in a Sentence in Natural Language Understanding Tasks?*, [arXiv:2012.15180](https://arxiv.org/abs/2012.15180).

# %% [markdown] tags=["zh"]
# 看 *pairs* 这一列。这里每个回答都该变，不加编码的模型一个也没变。看到这个零，不管得分是多少，都说明模型没有把这些句子和它们倒过来的样子区分开。
# 至于是看不出差别，还是看得出却没学会用，零本身没说。要分清，就像[前面](#proof)那样去问没训练过的模型。零也不等于完全没有用上顺序：
# [对称的 ALiBi](#symmetric) 用得上距离，可是在这里，它也会是零。
#
# 最后一行是个提醒。把整个平常的测试集打乱，*好*模型的得分仍在 0.95 以上。测试集打乱以后得分几乎不降，说的是这个测试集，
# 不能说明模型看不见顺序。真实数据也常常这样：基于 BERT 的分类器在许多 GLUE 任务上答对的题，词序打乱以后，有 75% 到 90% 的回答不变
# （[Pham 等，2020](https://arxiv.org/abs/2012.15180)）。
#
# 要查还没训练的模型，几行程序就够：[`knows_order`](../pitfalls.md#forgotten-check)。
#
# ## 这个实验没有说明什么 { #limits }
#
# - **没有说明哪种编码最好**。模型都很小，句子都一样长，任何编码只要管用，就能解这个任务。
# - **“0.95 以上”说的是这三个种子、这么多步**。“正好 0.5”说的是任何一组权重。
# - **证明针对的是完整的对称性**。真实的编码器可能有开头词，有忘了遮住的填充，或者前面有卷积，哪一样都可能像 S 那样打破对称性。
# - **一百句里六句打平，是我们定的**。你的数据有多需要顺序，只有你的数据知道。
#
# ## 自测 { #check-yourself }
#
# <details><summary>一个模型不加编码，训练损失却接近零。它知道顺序吗？</summary>
#
# 如果是编码器，就不知道。它可能是靠无关词把句子[背下来](#by-heart)了。要测它，就用词完全相同、答案却不同的句对。
#
# </details>
#
# <details><summary>A 和 B 为什么从不放在最后一个位置？</summary>
#
# 不然的话，只有一层、从最后一行读的[解码器](#decoder)，就能在那里看到自己这个词。A 在最后，那它一定是后到的。这样的句子，模型对别处的顺序一无所知也能答对，
# 准确率就不再正好是 0.5 了。任务很容易在不经意间泄露答案；先找漏洞，再信曲线。
#
# </details>
#
# <details><summary>完全不加编码的模型，放一个开头词有用吗？</summary>
#
# 对编码器没有用。S 能帮 ALiBi，是因为 ALiBi 知道到 S 的距离。没有编码，就没有距离：对调 S 后面的 A 和 B，每个词看到的还是那些词，输出[不变](#proof)。
#
# </details>
#
# **一句话总结。**
# 模型看不见顺序，是对称性决定的，训练之前就能证明；看得见的顺序，模型用上了没有，只有专看顺序的测试说得准，训练损失和高分都说不准。
#
# ## 参考资料 { #sources }
#
# - Press 等，*Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation*，[arXiv:2108.12409](https://arxiv.org/abs/2108.12409)：ALiBi，用在因果掩码之下。
# - Press，[ofirpress/attention_with_linear_biases#5](https://github.com/ofirpress/attention_with_linear_biases/issues/5)：编码器要用它，得改什么。
# - Haviv 等，*Transformer Language Models without Positional Encodings Still Learn Positional Information*，[arXiv:2203.16634](https://arxiv.org/abs/2203.16634)。
# - Pham 等，*Out of Order: How Important Is The Sequential Order of Words in a Sentence in Natural Language Understanding Tasks?*，[arXiv:2012.15180](https://arxiv.org/abs/2012.15180)。
