# Adds up callgrind's dumps of `grid -g`: for each series the instructions of one operation outside the
# loader, among 10 to 100,000 of something. Prints the table; GROWS marks a series that takes more than
# twice as many among the most as among the fewest that are at least 100, as a first use costs more,
# and CUT one that was too slow to go on. With `limits`, the file of the series that may grow by more,
# prints a line for each as tests print them.
#
# A dump's name is `series|of how many|operations`.

function store() {
  if (series != "") {
    if (!(series in fewest)) {
      order[++count] = series
      fewest[series] = of
    }
    used = int(instructions / operations + 0.5)
    if (!((series, of) in figure) || used < figure[series, of]) figure[series, of] = used
    most[series] = of
  }
  series = ""
}

/^part: / { store(); instructions = 0; object = "" }
/^desc: Trigger: Client Request: / {
  split(substr($0, length("desc: Trigger: Client Request: ") + 1), name, "|")
  series = name[1]; of = name[2]; operations = name[3]
}
/^ob=/ { object = substr($0, 4) }
/^calls=/ { of_callee = 1; next }
/^[0-9]/ {
  if (!of_callee && object !~ /libze_loader/) instructions += $2
  of_callee = 0
}

# The cost among the most, in that among the fewest.
function growth(series,    first) {
  first = figure[series, 100] > figure[series, 10] ? figure[series, 10] : figure[series, 100]
  if (first < 1) first = 1
  return figure[series, most[series]] / first
}

function is_cut(series) { return most[series] < 100000 }

END {
  store()
  while (limits != "" && (getline line < limits) > 0)
    if (line !~ /^#/) { split(line, field, "|"); limit[field[1]] = field[2] }
  if (limits == "")
    printf "%-66s %8s %8s %8s %8s %8s\n", "instructions of one operation among", "10", "100", "1,000",
      "10,000", "100,000"
  for (i = 1; i <= count; i++) {
    if (limits == "") {
      printf "%-66s", order[i]
      for (n = 10; n <= 100000; n *= 10) {
        key = order[i] SUBSEP n
        if (key in figure)
          printf " %8d", figure[key]
        else
          printf " %8s", "-"
      }
      printf "%s%s\n", (growth(order[i]) > 2) ? "  GROWS" : "", is_cut(order[i]) ? "  CUT" : ""
      continue
    }
    if (!(order[i] in limit)) limit[order[i]] = 2
    fine = growth(order[i]) <= limit[order[i]]
    if (fine) passed++; else failed++
    printf "%s growth: %s, %.1f times at %d, of at most %.1f\n", fine ? "pass" : "FAIL", order[i],
      growth(order[i]), most[order[i]], limit[order[i]]
  }
  if (limits != "") printf "%d passed, %d failed\n", passed, failed
  exit failed > 0 || count == 0
}
