# Adds up callgrind's dumps of `bench -i`, one file per loader: for each operation the instructions
# outside the loader, per operation. Prints a table, or with tests=1 a line for each budget as tests
# print them. A dump's name is `side|count|budget|peer|operation`.
#
# A cost line is `position instructions`; one after a `calls=` line is of the callee, which has its
# own lines.

function rounded(cost, count) { return int(cost / count + 0.5) }

function shown(number) { return number ? number : "-" }

# One dump is complete: what it counted belongs to `operation` on the loader of this file.
function store() {
  if (operation != "") figure[operation, side, loader] = rounded(instructions, count)
  operation = ""
}

FNR == 1 { store(); loader++ }

/^part: / { store(); instructions = 0; object = "" }

/^desc: Trigger: Client Request: / {
  split(substr($0, length("desc: Trigger: Client Request: ") + 1), name, "|")
  side = name[1]; count = name[2]; operation = name[5]
  if (!(operation in budget)) order[++operations] = operation
  budget[operation] = name[3] + 0
  peer[operation] = name[4] + 0
}

/^ob=/ { object = $0 }
/^calls=/ { of_callee = 1; next }
/^[0-9]/ {
  if (!of_callee && object !~ /libze_loader/) instructions += $2
  of_callee = 0
}

# The limit of an operation: its budget, or, with many live objects, its count with the fewest.
# The older loader has no wait for a list: a barrier's event is waited for.
function limit(operation, loader,    object) {
  if (loader == 1 && operation ~ /and wait,|^wait for/ && operation !~ /command queue|synchronous/ &&
      budget[operation])
    return int(450 * percent / 100)
  if (operation !~ /alive$/) return int(budget[operation] * percent / 100)
  object = operation
  sub(/,.*/, "", object)
  if (!(object in fewest)) fewest[object] = operation
  return beyond(fewest[object], loader)
}

# The difference to the same Level Zero calls by hand.
function beyond(operation, loader) {
  return figure[operation, "syclze", loader] - figure[operation, "plain", loader]
}

# Zero is a failure: the operation was not counted.
function fine(operation, loader,    used) {
  used = beyond(operation, loader)
  return used > 0 && used <= limit(operation, loader)
}

function check(operation, loader) {
  if (fine(operation, loader)) passed++; else failed++
  if (tests)
    printf "%s budget: %s, %s loader, %d of %d\n", fine(operation, loader) ? "pass" : "FAIL",
      operation, loader == 1 ? "older" : "newer", beyond(operation, loader),
      limit(operation, loader)
}

function print_row(operation,    over) {
  over = limit(operation, 1) && !(fine(operation, 1) && fine(operation, 2))
  printf "%-52s %6s %7s %6d %6s %6d %6d %6s %6d%s\n", operation, shown(budget[operation]),
    shown(peer[operation]), figure[operation, "syclze", 1], shown(figure[operation, "plain", 1]),
    beyond(operation, 1), figure[operation, "syclze", 2], shown(figure[operation, "plain", 2]),
    beyond(operation, 2), over ? "  OVER" : ""
}

END {
  store()
  if (!tests) {
    printf "%-52s %6s %7s %20s %20s\n", "", "", "", "older loader", "newer loader"
    printf "%-52s %6s %7s %6s %6s %6s %6s %6s %6s\n", "instructions per operation", "budget",
      "peer", "syclze", "plain", "beyond", "syclze", "plain", "beyond"
  }
  for (i = 1; i <= operations; i++) {
    if (!tests) print_row(order[i])
    if (!limit(order[i], 1)) continue
    check(order[i], 1)
    check(order[i], 2)
  }
  if (tests) printf "%d passed, %d failed\n", passed, failed
  exit failed > 0 || passed == 0
}
