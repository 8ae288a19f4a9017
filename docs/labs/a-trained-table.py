# ---
# en:
#   description: The learned position table of a sentence encoder, taken apart. Which rows training reached, what its principal components prove and what they do not, and clocks whose speeds are a factor of 3 apart.
# zh:
#   description: 拆开一个句子编码器学出来的位置表：训练碰过哪些行，主成分能说明什么、不能说明什么，以及表里的几只钟，速度依次相差 3 倍。
# ---

# %% [markdown] tags=["en"]
# # A trained table, taken apart { #a-trained-table }
#
# After this lab you can:
#
# - find out from a learned table which rows training treated differently;
# - say why waves in such a table prove next to nothing;
# - say in which sense this table is a sinusoid, and what about it nobody here knows.
#
# ## The idea { #idea }
#
# A learned position table usually starts as noise. Training may put anything into it. The page on
# [learned tables](../learnable.md#training) shows that in a trained one near rows are alike. Does such a table hold
# something like the [sinusoid](../theory.md#formula)?
#
# The question is easy to answer too fast. Many things look like waves. So this lab puts other tables next to the
# trained one: tables that learned nothing. What they show too is no sign of learning.
#
# The table belongs to [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), a sentence
# encoder in wide use. To run this lab yourself, put [its file](../data/minilm-l6-v2-positions.npy) beside the notebook.
#
# ## Look at it { #look }
#
# On the left a part of the table, 256 positions and 96 of its 384 dimensions. On the right noise with the same spread.

# %% [markdown] tags=["zh"]
# # 拆开一张训练过的表 { #a-trained-table }
#
# 做完这个实验，你能：
#
# - 从一张学出来的表里，看出训练对哪些行区别对待；
# - 说清为什么“表里有波”几乎什么也证明不了；
# - 说清这张表在什么意义上是正弦，还有哪些事我们并不知道。
#
# ## 想法 { #idea }
#
# 可学习的位置表，通常从噪声开始。训练会往里面写什么，没有人规定。讲[可学习的表](../learnable.md#training)的那一页已经看到：
# 训练之后，相近的行彼此相像。这样的表里，会不会藏着类似[正弦](../theory.md#formula)的东西？
#
# 这个问题很容易答得太快，因为看起来像波的东西太多了。所以，这个实验在训练过的表旁边，放上几张什么也没学过的表。
# 它们身上也有的现象，就不能算是学来的。
#
# 这张表来自 [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2)，一个很常用的句子编码器（encoder）。
# 想自己运行，就把[表的数据文件](../data/minilm-l6-v2-positions.npy)放在笔记本（notebook）旁边。
#
# ## 先看一眼 { #look }
#
# 左边是表的一部分：256 个位置，384 维里的 96 维。右边是噪声，起伏的幅度和它相当。

# %%
import matplotlib.pyplot as plt
import numpy as np
import torch

torch.set_num_threads(1)
table = np.load("minilm-l6-v2-positions.npy")      # (T, d)
P = torch.tensor(table, dtype=torch.double)        # float16 on disk
print("rows and columns:", tuple(P.shape))

torch.manual_seed(0)
noise = P.std() * torch.randn_like(P)              # (T, d)
fig, axes = plt.subplots(1, 2, figsize=(5, 3.6), sharey=True)
for ax, values, name in zip(axes, (P, noise), ("trained", "noise")):
    image = ax.imshow(values[:256, :96], vmin=-0.1, vmax=0.1, aspect="auto")
    ax.set(title=name, xlabel="dimension")
axes[0].set(ylabel="position")
fig.colorbar(image, ax=axes, extend="both")
plt.show()

# %% [markdown] tags=["en", "alt"]
# Two heat maps side by side, 256 positions downwards, 96 dimensions to the right. The trained table has vertical stripes: many columns keep their colour over long stretches, others change it in a fine regular rhythm. The noise has no order in either direction.

# %% [markdown] tags=["zh", "alt"]
# 并排的两幅热力图，纵向是 256 个位置，横向是 96 个维度。训练过的表有竖条纹：许多列在很长一段里颜色不变，另一些列按细密的节奏变色。噪声在两个方向上都没有规律。

# %% [markdown] tags=["en"]
# Go down a column of the trained table. It keeps its colour for a while, or changes it in a regular rhythm. Noise does
# neither. So a row of this table has something to do with its neighbours.
#
# ## How long are the rows? { #rows }
#
# The norm is the length of a row. The dotted lines mark positions 128 and 256. The model card, the page that its makers wrote, names
# both. Fine-tuning, the last part of training, used texts of at most 128 tokens (words or pieces of words), that is rows 0 to 127. In
# use the model cuts its input at 256.

# %% [markdown] tags=["zh"]
# 顺着训练过的表里的一列往下看：颜色要么保持一阵，要么按固定的节奏变化。噪声两样都没有。可见，这张表的每一行和相邻的行是有关系的。
#
# ## 每一行有多长 { #rows }
#
# 范数（norm）就是一行的长度。点线标出位置 128 和 256。这两个数都写在模型说明（model card）里，那是模型的作者写的介绍。
# 微调（fine-tuning）是训练的最后一段，用的文本最多 128 个词元（token，一个词或词的一部分），也就是只用到 0 到 127 号行；使用时，模型把输入截到 256 个词元。

# %%
norm = P.norm(dim=1)                               # (T,)
fig, ax = plt.subplots(figsize=(5, 2.5))
ax.plot(norm, color="C0", lw=1)
ax.set(xlabel="position", ylabel="norm of the row", ylim=(0, 1.1))
for p in (0, 127, 511):
    ax.annotate(f"{p}", (p, norm[p].clamp(max=1.04)), xytext=(8, -4),
                textcoords="offset points")
for p in (128, 256):
    ax.axvline(p, color="C4", lw=1, ls=":")
plt.show()
for p in (0, 1, 126, 127, 128, 255, 256, 510, 511):
    print(f"row {p:3}: norm {norm[p]:.2f}")
for first, last in ((1, 126), (128, 255), (256, 499)):
    part = norm[first:last + 1]
    print(f"rows {first:3} to {last}: mean norm {part.mean():.2f}")

# %% [markdown] tags=["en", "alt"]
# The norm of each row against the position. It is off the scale at position 0, stays low up to 126, jumps up at 127 alone, continues on a slightly higher level and rises steeply in the last rows. Nothing happens at the dotted line at 256.

# %% [markdown] tags=["zh", "alt"]
# 每一行的范数随位置的变化。位置 0 超出了图的上边，到 126 为止都比较低，127 单独跳高，之后停在略高一些的地方，最后几行陡然上升。256 处的点线附近没有变化。

# %% [markdown] tags=["en"]
# - Row 0 stands out with 2.36. In this kind of model position 0 always holds the same token, `[CLS]`.
# - There is a seam. Rows 1 to 126 have a mean norm of 0.42, rows 128 to 255 one of 0.48. The step lies where
#   the texts of fine-tuning ended.
# - Row 127 alone has 0.69. A text that was cut to 128 tokens has its end mark, `[SEP]`, in this row.
# - The norm shows nothing at 256. That is a limit of use, not of training.
# - Rows 510 and 511 are long as well, 0.86 and 0.97. If an earlier training filled its texts up to 512 tokens, `[SEP]`
#   stood in row 511. We do not know whether it did.
#
# These explanations fit. They are not measured: the file holds a table and no history. And others fit as well. BERT itself was
# trained on texts of 128 tokens most of the time, and only at the end on 512
# ([Devlin et al. 2018](https://arxiv.org/abs/1810.04805), appendix). If something like that was done here before fine-tuning, it
# would leave a seam in the same place.
#
# ## Similarity against distance { #similarity }
#
# All pairs of rows at one distance, row 0 left out. The line is their mean. The band goes from the 0.1 to the 0.9
# quantile: one tenth of the pairs lies below it, one tenth above.

# %% [markdown] tags=["zh"]
# - 0 号行特别突出，范数是 2.36。这类模型的位置 0 上，永远是同一个词元 `[CLS]`。
# - 表上有一道接缝：1 到 126 号行的平均范数是 0.42，128 到 255 号行是 0.48。台阶正好出在微调文本到头的地方。
# - 唯独 127 号行是 0.69。文本被截到 128 个词元时，结束符 `[SEP]` 正好落在这一行。
# - 256 处，范数没有变化。那是使用时的限制，不是训练时的。
# - 510 和 511 号行也很长，是 0.86 和 0.97。如果更早的训练把文本填满到 512 个词元，`[SEP]` 就总在 511 号行。是不是这样，我们不知道。
#
# 这些解释都说得通，但都没有测量过：文件里只有表，没有训练的经过。别的解释也说得通：BERT 自己训练时，大部分时间用的是 128 个词元的文本，
# 最后才用 512 个（[Devlin 等，2018](https://arxiv.org/abs/1810.04805)，附录）。如果这里在微调之前也这样训练过，接缝会出现在同一个地方。
#
# ## 相似度与距离 { #similarity }
#
# 距离相同的两行配成一对，取出所有这样的对（不算 0 号行）。线是它们的平均余弦相似度（cosine similarity），色带从 0.1 分位数到 0.9 分位数，
# 也就是说，所有的对里，一成低于色带，一成高于色带。

# %%
U = P[1:] / norm[1:, None]                         # (T-1, d) without row 0
similarity = U @ U.T                               # (T-1, T-1)
far = torch.arange(1, 101)                         # distances
pairs = [similarity.diagonal(int(k)) for k in far]
mean = torch.stack([x.mean() for x in pairs])      # (100,)
low, high = (torch.stack([x.quantile(share) for x in pairs])
             for share in (0.1, 0.9))
fig, ax = plt.subplots(figsize=(5, 2.8))
ax.fill_between(far, low, high, alpha=0.25, lw=0, label="0.1 to 0.9 quantile")
ax.plot(far, mean, label="mean")
ax.set(xlabel="distance", ylabel="cosine similarity", ylim=(-0.5, 1))
ax.legend(loc="upper right")
plt.show()
for k in (1, 3, 6, 9, 12, 100):
    print(f"distance {k:2}: mean {mean[k - 1]:.2f},"
          f" {low[k - 1]:.2f} to {high[k - 1]:.2f}")

# %% [markdown] tags=["en", "alt"]
# Mean cosine similarity against distance from 1 to 100 with a band around it. The mean zigzags downwards with a peak about every six positions, rises to a broad hill near distance 50, sinks to about zero and rises a little at the end. The band is narrow at first and soon several times as wide.

# %% [markdown] tags=["zh", "alt"]
# 平均余弦相似度随距离 1 到 100 的变化，外面有一条色带。平均值曲折下降，大约每六个位置有一个峰，在距离 50 附近升成一个宽丘，再降到零左右，最后略微回升。色带起初很窄，很快就宽了好几倍。

# %% [markdown] tags=["en"]
# The mean falls from 0.85 to 0.44 at distance 3, is back at 0.69 at distance 6, falls to 0.21 at 9, and is up
# again at 12. It is not monotone, like the [sinusoid's](../theory.md#similarity). And it has a beat of about six positions.
#
# The band makes the difference. For the sinusoid it would have no width, since the similarity depends on the distance
# alone. Here it is narrow at distance 1, from 0.84 to 0.88, and wide at 100, from −0.16 to 0.48. How alike two far rows are depends on
# where they stand.
#
# ## Tables to compare with { #controls }
#
# From here on we look at rows 128 to 499 only. According to the model card, fine-tuning did not reach them. (Weight decay makes
# all weights a little smaller at each step. It may have shrunk these rows, all alike.) The long rows at the end are left out. Beside them we put:
#
# - a **random walk**: each row is the row before plus noise. It is smooth and has learned nothing;
# - **other phases**: the trained table, taken apart and put together again. Any column can be written as a sum of waves. Three things
#   describe a wave: how fast it is (its *frequency*), how strong it is, and where it begins (its *phase*). `rfft`, the Fourier transform,
#   finds all three. The program keeps frequency and strength. It draws the phase anew, in each column for itself. So the waves of a
#   column are as fast and as strong as before, but the columns no longer fit together;
# - **noise**;
# - the **formula** of the sinusoid for the same positions.
#
# From each table the mean row is subtracted.

# %% [markdown] tags=["zh"]
# 平均值从 0.85 降到距离 3 的 0.44，距离 6 回到 0.69，距离 9 降到 0.21，距离 12 又升上去。和[正弦](../theory.md#similarity)一样，它并不是一路下降。
# 而且，起伏有节拍，大约六个位置一次。
#
# 区别在色带。对正弦来说，色带没有宽度，因为相似度只取决于距离。这里，距离 1 的色带很窄，从 0.84 到 0.88；
# 距离 100 就宽了，从 −0.16 到 0.48。隔得远的两行有多像，还要看它们在哪里。
#
# ## 拿来比较的表 { #controls }
#
# 从这里起，只看 128 到 499 号行。按模型说明，微调没有碰到它们。权重衰减（weight decay）每一步都把所有的权重缩小一点，所以这些行可能缩短过，但缩短的比例都一样。末尾那些特别长的行不算。旁边再放上几张表：
#
# - **随机游走**（random walk）：每一行是上一行加噪声。它很平滑，什么也没学过；
# - **换相位**（other phases）：把训练过的表拆开再装回去。任何一列数都能写成许多波的和。一个波是什么样，看三点：有多快，也就是*频率*（frequency）；有多强；从哪里开始，也就是*相位*（phase）。傅里叶变换（程序里的 `rfft`）把三样都找出来。程序留下频率和强弱，相位重新随机抽取，各列抽各列的。这样，每一列里的波还是那么快、那么强，列与列却对不上了；
# - **噪声**（noise）；
# - **公式**（formula）：同样这些位置的正弦位置编码（sinusoidal positional encoding）。
#
# 每张表都减去所有行的平均。

# %%
first, last = 128, 500                             # fine-tuning: 0 to 127


def centred(A):
    return A - A.mean(dim=0)


X = centred(P[first:last])                         # (n, d)
n, d = X.shape
torch.manual_seed(0)
steps = torch.randn(n, d, dtype=torch.double)
F = torch.fft.rfft(X, dim=0)                       # (n/2+1, d)
other = torch.polar(F.abs(), 2 * torch.pi * torch.rand_like(F.abs()))
other[[0, -1]] = F[[0, -1]]                        # these two stay real
theta = 10000 ** (-torch.arange(0, d, 2).double() / d)
angle = torch.arange(first, last)[:, None] * theta  # (n, d/2)
tables = {"trained": X,
          "random walk": centred(steps.cumsum(dim=0)),
          "other phases": torch.fft.irfft(other, n=n, dim=0),
          "noise": centred(steps),
          "formula": centred(torch.cat([angle.sin(), angle.cos()], dim=1))}
print("rows and columns of each:", (n, d))

# %% [markdown] tags=["en"]
# ## Ten directions are enough { #components }
#
# A row has 384 numbers. Does it need them all? Think of each row as a point with 384 coordinates. If all points lay on a straight line,
# one direction would describe them. On a flat sheet, two would. **Principal components** are such directions. The first runs along the
# widest spread of the points. The second is at right angles to it and runs along the widest spread that is left, and so on.
#
# The spread is measured as *variance*: the squared distances of the points from their mean, added up. Each component holds a share of it.
# The program gets the components from the singular value decomposition (`svd`).

# %% [markdown] tags=["zh"]
# ## 十个方向就够 { #components }
#
# 一行有 384 个数。真的都用得上吗？把每一行看成一个点，384 个数就是它的坐标。要是所有的点都在一条直线上，一个方向就能说清它们；
# 要是都在一个平面上，就要两个。**主成分**（principal component）就是这样的方向。第一个主成分，沿着这些点散得最开的方向；
# 第二个和它垂直，沿着余下的方向里散得最开的那个；依此类推。
#
# 散得有多开，用*方差*来量，也就是各点到平均点的距离的平方和。每个主成分占方差的一份。程序用奇异值分解（`svd`）求主成分。

# %%
fig, ax = plt.subplots(figsize=(5, 3.2))
number = torch.arange(1, 17)
looks = ("C0o-", "C1s--", "C3^-.", "C4.:", "C2v:")
print("   component     1    10    11  first ten")
for (name, A), look in zip(tables.items(), looks):
    share = torch.linalg.svdvals(A).square()       # (n,)
    share /= share.sum()
    ax.semilogy(number, share[:16], look, label=name, lw=1.2)
    print(f"{name:>12} {share[0]:5.0%} {share[9]:5.1%} {share[10]:5.1%}"
          f" {share[:10].sum():10.3f}")
for half, row in zip(X.split(n // 2), (first, first + n // 2)):
    s = torch.linalg.svdvals(centred(half)).square()
    print(f"trained, rows {row} to {row + n // 2 - 1}: steepest drop"
          f" after component {(s[:-1] / s[1:])[:16].argmax() + 1}")
ax.set(xlabel="component", ylabel="share of variance", ylim=(3e-4, 5))
ax.legend(ncols=2, loc="upper right")
plt.show()

# %% [markdown] tags=["en", "alt"]
# Share of the variance of components 1 to 16 on a logarithmic axis for five tables. The trained table runs nearly level to component 10 and then drops by more than a factor of ten. The random walk begins highest and falls steadily. Other phases and the formula fall gently, noise is level. None of these four has a step.

# %% [markdown] tags=["zh", "alt"]
# 五张表的主成分 1 到 16 各占的方差，纵轴是对数刻度。训练过的表到第 10 个几乎是平的，然后一下子降到不足十分之一。随机游走起点最高，一路下降。换相位和公式缓缓下降，噪声是平的。这四条都没有台阶。

# %% [markdown] tags=["en"]
# - In the trained table ten directions hold 0.980 of the variance. Component number 10 still has 4.9%, number 11 only 0.1%. That is a cliff.
# - The random walk comes to 0.946 with ten. So that few directions suffice is no sign of learning: any smooth table does it.
# - But no other table has the cliff. The random walk goes from 0.6% to 0.5%, and even the formula goes down gently.
# - With other phases ten directions hold only 0.601. The frequencies in the columns do not make the cliff. The columns have to
#   share their waves, with matching phases.
# - The number 10 belongs to these rows. In each half of them the cliff comes after component 9: what is slow does not get far there. The cliff
#   stays.
#
# ## Waves prove little { #waves }
#
# Now look at five of the ten components of the trained table, and at those of the random walk.

# %% [markdown] tags=["zh"]
# - 训练过的表，十个方向就占了方差的 0.980。第 10 个还有 4.9%，第 11 个只有 0.1%，像一道悬崖。
# - 随机游走用十个方向，也占到 0.946。所以“少数几个方向就够”并不说明学到了什么，平滑的表都这样。
# - 但是，别的表都没有悬崖。随机游走从 0.6% 到 0.5%，连公式也是缓缓下降。
# - 换了相位，十个方向只占 0.601。可见，光有各列的频率，造不出这道悬崖：各列要共用同样的波，相位也要对得上。
# - 10 这个数只属于这一段。前后两半各自算，悬崖都在第 9 个之后，因为慢的波在半段里走不了多远。悬崖本身还在。
#
# ## 像波，说明不了什么 { #waves }
#
# 下面左边一列是训练过的表的十个主成分里的五个，右边一列是随机游走的。

# %%
def components(A, k=10):
    """Where the rows stand along the first k directions; the directions."""
    left, s, right = torch.linalg.svd(A, full_matrices=False)
    sign = left[:len(A) // 3, :k].sum(dim=0).sign()  # svd leaves it open
    return sign * left[:, :k] * s[:k], sign[:, None] * right[:k]


fig, axes = plt.subplots(5, 2, figsize=(5, 5), sharex=True)
# the window fades both ends out: no jump from last row to first
window = torch.hann_window(n, periodic=False, dtype=torch.double)
for column, name in zip(axes.T, ("trained", "random walk")):
    Z, _ = components(tables[name])                # (n, 10)
    for ax, i in zip(column, (0, 2, 4, 6, 8)):
        ax.plot(range(first, last), Z[:, i], lw=1,
                color="C0" if name == "trained" else "C1")
        ax.set(yticks=[0], yticklabels=[f"{i + 1}"])
    column[0].set(title=name)
    column[-1].set(xlabel="position")
    power = torch.fft.rfft(Z * window[:, None], dim=0).abs().square()
    pure = [power[max(p - 2, 0):p + 3, i].sum() / power[:, i].sum()
            for i, p in enumerate(power.argmax(dim=0).tolist())]
    print(f"{name:>11}: least pure {min(pure):.2f}, purest {max(pure):.2f}")
fig.supylabel("component")
plt.show()

# %% [markdown] tags=["en", "alt"]
# Five rows of two small panels. Left, the trained table: component 1 is a fast even wave, component 3 a slow one, 5 and 9 are slow waves with a faster one on top, the one between them is a wave of medium speed. Right, the random walk: clean waves with half a turn more from each component to the next, from half a wave in component 1 to about four and a half in component 9.

# %% [markdown] tags=["zh", "alt"]
# 五行小图，每行两幅。左边是训练过的表：主成分 1 是又快又匀的波，3 很慢，5 和 9 是慢波上叠着快一些的波，两者之间的一个快慢居中。右边是随机游走：波形干净，越往下越密，主成分 1 是半个波，主成分 9 大约四个半。

# %% [markdown] tags=["en"]
# “The components of the table are waves, so the model has learned sinusoids.” One meets this conclusion. The right-hand column
# refutes it: the random walk has learned nothing, and its components are the *purer* waves. How pure is a component? Split it into
# waves, and square the strength of each. “Pure” says what share of the sum lies at the strongest frequency and the two next to it on
# either side. The least pure of the walk has 0.97. In the trained table it is 0.54.
#
# This is known. [Antognini and Sohl-Dickstein 2018](https://arxiv.org/abs/1806.08805) prove that components of a long random walk in
# many dimensions are cosines. The reason is general. If how much two rows differ depends only on how far apart they stand, then waves
# are roughly the directions that fit best, whatever the rows mean.
#
# So do not ask whether there are waves. Ask **which**. The **spectrum** of a table tells it: how strong each frequency is, all columns together.
# The figure shows it for three tables.

# %% [markdown] tags=["zh"]
# “表的主成分是波，所以模型学到了正弦。”这样的结论时常见到。右边一列就能反驳它：随机游走什么也没学过，它的主成分却是*更纯*的波。
# 一个主成分有多纯？把它拆成许多波，每个波的强度取平方，再加起来。最强的频率连同左右各两个频率，在总和里占多大的比例，就是它有多“纯”。
# 随机游走最不纯的一个是 0.97，训练过的表最不纯的只有 0.54。
#
# 这一点早有人知道。[Antognini 和 Sohl-Dickstein（2018）](https://arxiv.org/abs/1806.08805)证明，维度很多时，一段长的随机游走，主成分就是余弦。
# 道理是普遍的：只要两行差多少只取决于它们隔多远，那么不管这些行代表什么，最合适的方向大致都是波。
#
# 所以，不要问有没有波，要问**是哪些波**。看表的**频谱**（spectrum）就知道：每个频率有多强，所有的列合在一起算。下图画了三张表的频谱。

# %%
fig, ax = plt.subplots(figsize=(5, 3))
omega = 2 * torch.pi * torch.arange(n // 2 + 1) / n  # (n/2+1,)
for name, look in (("trained", "C0-"), ("random walk", "C1--"),
                   ("formula", "C2:")):
    power = torch.fft.rfft(tables[name] * window[:, None], dim=0)
    power = power.abs().square().sum(dim=1)        # (n/2+1,)
    ax.loglog(omega[1:], (power / power.sum())[1:], look, label=name)
    if name == "trained":                          # higher than 4 each side
        nine = power.unfold(0, 9, 1)               # (n/2-7, 9)
        top = 4 + (nine.argmax(dim=1) == 4).nonzero()[:, 0]
        top = top[power[top] > power.sum() / 100]
        print("peaks at", *(f"{x:.2f}" for x in omega[top].tolist()))
ax.set(xlabel="radians per position", ylabel="share", ylim=(1e-5, 1))
ax.legend()
plt.show()

# %% [markdown] tags=["en", "alt"]
# Share of the variance against the frequency, both axes logarithmic, for three tables. The trained table has a raised left end and three separate humps at equal steps, each at about three times the frequency of the one before, with deep gaps between them, the last one torn into several peaks. The random walk is a straight falling line. The formula falls gently to about one radian per position and then drops.

# %% [markdown] tags=["zh", "alt"]
# 三张表里各个频率占方差的多少，两个坐标轴都是对数刻度。训练过的表左端很高，往右有三个分开的峰，间隔相等，每个的频率大约是前一个的三倍，峰与峰之间是深谷，最后一个裂成好几个尖。随机游走是一条下降的直线。公式缓缓下降，到每个位置一弧度左右陡然落下。

# %% [markdown] tags=["en"]
# - The spectrum of the random walk falls evenly. No frequency stands out.
# - The trained table has three separate humps, at 0.12, 0.34 and 0.98 radians per position. Each is about three times as fast as the one before.
# - At the left edge it is high, too. Waves so slow do not turn three times in these rows, and the spectrum cannot tell them apart.
# - The hump on the right is torn into several peaks. (It is also the broadest: the logarithmic axis makes it look narrow.) Keep that in mind: as we shall see, these clocks do not run evenly.
#
# ## A shift, as one matrix { #shift }
#
# For the sinusoid [a shift is a rotation](../theory.md#shift): one matrix takes each row to the next. It consists of 2 × 2 blocks, and each
# block turns one clock hand by an angle of its own.
#
# Is there such a matrix for the trained table? `lstsq` (least squares) finds the one that misses least, in the ten directions. What does
# this matrix do? In suitable coordinates it consists of 2 × 2 blocks, too. Each block turns a hand by an angle, the **speed**, in radians per
# position. It may also make the hand longer or shorter, by a **factor**; the output calls it `length`. A factor of 1 keeps the length.
#
# `eig` finds the blocks. For each it returns two complex numbers, *eigenvalues*, which are mirror images of each other. The program keeps
# one. Its angle is the speed, its absolute value the factor.

# %% [markdown] tags=["zh"]
# - 随机游走的频谱均匀下降，没有哪个频率突出。
# - 训练过的表有三个分开的峰，在每个位置 0.12、0.34 和 0.98 弧度处，每个的频率大约是前一个的三倍。
# - 左端也很高。这么慢的波，在这些行里转不到三圈，光看频谱分不开。
# - 最右边的峰裂成好几个尖。（它其实也最宽，只是对数刻度让它显得窄。）先记着这一点：后面会看到，这些钟走得并不均匀。
#
# ## 平移，写成一个矩阵 { #shift }
#
# 对正弦来说，[平移就是旋转](../theory.md#shift)：一个矩阵把每一行变成下一行。这个矩阵由 2 × 2 的小块组成，每块转动一根指针，角度各不相同。
#
# 训练过的表，有没有这样的矩阵？在这十个方向里，`lstsq`（最小二乘）能找出误差最小的一个。这个矩阵做了什么？坐标选得合适，它也由 2 × 2 的小块组成。
# 每块让一根指针转过一个角度，这就是**速度**，即每个位置转多少弧度。指针还可能变长或变短，长度乘上一个**倍数**，输出里叫 `length`。倍数是 1，长度就不变。
#
# 小块由 `eig` 来找。对每一块，它给出两个互相共轭（也就是互为镜像）的复数，叫*特征值*（eigenvalue）。程序留下其中一个：它的角度就是速度，它的模（绝对值）就是倍数。

# %%
def clocks(A):
    """One matrix for all shifts by one, taken apart into turning pairs."""
    Z, _ = components(A)                           # (n, 10)
    M = torch.linalg.lstsq(Z[:-1], Z[1:]).solution
    value, vector = torch.linalg.eig(M)
    turning = value.angle() > 1e-6                 # one of each two
    value, vector = value[turning], vector[:, turning]
    order = value.angle().argsort(descending=True)  # fastest first
    return M, value[order], vector[:, order]


Z, directions = components(X)
M, value, vector = clocks(X)
missed = (Z[1:] - Z[:-1] @ M).square().sum() / Z[1:].square().sum()
speed = value.angle()                              # (5,)
print(f"missed by the matrix: {missed:.1%} of these ten directions")
print("pair  speed  positions per turn  length")
for i in range(5):
    print(f"{i}  {speed[i]:8.3f} {2 * torch.pi / speed[i]:19.0f}"
          f" {value[i].abs():7.3f}")
print("speed over next:",
      ", ".join(f"{r:.2f}" for r in speed[:-1] / speed[1:]))
for name, half in zip(("first", "second"), X.split(n // 2)):
    s = clocks(centred(half))[1].angle()[:4]
    print(f"{name:>6} half only:",
          ", ".join(f"{r:.2f}" for r in s[:-1] / s[1:]))

# %% [markdown] tags=["en"]
# - Within the ten directions one matrix makes each row from the one before. It misses 0.3% of the variance there.
# - It turns five pairs, and the lengths are kept: the factors are 0.997 and more. Call them clocks, with five hands.
# - Look at the speeds: 1.047, 0.352, 0.118, 0.039. Each is about three times the
#   next: 2.97, 2.99, 3.01. The two halves of the table, each taken for itself, give nearly the same.
# - The last ratio, 3.75, deserves no trust. The slowest clock takes about 604 positions for one turn, and we look at 372. We come back
#   to [this clock](#how-far).
#
# Speeds with the same factor from one to the next are what the formula of the sinusoid has, with another factor.

# %% [markdown] tags=["zh"]
# - 在这十个方向里，一个矩阵就能由上一行得到下一行，只差方差的 0.3%。
# - 它转动五对，而且长度不变：倍数都在 0.997 以上。我们把它们叫作五只钟。
# - 最要紧的是速度：1.047、0.352、0.118、0.039。每个大约是下一个的三倍：2.97、2.99、3.01。把表分成前后两半，各算各的，结果也差不多。
# - 最后一个比值 3.75 不可信：最慢的钟转一圈大约要 604 个位置，而我们只看了 372 个。[这只钟](#how-far)后面再说。
#
# 速度依次相差同样的倍数，正弦的公式就是这样，只是倍数不同。

# %%
fig, ax = plt.subplots(figsize=(5, 3))
for name, look in (("trained", "C0o-"), ("random walk", "C1s--"),
                   ("other phases", "C3^-.")):
    _, z, _ = clocks(tables[name])                 # (5,)
    ax.semilogy(range(len(z)), z.angle(), look, label=name)
    print(f"{name:>12} {z.abs().min():.2f}",
          " ".join(f"{x:.3f}" for x in z.angle()))
ax.set(xticks=range(5), xlabel="pair", ylabel="radians per position")
ax.legend()
plt.show()

# %% [markdown] tags=["en", "alt"]
# The speeds of five pairs on a logarithmic axis. Those of the trained table lie nearly on a falling straight line. Those of the random walk begin much lower and lie on a curve that bends downwards. Those with other phases run near the line of the trained table.

# %% [markdown] tags=["zh", "alt"]
# 五对的速度，纵轴是对数刻度。训练过的表的五个点几乎在一条下降的直线上。随机游走的起点低得多，连成一条向下弯的曲线。换相位的点在训练过的表附近。

# %% [markdown] tags=["en"]
# On a logarithmic axis equal factors make a straight line. The first number of each line is the smallest factor on a length, the others are the speeds. The random walk has a matrix too, and keeps its lengths as well: any smooth
# curve does so for one step. But its speeds are small and fall in about even *steps*, 0.069, 0.051, 0.039, 0.024. That is the
# pattern of smoothness. The factor of three is not.
#
# The table with other phases has the same frequencies, so similar speeds are no surprise. But its pairs lose length, down to 0.91.
#
# ## The hands speed up together { #hands }
#
# A matrix for all rows gives mean speeds. Now follow the hands row by row. The figure shows the speed of the three fastest,
# each averaged over 40 rows. The second is multiplied by 3, the third by 9.

# %% [markdown] tags=["zh"]
# 在对数刻度上，倍数相同，就是直线。输出里，每行的第一个数是长度的最小倍数，后面是各对的速度。随机游走也有这样的矩阵，长度也不变：只走一步的话，平滑的曲线都能做到。
# 但是它的速度很小，而且差不多是等*差*下降：0.069、0.051、0.039、0.024。这是平滑的特征，三倍不是。
#
# 换相位的表，频率还是那些，所以速度相近并不奇怪。但是它的各对长度会缩短，倍数最低到 0.91。
#
# ## 指针一起快，一起慢 { #hands }
#
# 所有行共用一个矩阵，得到的是平均速度。现在逐行跟着指针走。图中是最快的三根指针的速度，都是 40 行的平均；第二根乘 3，第三根乘 9。

# %%
def turns(hands):
    """Angles that go on growing instead of jumping back by a turn."""
    return torch.tensor(np.unwrap(hands.angle().numpy(), axis=0))


rows = (P[1:last] - P[first:last].mean(dim=0)) @ directions.T  # (499, 10)
angle = turns(rows.to(vector.dtype) @ vector)      # (499, 5)
w = 40
local = (angle[w:] - angle[:-w]) / w               # mean speed over w rows
middle = torch.arange(1, last - w) + w // 2
fig, ax = plt.subplots(figsize=(5, 3.2))
for i, look in enumerate(("-", "--", ":")):
    ax.plot(middle, local[:, i] * 3 ** i, look, color="C0",
            label=f"pair {i}" + (f" × {3 ** i}" if i else ""))
ax.axvline(first, color="C4", lw=1, ls=":")
ax.set(xlabel="position", ylabel="radians per position", ylim=(0.8, 1.6))
ax.legend(ncols=3)
plt.show()
later = local[first:]
print(f"from row {first} on, pair 0: {later[:, 0].min():.2f}"
      f" to {later[:, 0].max():.2f} radians per position")
for i in (1, 2):
    off = (later[:, i] * 3 ** i / later[:, 0] - 1).abs().max()
    print(f"pair {i} × {3 ** i}: off by at most {off:.1%}")

# %% [markdown] tags=["en", "alt"]
# Speed against position for three pairs. Right of the dotted line at 128 the solid, the dashed and the dotted curve lie on each other: they fall together to a low and rise again. Left of about position 100 they part, the dashed one running far above the solid one.

# %% [markdown] tags=["zh", "alt"]
# 三对的速度随位置的变化。在 128 处竖着的点线右边，实线、虚线和点线三条曲线叠在一起：一同降到最低点，再一同升高。大约在位置 100 左边，三条曲线分开，虚线比实线高出许多。

# %% [markdown] tags=["en"]
# From row 128 on the clocks do not run evenly. The fastest makes between 0.95 and 1.13 radians per position. But all three
# speed up and slow down *together*: with the factors 3 and 9 the other two stay within 0.9% and 5.1% of it. (The two slowest hands are not
# drawn. They move so little in 40 rows that this figure would show mostly noise.)
#
# So it is as if the clocks were exact and the **positions** unevenly spaced: some stretches of the table count for more than others.
#
# Left of the dotted line the curves part. On these rows fine-tuning was at work. (An average over 40 rows mixes both sides for a while. The
# spike comes from row 127.)
#
# ## One hand moves them all { #one-hand }
#
# Take that as a hypothesis and test it. First the plain one: five clocks at *constant* speeds. The program picks, pair by pair, the
# frequency that stands out most, and fits sines and cosines to all 384 columns.

# %% [markdown] tags=["zh"]
# 从 128 号行起，钟走得并不均匀：最快的一只，每个位置转 0.95 到 1.13 弧度。但是三只钟*一起*变快，一起变慢：
# 乘上 3 和 9 以后，另外两条曲线和它最多差 0.9% 和 5.1%。（最慢的两只没有画：40 行里它们走得太少，画出来多半是噪声。）
#
# 看起来，好像钟本身很准，是**位置**的间隔不均匀：表里有些段落，比别的段落更“长”。
#
# 竖着的点线左边，三条曲线分开了。那些行正是微调动过的。（40 行的平均，会在一段距离里把两边混在一起。尖刺来自 127 号行。）
#
# ## 一根指针带动全部 { #one-hand }
#
# 把这当作假设，检验一下。先试简单的：五只*匀速*的钟。程序一对一对地挑出最突出的频率，再用它们的正弦和余弦去拟合全部 384 列。

# %%
def explain(A, angles):
    """Share of A in sines and cosines of the angles, and what is left."""
    Q, _ = torch.linalg.qr(centred(torch.cat(
        [angles.sin(), angles.cos()], dim=1)))     # (n, 2 * pairs)
    rest = A - Q @ (Q.T @ A)
    return 1 - (rest.square().sum() / A.square().sum()).item(), rest


def constant_speeds(A, pairs=5, fine=8):
    """Pair by pair the frequency that stands out most in what is left."""
    pos = torch.arange(n, dtype=torch.double)[:, None]
    rest, chosen = A, []
    for _ in range(pairs):
        power = torch.fft.rfft(rest, n=fine * n, dim=0).abs().square()
        best = power.sum(dim=1)[2:].argmax() + 2   # not the constant
        chosen.append(2 * torch.pi * best / (fine * n))
        share, rest = explain(A, pos * torch.stack(chosen))
    return share


for name in ("trained", "random walk", "other phases", "formula", "noise"):
    print(f"{name:>12}: {constant_speeds(tables[name]):.3f}")

# %% [markdown] tags=["en"]
# Constant speeds explain 0.668 of the trained table. (And 0.941 of the random walk. A high share alone proves nothing.)
#
# Now the hypothesis: **one** angle per row, that of the fastest hand. The other four angles are not measured. They are that angle divided by a factor,
# by its square, and so on. Which factor fits?
#
# A method that always says 3 would be worthless. So there are two more tables, made of five clocks and some noise. In one the factor is
# 2.5, and all clocks follow one uneven count of positions. In the other the factor is 3, but each clock is uneven in its **own** way.
#
# And a third, made from the trained one. It gets new phases again, but this time the **same** for all columns. Then every frequency keeps its strength and its part
# in each column. What is lost is how the waves fit together along the rows.

# %% [markdown] tags=["zh"]
# 匀速的钟解释了训练过的表的 0.668。（随机游走则有 0.941：单看比例高，证明不了什么。）
#
# 再来检验假设：每行只用**一个**角度，就是最快那根指针的角度。另外四个角度不去测量，而是拿这个角度除以一个倍数、倍数的平方，依此类推。哪个倍数最合适？
#
# 一种方法如果总是得出 3，那就毫无价值。所以再造两张表，都是五只钟加一点噪声。一张的倍数是 2.5，五只钟跟着同一个不均匀的位置走；
# 另一张的倍数是 3，但是五只钟**各有各的**快慢。
#
# 第三张由训练过的表改成：也换相位，但这一次，所有的列换成**同样的**新相位（same new phases）。于是每个频率有多强、在各列里占多少，都和原来一样，
# 乱掉的是这些波沿着各行怎样合在一起。

# %%
def fastest_hand(A):
    """The angle of the fastest pair, row by row."""
    hand = components(A)[0].to(torch.cdouble) @ clocks(A)[2][:, :1]
    return turns(hand)                             # (n, 1)


def from_one_hand(A, factors):
    """Share of A that follows from the angle of its fastest pair."""
    hand = fastest_hand(A)
    return [explain(A, hand / f ** torch.arange(5))[0] for f in factors]


def made(factor, own):
    """Five clocks, uneven all in one way or each in its own."""
    pos = torch.arange(n)[:, None]
    uneven = pos + 5 * (pos / 32 + own * torch.arange(5)).sin()  # (n, 5)
    angle = uneven / factor ** torch.arange(5)
    A = torch.cat([angle.sin(), angle.cos()], dim=1) @ torch.randn(10, d)
    return centred((A + torch.randn(n, d) / 3).double())


tables["made with 2.5"] = made(2.5, own=0)
tables["made, own ways"] = made(3, own=2)
turn = 2 * torch.pi * torch.rand(len(F), 1, dtype=torch.double)
turn[[0, -1]] = 0                                  # these two stay real
tables["same new phases"] = torch.fft.irfft(
    F * torch.polar(torch.ones_like(turn), turn), n=n, dim=0)
s = torch.linalg.svdvals(tables["same new phases"]).square()
print(f"same new phases, first ten components: {s[:10].sum() / s.sum():.3f}")

# %%
factors = [f / 50 for f in range(100, 201)]
fig, ax = plt.subplots(figsize=(5, 3.2))
for name, look in (("trained", "C0-"), ("made with 2.5", "C2--"),
                   ("made, own ways", "C2:"),
                   ("random walk", "C1:"), ("same new phases", "C3-.")):
    share = from_one_hand(tables[name], factors)
    best = int(np.argmax(share))
    ax.plot(factors, share, look, label=name)
    print(f"{name:>15}: best {factors[best]:.2f}, then"
          f" {share[best]:.3f}; worst {min(share):.3f}")
ax.set(xlabel="factor from speed to speed", ylabel="share explained",
       ylim=(0, 1.5), yticks=[0, 0.5, 1])
ax.legend(ncols=2, loc="upper center")
plt.show()

# %% [markdown] tags=["en", "alt"]
# Share explained against the factor from 2 to 4. The trained table has a tall narrow peak at 3, close to 1. The table made with 2.5 has one as tall at 2.5. The table whose clocks go their own ways has a lower, broader hill at 3. The table with the same new phases in all columns has a low broad hill near 3 that ends at about two thirds. The random walk is a level line close to 1.

# %% [markdown] tags=["zh", "alt"]
# 解释的比例随倍数的变化，倍数从 2 到 4。训练过的表在 3 处有一个又高又窄的峰，接近 1。用 2.5 造的表在 2.5 处有一个同样高的峰。各走各的那张表，在 3 处的峰低一些，也宽一些。各列换成同样新相位的表，在 3 附近只有低而宽的丘，最高约三分之二。随机游走是接近 1 的水平线。

# %% [markdown] tags=["en"]
# - The trained table has a peak at 3.00, and there 0.975 is explained. Ten directions can hold 0.980 at most, so hardly anything is left.
# - The table made with 2.5 has its peak there. The method finds the factor that is there.
# - Where each clock goes its own way, the factor is found too, but it explains no more than 0.705. So high a peak takes *one* count, at least for the fast clocks.
# - With the same new phases in all columns the best is 0.647. Yet its frequencies are the old ones, and its ten directions hold 0.980, as before. The frequencies alone do not make the peak: the hands have to keep their lengths, and to follow one count.
# - The random walk is at 0.937 or hardly less for *every* factor from 2 to 4. Five slow waves describe so smooth a curve anyway. Height is no evidence, the peak is.
#
# ## How far does that carry? { #how-far }
#
# A sceptic has four questions. One angle per row is many free numbers: does the fit live off them? Does it say anything
# about rows it has not seen? Is the factor 3 established for each of the five? And does each need the uneven count?

# %% [markdown] tags=["zh"]
# - 训练过的表，峰在 3.00，解释了 0.975。十个方向最多能占 0.980，所以几乎没有剩下什么。
# - 用 2.5 造的表，峰就在那里。这种方法找到的，是真在那里的倍数。
# - 五只钟各走各的，倍数也找得到，但最多只能解释 0.705。峰要这么高，至少快的几只钟得跟着*同一个*位置走。
# - 各列换成同样的新相位，最好也只有 0.647。可是它的频率还是原来那些，十个方向也照样占 0.980。可见，光有这些频率，出不来这么高的峰：指针的长度还要不变，而且要跟着同一个位置走。
# - 随机游走，从 2 到 4，不管*什么*倍数，都在 0.937 上下。这么平滑的曲线，五个慢波本来就能描述。所以，高不是证据，有峰才是。
#
# ## 这能说明多少 { #how-far }
#
# 存疑的人会问四个问题。每行一个角度，自由的数很多，拟合得好是不是全靠它们？对没见过的行，它说得准吗？五只钟里，倍数 3 是不是每一只都站得住？是不是每一只都非要跟着不均匀的位置走？

# %%
hand, row = fastest_hand(X), np.arange(n)
factor = 3 ** torch.arange(5)
print(f"fastest pair alone: {explain(X, hand)[0]:.3f}")
for numbers in (2, 8):                             # of a polynomial
    curve = np.polynomial.Polynomial.fit(row, hand[:, 0], numbers - 1)
    smooth = torch.tensor(curve(row))[:, None]
    print(f"all five, hand described by {numbers} numbers:"
          f" {explain(X, smooth / factor)[0]:.3f}")


def left_out(A, angles):
    """Share of each sixth that a fit to the other five predicts."""
    B = torch.cat([torch.ones(n, 1), angles.sin(), angles.cos()], dim=1)
    missed = everything = 0
    for i in range(6):
        new = torch.arange(n) // (n // 6) == i     # a block of 62 rows
        fit = torch.linalg.lstsq(B[~new], A[~new]).solution
        missed += (A[new] - B[new] @ fit).square().sum()
        everything += (A[new] - A[~new].mean(dim=0)).square().sum()
    return (1 - missed / everything).item()


print("each sixth from the other five:")
for name, f in (("trained", 3), ("made with 2.5", 2.5),
                ("made, own ways", 3), ("random walk", 3)):
    A = tables[name]
    share = left_out(A, fastest_hand(A) / f ** torch.arange(5))
    print(f"{name:>14}: {share:.3f}" if share > 0 else f"{name:>14}: below 0")

# %%
print("                            share   left out")
line = torch.tensor(np.polynomial.Polynomial.fit(row, hand[:, 0], 1)(row))
for which in (1, 2, 3, 4):
    angles = hand / factor
    angles[:, which] = line / factor[which]
    print(f"pair {which} at a constant speed:"
          f" {explain(X, angles)[0]:.3f} {left_out(X, angles):10.3f}")
for which, tries in ((3, (24, 27, 30)), (4, (60, 81, 120, 400))):
    print(f"pair {which}, slower than pair 0 by a factor of")
    for f in tries:
        factor[which] = f
        angles = hand / factor
        print(f"{f:26}: {explain(X, angles)[0]:.3f}"
              f" {left_out(X, angles):10.3f}")
    factor[which] = 3 ** which

# %% [markdown] tags=["en"]
# - The angle of the fastest pair was measured. So 0.285, the share of its own pair, comes for free. What counts is the rise from 0.285 to 0.975.
# - The angles need not be free. A smooth curve with 8 numbers in place of 372 angles explains 0.974. A straight line, 2 numbers, comes to
#   0.618: the unevenness is real, and it is smooth.
# - If the columns are fitted on five sixths of the rows, the sixth left out is predicted to 0.966. (The angles are still read from all rows.) The table whose clocks go their own ways comes to 0.636. For the random walk the
#   prediction is worse than the mean of the other rows: below 0. So this test, unlike a high share, tells a random walk from five clocks.
# - The fourth clock, pair 3, has its factor: with 27 it is 0.975, with 24 or 30 clearly less. The fifth, pair 4, has only a limit. It cannot be much faster: with 60 it is 0.950.
#   But with 81 it is 0.975, with 120 hardly less, and even with 400 it is 0.967. On rows left out, the second number, 81 does best. But this hand does not make one turn in these rows, so we leave it open how slow it is.
# - Which clocks need the uneven count? Look at the second number. If pair 1 runs evenly instead, it sinks from 0.966 to 0.860, with pair 2 to 0.947. With pair 3 it is 0.964, and with pair 4 0.966 again: they are so slow
#   that even and uneven look alike.
#
# So, apart from its mean row, **five clocks with the factor 3, driven by one uneven count of positions, describe 0.975** of this part of the table. Established is
# less: the factor for four of them, the uneven count for three. The fourth may just as well run evenly. The fifth may be slower than the factor 3 makes it.
#
# ## The seam, once more { #seam }
#
# Does the seam show in the clocks, too? Take ten directions and a matrix anew from 245 rows, from 128 on. How well does this matrix make
# each row of the table from the one before? What it misses is measured as a length.
#
# There is a trap. Any fit does better on the rows it was made from than on others. A jump at 128 proves nothing as long as the same jump
# stands where nobody suspects a seam. So the program starts such fits in four other places, too.

# %% [markdown] tags=["zh"]
# - 最快那一对的角度是量出来的，所以这一对自己的 0.285 是白得的。真正要看的，是从 0.285 升到了 0.975。
# - 角度不必自由。372 个角度换成一条只有 8 个数的光滑曲线，仍能解释 0.974；换成直线（2 个数），就只有 0.618。可见不均匀是真的，而且很平滑。
# - 用六分之五的行去拟合各列，再预测留出的六分之一，能解释 0.966。（角度还是从全部行里读出来的。）各走各的那张表是 0.636。随机游走的预测，还不如拿其余各行的平均去猜：低于 0。可见，光看比例高低分不清随机游走和五只钟，这个检验却分得清。
# - 第四只钟（pair 3）的倍数站得住：27 时是 0.975，换成 24 或 30 就明显变差。第五只（pair 4）只定得下一边：不会快很多，60 时只有 0.950；可是 81 时是 0.975，120 时几乎一样，400 时也有 0.967。看留出的行（第二个数），81 最好。不过，它在这些行里转不满一圈，到底有多慢，我们不下结论。
# - 哪几只钟非要跟着不均匀的位置走不可？看第二个数。把 pair 1 换成匀速，它从 0.966 降到 0.860；换 pair 2，降到 0.947；换 pair 3 是 0.964，换 pair 4 仍是 0.966：这两只太慢，匀速不匀速，看不出分别。
#
# 可见，除去平均行，**五只倍数为 3 的钟，由同一个不均匀的位置带动，就能描述这一段表的 0.975**。真正站得住的没有这么多：倍数，只有四只定得下来；非要跟着不均匀的位置走不可的，只有三只。第四只也可能走得很匀；第五只还可能比倍数 3 算出来的更慢。
#
# ## 再看那道接缝 { #seam }
#
# 从钟上看，也有接缝吗？从 128 号行起取 245 行，重新求十个方向和矩阵。用这个矩阵由上一行推出下一行，在整张表上准不准？差了多少，用差向量的长度来量。
#
# 这里有个陷阱：拟合用过的行，总比没用过的行准。如果在谁也不怀疑有接缝的地方也能跳这么多，那么 128 处的一跳就证明不了什么。所以程序在另外四处也各拟合一次。

# %%
def misses(p):
    """What a matrix made from 245 rows misses, and a share."""
    rows = P - P[p:p + 245].mean(dim=0)            # (T, d)
    source = centred(P[p:p + 245])
    ten, M = components(source)[1], clocks(source)[0]
    missed = (rows[1:] - rows[:-1] @ ten.T @ M @ ten).norm(dim=1)
    before = rows[p - 127:p - 1]                   # (126, d)
    inside = (before @ ten.T).square().sum() / before.square().sum()
    return missed, inside                          # (T-1,), ()


fig, ax = plt.subplots(figsize=(5, 2.6))
ax.plot(torch.arange(1, len(P)), misses(128)[0], lw=1)
for p in (128, 256):
    ax.axvline(p, color="C4", lw=1, ls=":")
ax.set(xlabel="position", ylabel="missed by", ylim=(0, 0.9))
plt.show()
print("made from rows   25 rows before  25 rows after")
for p in (128, 160, 192, 224, 255):
    missed, _ = misses(p)                          # row i: missed[i - 1]
    print(f"{p:9} to {p + 244} {missed[p - 28:p - 3].mean():14.3f}"
          f" {missed[p:p + 25].mean():14.3f}")
for p in (128, 255):
    missed, inside = misses(p)
    print(f"rows {p - 127} to {p - 2}: missed by"
          f" {missed[p - 127:p - 2].mean():.2f}, {inside:.0%} within")
top = missed[255:489].argsort(descending=True)[:3] + 256
print("rows 256 to 489, missed most:",
      ", ".join(f"{i} by {missed[i - 1]:.3f}" for i in top.tolist()))

# %% [markdown] tags=["en", "alt"]
# What the matrix misses, against the position. High at the beginning, falling with humps on the way to a low level before 127, a spike at 127, then a lower even level from 128 on with a tiny tick at the dotted line at 256. In the right third it rises slowly, in the last rows steeply.

# %% [markdown] tags=["zh", "alt"]
# 矩阵推得有多不准，随位置的变化。开头很高，起伏着降到 127 之前的低处，127 处有一根尖刺；从 128 起更低、更平，256 处的点线上有一个很小的凸起。右边三分之一慢慢升高，最后几行陡然上升。

# %% [markdown] tags=["en"]
# - In the other four places the rows just before the fit are missed by a little more than those in it, such as 0.075 against 0.065. At 128
#   the difference is 0.111 against 0.065. So the clocks have a seam there, too.
# - Farther to the left it gets worse. Rows 1 to 126 are missed by 0.16. The ten directions of the rows that follow hold 84% of their squared
#   distance from the mean row. For rows 128 to 253 and the rows after those it is 0.10 and 96%. Whatever happened to rows 1 to 126, fine-tuning or something before it, it bent the clocks and did not wipe them out.
# - The rows that fine-tuning never reached are *not* [noise](../learnable.md#untouched-rows), as untouched rows would be. They are the most orderly part.
#   Either an earlier training reached them, or the clocks were put in at the start.
# - In the rows from 256 to 489 those missed most are 384 and 256. It is tempting to explain the latter by the cut at 256. But the model card does not mention 384, and row 323 is hardly
#   lower. What one does see: 128, 256 and 384 are multiples of 128. We have no explanation, and it is one more reason not to be too sure about the seam.
#
# ## What this does not show { #limits }
#
# - **It is one table of one model.** In other models the tables may look different. That learned position embeddings have sinusoid-like components was found
#   for others too ([Yamamoto and Matsuzaki 2023](https://openreview.net/forum?id=zpayaLaUhL)). The factor 3 is what we saw in this table alone.
# - **It does not show where the clocks come from.** Training may have found them. The table may also have started from something that held them, or have been
#   taken over from another model. The file does not say. Why 3, why uneven, why no more clocks: we do not know.
# - **It does not show what the model does with them.** A pattern in the weights is not a use of it. For that one has to change the table and measure the model.
# - **The seam fits, and that is all.** Its place agrees with the lengths in the model card. It would agree with an earlier training on short texts as well. We saw no table from before fine-tuning.
# - **We looked first and tested then.** Ten directions and rows 128 to 499 were chosen after seeing the figures. The other tables, the two halves and the rows left out guard against a method that
#   makes its own pattern. They do not replace a second model.
#
# ## Check yourself { #check-yourself }
#
# <details><summary>Someone shows the first components of a learned table. They are cosines. What do you ask to see?</summary>
#
# The same picture for a random walk of the same size. Its components are [purer waves](#waves), 0.97 and more, and it has learned nothing. What would
# speak for clocks is *which* frequencies there are, and that all columns share them with matching phases.
#
# </details>
#
# <details><summary>Why rows 128 to 499, and not the whole table?</summary>
#
# Because two histories are mixed in the whole. The mean norm jumps from 0.42 to 0.48 at the [seam](#rows), and a matrix made
# from the rows right of it misses those [just left of it](#seam) by 0.111 instead of 0.065. A fit through both describes neither.
#
# </details>
#
# <details><summary>With one hand 0.937 of the random walk is explained. Is the random walk a table of clocks, too?</summary>
#
# No. It is explained as well with [every factor](#one-hand) from 2 to 4, at least 0.935. Few slow waves fit any smooth curve. The trained table falls to 0.300 at the worst factor,
# and rises to 0.975 at 3.00 only.
#
# </details>
#
# **In one sentence.** Waves in a learned table prove nothing, but here four clocks a factor 3 apart and a slower fifth describe 0.975 of what
# distinguishes rows 128 to 499, and at least the three fastest are driven by one uneven position.
#
# ## Sources { #sources }
#
# - Yamamoto and Matsuzaki, *Absolute Position Embedding Learns Sinusoid-like Waves for Attention Based on Relative Position*, EMNLP 2023,
#   [OpenReview](https://openreview.net/forum?id=zpayaLaUhL).
# - Antognini and Sohl-Dickstein, *PCA of high dimensional random walks with comparison to neural network training*,
#   [arXiv:1806.08805](https://arxiv.org/abs/1806.08805).
# - Devlin et al., *BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding*,
#   [arXiv:1810.04805](https://arxiv.org/abs/1810.04805): the lengths of its training texts, in the appendix.
# - Wang et al., *MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression of Pre-Trained Transformers*,
#   [arXiv:2002.10957](https://arxiv.org/abs/2002.10957): the family of models that the encoder comes from.
# - The table: [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), Apache-2.0, rounded to float16. Its model card states the lengths.

# %% [markdown] tags=["zh"]
# - 在另外四处，紧挨在前面、没有参加拟合的行，只比参加了的差一点，例如 0.075 对 0.065。在 128 处，却是 0.111 对 0.065。可见，从钟上看，这里也有接缝。
# - 越往左，差得越多。1 到 126 号行，平均差 0.16。它们到平均行的距离的平方，有 84% 落在后面那些行的十个方向里。换成 128 到 253 号行和它们后面的行，是 0.10 和 96%。不管是微调还是更早的训练，总之有什么把 1 到 126 号行的钟掰弯了，但没有抹掉。
# - 微调没碰过的行，并*不是*[没训练过的行](../learnable.md#untouched-rows)那样的噪声，反而是最整齐的一段。要么更早的训练碰到过它们，要么这些钟一开始就放在里面。
# - 256 到 489 号行里，差得最多的是 384 和 256。后者很容易说成是“截到 256”造成的，可是模型说明里没有 384，而 323 号行也低不了多少。看得出的只有一点：128、256、384 都是 128 的倍数。原因我们不知道；对接缝的解释，也因此要多留一分小心。
#
# ## 这个实验没有说明什么 { #limits }
#
# - **这只是一个模型的一张表**。别的模型，表可能是另一个样子。学出来的位置嵌入（position embedding）里有类似正弦的成分，在别的模型上也有人发现过（[Yamamoto 和 Matsuzaki，2023](https://openreview.net/forum?id=zpayaLaUhL)）。至于倍数 3，我们只在这张表里见过。
# - **它没有说明钟从哪里来**。可能是训练找到的；也可能这张表的初始值里就有它们，或者整张表是从别的模型搬来的。文件里没有写。为什么是 3，为什么不均匀，为什么只有这几只，我们都不知道。
# - **它没有说明模型怎么用这些钟**。权重里有花纹，不等于模型用了它。要知道有没有用，得改动这张表，再去测模型。
# - **接缝只说明位置对得上**：它和模型说明里的长度一致，仅此而已；如果更早时用短文本训练过，也会一致。微调之前的表，我们没有见过。
# - **我们是先看了图，再检验的**。十个方向、128 到 499 号行，都是看了图以后才选的。别的表、前后两半、留出的行，能防止方法自己造出花纹，却代替不了第二个模型。
#
# ## 自测 { #check-yourself }
#
# <details><summary>有人给你看一张学出来的表的前几个主成分，都是余弦。你会要求再看什么？</summary>
#
# 拿同样大小的随机游走，画一张同样的图。它的主成分是[更纯的波](#waves)，都在 0.97 以上，可它什么也没学过。能支持“钟”的，是*有哪些*频率，
# 以及所有的列都共用它们，相位也对得上。
#
# </details>
#
# <details><summary>为什么只看 128 到 499 号行，而不看整张表？</summary>
#
# 因为整张表里混着两段经历。在[接缝](#rows)处，平均范数从 0.42 跳到 0.48；用右边的行得到的矩阵，到了[接缝左边](#seam)，差的就从 0.065 变成 0.111。硬把两边合在一起拟合，哪一边都说不准。
#
# </details>
#
# <details><summary>用一根指针，能解释随机游走的 0.937。那么随机游走里也有钟吗？</summary>
#
# 没有。从 2 到 4，换成[任何倍数](#one-hand)，都能解释得差不多，最少也有 0.935。几个慢波就能拟合平滑的曲线。训练过的表，倍数不合适时低到 0.300，
# 只在 3.00 处升到 0.975。
#
# </details>
#
# **一句话总结。**
# 学出来的表里有波，证明不了什么；但是在这张表里，四只钟每只的速度是下一只的 3 倍，再加上更慢的第五只，
# 就描述了 128 到 499 号行差别的 0.975；其中至少最快的三只，由同一个不均匀的位置带动。
#
# ## 参考资料 { #sources }
#
# - Yamamoto 和 Matsuzaki，*Absolute Position Embedding Learns Sinusoid-like Waves for Attention Based on Relative Position*，EMNLP 2023，[OpenReview](https://openreview.net/forum?id=zpayaLaUhL)。
# - Antognini 和 Sohl-Dickstein，*PCA of high dimensional random walks with comparison to neural network training*，[arXiv:1806.08805](https://arxiv.org/abs/1806.08805)。
# - Devlin 等，*BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding*，[arXiv:1810.04805](https://arxiv.org/abs/1810.04805)：附录里有训练文本的长度。
# - Wang 等，*MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression of Pre-Trained Transformers*，[arXiv:2002.10957](https://arxiv.org/abs/2002.10957)：这个编码器所属的模型系列。
# - 表的来源：[all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2)，Apache-2.0，舍入到 float16。长度写在它的模型说明里。
