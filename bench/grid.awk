# Adds up callgrind's dumps of `grid`, one file per loader: for each cell the instructions outside the
# loader and the calls of the loader, by syclze and by hand. Writes the table of all cells to the file
# `table`, and prints what is over: the worst cell of each command on each kind of queue. With `limits`,
# the file of what each of these may be over, prints a line for each as tests print them.
#
# Without `limits` it writes such a file beside the table, from what was counted.
#
# A dump's name is `side|command|queue|event|requirements|waits|state`. By hand a cell with several
# requirements is that with one. A cost line is `address
# instructions`; one after a `calls=` line is of the callee, which has its own lines.

function keep_least(counts, count) {
  if (!((cell, side) in counts) || count < counts[cell, side]) counts[cell, side] = count
}

function store() {
  if (cell != "") {
    keep_least(instructions_of, instructions)
    keep_least(calls_of, calls)
  }
  cell = ""
}

# What design.md grants: instructions beyond the Level Zero calls themselves.
function formula(command, queue, event, requirements, waits, state,    base) {
  if (command == "graph" && state == "here") return 100 + 40 * waits + (event ? 50 : 0)
  if (is_plain(command, queue, requirements, waits)) return event ? 150 : 80
  base = command == "host task" ? 800 : 250
  if (requirements > 0 && state == "pending") waits++
  return base + 100 * requirements + 40 * waits + (event ? 50 : 0)
}

# The order of the native list suffices.
function is_plain(command, queue, requirements, waits) {
  return requirements + waits == 0 && command ~ /^(launch|copy|rows|fill|barrier)$/ &&
         queue !~ /without|command queue/
}

function most(a, b) { return a > b ? a : b }

# Few dependencies and many have limits of their own.
function has_few(requirements, waits) { return requirements <= 2 && waits <= 1 }

FNR == 1 { store(); loader = loader == "" ? "older" : "newer" }

/^part: / { store(); instructions = calls = 0; object = callee = "" }

/^desc: Trigger: Client Request: / {
  text = substr($0, length("desc: Trigger: Client Request: ") + 1)
  split(text, name, "|")
  side = name[1]
  cell = loader "|" substr(text, length(side) + 2)
  if (side == "syclze" && !((cell, side) in instructions_of)) order[++cells] = cell
}

/^ob=/ { object = substr($0, 4) }
/^cob=/ { callee = substr($0, 5) }
/^calls=/ {
  split(substr($1, 7), count, " ")
  if (callee ~ /libze_loader/ && object !~ /libze_loader/) calls += count[1]
  callee = ""
  of_callee = 1
  next
}
/^[0-9]/ {
  if (!of_callee && object !~ /libze_loader/) instructions += $2
  of_callee = 0
}

function add(cell,    name, hand, group, allowed, used, over, more, share) {
  split(cell, name, "|")
  hand = name[1] "|" name[2] "|" name[3] "|" name[4] "|" (name[5] > 1 ? 1 : name[5]) "|" name[6] "|" name[7]
  allowed = formula(name[2], name[3], name[4] == "event", name[5], name[6], name[7])
  used = instructions_of[cell, "syclze"] - instructions_of[hand, "by hand"]
  over = used > 1.1 * allowed ? used - allowed : 0
  more = most(0, calls_of[cell, "syclze"] - calls_of[hand, "by hand"])
  printf "%-6s %-14s %-24s %-8s %4d %4d %-8s %8d %8d %6d %6d%s%s\n", name[1], name[2], name[3],
    name[4], name[5], name[6], name[7], used, allowed, calls_of[cell, "syclze"],
    calls_of[hand, "by hand"], over ? "  OVER" : "", more ? "  CALLS" : "" >table
  group = name[1] "|" name[2] "|" name[3]
  if (!(group in size)) groups[++group_count] = group
  size[group]++
  cells_over += over > 0
  cells_more += more > 0
  overs[group] += over > 0
  mores[group] += more > 0
  most_calls[group] = most(most_calls[group], more)
  share = int(100 * used / allowed)
  if (share > worst[group, has_few(name[5], name[6])]) {
    worst[group, has_few(name[5], name[6])] = share
    worst_of[group, has_few(name[5], name[6])] = name[4] ", " name[5] " requirements, " name[6] \
      " waits, " name[7] ": " used " of " allowed
  }
}

function print_group(group,    name, few) {
  if (overs[group] + mores[group] == 0) return
  split(group, name, "|")
  few = worst[group, 1] >= worst[group, 0]
  printf "%-6s %-14s %-24s %4d %5d %6d %6d %6d %6d  %s\n", name[1], name[2], name[3], size[group],
    overs[group], worst[group, 1], worst[group, 0], mores[group], most_calls[group],
    worst_of[group, few]
}

# Host tasks take a thread's turn more or less.
function print_limit(group,    is_task) {
  is_task = group ~ /host task/
  printf "%s|%d|%d|%d\n", group, most(110, worst[group, 1] * (is_task ? 1.5 : 1.05) + 1),
    most(110, worst[group, 0] * (is_task ? 1.5 : 1.05) + 1),
    most_calls[group] + (is_task && most_calls[group] > 0) >(table ".limits")
}

function check(group, name, what, used, limit, cell,    fine) {
  fine = group in calls_limit && used <= limit
  if (fine) passed++; else failed++
  printf "%s grid: %s, %s: %d of %d%s\n", fine ? "pass" : "FAIL", name, what, used, limit,
    fine ? "" : ": " cell
}

function check_group(group,    name) {
  name = group
  gsub(/\|/, ", ", name)
  check(group, name, "few dependencies, hundredths of the formula", worst[group, 1],
    few_limit[group], worst_of[group, 1])
  check(group, name, "many dependencies, hundredths of the formula", worst[group, 0],
    many_limit[group], worst_of[group, 0])
  check(group, name, "driver calls more than by hand", most_calls[group], calls_limit[group], "")
}

# A line is `loader|command|queue|few|many|calls`: hundredths of the formula, with few dependencies
# and with many, and calls of the driver more than by hand.
function read_limits(    line, field, group) {
  while ((getline line < limits) > 0) {
    if (line ~ /^#/) continue
    split(line, field, "|")
    group = field[1] "|" field[2] "|" field[3]
    few_limit[group] = int(field[4] * percent / 100)
    many_limit[group] = int(field[5] * percent / 100)
    calls_limit[group] = field[6] + 0
  }
}

END {
  store()
  if (limits != "") read_limits()
  printf "%-6s %-14s %-24s %-8s %4s %4s %-8s %8s %8s %6s %6s\n", "loader", "command", "queue",
    "event", "req.", "wait", "used", "instr.", "formula", "calls", "byhand" >table
  for (i = 1; i <= cells; i++) add(order[i])
  if (limits == "") {
    printf "%-6s %-14s %-24s %4s %5s %6s %6s %6s %6s  %s\n", "loader", "command", "queue", "all",
      "over", "few %", "many %", "calls", "most", "the worst cell: instructions of the formula"
    for (i = 1; i <= group_count; i++) print_group(groups[i])
    for (i = 1; i <= group_count; i++) print_limit(groups[i])
    printf "%d cells, %d over their formula by more than a tenth, %d with more driver calls than by hand\n",
      cells, cells_over, cells_more
  } else {
    for (i = 1; i <= group_count; i++) check_group(groups[i])
    printf "%d passed, %d failed\n", passed, failed
  }
  exit failed > 0 || cells == 0
}
