#!/bin/sh
# The environment of a set-user-ID program is that of its caller: the library and the embedded
# device read none of it, and run no compiler.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

result() {
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
    echo "pass $2"
  else
    failed=$((failed + 1))
    echo "FAIL $2: $3"
  fi
}

found=$(grep -rnw 'getenv' syclze --include='*.h' | grep -v 'detail/driver/environment.h' | head -n 1)
[ -z "$found" ]
result $? "syclze reads the environment in detail/driver/environment.h only" "$found"
found=$(grep -rhoE '(environment|disk_number)\("[A-Z0-9_]+"|passed\[\] = .*' syclze --include='*.h' | grep -oE '[A-Z0-9_]{4,}' |
  sort -u | while read -r name; do grep -q "\`$name\`" syclze/manual/trust.md || echo "$name"; done)
[ -z "$found" ]
result $? "each variable that syclze reads is on the page Trust" "$found"
found=$(grep -rnw 'getenv' tests/zecl --include='*.c' | grep -v '/test/\|/libcuda/' | head -n 1)
[ -z "$found" ]
result $? "zecl reads the environment by secure_getenv only" "$found"

cat >"$work/secure.c" <<'SOURCE'
#include "syclze/offload/kernel_source.h"
#include "syclze/trace/writer.h"
#include "syclze/trace/xpti.h"
#include <stdio.h>
#include <sys/auxv.h>
int main(void) {
  syclze_context context;
  syclze_context_input input = {0};
  syclze_kernel_source source = {.text = "", .ocloc = "", .tools = TOOLS};
  syclze_bytes spirv;
  (void)syclze_kernel_source_compile(&source, &spirv);
  printf("%d\n", getauxval(AT_SECURE) != 0);
  return syclze_make_native(&input, &context) == ZE_RESULT_SUCCESS;
}
SOURCE
# A framework that shows that it was loaded.
cat >"$work/framework.c" <<'SOURCE'
#include <stdio.h>
__attribute__((constructor)) static void load(void) {
  FILE *file = fopen(LOADED, "w");
  if (file) fclose(file);
}
SOURCE
# A compiler that shows that it was run.
printf '#!/bin/sh\n: >"%s/compiled"\n' "$work" >"$work/clang-22"
chmod 755 "$work/clang-22"
cc -std=c11 -I. -DTOOLS="\"$work\"" -o "$work/secure" "$work/secure.c" -lze_loader -ldl -pthread &&
  cc -shared -fPIC -DLOADED="\"$work/loaded\"" -o "$work/framework.so" "$work/framework.c" || exit 1
chmod 777 "$work"

# written: the files that the variables, and the compiler, had made.
written() {
  rm -f "$work/diagnostics" "$work/trace.html" "$work/loaded" "$work/compiled"
  secure=$(SYCLZE_DIAGNOSTICS=$work/diagnostics SYCLZE_TRACE=$work/trace.html \
    XPTI_TRACE_ENABLE=1 XPTI_FRAMEWORK_DISPATCHER=$work/framework.so "$work/secure")
  for file in diagnostics trace.html loaded compiled; do
    [ ! -e "$work/$file" ] || printf '%s ' "$file"
  done
  echo "$secure"
}
found=$(written)
[ "$found" = "diagnostics trace.html loaded compiled 0" ]
result $? "an ordinary program obeys the variables" "$found"

if [ "$(id -u)" -eq 0 ] && chown 65534 "$work/secure" && chmod 4755 "$work/secure" &&
  found=$(written) && [ "${found##* }" = 1 ]; then
  [ "$found" = 1 ]
  result $? "a set-user-ID program does not" "$found"
else
  skipped=1
  echo "skip a set-user-ID program: made by root only, where such programs may run"
fi

sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ]
