# Adds up callgrind's dumps of `bench -i`, one file per loader: for each operation the instructions
# outside the loader, per operation, and those of them that lock the bus, which the file `locked`
# lists (locked.awk). Prints a table, or with tests=1 a line for each budget as tests print them. A
# dump's name is `side|count|budget|budget of locked instructions|peer|operation`.
#
# A cost line is `address instructions`; one after a `calls=` line is of the callee, which has its
# own lines.

function rounded(cost, count) { return int(cost / count + 0.5) }

function shown(number) { return number ? number : "-" }

# One dump is complete: what it counted belongs to `operation` on the loader of this file.
function store() {
  if (operation != "") {
    figure[operation, side, loader] = rounded(instructions, count)
    locked_of[operation, side, loader] = rounded(with_lock, count)
  }
  operation = ""
}

BEGIN {
  while ((getline line < locked) > 0) {
    split(line, field, " ")
    locks[substr(line, length(field[1]) + 2), field[1]] = 1
  }
}

FNR == 1 { store(); loader++ }

/^part: / { store(); instructions = with_lock = 0; object = "" }

/^desc: Trigger: Client Request: / {
  split(substr($0, length("desc: Trigger: Client Request: ") + 1), name, "|")
  side = name[1]; count = name[2]; operation = name[6]
  if (!(operation in budget)) order[++operations] = operation
  budget[operation] = name[3] + 0
  locked_budget[operation] = name[4] + 0
  peer[operation] = name[5] + 0
}

/^ob=/ { object = substr($0, 4) }
/^calls=/ { of_callee = 1; next }
/^[0-9]/ {
  if (!of_callee && object !~ /libze_loader/) {
    instructions += $2
    if ((object, $1) in locks) with_lock += $2
  }
  of_callee = 0
}

# The older loader has no wait for a list: a barrier's event is waited for.
function waits_for_event(operation, loader) {
  return loader == 1 && operation ~ /and wait,|^wait for/ && operation !~ /command queue|synchronous/
}

function locked_limit(operation, loader) {
  return waits_for_event(operation, loader) ? 8 : locked_budget[operation]
}

# The limit of an operation: its budget, or, with many live objects, three times its count with the
# fewest: pools grow by pages, which are touched first.
function limit(operation, loader,    object) {
  if (waits_for_event(operation, loader) && budget[operation]) return int(870 * percent / 100)
  if (operation !~ /alive$/) return int(budget[operation] * percent / 100)
  object = operation
  sub(/,.*/, "", object)
  if (!(object in fewest)) fewest[object] = operation
  return int(3 * beyond(fewest[object], loader) * percent / 100)
}

# The difference to the same Level Zero calls by hand.
function beyond(operation, loader) {
  return figure[operation, "syclze", loader] - figure[operation, "plain", loader]
}

function locked_beyond(operation, loader) {
  return locked_of[operation, "syclze", loader] - locked_of[operation, "plain", loader]
}

# Zero is a failure: the operation was not counted.
function fine(operation, loader,    used) {
  used = beyond(operation, loader)
  return used > 0 && used <= limit(operation, loader)
}

function locks_little(operation, loader) {
  return locked_beyond(operation, loader) <= locked_limit(operation, loader)
}

function check(what, is_fine, operation, loader, used, most) {
  if (is_fine) passed++; else failed++
  if (tests)
    printf "%s %s: %s, %s loader, %d of %d\n", is_fine ? "pass" : "FAIL", what, operation,
      loader == 1 ? "older" : "newer", used, most
}

function print_row(operation,    over) {
  over = limit(operation, 1) && !(fine(operation, 1) && fine(operation, 2)) ||
         !locks_little(operation, 1) || !locks_little(operation, 2)
  printf "%-52s %6s %7s %6d %6s %6d %6d %6s %6d %6d %6d %6d%s\n", operation,
    shown(budget[operation]), shown(peer[operation]),
    figure[operation, "syclze", 1], shown(figure[operation, "plain", 1]), beyond(operation, 1),
    figure[operation, "syclze", 2], shown(figure[operation, "plain", 2]), beyond(operation, 2),
    locked_budget[operation], locked_beyond(operation, 1), locked_beyond(operation, 2),
    over ? "  OVER" : ""
}

END {
  store()
  if (!tests) {
    printf "%-52s %6s %7s %20s %20s %20s\n", "", "", "", "older loader", "newer loader",
      "locked instructions"
    printf "%-52s %6s %7s %6s %6s %6s %6s %6s %6s %6s %6s %6s\n", "instructions per operation",
      "budget", "peer", "syclze", "plain", "beyond", "syclze", "plain", "beyond", "budget", "older",
      "newer"
  }
  for (i = 1; i <= operations; i++) {
    if (!tests) print_row(order[i])
    for (loader = 1; loader <= 2; loader++) {
      if (limit(order[i], loader))
        check("budget", fine(order[i], loader), order[i], loader, beyond(order[i], loader),
          limit(order[i], loader))
      check("locked", locks_little(order[i], loader), order[i], loader,
        locked_beyond(order[i], loader), locked_limit(order[i], loader))
    }
  }
  if (tests) printf "%d passed, %d failed\n", passed, failed
  exit failed > 0 || passed == 0
}
