# ---
# en:
#   description: Sinusoid, learned table, RoPE, ALiBi and T5 side by side. Tables, all pairs of positions, score against distance, left and right, and what the scalings of RoPE do to its scores.
# zh:
#   description: 把正弦、可学习的表、RoPE、ALiBi 和 T5 并排画出来：整张表、两两之间的关系、分数随距离的变化、左和右，以及各种缩放怎样改变 RoPE 的分数。
# ---

# %% [markdown] tags=["en"]
# # See it: the encodings side by side { #see-it }
#
# After this lab you can:
#
# - recognise an encoding by its picture;
# - see in a picture whether only distances count, and whether left and right differ;
# - say what each scaling of RoPE does to near and to far scores.
#
# ## The idea { #idea }
#
# The formulas of positional encodings look very different. Pictures make them comparable. Encodings that are a table get three
# views: the **table** itself, **all pairs** of positions, and a curve **against the distance**. RoPE, ALiBi and T5's bias have no
# table. They get the last two views. In all figures but one the panels share their axes. The pages explain where each encoding
# comes from; here you only have to look.
#
# ## Tables that are added { #tables }
#
# Four tables for 64 positions: the [sinusoid](../theory.md#table) in its two layouts, random numbers (a
# [learned table](../learnable.md#table) before training), and a trained one, of which the first 64 of 384 dimensions are shown. It belongs to
# [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2). To run the lab yourself, put
# [its file](../data/minilm-l6-v2-positions.npy) beside the notebook. Each table is divided by its own standard deviation, so that the colours can be
# compared.

# %% [markdown] tags=["zh"]
# # 看得见的位置编码：并排比较 { #see-it }
#
# 做完这个实验，你能：
#
# - 看图认出是哪种编码；
# - 从图上看出，是不是只有距离起作用，左和右有没有分别；
# - 说清各种缩放怎样改变 RoPE 在近处和远处的分数。
#
# ## 想法 { #idea }
#
# 各种位置编码（positional encoding）的公式，看上去差别很大；画成图，就能比较了。有的编码就是一张表，从三个角度看：**整张表**，
# **两两之间**的关系，**随距离变化**的曲线。RoPE（旋转位置编码，rotary position embedding）、ALiBi 和 T5 的偏置没有表，只看后两项。
# 同一幅图里，各小图的坐标轴相同，只有一幅图例外。每种编码的来历，别的页面讲过，这里只管看。
#
# ## 加上去的表 { #tables }
#
# 四张表，各 64 个位置：[正弦](../theory.md#table)的两种排法；随机数，也就是[可学习的表](../learnable.md#table)训练之前的样子；一张训练过的表，
# 384 维里只画前 64 维。最后这张表来自 [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2)。
# 想自己运行，就把[它的数据文件](../data/minilm-l6-v2-positions.npy)放在笔记本（notebook）旁边。每张表都除以自己的标准差，颜色才好比较。

# %%
import math

import matplotlib.pyplot as plt
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(0)
T, d_model = 64, 64
pos = torch.arange(T)[:, None]                     # (T, 1)
theta = 10000 ** (-torch.arange(0, d_model, 2) / d_model)  # (d/2,)
sin, cos = (pos * theta).sin(), (pos * theta).cos()  # (T, d/2) each
file = np.load("minilm-l6-v2-positions.npy")       # (512, 384)
tables = {"interleaved": torch.stack([sin, cos], dim=-1).flatten(1),
          "concatenated": torch.cat([sin, cos], dim=1),
          "random": torch.randn(T, d_model),
          "trained": torch.tensor(file[:T]).float()}

fig, axes = plt.subplots(2, 2, figsize=(4.8, 5), sharex=True, sharey=True)
for ax, (name, pe) in zip(axes.flat, tables.items()):
    ax.imshow(pe[:, :d_model] / pe.std(), vmin=-2.5, vmax=2.5)
    ax.set(title=name)
    print(f"{name:>12}: {tuple(pe.shape)}")
fig.supxlabel("dimension")
fig.supylabel("position")
plt.show()

# %% [markdown] tags=["en", "alt"]
# Four heat maps, 64 positions downwards, 64 dimensions to the right. Interleaved: a fan of waves on the left, then even vertical stripes in two colours. Concatenated: the same fan twice, once in each half, with an even area right of it. Random: no pattern. Trained: vertical stripes, many of them with a fine regular rhythm, and a first row that differs from all others.

# %% [markdown] tags=["zh", "alt"]
# 四幅热力图，纵向是 64 个位置，横向是 64 个维度。interleaved：左边是扇形展开的波，右边是两种颜色相间的均匀竖条。concatenated：同样的扇形出现两次，左右各一半，扇形右边颜色均匀。random：没有规律。trained：竖条纹，其中许多带有细密的节奏；第一行和其他行都不一样。

# %% [markdown] tags=["en"]
# - The two layouts of the sinusoid hold the same numbers. In the interleaved one each sine stands beside its cosine. On the right, where the
#   waves are slow, this looks like a fence.
# - In the interleaved one the waves get slower to the right. In the concatenated one they do so twice, first the sines, then the cosines. Most of the change
#   over 64 positions happens where the waves are fast.
# - The random table has no order. The trained one has: many of its columns change in a rhythm. But few are a single clean wave, and fast and slow ones stand in no order.
# - The first row of the trained table differs from all others. [A lab of its own](a-trained-table.ipynb) takes this table apart.
#
# ## All pairs { #all-pairs }
#
# Now the cosine similarity of every row with every row. If each row of the table $P$ is divided by its length, this is $P P^\top$. For the trained table all 384 dimensions count.

# %% [markdown] tags=["zh"]
# - 正弦的两种排法，里面的数是一样的。interleaved（交错）让每个正弦紧挨着它的余弦；在右边，波很慢，看上去像一排栅栏。
# - interleaved 越往右，波越慢。concatenated 里这样走了两遍，先是正弦，再是余弦。64 个位置上的变化，大多发生在波快的地方。
# - 随机的表没有规律。训练过的表有：许多列按节奏起伏。但很少有哪一列是一个干净的波，快的慢的也没有排序。
# - 训练过的表，第一行和其他行都不一样。[另一个实验](a-trained-table.ipynb)专门拆开这张表。
#
# ## 两两之间 { #all-pairs }
#
# 下面是任意两行的余弦相似度（cosine similarity）：把表 $P$ 的每一行除以自己的长度，再算 $P P^\top$，就是它。训练过的表用全部 384 维。

# %%
similar = {}
for name, pe in tables.items():
    unit = pe / pe.norm(dim=1, keepdim=True)       # (T, d)
    similar[name] = unit @ unit.T                  # (T, T)
fig, axes = plt.subplots(2, 2, figsize=(4.8, 5.4), sharex=True, sharey=True)
for ax, (name, s) in zip(axes.flat, similar.items()):
    image = ax.imshow(s, vmin=-1, vmax=1)
    ax.set(title=name)
fig.colorbar(image, ax=axes, location="top", shrink=0.8, aspect=40,
             ticks=[-1, 0, 1], label="cosine similarity")
fig.supxlabel("position n")
fig.supylabel("position m")
plt.show()
same = torch.allclose(similar["interleaved"], similar["concatenated"],
                      atol=1e-5)
print("interleaved and concatenated, same picture:", same)

# %% [markdown] tags=["en", "alt"]
# Four square pictures of the cosine similarity of 64 positions with each other. Interleaved and concatenated are the same picture: a bright diagonal with paler stripes exactly parallel to it. Random: only the diagonal is bright. Trained: a bright diagonal with strong stripes roughly parallel to it, which waver and change their strength.

# %% [markdown] tags=["zh", "alt"]
# 四幅正方形的图，是 64 个位置两两之间的余弦相似度。interleaved 和 concatenated 完全一样：一条明亮的对角线，两侧是与它严格平行的浅条纹。random：只有对角线是亮的。trained：明亮的对角线，两侧条纹很强，大致平行，但有弯曲，深浅也在变。

# %% [markdown] tags=["en"]
# - Both layouts give one picture. The order of the columns does not matter for a dot product.
# - Along each diagonal of the sinusoid the colour is the same. Only the [distance counts](../theory.md#distance-alone).
# - With random numbers a position is similar to itself and to nothing else. Nobody has told this table that position five lies between four and six.
# - The trained table has stripes along the diagonal, too: here near positions are alike. But the stripes waver, and one can see it: the distance alone does not decide.
#
# ## Against the distance { #distance }
#
# Read the pictures along their diagonals. For each distance the line is the mean over all pairs, the band goes from the smallest to the
# largest value. The first row, which stands out in the trained table, is left out.

# %% [markdown] tags=["zh"]
# - 两种排法得到同一幅图：点积（dot product）不管列怎么排。
# - 正弦的图上，同一条斜线上颜色都一样：[只有距离起作用](../theory.md#distance-alone)。
# - 随机数的表，一个位置只和自己像，和别的都不像。没有人告诉它，第五个位置在第四个和第六个之间。
# - 训练过的表，沿对角线也有条纹：相近的位置，在这里是相像的。但看得出条纹在晃动：相似度不是只由距离决定。
#
# ## 随距离的变化 { #distance }
#
# 沿着斜线读这几幅图。每个距离上，线是所有位置对的平均，色带从最小值到最大值。训练过的表，第一行很特别，所以各表都不算第一行。

# %%
distance = torch.arange(1, 56)                     # 8 pairs at the last one
fig, axes = plt.subplots(1, 3, figsize=(5, 2.5), sharey=True)
names = "interleaved", "random", "trained"
print("    distance" + "".join(f"{k:6}" for k in (1, 3, 6, 9)) + "  band")
for ax, name in zip(axes, names):
    without_0 = similar[name][1:, 1:]              # (T-1, T-1)
    pairs = [without_0.diagonal(int(k)) for k in distance]
    mean = torch.stack([x.mean() for x in pairs])  # (55,)
    low = torch.stack([x.min() for x in pairs])
    high = torch.stack([x.max() for x in pairs])
    ax.fill_between(distance, low, high, alpha=0.25, lw=0)
    ax.plot(distance, mean)
    ax.set(title=name.replace("interleaved", "sinusoid"),
           xlabel="distance", ylim=(-0.6, 1))
    wide = (high - low).max()
    print(f"{name:>12}"
          + "".join(f"{mean[k - 1]:6.2f}" for k in (1, 3, 6, 9))
          + (f"{wide:6.2f}" if wide > 1e-3 else "     0"))
axes[0].set(ylabel="cosine similarity")
plt.show()

# %% [markdown] tags=["en", "alt"]
# Similarity against distance in three panels with the same axes. The sinusoid is a single line without a band that falls with ripples. The random table is a level line at zero with a wide band. The trained table zigzags downwards with peaks about six apart, inside a band that is narrow at first and wider further on.

# %% [markdown] tags=["zh", "alt"]
# 三幅小图，坐标轴相同，是相似度随距离的变化。正弦只有一条线，没有色带，起伏着下降。随机的表是零附近的水平线，色带很宽。训练过的表曲折下降，大约每隔六个距离一个峰，色带起初窄，往后变宽。

# %% [markdown] tags=["en"]
# - The sinusoid's band has no width. The curve falls with ripples: 0.97 at distance 1, 0.67 at distance 9.
# - The random table is about 0 on the average, at every distance. Single pairs lie far from it.
# - The trained table zigzags: 0.88 at 1, 0.51 at 3, 0.66 at 6, 0.28 at 9. At one and the same distance its values differ by up to 0.55.
#   (These are rows 1 to 63. Over [the whole table](a-trained-table.ipynb#similarity) the means are somewhat different.)
#
# None of the three falls all the way.
#
# ## Those that enter at the score { #scores }
#
# [RoPE](../rope.md), [ALiBi](../relative.md#alibi) and [T5's bias](../relative.md#t5) have no table of positions. They change the score of a
# query at $m$ with a key at $n$.
#
# - **RoPE** takes the numbers of query and key in pairs. Before the dot product it turns each pair like a clock hand. To draw it, one needs
#   a query and a key: once both are all ones, once both are random. The scores are divided by both lengths, so they lie between −1 and 1.
# - **ALiBi** subtracts the distance times a number, the slope. Here the slope is 1/4.
# - **T5** adds a learned number. Near distances have one each, far distances share. Those that share a number form a *bucket*. Here the
#   numbers are random.
#
# All words have the same content. For RoPE the figure shows the score, for ALiBi and T5 what is added to it. Each panel is coloured up to
# its own largest value.

# %% [markdown] tags=["zh"]
# - 正弦的色带没有宽度。曲线起伏着下降：距离 1 是 0.97，距离 9 是 0.67。
# - 随机的表，每个距离上平均都在 0 左右，单独一对却可能偏出很多。
# - 训练过的表曲折得多：距离 1 是 0.88，3 是 0.51，6 是 0.66，9 是 0.28。同一个距离上，最多能差 0.55。（这里只取 1 到 63 号行，[整张表](a-trained-table.ipynb#similarity)的平均值略有不同。）
#
# 三条曲线，没有一条是一路下降的。
#
# ## 作用在分数上的编码 { #scores }
#
# [RoPE](../rope.md)、[ALiBi](../relative.md#alibi) 和 [T5 的偏置](../relative.md#t5)没有位置表。
# 它们改的，是位置 $m$ 的查询（query）和位置 $n$ 的键（key）的分数。
#
# - **RoPE** 把查询和键里的数两两配对，每一对像钟的指针那样转过一个角度，然后才求点积。要画它，得有查询和键：
#   一次两者全是 1，一次两者全是随机数。分数除以两者的长度，所以在 −1 和 1 之间。
# - **ALiBi** 从分数里减去距离和一个数的乘积，这个数叫斜率，这里是 1/4。
# - **T5** 给分数加上一个学出来的数。近的距离各有一个，远的几个合用一个。合用一个数的距离，算在同一个*桶*（bucket）里。这里用随机数代替。
#
# 所有词的内容都相同。RoPE 画的是分数，ALiBi 和 T5 画的是加到分数上的数。每幅小图的颜色，按各自的最大值来定。

# %%
D = 64
theta = 10000 ** (-torch.arange(0, D, 2).double() / D)  # (D/2,)


def rope_scores(q, k, distance, theta=theta):
    """Scores of a query at m and a key at m - distance, from -1 to 1."""
    q, k = (torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).double())
            for x in (q, k))                       # (..., D/2) complex
    turn = torch.polar(torch.ones(()).double(), distance[:, None] * theta)
    score = ((q * k.conj()) @ turn.T).real         # (..., number of distances)
    length = q.abs().square().sum(-1) * k.abs().square().sum(-1)
    return score / length.sqrt()[..., None]


def t5_bucket(distance):
    """The number of the bucket of each distance n - m, as in T5."""
    far = distance.abs().clamp(min=1)
    wide = 8 + ((far / 8).log() / math.log(128 / 8) * 8).long()
    near = torch.where(far < 8, distance.abs(), wide.clamp(max=15))
    return near + 16 * (distance > 0)


grid = torch.arange(T)[:, None] - torch.arange(T)  # (T, T) m - n
every = torch.arange(1 - T, T)                     # all m - n
torch.manual_seed(0)
ones, q, k = torch.ones(D), torch.randn(D), torch.randn(D)
learned = torch.randn(32)                          # untrained, by chance
by_distance = {"RoPE, ones": rope_scores(ones, ones, every),
               "RoPE, random": rope_scores(q, k, every),
               "ALiBi": -every.abs() / 4,
               "T5, random": learned[t5_bucket(-every)]}
fig, axes = plt.subplots(2, 2, figsize=(4.8, 5), sharex=True, sharey=True)
for ax, (name, score) in zip(axes.flat, by_distance.items()):
    top = score.abs().max()
    ax.imshow(score[grid + T - 1], vmin=-top, vmax=top)
    ax.set(title=name)
fig.supxlabel("position n of the key")
fig.supylabel("position m of the query")
plt.show()
print("symmetric:")
for name, score in by_distance.items():
    print(f"{name:>13}: {torch.allclose(score, score.flip(0))}")

# %% [markdown] tags=["en", "alt"]
# Four square pictures, query positions downwards, key positions to the right. In all four each diagonal has one colour. RoPE with ones: a bright diagonal, symmetric. RoPE with a random pair: stripes that differ on both sides of the diagonal. ALiBi: zero on the diagonal, ever more negative towards two corners, symmetric. T5: narrow stripes near the diagonal, broader ones farther away, different on both sides.

# %% [markdown] tags=["zh", "alt"]
# 四幅正方形的图，纵向是查询的位置，横向是键的位置。四幅图里，每条斜线都是一种颜色。全是 1 的 RoPE：对角线明亮，两侧对称。随机一对的 RoPE：条纹在对角线两侧不一样。ALiBi：对角线上是零，越往两个角越负，两侧对称。T5：对角线附近条纹窄，远处条纹宽，两侧不一样。

# %% [markdown] tags=["en"]
# - In all four each diagonal has one colour. That is what “relative” means: only $m - n$ enters.
# - The first picture is that of the sinusoid. With ones, RoPE's score is the same mean of cosines as the
#   sinusoid's [similarity](../theory.md#distance-alone).
# - T5's buckets are narrow near the diagonal and broad far from it. Far away, many distances share one number.
# - ALiBi has the simplest picture. It is zero on the diagonal and falls to both sides. (In a decoder the upper half is masked.)
#
# ## Left and right { #left-and-right }
#
# A picture that is symmetric about its diagonal does not know left from right. The lines printed above say which are. Now as curves. The
# horizontal axis is $n - m$: left of 0 the key stands before the query, right of 0 after it. The vertical axis differs from panel to
# panel. RoPE has four random pairs, ALiBi four heads.

# %% [markdown] tags=["zh"]
# - 四幅图里，每条斜线都是一种颜色。“相对”就是这个意思：只有 $m - n$ 起作用。
# - 第一幅就是正弦的那幅图。查询和键全是 1 时，RoPE 的分数和正弦的[相似度](../theory.md#distance-alone)一样，都是同一组余弦的平均。
# - T5 的桶，在对角线附近窄，在远处宽：离得远了，许多距离共用一个数。
# - ALiBi 的图最简单：对角线上是零，向两边下降。在解码器（decoder）里，右上半边会被掩码遮住。
#
# ## 左和右 { #left-and-right }
#
# 关于对角线对称的图，分不清左右。哪些对称，上面打印出来了。下面画成曲线。横轴是 $n - m$：在 0 左边，键在查询前面；在 0 右边，键在查询后面。
# 各图的纵轴，刻度不同。RoPE 取四对随机的查询和键，ALiBi 取四个头（head）。

# %%
torch.manual_seed(1)
q, k = torch.randn(2, 4, D)                        # four queries and keys
slopes = 2.0 ** -torch.tensor([2, 4, 6, 8])
panels = {"RoPE, ones": rope_scores(ones, ones, every)[None],
          "RoPE, random": rope_scores(q, k, every),
          "ALiBi, four heads": -slopes[:, None] * every.abs(),
          "T5, random": learned[t5_bucket(-every)][None]}
fig, axes = plt.subplots(2, 2, figsize=(5, 4.4), sharex=True)
for ax, (name, curves) in zip(axes.flat, panels.items()):
    for curve, look in zip(curves, ("-", "--", ":", "-.")):
        ax.plot(-every, curve, look, color="C0", lw=1.2)
    ax.axvline(0, color="C4", lw=0.8)
    ax.set(title=name)
fig.supxlabel("n − m: key on the left | key on the right")
fig.supylabel("score, or addition")
plt.show()
highest = -every[panels["RoPE, random"].argmax(dim=1)]
print("four random pairs, highest at n − m =", *highest.tolist())

# %% [markdown] tags=["en", "alt"]
# Four panels of curves against n minus m, from the left to the right of the query. RoPE with ones: a sharp peak in the middle, ripples on both sides, mirror-symmetric. RoPE with four random pairs: four different wavy curves without a common peak and without symmetry. ALiBi: four tents with different slopes. T5: a staircase with short steps in the middle and long ones outside, different on both sides.

# %% [markdown] tags=["zh", "alt"]
# 四幅曲线图，横轴是 n 减 m，从查询的左边到右边。全是 1 的 RoPE：中间一个尖峰，两侧起伏，左右对称。四对随机的 RoPE：四条形状各异的波浪线，没有共同的峰，也不对称。ALiBi：四个斜率不同的帐篷形。T5：台阶形，中间台阶短，外面台阶长，两侧不同。

# %% [markdown] tags=["en"]
# - With ones RoPE looks like a peak that falls to both sides. This is the usual picture of RoPE. It shows *one* query and *one* key.
# - With random pairs each curve is different, and none is symmetric. Their highest points lie at 1, 50, 45 and 7: four pairs, four places.
# - ALiBi is a tent in every head. All heads prefer what is near, some more, some less. On both sides the same: as a symmetric bias it is
#   [blind to direction](../relative.md#symmetric).
# - T5 can learn how high each stair is, on each side for itself. Where the stairs are is fixed.
#
# ## Does the score of RoPE fall with the distance? { #decay }
#
# “RoPE's scores decay with the distance” is often said. The last figure suggests that it depends on query and key. So take 4000 random
# pairs. On the left query and key have nothing to do with each other. On the right the key equals the query. The line is the mean. At
# each distance one tenth of the pairs lies below the band, one tenth above it. The dotted line on the right is the curve for ones.

# %% [markdown] tags=["zh"]
# - 查询和键全是 1 时，RoPE 像一座峰，向两边降。讲 RoPE 时，常见的就是这幅图。可它画的只是*一个*查询和*一个*键。
# - 换成随机的对，每条曲线都不同，没有一条对称。最高点在 1、50、45、7：四对，四个地方。
# - ALiBi 的每个头都是帐篷形。所有的头都偏爱近处，程度不同；两边都一样，所以对称的 ALiBi [分不清方向](../relative.md#symmetric)。
# - T5 的每级台阶有多高，都可以学，两边还可以不同。台阶在哪里，是定死的。
#
# ## RoPE 的分数随距离下降吗 { #decay }
#
# 常有人说：“RoPE 的分数随距离衰减。”上一幅图却提示，这要看查询和键是什么。那就随机取 4000 对。左图，查询和键毫无关系；右图，键等于查询。
# 线是平均值。每个距离上，一成的对低于色带，一成高于色带。右图的点线，是查询和键全是 1 时的曲线。

# %%
torch.manual_seed(0)
count, distance = 4000, torch.arange(513)
q, k = torch.randn(2, count, D)
fig, axes = plt.subplots(1, 2, figsize=(5, 2.8), sharey=True)
aligned = rope_scores(ones, ones, distance)
for ax, name, key in zip(axes, ("independent", "k = q"), (k, q)):
    scores = rope_scores(q, key, distance)         # (count, distances)
    mean = scores.mean(dim=0)
    low, high = scores.quantile(torch.tensor([0.1, 0.9]).double(), dim=0)
    ax.fill_between(distance, low, high, alpha=0.25, lw=0)
    ax.plot(distance, mean)
    ax.set(title=name, xlabel="distance")
    off = (mean - aligned).abs().max()
    if name == "k = q":
        assert off < 0.02, "the mean no longer follows the curve of ones"
        print(f"{name}: the mean follows q = k = ones within 0.02")
    else:
        width = high - low
        assert mean.abs().max() < 0.02, "the mean is no longer near 0"
        assert width.min() > 0.9 * width.max(), "the band changes its width"
        print(f"{name}: mean within 0.02 of 0, band of even width")
one_pair = torch.zeros(D)
one_pair[0] = 1
fast = rope_scores(one_pair, one_pair, torch.tensor([0, 3, 44]))
print("k = q, all in the fastest pair, distances 0, 3, 44:",
      *(f"{score:.2f}" for score in fast.tolist()))
axes[1].plot(distance, aligned, color="C4", ls=":")
axes[0].set(ylabel="score")
plt.show()

# %% [markdown] tags=["en", "alt"]
# Score against distance from 0 to 512 in two panels with the same axes. On the left, query and key independent, the mean is a level line at zero inside a band of even width. On the right, key equal to query, the mean falls from 1 with strong ripples to a fraction of that, inside a band, and covers the dotted curve for ones.

# %% [markdown] tags=["zh", "alt"]
# 两幅小图，坐标轴相同，是分数随距离 0 到 512 的变化。左边，查询和键互不相干：平均值是零处的水平线，色带宽度均匀。右边，键等于查询：平均值从 1 起，带着很强的起伏降到很低，外面有色带，平均值的线正好盖住全是 1 时的点线。

# %% [markdown] tags=["en"]
# - Independent query and key: the mean is 0 at every distance, and the band does not get narrower either. **Nothing decays.**
# - Key equal to query: the mean follows the curve for ones. Here the trend falls, with ripples.
#
# So the decay belongs to queries and keys that point the same way before they are turned, and there to the mean. A single query may do otherwise: if all its length lies in the fastest pair,
# the score is one cosine. It is −0.99 at distance 3 and back at 1.00 at distance 44. Between independent ones RoPE prefers no distance.
# [Barbero et al. 2024](https://arxiv.org/abs/2410.06205) (section 3) prove that independent normally distributed queries and keys have an expected score of zero at every distance. What trained queries and keys do is another question, which this figure
# does not answer.
#
# ## RoPE, slowed down { #scalings }
#
# For [longer texts](../longer.md#interpolation) the pairs of RoPE are slowed down. The methods differ in which ones. A head of width 128, trained on 2048 positions, is to
# read 4 times as much. The program prints how many times slower four of the 64 pairs get, from the fastest to the slowest.

# %% [markdown] tags=["zh"]
# - 查询和键互不相干：每个距离上平均都是 0，色带也不变窄。**什么也没有衰减。**
# - 键等于查询：平均值和全是 1 时的曲线重合。这时，大趋势是下降，带着起伏。
#
# 可见，旋转之前方向就相同的查询和键，分数才谈得上衰减，而且是就平均而言。单个查询可以不是这样：如果全部长度都在最快的一对里，分数就是一个余弦，距离 3 处是 −0.99，到距离 44 又回到 1.00。两者互不相干时，RoPE 不偏爱任何距离。[Barbero 等（2024）](https://arxiv.org/abs/2410.06205)（第 3 节）证明：
# 互相独立、服从正态分布的查询和键，在每个距离上分数的期望都是零。训练出来的查询和键会怎样，是另一个问题，这幅图回答不了。
#
# ## 放慢的 RoPE { #scalings }
#
# 为了读[更长的文本](../longer.md#interpolation)，要把 RoPE 的各对放慢。各种方法的区别，在于放慢哪些对。一个头宽 128，训练时读 2048 个位置，
# 现在要读 4 倍长的文本。程序打印出 64 对里的四对，速度各除以多少，从最快的到最慢的。

# %%
D, base, L, s = 128, 10000.0, 2048, 4
i = torch.arange(0, D, 2).double()
theta = base ** (-i / D)                           # (D/2,)
turns = L * theta / (2 * torch.pi)                 # within L
first, last = (D * math.log(L / (2 * math.pi * n)) / 2 / math.log(base)
               for n in (32, 1))
keep = 1 - ((i / 2 - math.floor(first))
            / (math.ceil(last) - math.floor(first))).clamp(0, 1)
llama = ((turns - 1) / (4 - 1)).clamp(0, 1)
scaled = {"PI": theta / s,
          "NTK-aware": (base * s ** (D / (D - 2))) ** (-i / D),
          "YaRN": keep * theta + (1 - keep) * theta / s,
          "Llama 3": llama * theta + (1 - llama) * theta / s}
print("times slower, pairs 0, 20, 40, 63:")
for name, x in scaled.items():
    slower = (theta / x)[[0, 20, 40, 63]]
    print(f"{name:>9}:", ", ".join(f"{v:.2f}" for v in slower))

# %% [markdown] tags=["en"]
# Read a line from the fastest pair to the slowest.
#
# - **PI**, position interpolation, makes all pairs 4 times slower.
# - **NTK-aware** scaling begins with 1 and ends with 4. The slower a pair is, the more it is slowed.
# - **YaRN** and **Llama 3** also begin with 1 and end with 4. They leave more of the fast pairs alone: for pair 20 they have 1.14 and 1.00,
#   NTK-aware has 1.55. They make up for it later, and slow pair 40 more.
#
# Now the scores. The grey dashed curve is plain RoPE, the solid one the scaling. Distances are on a logarithmic axis. Each point is the mean over the distances that differ from it
# by up to a tenth: that takes out the ripples and leaves the trend. The dotted line marks 2048.

# %% [markdown] tags=["zh"]
# 每一行都从最快的一对读到最慢的一对。
#
# - **PI** 就是位置插值（position interpolation），所有的对，速度都除以 4。
# - **NTK-aware** 缩放从除以 1 开始，到除以 4 为止：原来越慢的对，放慢得越多。
# - **YaRN** 和 **Llama 3** 也从 1 开始，到 4 为止。但是快的对，它们少动一些：20 号对是 1.14 和 1.00，NTK-aware 是 1.55。前面少放慢的，到后面补上，所以 40 号对放慢得更多。
#
# 再看分数。灰色虚线是原来的 RoPE，实线是缩放之后的。距离用对数刻度。每个点取的是平均，凡是和它相差不超过十分之一的距离都算进去：这样去掉起伏，留下趋势。点线标出 2048。

# %%
ones, every = torch.ones(D), torch.arange(1, 9500)
some = torch.logspace(0, 13, 80, base=2).round().unique().int().tolist()
curves = {name: rope_scores(ones, ones, every, x)
          for name, x in {"plain": theta, **scaled}.items()}


def around(score, k):
    """Mean over the distances that differ from k by up to a tenth."""
    return score[math.ceil(0.9 * k) - 1:math.floor(1.1 * k)].mean()


fig, axes = plt.subplots(2, 2, figsize=(5, 4.4), sharex=True, sharey=True)
for ax, name in zip(axes.flat, scaled):
    for which, look in (("plain", "C4--"), (name, "C0-")):
        ax.semilogx(some, [around(curves[which], k) for k in some], look)
    ax.axvline(L, color="C4", lw=0.8, ls=":")
    ax.set(title=name)
fig.supxlabel("distance")
fig.supylabel("score, q = k = ones")
plt.show()
print("distance " + "".join(f"{k:6}" for k in (1, 4, 16, 128, L, s * L)))
for name, score in curves.items():
    print(f"{name:>9}" + "".join(f"{around(score, k):6.2f}"
                                 for k in (1, 4, 16, 128, L, s * L)))
short = torch.arange(0, L + 1)
squeezed = rope_scores(ones, ones, s * short, scaled["PI"])
print("PI at 4 times the distance is plain RoPE:",
      torch.allclose(squeezed, rope_scores(ones, ones, short, theta)))

# %% [markdown] tags=["en", "alt"]
# Score against distance on a logarithmic axis, four panels, in each the dashed curve of plain RoPE, which falls from near 1 to about 0. PI: the solid curve has the same shape, moved to the right. NTK-aware: it leaves the dashed curve slowly from the beginning. YaRN: it lies on the dashed curve at first and leaves it soon. Llama 3: it lies on the dashed curve for longer, then runs nearly level for a while before it falls again. At the right end all four solid curves lie at the same small height above the dashed one.

# %% [markdown] tags=["zh", "alt"]
# 四幅小图，分数随距离的变化，横轴是对数刻度。每幅都有原来的 RoPE，是一条虚线，从接近 1 降到 0 左右。PI：实线形状相同，只是右移了。NTK-aware：从一开始就慢慢离开虚线。YaRN：开头和虚线重合，不久就离开。Llama 3：和虚线重合得更久，然后有一段几乎是平的，再下降。在右端，四条实线都比虚线略高，高度相同。

# %% [markdown] tags=["en"]
# - **PI** moves the whole curve to the right. At 4 times the distance it is exactly plain RoPE. So the near end pays: at
#   distance 1 the score is 1.00 instead of 0.97, hardly different from that at distance 0.
# - **NTK-aware** scaling leaves the near end nearly as it was, and departs more and more.
# - **YaRN** leaves the near end alone, and **Llama 3** even more so: at distance 16 it still has 0.62, as plain RoPE does. In exchange it has to make up the whole
#   difference in the middle.
# - All of them end at 8192 close to where plain RoPE stood at 2048, 0.10. That is what they are for.
#
# YaRN also multiplies all scores by a number. It is left out here.
#
# ## What this does not show { #limits }
#
# - Between these pictures and a model stand $W_q$ and $W_k$. A model can use single columns, turn them, or ignore them. A similarity is a summary of the encoding, not what attention does with it.
# - “q = k = ones” is one query and one key. It is the usual picture, and [no typical one](#decay).
# - T5's numbers are random here, and the trained table is one table of one model.
# - That two scalings have similar curves does not mean that models with them work alike. [Long text](../longer.md#fine-tuning) lists what was measured.
#
# ## Check yourself { #check-yourself }
#
# <details><summary>You see the picture of all pairs of an unknown encoding. The stripes along the diagonals waver. What do you conclude?</summary>
#
# That its similarity does not depend on the distance alone. It is no sinusoid. A [learned table](#all-pairs) looks like that.
#
# </details>
#
# <details><summary>Someone shows a falling curve for q = k = ones and says: “RoPE prefers near words.” What is missing?</summary>
#
# Other queries and keys. For independent ones the [mean is 0](#decay) at every distance, and the band does not get narrower.
#
# </details>
#
# <details><summary>Which of the four scalings makes neighbours harder to tell apart, and where do you see it?</summary>
#
# PI. At [distance 1](#scalings) its score is 1.00, that of the other three 0.97, as with plain RoPE.
#
# </details>
#
# **In one sentence.** Draw an encoding in three ways, as a table, over all pairs and against the distance, and you see whether distance alone counts, whether left and right
# differ, and whether scores really fall; the well-known falling curve of RoPE is the mean over equal queries and keys, and no property of RoPE.
#
# ## Sources { #sources }
#
# - Vaswani et al., *Attention Is All You Need*, [arXiv:1706.03762](https://arxiv.org/abs/1706.03762): the sinusoid.
# - Su et al., *RoFormer*, [arXiv:2104.09864](https://arxiv.org/abs/2104.09864): RoPE.
# - Press et al., *Train Short, Test Long*, [arXiv:2108.12409](https://arxiv.org/abs/2108.12409): ALiBi.
# - Raffel et al., *T5*, [arXiv:1910.10683](https://arxiv.org/abs/1910.10683): buckets.
# - Barbero et al., *Round and Round We Go! What makes Rotary Positional Encodings useful?*, [arXiv:2410.06205](https://arxiv.org/abs/2410.06205).
# - Chen et al., [arXiv:2306.15595](https://arxiv.org/abs/2306.15595) (PI); Peng et al., [arXiv:2309.00071](https://arxiv.org/abs/2309.00071) (NTK-aware, YaRN); Grattafiori et al.,
#   [arXiv:2407.21783](https://arxiv.org/abs/2407.21783) (Llama 3).

# %% [markdown] tags=["zh"]
# - **PI** 把整条曲线向右移：距离变成 4 倍，分数和原来的 RoPE 完全一样。代价由近处承担：距离 1 的分数是 1.00，而不是 0.97，和距离 0 几乎没有分别。
# - **NTK-aware** 缩放，近处几乎不变，越远差得越多。
# - **YaRN** 近处不动。**Llama 3** 保持得更远：到距离 16 还是 0.62，和原来的 RoPE 一样。相应地，差别要全部在中间一段补上。
# - 到了 8192，四种缩放都在 0.10 左右，也就是原来的 RoPE 在 2048 处的值。它们就是为这个设计的。
#
# YaRN 还会把所有分数乘上一个数，这里没有画。
#
# ## 这个实验没有说明什么 { #limits }
#
# - 这些图和模型之间，还隔着 $W_q$ 和 $W_k$。模型可以只用某几列，可以转动它们，也可以不理会。相似度只是编码的一个概括，并不是注意力（attention）实际的用法。
# - “q = k = ones”只是一个查询和一个键。这幅图最常见，却[并不典型](#decay)。
# - T5 的数在这里是随机的；训练过的表，也只是一个模型的一张表。
# - 两种缩放的曲线相近，不等于用上它们的模型表现相近。实际测过的结果，列在[长文本](../longer.md#fine-tuning)那一页。
#
# ## 自测 { #check-yourself }
#
# <details><summary>有一种没见过的编码，两两之间的图上，沿斜线的条纹在晃动。你得出什么结论？</summary>
#
# 它的相似度不是只由距离决定的，所以不是正弦。[学出来的表](#all-pairs)就是这个样子。
#
# </details>
#
# <details><summary>有人拿出 q = k = ones 时下降的曲线，说：“RoPE 偏爱近处的词。”还缺什么？</summary>
#
# 还缺别的查询和键。两者互不相干时，每个距离上的[平均都是 0](#decay)，色带也不变窄。
#
# </details>
#
# <details><summary>四种缩放里，哪一种让相邻的位置更难区分？从哪里看出来？</summary>
#
# PI。[距离 1](#scalings) 处，它的分数是 1.00，另外三种是 0.97，和原来的 RoPE 一样。
#
# </details>
#
# **一句话总结。**
# 把编码画三次：整张表，两两之间，随距离的变化。这样就能看出是不是只有距离起作用，左和右有没有分别，分数是不是真的下降。
# RoPE 那条有名的下降曲线，是许多相等的查询和键的平均，不是 RoPE 本身的性质。
#
# ## 参考资料 { #sources }
#
# - Vaswani 等，*Attention Is All You Need*，[arXiv:1706.03762](https://arxiv.org/abs/1706.03762)：正弦位置编码。
# - Su 等，*RoFormer*，[arXiv:2104.09864](https://arxiv.org/abs/2104.09864)：RoPE。
# - Press 等，*Train Short, Test Long*，[arXiv:2108.12409](https://arxiv.org/abs/2108.12409)：ALiBi。
# - Raffel 等，*T5*，[arXiv:1910.10683](https://arxiv.org/abs/1910.10683)：桶。
# - Barbero 等，*Round and Round We Go! What makes Rotary Positional Encodings useful?*，[arXiv:2410.06205](https://arxiv.org/abs/2410.06205)。
# - Chen 等，[arXiv:2306.15595](https://arxiv.org/abs/2306.15595)（PI）；Peng 等，[arXiv:2309.00071](https://arxiv.org/abs/2309.00071)（NTK-aware、YaRN）；Grattafiori 等，[arXiv:2407.21783](https://arxiv.org/abs/2407.21783)（Llama 3）。
