"""The figures as SVG: for each kernel the speed of Lacuna, of the fastest peer and of the plain
loop, with warm memory, beside the bound; the fastest peer is 1."""

from html import escape

from figures import best, bound, ours, plain
from peers import LACUNA, PLAIN
from report import milliseconds, peer_name, threads_text

MOST = 4.0  # the right edge of the axis, in speeds of the fastest peer
LABELS, WIDTH, ROW, BAR, TOP = 150, 400, 40, 10, 64
ROOM, GAP = 90, 30  # for the words beside a bar; between two columns
COLORS = {LACUNA: "#2166ac", "fastest peer": "#d6764a", PLAIN: "#8c8c8c"}
STYLE = ("text{font-family:Helvetica,Arial,sans-serif;font-size:11px;fill:#222}"
         ".inside{font-size:9px;fill:#fff}.small{font-size:9px;fill:#555}"
         ".title{font-size:14px;font-weight:bold}"
         ".bound{fill:#eef2f6;stroke:#9aa7b4;stroke-dasharray:3 2}.axis{stroke:#ccc}"
         ".spread{stroke:#222;stroke-width:1}rect.page{fill:#fff}")


def label(x, y, words, kind="", anchor="start"):
    place = f'x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}"'
    return f"<text {place}>{escape(words)}</text>"


def box(x, y, width, height, **attributes):
    more = " ".join('{}="{}"'.format(k.rstrip('_'), v) for k, v in attributes.items())
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" {more}/>'


def speeds(record, bandwidth):
    """The seconds of those that have any, one of which is the measure: the fastest peer's, else the
    plain loop's, else ours; and the bound's speed."""
    spreads = {LACUNA: ours(record), "fastest peer": best(record)[1], PLAIN: plain(record)}
    there = {name: s for name, s in spreads.items() if s}
    one = next(there[n].median for n in ("fastest peer", PLAIN, LACUNA) if n in there)
    limit = bound(record, bandwidth)
    return there, one, one / limit if limit else 0


def whisker(x, y, one, times):
    """How far the quartiles let the speed be less or more."""
    low, high = (min(one / s, MOST) * WIDTH / MOST for s in (times.high, times.low))
    return f'<line x1="{x + low:.1f}" x2="{x + high:.1f}" y1="{y:.1f}" y2="{y:.1f}" class="spread"/>'


def bars(record, bandwidth, x, y):
    if not ours(record):
        return
    times, one, limit = speeds(record, bandwidth)
    scale = WIDTH / MOST
    yield box(x, y, min(limit, MOST) * scale, 3 * BAR + 2, class_="bound")
    for n, (name, color) in enumerate(COLORS.items()):
        if name not in times:
            continue
        speed = one / times[name].median
        wide, top = min(speed, MOST) * scale, y + 1 + n * BAR
        who = peer_name(record, best(record)[0], "warm")
        yield box(x, top, wide, BAR - 1, fill=color)
        yield whisker(x, top + (BAR - 1) / 2, one, times[name])
        words = milliseconds(times[name].median) + " ms" + f" {who}" * (name == "fastest peer")
        if wide < WIDTH - ROOM:
            end = max(wide, min(one / times[name].low, MOST) * scale)
            yield label(x + end + 3, top + BAR - 2, words, "small")
        else:
            more = f", {speed:.1f} times" if speed > MOST else ""
            yield label(x + wide - 4, top + BAR - 2, words + more, "inside", "end")


def axis(x, height):
    for n in range(int(MOST) + 1):
        at = x + n * WIDTH / MOST
        yield f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP - 4}" y2="{height - 8}" class="axis"/>'
        yield label(at, TOP - 8, f"{n}", "small", "middle")


def legend():
    x = LABELS
    for name, color in COLORS.items():
        yield box(x, 12, 12, 9, fill=color)
        yield label(x + 16, 20, name)
        x += 100
    yield box(x, 12, 12, 9, class_="bound")
    yield label(x + 16, 20, "bound")


def svg(results, records):
    """A picture of some of the records: a column for each number of threads."""
    cases = list(dict.fromkeys((r["name"], r["data"]) for r in records))
    by_case = {(r["name"], r["data"], r["threads"]): r for r in records}
    height = TOP + ROW * len(cases) + 12
    width = LABELS + (WIDTH + GAP) * len(results["threads"])
    parts = [box(0, 0, width, height, class_="page"), *legend()]
    for column, threads in enumerate(results["threads"]):
        x = LABELS + column * (WIDTH + GAP)
        parts += [label(x, 42, f"{threads_text(threads)}: speed over the fastest peer's", "title")]
        parts += axis(x, height)
        for n, case in enumerate(cases):
            record = by_case.get((*case, threads))
            if record:
                parts += bars(record, results["bandwidth"], x, TOP + n * ROW)
    for n, (name, data) in enumerate(cases):
        parts += [label(LABELS - 8, TOP + n * ROW + 13, name, anchor="end"),
                  label(LABELS - 8, TOP + n * ROW + 26, data, "small", "end")]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" ' \
           f'viewBox="0 0 {width} {height}">'
    body = "\n".join(parts)
    return f"{head}\n<style>{STYLE}</style>\n{body}\n</svg>\n"
