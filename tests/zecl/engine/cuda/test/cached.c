/* PTX that another process left in the cache: LLVM is not loaded for it. */
#include "support/modules.h"

#include "engine/cuda/ptx/llvm.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_loaded(void) {
  static const char *const names[] = {"libLLVM-15.so.1", "libLLVM-16.so.1", "libLLVM-17.so.1",
      "libLLVM.so.18.1", "libLLVM.so.19.1", "libLLVM-18.so.1", "libLLVM-19.so.1"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (dlopen(names[i], RTLD_NOW | RTLD_NOLOAD)) return true;
  return false;
}

static void build(struct zecl_ptx *ptx) {
  struct zecl_spirv spirv;
  test_read_spirv("test/kernels/saxpy.spv", &spirv);
  test_build(&spirv, ptx);
  zecl_spirv_free(&spirv);
}

/* 0: built; 1: LLVM is not installed. */
static int build_in_a_child(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    struct zecl_text log = {0};
    struct zecl_ptx ptx;
    if (!zecl_llvm(&log)) _exit(1);
    build(&ptx);
    _exit(is_loaded() ? 0 : 2);
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  return WEXITSTATUS(status);
}

TEST(what_is_cached_needs_no_llvm) {
  struct zecl_ptx ptx;
  setenv("XDG_CACHE_HOME", test_path("cache"), 1);
  const int built = build_in_a_child();
  if (built == 1) SKIP("LLVM, llvm-spirv or libclc is not installed");
  CHECK_EQ(built, 0);
  CHECK(!is_loaded());
  build(&ptx);
  CHECK(strstr(ptx.image, ".entry saxpy"));
  CHECK(!is_loaded());
  zecl_ptx_free(&ptx);
}

TEST_MAIN(what_is_cached_needs_no_llvm)
