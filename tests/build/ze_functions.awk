# Makes calls_table.h of a ze_api.h.
BEGIN {
  print "/* The names of Level Zero's functions, in the order of ze_api.h: their positions here, from 0, are"
  print " * their numbers in the trace. Functions that the header in use, or the loader, does not have are"
  print " * listed too. Made by `make trace-calls`. */"
  print "#ifndef SYCLZE_TRACE_ZE_FUNCTIONS_H"
  print "#define SYCLZE_TRACE_ZE_FUNCTIONS_H"
  print ""
  row = "#define SYCLZE__ZE_FUNCTIONS(X)"
}
/^ze[A-Z][A-Za-z0-9]*\($/ {
  printf "%-99s\\\n", row
  row = "  X(" substr($0, 3, length($0) - 3) ")"
}
END {
  print row
  print ""
  print "#endif"
}
