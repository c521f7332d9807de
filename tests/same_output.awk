# awk -f tests/same_output.awk EXPECTED ACTUAL: exits 0 if the two are the same, where a line `...` of
# the expected text stands for any number of lines.

FILENAME == ARGV[1] {
  expected[++count] = $0
  next
}

{
  actual[++lines] = $0
}

function matches(i, j) {
  for (; i <= count && expected[i] != "..."; i++)
    if (j > lines || expected[i] != actual[j++])
      return 0
  if (i > count)
    return j > lines
  for (; j <= lines + 1; j++)
    if (matches(i + 1, j))
      return 1
  return 0
}

END {
  exit !matches(1, 1)
}
