# awk -f modules.awk modules.txt: the modules as comments for doxygen, in the order of the table.
/^#/ {
  next
}

/^[a-z_]+: / {
  name = $1
  sub(/:$/, "", name)
  title = $0
  sub(/^[a-z_]+: /, "", title)
  printf "/** @defgroup %s %s */\n", name, title
  next
}

{
  for (i = 1; i <= NF; i++)
    printf "/** @file syclze/%s\n * @ingroup %s */\n", $i, name
}
