#!/usr/bin/env python3
"""page.py FOLDER: one page of the figures that `make bench` left in FOLDER, to standard output.
page.py --picture FILE: the chart of the README, as SVG, of the instructions in a file that holds the
tables of `make bench-sycl` (sycl.txt, bench/README.md).

counts.txt  instructions (instructions.sh)
times.txt   nanoseconds (time.c), a table for each loader and driver
threads.txt scaling over threads (threads.c)
sycl.txt    beside Intel's SYCL runtime (bench/sycl), where that was measured

Charts of what is missing are left out. The page needs no other file and no script."""
import html
import math
import pathlib
import re
import sys

COLOURS = ("#1f6feb", "#8b949e", "#d1242f", "#1a7f37", "#9a6700", "#8250df")


def lines_of(folder, name):
    path = pathlib.Path(folder) / name
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def counts(folder):
    """Rows of (operation, beyond Level Zero, plain, peer) on the newer loader."""
    rows = []
    for line in lines_of(folder, "counts.txt"):
        found = re.match(r"(.{52}) +(\S+) +(\S+) +\d+ +\S+ +-?\d+ +\d+ +(\S+) +(-?\d+)", line)
        if found:
            name, _, peer, plain, beyond = found.groups()
            rows.append((name.strip(), number(beyond), number(plain), number(peer)))
    return rows


def times(folder):
    """Titles with rows of (operation, syclze, plain)."""
    tables = []
    for line in lines_of(folder, "times.txt"):
        if line.endswith(":"):
            tables.append((line[:-1], []))
            continue
        found = re.match(r"(.{52}) +\S+ +\S+ +(\S+) +\S+ +(\S+)", line)
        if found and tables and number(found[2]) is not None:
            tables[-1][1].append((found[1].strip(), number(found[2]), number(found[3])))
    return tables


def threads(folder):
    """Titles with the widths and rows of (operation, nanoseconds at each width)."""
    tables, title = [], ""
    for line in lines_of(folder, "threads.txt"):
        widths = [int(width) for width in re.findall(r"(\d+) thr\.", line)]
        if line.startswith("On ") and line.endswith(":"):
            title = line[:-1]
        elif line.startswith("ns: "):
            break
        elif widths:
            tables.append((f"{title}, {line[:34].split(',')[0].strip()}", widths, []))
        elif tables:
            each = [float(value) for value in re.findall(r"([\d.]+) +\d+%", line[34:])]
            if len(each) == len(tables[-1][1]):
                tables[-1][2].append((line[:34].strip(), each))
    return tables


def threads_beside_sycl(folder):
    """The number of threads, and rows of (operation, syclze, DPC++) in nanoseconds on so many."""
    width, rows = 0, []
    for line in lines_of(folder, "threads.txt"):
        if line.startswith("ns: "):
            width = int(re.findall(r"(\d+) thr\.", line)[-1])
        elif width:
            pairs = re.findall(r"([\d.]+) +([\d.]+) +[\d.]+x", line[32:])
            if pairs:
                rows.append((line[:32].strip(), float(pairs[-1][1]), float(pairs[-1][0])))
    return width, rows


def beside_sycl(lines, unit):
    """Rows of (operation, syclze, the better adapter of DPC++) of the table in that unit."""
    rows, is_in = [], False
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            is_in = False
        elif len(cells) == 5 and cells[1] == "DPC++ v1":
            is_in = cells[0].startswith(unit)
        elif is_in and len(cells) == 5:
            values = [number(cell.replace(",", "")) for cell in cells[1:]]
            peers = [value for value in values[:2] if value is not None]
            own = [value for value in values[2:] if value is not None]
            if own:
                rows.append((cells[0], min(own), min(peers) if peers else None))
    return rows


def shown(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:.3g}"


def text(x, y, content, **attributes):
    extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{extra}>{html.escape(content)}</text>'


def svg(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>' + "".join(parts) + "</svg>")


def legend(names, left, y):
    parts = []
    for name, colour in zip(names, COLOURS):
        parts.append(f'<rect x="{left}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
        parts.append(text(left + 14, y, name))
        left += 30 + 7 * len(name)
    return parts


def bars(title, names, rows):
    """Groups of horizontal bars on a logarithmic scale, which the title states. None is no bar."""
    left, width, thick = 330, 860, 11
    most = max(value for row in rows for value in row[1:] if value)
    least = min(1.0, min(value for row in rows for value in row[1:] if value and value > 0))
    scale = (width - left - 80) / math.log10(most / least * 1.0001)
    parts, y = [text(10, 20, title + " (logarithmic scale)", font_size=15, font_weight="bold")], 60
    parts += legend(names, left, 40)
    for row in rows:
        parts.append(text(left - 8, y + thick, row[0], text_anchor="end"))
        for value, colour in zip(row[1:], COLOURS):
            if value is None:
                continue
            length = max(1.5, math.log10(max(value, least) / least) * scale)
            parts.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{thick - 2}" '
                         f'fill="{colour}"/>')
            parts.append(text(left + length + 4, y + thick - 2, shown(value), font_size=10))
            y += thick
        y += 8
    return svg(width, y + 10, parts)


def curves(title, names, rows, unit="ns"):
    """A curve of points for each row, both scales logarithmic."""
    across = sorted({x for _, points in rows for x, _ in points})
    left, width, height = 60, 860, 60 + max(300, 17 * len(rows))
    right, bottom = width - 330, height - 40
    values = [y for _, points in rows for _, y in points]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    spread = max(math.log2(across[-1] / across[0]), 1)
    at_x = lambda value: left + math.log2(value / across[0]) / spread * (right - left)
    at_y = lambda value: bottom - (math.log10(value) - low) / (high - low) * (bottom - 40)
    parts = [text(10, 20, title, font_size=15, font_weight="bold")]
    for power in range(low, high + 1):
        y = at_y(10.0 ** power)
        parts.append(f'<path d="M{left} {y:.1f}H{right}" stroke="#d0d7de"/>')
        parts.append(text(left - 6, y + 4, f"{10.0 ** power:g}", text_anchor="end"))
    for value in across:
        parts.append(text(at_x(value), bottom + 18, f"{value:,}", text_anchor="middle"))
    parts.append(text((left + right) / 2, bottom + 34, names, text_anchor="middle"))
    parts.append(text(8, 36, unit))
    for i, (name, curve) in enumerate(rows):
        colour, dash = COLOURS[i % len(COLOURS)], ("", "6 3", "2 2")[i // len(COLOURS) % 3]
        points = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in curve)
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{points}" {style}/>')
        y = 48 + 17 * i
        parts.append(f'<path d="M{right + 20} {y}h24" {style}/>')
        parts.append(text(right + 50, y + 4, name))
    return svg(width, height, parts)


def live(rows):
    """Rows of (operation, points) of what was counted with so many objects alive."""
    series = {}
    for name, beyond, plain, _ in rows:
        found = re.match(r"(.*), ([\d,]+) alive$", name)
        if found:
            series.setdefault(found[1], {})[int(found[2].replace(",", ""))] = beyond + (plain or 0)
    return [(name, sorted(each.items())) for name, each in series.items()]


def page(folder):
    counted, charts = counts(folder), []
    compared = [row for row in counted if not row[0].endswith("alive") and row[1] and row[1] > 0]
    if compared:
        charts.append(bars("Instructions for each operation",
                           ("syclze, beyond Level Zero", "the same calls by hand", "DPC++ 2026.2"),
                           compared))
        charts.append(curves("Instructions beside live objects", "objects alive", live(counted),
                             "instructions"))
    for title, rows in times(folder):
        rows = [row for row in rows if row[1] > 0 and not row[0].startswith("get_native")]
        if rows:
            charts.append(bars(f"Nanoseconds. {title}", ("syclze", "the same calls by hand"), rows))
    beside = beside_sycl(lines_of(folder, "sycl.txt"), "nanoseconds")
    if beside:
        charts.append(bars("Nanoseconds beside DPC++, on the embedded device", ("syclze", "DPC++"),
                           beside))
    width, rows = threads_beside_sycl(folder)
    if rows:
        charts.append(bars(f"Nanoseconds of each of {width} threads, on the embedded device",
                           ("syclze", "DPC++"), rows))
    for title, widths, rows in threads(folder):
        if rows and len(widths) > 1:
            charts.append(curves(f"{title}: ns of one operation of a thread", "threads",
                                 [(name, list(zip(widths, each))) for name, each in rows]))
    if not charts:
        sys.exit("page.py: no figures in " + str(folder))
    body = "\n".join(f"<p>{chart}</p>" for chart in charts)
    print("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>syclze: results"
          f"</title></head>\n<body>\n<h1>Results</h1>\n{body}\n</body></html>")


def picture(path):
    rows = beside_sycl(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), "instructions")
    if not rows:
        sys.exit("page.py: no instructions beside DPC++ in " + path)
    print(bars("Instructions of one operation outside Level Zero", ("syclze", "DPC++ 2026.2"), rows))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--picture":
        picture(sys.argv[2])
    elif len(sys.argv) == 2:
        page(sys.argv[1])
    else:
        sys.exit(__doc__)
