# Reads `objdump -d --no-show-raw-insn` and prints `ADDRESS OBJECT` for each instruction that locks
# the bus: one with a lock prefix, an exchange with memory, a full fence.

# Of two registers an exchange locks nothing.
function is_of_memory(operands) { return operands !~ /^%[a-z0-9]+,%[a-z0-9]+$/ }

$2 == "lock" || $2 == "mfence" || ($2 ~ /^(xacquire|xrelease)$/ && $3 == "lock") ||
($2 ~ /^xchg/ && is_of_memory($3)) {
  address = $1
  sub(/:$/, "", address)
  print "0x" address, object
}
