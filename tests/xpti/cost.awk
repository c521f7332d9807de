# Reads what callgrind counted of cost.c: prints the instructions of a submission, and those that the
# framework spent, from each entry into it to the return.
#
# A cost line is `position instructions`; one after a `calls=` line is of all that the callee did, in
# the object that the last `cob=` names, or else in the caller's.

/^ob=/ { object = $0 }
/^fn=/ { called = object }
/^cob=/ { called = substr($0, 2) }
/^calls=/ { of_callee = 1; next }
/^[0-9]/ {
  if (!of_callee) all += $2
  else {
    if (object !~ /libxptifw/ && called ~ /libxptifw/) framework += $2
    called = object
  }
  of_callee = 0
}

END { printf "%d %d\n", all / 1024, framework / 1024 }
