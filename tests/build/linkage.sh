#!/bin/sh
# Linkage within one image: programs and plugins of 1, 2 and 20 files, in C, in C++ and in both, with
# bodies in every file (the default) and in one file (SYCLZE_DECLARATIONS, implementation.h),
# with and without link-time optimisation.
#
# Whatever the number of files, an image has one state, and with one implementation one copy of each
# function. It has at most 16 bytes of thread-local data, none of the initial-exec model. It reads no
# clock of the host.
# shows promises 57 72
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks

# A file of a program: every function of it has a name that begins with FILE.
cat >"$work/file.c" <<'SOURCE'
#include "syclze/syclze.h"
#define JOIN(a, b) JOIN_(a, b)
#define JOIN_(a, b) a##b
#ifdef __cplusplus
extern "C" {
#endif
const void *JOIN(FILE_, _state)(void);
void (*JOIN(FILE_, _function)(void))(void);
void JOIN(FILE_, _set)(const syclze_diagnostic_handler *handler);
ze_result_t JOIN(FILE_, _fail)(void);
ze_result_t JOIN(FILE_, _use)(syclze_event event);
const void *JOIN(FILE_, _state)(void) { return &SYCLZE__STATE; }
void (*JOIN(FILE_, _function)(void))(void) { return (void (*)(void))syclze_platform_get; }
void JOIN(FILE_, _set)(const syclze_diagnostic_handler *handler) {
  syclze_diagnostic_set_handler(handler);
}
ze_result_t JOIN(FILE_, _fail)(void) {
  syclze_context context;
  return syclze_make_context(NULL, &context);
}
ze_result_t JOIN(FILE_, _use)(syclze_event event) {
  syclze_event_retain(event);
  return syclze_event_release(event);
}
#ifdef __cplusplus
}
#endif
SOURCE
cp "$work/file.c" "$work/file.cpp"
echo '#include "syclze/command.h"' >"$work/background.c"

# Checks all pairs of files: a handler that one sets is called for an error in another. `ONE` is the
# number of addresses that a function of the library must have, or 0 for any.
cat >"$work/all.c" <<'SOURCE'
#include <stdio.h>
#include "syclze/result.h"
typedef struct file {
  const void *(*state)(void);
  void (*(*function)(void))(void);
  void (*set)(const syclze_diagnostic_handler *);
  ze_result_t (*fail)(void);
} file;
#define DECLARE(f) const void *f##_state(void); void (*f##_function(void))(void); \
  void f##_set(const syclze_diagnostic_handler *); ze_result_t f##_fail(void);
FILES(DECLARE)
#define ROW(f) {f##_state, f##_function, f##_set, f##_fail},
static const file files[] = {FILES(ROW)};
enum { COUNT = sizeof files / sizeof files[0] };
static int calls;
static void count(void *data, const syclze_diagnostic *diagnostic) { (void)data; (void)diagnostic; calls++; }
int run_all(void);
int run_all(void) {
  static const syclze_diagnostic_handler handler = {count, NULL};
  for (int i = 0; i < COUNT; i++) {
    if (files[i].state() != files[0].state()) return printf("file %d has a state of its own\n", i), 1;
    if (ONE && files[i].function() != files[0].function()) return printf("file %d has a copy of a function\n", i), 1;
    for (int j = 0; j < COUNT; j++) {
      files[i].set(&handler);
      calls = 0;
      if (files[j].fail() == ZE_RESULT_SUCCESS) return printf("file %d: an error is none\n", j), 1;
      if (calls != 1) return printf("the handler of file %d, the error of file %d: %d calls\n", i, j, calls), 1;
      files[i].set(NULL);
    }
  }
  return 0;
}
#ifdef PROGRAM
int main(void) { return run_all(); }
#endif
SOURCE

# Opens each plugin twice over: all stay open. Prints how many could be opened.
cat >"$work/open.c" <<'SOURCE'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    void *plugin = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) return printf("plugin %d: %s\n", i, dlerror()), 1;
    int (*run)(void);
    *(void **)&run = dlsym(plugin, "run_all");
    if (run == NULL || run() != 0) return printf("plugin %d fails\n", i), 1;
  }
  return 0;
}
SOURCE

one='-DSYCLZE_DECLARATIONS'
implementation='-DSYCLZE_DECLARATIONS -include syclze/implementation.h'

# compile COMPILER OBJECT SOURCE OPTION...: not optimised, which would be most of the time.
compile() {
  compiler=$1 object=$2 source=$3
  shift 3
  case $source in *.cpp) set -- -std=c++11 "$@" ;; *) set -- -std=c11 "$@" ;; esac
  "$compiler" -O0 -fPIC -I. -c -o "$work/$object" "$@" "$work/$source"
}

# copies OBJECT FIRST LAST: copies of the object of file FILE as fFIRST.o to fLAST.o, as a compiler
# would make them of copies of its source.
copies() {
  for i in $(seq "$2" "$3"); do
    for name in state function set fail use; do echo "FILE_$name f${i}_$name"; done >"$work/names"
    objcopy --redefine-syms="$work/names" "$work/$1" "$work/f$i.o" 2>/dev/null
  done
}

# rows LAST: the files f1 to fLAST as an X macro.
rows() { printf 'FILES(X)='; seq -f 'X(f%g)' -s ' ' 1 "$1"; }

objects() { seq -f "$work/f%g.o" 1 "$1"; }

# one_state IMAGE: the state stands in it once.
one_state() {
  count=$(nm "$1" | grep -c ' [bBdD] _*syclze__state_v[0-9]*$')
  [ "$count" -eq 1 ] || { echo "$count states in the image"; return 1; }
}

few_thread_locals() {
  readelf -dW "$1" | grep -q STATIC_TLS && { echo "STATIC_TLS"; return 1; }
  bytes=$(($(readelf -lW "$1" | awk '$1 == "TLS" { print $6 }') + 0))
  [ "$bytes" -le 16 ] || { echo "$bytes bytes of thread-local data"; return 1; }
}

# program COMPILER FILES ONE: links and runs a program of the files f1 to fFILES.
program() {
  compile cc main.o all.c -DPROGRAM "-DONE=$3" "-D$(rows "$2")" &&
    $1 -o "$work/program" "$work/main.o" $(objects "$2") -lze_loader -ldl -pthread &&
    one_state "$work/program" && timeout 900 "$work/program"
}

plugin() {
  compile cc main.o all.c "-DONE=$3" "-D$(rows "$2")" &&
    "$1" -shared -o "$work/plugin.so" "$work/main.o" $(objects "$2") -lze_loader -ldl -pthread &&
    one_state "$work/plugin.so" && few_thread_locals "$work/plugin.so" &&
    cp "$work/plugin.so" "$work/plugin2.so" &&
    timeout 900 "$work/open" "$work/plugin.so" "$work/plugin2.so"
}

# A clock that is set meanwhile must not lengthen or end a wait.
reads_no_clock() {
  nm -u "$1" >"$work/symbols" || return 1
  grep -q ' syscall$' "$work/symbols" || { echo "no waits in the object"; return 1; }
  ! grep -E ' (clock_gettime|gettimeofday|time|ftime|(pthread|sem|mtx|cnd)_[a-z]*timed[a-z]*)$' "$work/symbols"
}

exports_nothing() {
  readelf -sW "$1" >"$work/symbols" || return 1
  awk '$8 ~ /syclze/ && $5 != "LOCAL" && $7 != "UND" && $6 != "HIDDEN" {
    print $8; bad = 1 } END { exit bad }' "$work/symbols"
}

# Captures of the driver are in programs that ask for them.
graph_has_captures() {
  printf '#include "syclze/command/%s.h"\n' "$1" >"$work/graph.c"
  echo "ze_result_t (*finalize)(syclze_graph, uint32_t, syclze_executable_graph *) = $2;" >>"$work/graph.c"
  compile cc graph.o graph.c && nm "$work/graph.o" | grep -q 'syclze__capture'
}
no_captures() { ! graph_has_captures graph syclze_graph_finalize && nm "$work/graph.o" | grep -q graph_finalize; }
check "a graph that the driver captures has the functions of captures" \
  graph_has_captures graph_capture syclze_graph_finalize_captured
check "other graphs have none of them" no_captures

compile cc open.o open.c && cc -o "$work/open" "$work/open.o" -ldl

for cc in gcc clang; do
  case $cc in gcc) cxx=g++ ;; clang) cxx=clang++ ;; esac
  if ! command -v $cc >/dev/null || ! command -v $cxx >/dev/null; then
    skip "$cc: not installed"
    continue
  fi
  check "$cc: a file, its own bodies" compile $cc own.o file.c -DFILE_=FILE
  check "$cc: a file, declarations" compile $cc declared.o file.c -DFILE_=FILE $one
  check "$cc: a file, the implementation" compile $cc implementation.o file.c -DFILE_=FILE \
    -ffunction-sections -fdata-sections $implementation
  check "$cxx: a file, its own bodies" compile $cxx own_cpp.o file.cpp -DFILE_=FILE
  check "$cxx: a file, declarations" compile $cxx declared_cpp.o file.cpp -DFILE_=FILE $one
  check "$cxx: a file, the implementation" compile $cxx implementation_cpp.o file.cpp -DFILE_=FILE $implementation
  for object in own implementation own_cpp implementation_cpp; do
    check "$cc: $object exports nothing" exports_nothing "$work/$object.o"
  done

  # The bodies of command groups and no others: device images, whose cache has ages, do not wait there.
  compile $cc background.o background.c -DSYCLZE_DECLARATIONS -DSYCLZE_IMPLEMENTATION \
    -DSYCLZE__ALL_BODIES
  check "$cc: waits in the background read no clock" reads_no_clock "$work/background.o"

  copies own.o 1 20
  for files in 1 2 20; do
    check "$cc: C, $files files, own bodies" program $cc $files 0
  done
  check "$cc: a plugin of 4 files, own bodies" plugin $cc 4 0
  copies own_cpp.o 2 2
  check "$cc: C and C++, own bodies" program $cxx 2 0
  check "$cc: a plugin in C and C++, own bodies" plugin $cxx 4 0
  copies own_cpp.o 1 20
  for files in 1 2 20; do
    check "$cxx: C++, $files files, own bodies" program $cxx $files 1
  done

  copies implementation.o 1 1
  copies declared.o 2 20
  for files in 1 2 20; do
    check "$cc: C, $files files, one implementation" program $cc $files 1
  done
  check "$cc: a plugin of 4 files, one implementation" plugin $cc 4 1
  copies declared_cpp.o 2 2
  check "$cc: the implementation in C, a file in C++" program $cxx 3 1
  copies own.o 2 2
  copies own_cpp.o 3 3
  check "$cc: one implementation, and files with bodies of their own" program $cxx 4 0
  copies implementation_cpp.o 1 1
  copies declared.o 2 2
  copies declared_cpp.o 3 3
  check "$cc: the implementation in C++, files in C and C++" program $cxx 3 1
  check "$cc: a plugin in C and C++, one implementation" plugin $cxx 3 1
  # A function of a header that no other file includes.
  echo '#include "syclze/usm_query.h"
    int run_all(void); int run_all(void) { return (ze_result_t (*)())syclze_usm_get_info == 0; }' >"$work/header.c"
  header_of_its_own() {
    compile $cc header.o header.c $one &&
      $cc -shared -Wl,--gc-sections -o "$work/plugin.so" "$work/header.o" "$work/implementation.o" -lze_loader -ldl &&
      ! nm -u "$work/plugin.so" | grep syclze && "$work/open" "$work/plugin.so"
  }
  check "$cc: a header that one file of a plugin includes has its bodies" header_of_its_own
  copies declared.o 1 1
  check "$cc: no implementation is a link error" sh -c "! $cxx -o $work/program $work/f1.o $work/f2.o -lze_loader"

  # The names of files in link-time code cannot be changed: two are compiled.
  case $cc in gcc) link='g++ -flto -O1' ;; clang) link='clang++ -flto -O1' ;; esac
  if [ $cc = clang ] && ! command -v ld.lld >/dev/null; then
    skip "$cc: link-time optimisation needs lld"
    continue
  fi
  [ $cc = gcc ] || link="$link -fuse-ld=lld"
  for first in "" "$implementation"; do
    # clang links the bodies of all headers as fast where they are not optimised; gcc does not.
    case $cc.$first in clang.?*) level=-O0 ;; *) level=-O1 ;; esac
    for language in c cpp; do
      case $language in c) compiler=$cc ;; cpp) compiler=$cxx ;; esac
      case $first in "") name="own bodies" second= ;; *) name="one implementation" second=$one ;; esac
      compile $compiler f1.o file.$language $level -flto -DFILE_=f1 $first &&
        compile $cc f2.o file.c -O1 -flto -DFILE_=f2 $second
      check "$cc -flto: a file in $language and one in c, $name" program "$link" 2 0
    done
  done
done

end_checks
