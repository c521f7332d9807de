# Reads gcov's JSON, one translation unit per line, and prints the tables of tests/coverage.sh. gcov writes
# a line's branches, its count and its number in this order. A line that stands in several functions
# has several entries.

# `text` is one entry, from its first branch on.
function take_line(text, number,   count, branches, part, n, i) {
  count = text
  sub(/^[^]]*\], "count": /, "", count)
  if (!((file, number) in lines)) lines[file, number] = 0
  if (count + 0 > 0) lines[file, number] = 1
  if (number > last[file] + 0) last[file] = number
  branches = text
  sub(/\].*$/, "", branches)
  n = split(branches, part, /"count": /) - 1
  for (i = 1; i <= n; i++)
    if (part[i + 1] + 0 > 0) taken[file, number, i] = 1
  if (n > most[file, number] + 0) most[file, number] = n
}

{
  units = split($0, unit, /\{"lines": \[/)
  for (u = 2; u <= units; u++) {
    file = unit[u]
    if (!sub(/^.*\], "file": "/, "", file)) continue
    sub(/".*$/, "", file)
    if (file ~ /tests\// || !sub(/^(.*\/)?syclze\//, "syclze/", file)) continue
    known[file] = 1
    body = unit[u]
    sub(/\], "functions": .*$/, "", body)
    entries = split(body, entry, /\{"branches": \[/)
    for (e = 2; e <= entries; e++) {
      number = entry[e]
      sub(/^.*"line_number": /, "", number)
      take_line(entry[e], number + 0)
    }
  }
}

function percent(part, whole) {
  return whole > 0 ? 100 * part / whole : 100
}

function print_row(name, l, of_l, b, of_b) {
  printf "%-32s %5d of %5d %6.1f %% %6d of %5d %6.1f %%\n", name, l, of_l, percent(l, of_l), b, of_b,
      percent(b, of_b)
}

# Adds up a file, and prints its row.
function print_file(name,   l, of_l, b, of_b, without, half, wing, i, j, all) {
  without = half = ""
  for (i = 1; i <= last[name]; i++) {
    if (!((name, i) in lines)) continue
    of_l++
    l += lines[name, i]
    if (!lines[name, i]) without = without " " i
    all = 1
    for (j = 1; j <= most[name, i]; j++) {
      of_b++
      if ((name, i, j) in taken) b++
      else all = 0
    }
    if (!all && lines[name, i]) half = half " " i
  }
  print_row(name, l, of_l, b, of_b)
  if (missing != "" && without != "") print "  lines:" without
  if (missing != "" && half != "") print "  branches:" half
  wing = name ~ /^syclze\/offload\//
  total_l[wing] += l
  total_of_l[wing] += of_l
  total_b[wing] += b
  total_of_b[wing] += of_b
}

END {
  count = 0
  for (name in known) {
    for (i = count++; i > 0 && sorted[i] > name; i--)
      sorted[i + 1] = sorted[i]
    sorted[i + 1] = name
  }
  printf "%-32s %25s %26s\n", "", "lines", "branches"
  for (i = 1; i <= count; i++)
    print_file(sorted[i])
  print_row("syclze/, without offload/", total_l[0], total_of_l[0], total_b[0], total_of_b[0])
  if (total_of_l[1] > 0)
    print_row("syclze/offload/", total_l[1], total_of_l[1], total_b[1], total_of_b[1])
  exit percent(total_l[0], total_of_l[0]) < least_lines ||
      percent(total_b[0], total_of_b[0]) < least_branches
}
