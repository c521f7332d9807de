# Makes syclze/loader_names.h of check.h, which has macros of some names, and of the list of all.
BEGIN {
  print "/**"
  print " * @file"
  print " * Level Zero's functions under their own names, through the table of SYCLZE_LOADER_DYNAMIC."
  print " * Included by name, after all other headers of the library and of Level Zero:"
  print " *"
  print " *     #define SYCLZE_LOADER_DYNAMIC"
  print " *     #include \"syclze/syclze.h\""
  print " *     #include \"syclze/loader_names.h\""
  print " *     static ze_result_t begin(void) {"
  print " *       return zeInit(ZE_INIT_FLAG_GPU_ONLY); // nothing is linked with the loader"
  print " *     }"
  print " *"
  print " * A name that the ze_api.h in use does not declare has no effect. Those of zes, zet and zer are"
  print " * called by syclze_ze (loader.h). Without SYCLZE_LOADER_DYNAMIC the header is empty. Made by"
  print " * `make trace-calls`."
  print " *"
  print " * Ownership: none. Threads: any."
  print " */"
  print "#ifndef SYCLZE_LOADER_NAMES_H"
  print "#define SYCLZE_LOADER_NAMES_H"
  print ""
  print "#include \"loader.h\""
  print ""
  print "/* clang-format off */"
  print "#ifdef SYCLZE_LOADER_DYNAMIC"
}
/^#define ze[A-Z]/ {
  split($2, part, "(")
  checked[part[1]] = 1
}
/^  X\(/ {
  name = "ze" substr($1, 3, index($1, ")") - 3)
  if (name in checked) others = others "#define " name " syclze_ze(" name ")\n"
  else print "#define " name " syclze_ze(" name ")"
}
END {
  print "/* The debug checker has macros of these, which go through the table too. */"
  print "#ifndef SYCLZE_CHECK"
  printf "%s", others
  print "#endif"
  print "#endif"
  print "/* clang-format on */"
  print ""
  print "#endif"
}
