# awk -f manual.awk PAGE.md: a page of the manual as doxygen is to read it. Pages link to each other by
# their files, and name functions and headers in code, so that they read as well in the repository.
BEGIN {
  page = ARGV[1]
  name = name_of(page)
}

function name_of(path) {
  sub(/.*\//, "", path)
  sub(/\.md$/, "", path)
  return path
}

function label_of(path) {
  return "manual_" name_of(path)
}

# A link to a page, which a page of contents makes its own; other links are to files of the repository.
function linked(text, path) {
  if (path ~ /^https?:/)
    return "[" text "](" path ")"
  if (path !~ /\.md$/ || path ~ /README\.md$/)
    return text
  if (name == "README" || path ~ /^\.\.\//)
    return "\\subpage " label_of(path) " \"" text "\""
  return "\\ref " label_of(path) " \"" text "\""
}

# Functions and headers in code, with links, where the names are those of the headers of today.
function coded(text) {
  if (name == "changelog" || name == "mistakes" || page ~ /bench|bindings/)
    return "`" text "`"
  if (text ~ /^syclze_[a-z0-9_]*[a-z0-9]$/)
    return "<tt>#" text "</tt>"
  if (text ~ /^syclze\/[a-z0-9_\/]+\.h(pp)?$/)
    return "<tt>" text "</tt>"
  return "`" text "`"
}

function with_links(line,   result, found, middle) {
  while (match(line, /`[^`]+`|\[[^][]+\]\([^()]+\)/)) {
    found = substr(line, RSTART, RLENGTH)
    result = result substr(line, 1, RSTART - 1)
    line = substr(line, RSTART + RLENGTH)
    if (found ~ /^`/) {
      result = result coded(substr(found, 2, length(found) - 2))
    } else {
      middle = index(found, "](")
      result = result linked(substr(found, 2, middle - 2),
        substr(found, middle + 2, length(found) - middle - 2))
    }
  }
  return result line
}

FNR == 1 {
  print $0 " {#" (name == "README" ? "mainpage" : "manual_" name) "}"
  next
}

/^```/ {
  fenced = !fenced
}

{
  print fenced || /^    / ? $0 : with_links($0)
}
