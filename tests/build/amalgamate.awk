# awk -f tests/build/amalgamate.awk LICENSE HEADER: prints the licence as a comment, then the
# header with each header that it includes by quotes put in its place.
#
# Include guards stay. A header is put in once, but for conditions: one that stands under a condition
# is put in again where that condition need not hold, and its guard keeps the second out. An include
# by angle brackets is printed once in the same way.

function folder(path) {
  return path ~ /\// ? substr(path, 1, match(path, /[^\/]*$/) - 1) : ""
}

# "a/b/../c" is "a/c".
function plain(path) {
  while (sub(/[^\/]+\/\.\.\//, "", path))
    ;
  return path
}

function exists(path, line, found) {
  found = (getline line < path) >= 0
  close(path)
  return found
}

# Beside the file that includes it, as the compiler looks; else under the root.
function resolve(from, name) {
  return exists(plain(folder(from) name)) ? plain(folder(from) name) : name
}

# Whether the line ends inside a block comment that it, or one before it, began.
function in_comment_after(line, inside, at) {
  while (at = index(line, inside ? "*/" : "/*")) {
    line = substr(line, at + 2)
    inside = !inside
  }
  return inside
}

# The lines of the file, as text[path, 1] to text[path, lines[path]]: it may be put in again while it
# is being put in, so it is not read line by line.
function read_lines(path, line) {
  if (path in lines)
    return
  lines[path] = 0
  while ((getline line < path) > 0)
    text[path, ++lines[path]] = line
  close(path)
}

# Begins to put in a file. The files that are being put in stand on a stack, since awk's own is small.
# `path` names the conditions that are open where the file stands, each as "/NUMBER".
function open_file(name, path) {
  read_lines(name)
  file[++level] = name
  at[level] = depth[level] = inside[level] = 0
  conditions[level, 1] = path
}

# Whether the name is put in already where these conditions, or fewer, hold.
function is_done(name, path) {
  while (!((name, path) in done) && path != "")
    sub(/\/[0-9]+$/, "", path)
  return (name, path) in done
}

# A file that includes itself by way of another has its guard, and is not put in.
function on_stack(name, i) {
  for (i = level; i > 0 && file[i] != name; i--)
    ;
  return i > 0
}

function put(name) {
  level = 0
  open_file(name, "")
  while (level > 0) {
    if (++at[level] > lines[file[level]])
      level--
    else
      put_line(text[file[level], at[level]])
  }
}

# The first condition of a file is its guard.
function follow_condition(word) {
  if (word ~ /^if/)
    depth[level]++
  if (word ~ /^(if|el)/ && depth[level] > 1)
    conditions[level, depth[level]] = conditions[level, depth[level] - 1] "/" ++number
  if (word == "endif")
    depth[level]--
}

function put_line(line, bare, name, path) {
  bare = !inside[level]
  inside[level] = in_comment_after(line, inside[level])
  if (bare && match(line, /^[ \t]*#[ \t]*(if|el|endif)[a-z]*/)) {
    name = substr(line, 1, RLENGTH)
    gsub(/[ \t#]/, "", name)
    follow_condition(name)
  }
  path = conditions[level, depth[level] > 1 ? depth[level] : 1]
  name = line
  if (bare && line ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
    gsub(/^[^"]*"|"[^"]*$/, "", name)
    name = resolve(file[level], name)
    if (is_done(name, path) || on_stack(name))
      return
    done[name, path]
    open_file(name, path)
  } else if (bare && line ~ /^[ \t]*#[ \t]*include[ \t]*</) {
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
    if (!is_done(name, path))
      print line
    done[name, path]
  } else {
    print line
  }
}

FNR == 1 && NR == 1 {
  print "/* syclze in one file; made from its headers.\n *"
  if (ARGV[2] !~ /all\.h$/) {
    print " * The objects, as syclze/syclze.h has them. Command groups, device images (offload) and traces"
    print " * are not in this file: syclze_all.h has them too.\n *"
  }
}

FILENAME == ARGV[1] {
  print $0 == "" ? " *" : " * " $0
  next
}

{
  print " */"
  # One file has the bodies of all headers in it.
  if (ARGV[2] !~ /all\.h$/)
    print "#define SYCLZE__ALL_BODIES"
  put(FILENAME)
  exit
}
