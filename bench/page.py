#!/usr/bin/env python3
"""page.py FOLDER: one page of the figures that `make bench` left in FOLDER, to standard output.
page.py --picture FILE: one chart, as SVG, of the instructions in a file that holds the tables of
`make bench-sycl` (sycl.txt, bench/results.md).

counts.txt  instructions (instructions.sh)
times.txt   nanoseconds (time.c), a table for each loader and driver
threads.txt scaling over threads (threads.c)
sycl.txt    beside Intel's SYCL runtime (bench/sycl), where that was measured

Each chart is of one file, so of one run, and states it as the file does (about.sh). Charts of what is
missing are left out. The page needs no other file and no script."""
import html
import math
import pathlib
import re
import sys

COLOURS = ("#1f6feb", "#8b949e", "#d1242f", "#1a7f37", "#9a6700", "#8250df")


def lines_of(folder, name):
    path = pathlib.Path(folder) / name
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def run_of(lines):
    """The two lines of about.sh that stand last in `lines`, above a table."""
    run = [line for line in lines if line.startswith(("Run of ", "Versions: "))][-2:]
    if len(run) != 2:
        sys.exit("page.py: a table does not state its run")
    return run


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def counts(folder):
    """Rows of (operation, beyond Level Zero, plain) on the newer loader."""
    rows = []
    for line in lines_of(folder, "counts.txt"):
        found = re.match(r"(.{52}) +\S+ +\S+ +\d+ +\S+ +-?\d+ +\d+ +(\S+) +(-?\d+)", line)
        if found:
            rows.append((found[1].strip(), number(found[3]), number(found[2])))
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


def heading(title, run):
    return [text(10, 20, title, font_size=15, font_weight="bold")] + [
        text(10, 36 + 13 * i, line, font_size=10, fill="#57606a") for i, line in enumerate(run)]


def legend(names, left, y):
    parts = []
    for name, colour in zip(names, COLOURS):
        parts.append(f'<rect x="{left}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
        parts.append(text(left + 14, y, name))
        left += 30 + 7 * len(name)
    return parts


def bars(title, run, names, rows):
    """Groups of horizontal bars on a logarithmic scale, which the title states. None is no bar."""
    left, width, thick = 330, 860, 11
    most = max(value for row in rows for value in row[1:] if value)
    least = min(1.0, min(value for row in rows for value in row[1:] if value and value > 0))
    scale = (width - left - 80) / math.log10(most / least * 1.0001)
    parts, y = heading(title + " (logarithmic scale)", run), 86
    parts += legend(names, left, 70)
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


def curves(title, run, names, rows, unit="ns"):
    """A curve of points for each row, both scales logarithmic, which the title states."""
    across = sorted({x for _, points in rows for x, _ in points})
    left, top, width, height = 60, 78, 860, 98 + max(300, 17 * len(rows))
    right, bottom = width - 330, height - 40
    values = [y for _, points in rows for _, y in points]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    spread = max(math.log2(across[-1] / across[0]), 1)
    at_x = lambda value: left + math.log2(value / across[0]) / spread * (right - left)
    at_y = lambda value: bottom - (math.log10(value) - low) / (high - low) * (bottom - top)
    parts = heading(title + " (logarithmic scales)", run)
    for power in range(low, high + 1):
        y = at_y(10.0 ** power)
        parts.append(f'<path d="M{left} {y:.1f}H{right}" stroke="#d0d7de"/>')
        parts.append(text(left - 6, y + 4, f"{10.0 ** power:g}", text_anchor="end"))
    for value in across:
        parts.append(text(at_x(value), bottom + 18, f"{value:,}", text_anchor="middle"))
    parts.append(text((left + right) / 2, bottom + 34, names, text_anchor="middle"))
    parts.append(text(8, top - 14, unit))
    for i, (name, curve) in enumerate(rows):
        colour, dash = COLOURS[i % len(COLOURS)], ("", "6 3", "2 2")[i // len(COLOURS) % 3]
        points = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in curve)
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{points}" {style}/>')
        y = top + 8 + 17 * i
        parts.append(f'<path d="M{right + 20} {y}h24" {style}/>')
        parts.append(text(right + 50, y + 4, name))
    return svg(width, height, parts)


def live(rows):
    """Rows of (operation, points) of what was counted with so many objects alive."""
    series = {}
    for name, beyond, plain in rows:
        found = re.match(r"(.*), ([\d,]+) alive$", name)
        if found:
            series.setdefault(found[1], {})[int(found[2].replace(",", ""))] = beyond + (plain or 0)
    return [(name, sorted(each.items())) for name, each in series.items()]


def page(folder):
    charts = []

    def draw(kind, name, title, *figures):
        charts.append(kind(title, run_of(lines_of(folder, name)), *figures))

    counted = counts(folder)
    compared = [row for row in counted if not row[0].endswith("alive") and row[1] and row[1] > 0]
    if compared:
        draw(bars, "counts.txt", "Instructions for each operation",
             ("syclze, beyond Level Zero", "the same calls by hand"), compared)
        draw(curves, "counts.txt", "Instructions beside live objects", "objects alive",
             live(counted), "instructions")
    for title, rows in times(folder):
        rows = [row for row in rows if row[1] > 0 and not row[0].startswith("get_native")]
        if rows:
            draw(bars, "times.txt", f"Nanoseconds. {title}", ("syclze", "the same calls by hand"),
                 rows)
    for unit, where in (("instructions", "outside Level Zero"),
                        ("nanoseconds", "on the embedded device")):
        rows = beside_sycl(lines_of(folder, "sycl.txt"), unit)
        if rows:
            draw(bars, "sycl.txt", f"{unit.capitalize()} beside DPC++, {where}",
                 ("syclze", "DPC++"), rows)
    width, rows = threads_beside_sycl(folder)
    if rows:
        draw(bars, "threads.txt", f"Nanoseconds of each of {width} threads, on the embedded device",
             ("syclze", "DPC++"), rows)
    for title, widths, rows in threads(folder):
        if rows and len(widths) > 1:
            draw(curves, "threads.txt", f"{title}: ns of one operation of a thread", "threads",
                 [(name, list(zip(widths, each))) for name, each in rows])
    if not charts:
        sys.exit("page.py: no figures in " + str(folder))
    body = "\n".join(f"<p>{chart}</p>" for chart in charts)
    print("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>syclze: results"
          f"</title></head>\n<body>\n<h1>Results</h1>\n{body}\n</body></html>")


def picture(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    rows = beside_sycl(lines, "instructions")
    if not rows:
        sys.exit("page.py: no instructions beside DPC++ in " + path)
    above = lines[:[line.startswith("| instructions") for line in lines].index(True)]
    print(bars("Instructions of one operation outside Level Zero", run_of(above),
               ("syclze", "DPC++"), rows))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--picture":
        picture(sys.argv[2])
    elif len(sys.argv) == 2:
        page(sys.argv[1])
    else:
        sys.exit(__doc__)
