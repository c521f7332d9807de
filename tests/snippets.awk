# awk -v folder=DIR -f tests/snippets.awk FILE...: writes each example of the files into the folder.
#
# A fenced block of a .md marked sh, text, c, cpp, python, rust or fortran becomes README.md_LINE.sh and
# so on, and each .sh a line of the folder's file commands; a text block is named after the sh block that
# precedes it, whose output it is, and is left out where none does.
# In a header, the lines of the first comment that are indented by four spaces are C, and become
# syclze_ref.h_LINE.c, which includes the header.

function begin(suffix, line) {
  file = FILENAME
  gsub(/\//, "_", file)
  file = folder "/" file "_" line "." suffix
  printf is_header ? "#include \"" FILENAME "\"\n" : "" > file
}

function end() {
  if (file)
    close(file)
  file = ""
}

FNR == 1 {
  end()
  fenced = commands = finished = 0
  is_header = FILENAME ~ /\.h$/
}

is_header && finished {
  next
}

is_header {
  line = $0
  finished = line ~ /\*\//
  sub(/\*\/.*/, "", line)
  sub(/^ ?\*( |$)/, "", line)
  if (line ~ /^    /) {
    if (!file)
      begin("c", FNR)
    print substr(line, 5) > file
  } else if (file && line ~ /^[ \t]*$/) {
    print "" > file
  } else {
    end()
  }
  next
}

/^```/ && fenced {
  fenced = 0
  end()
  next
}

/^```/ {
  fenced = 1
  language = substr($0, 4)
  if (language == "sh") {
    commands = FNR
    begin("sh", FNR)
    print file > (folder "/commands")
  } else if (language ~ /^(c|cpp|python|rust|fortran)$/) {
    begin(language, FNR)
  } else if (language == "text" && commands) {
    begin("text", commands)
  }
  if (language != "sh")
    commands = 0
  next
}

file {
  print > file
}
