# awk -f tests/build/amalgamate.awk LICENSE syclze/syclze.h: prints the licence as a comment, then the
# header with each header that it includes by quotes put in its place.
#
# Include guards stay. A header is put in once; one that stands under a condition of its own is put
# in there again, since an earlier condition may not have held, and its guard keeps the second out.
# An include by angle brackets is printed the first time that it stands under no condition.

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

# `outer` is the number of conditions around the place where the file is put in.
function put(path, outer, line, inside, depth, name, bare, at) {
  inside = depth = 0
  read_lines(path)
  for (at = 1; at <= lines[path]; at++) {
    line = text[path, at]
    bare = !inside
    inside = in_comment_after(line, inside)
    if (bare && line ~ /^[ \t]*#[ \t]*if/)
      depth++
    else if (bare && line ~ /^[ \t]*#[ \t]*endif/)
      depth--
    if (bare && line ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
      name = line
      gsub(/^[^"]*"|"[^"]*$/, "", name)
      name = resolve(path, name)
      if (name in done)
        continue
      if (outer + depth <= 1)
        done[name] = 1
      put(name, outer + (depth > 1 ? depth - 1 : 0))
    } else if (bare && line ~ /^[ \t]*#[ \t]*include[ \t]*</ && outer + depth <= 1) {
      if (!(line in done))
        print line
      done[line] = 1
    } else {
      print line
    }
  }
}

FNR == 1 && NR == 1 {
  print "/* syclze in one file; made from its headers.\n *"
}

FILENAME == ARGV[1] {
  print $0 == "" ? " *" : " * " $0
  next
}

{
  print " */"
  put(FILENAME, 0)
  exit
}
