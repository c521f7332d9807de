# Makes viewer.h of viewer.html: a string for each line, short enough for strict compilers.
BEGIN {
  print "/* The page of html.h, a string for each line. Made of syclze/trace/writer/viewer.html by `make trace-page`. */"
  print "#ifndef SYCLZE_TRACE_VIEWER_H"
  print "#define SYCLZE_TRACE_VIEWER_H"
  print ""
  print "/* clang-format off */"
  print "#define SYCLZE__VIEWER_PAGE \\"
}
{ gsub(/\\/, "&&"); gsub(/"/, "\\\""); printf "  \"%s\", \\\n", $0 }
END {
  print "  NULL"
  print "/* clang-format on */"
  print ""
  print "#endif"
}
