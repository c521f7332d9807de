#include "modules.h"

#include "core/tool.h"
#include "engine/cuda/ptx/llvm.h"
#include "test/support/folder.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *ftw) {
  (void)s, (void)type, (void)ftw;
  return remove(path);
}

static void remove_folder(void) {
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *test_path(const char *name) {
  static char path[128];
  if (!*folder) {
    snprintf(folder, sizeof folder, "/tmp/zecl-ptx-XXXXXX");
    CHECK(mkdtemp(folder));
    atexit(remove_folder);
  }
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

__attribute__((constructor)) static void use_own_cache(void) {
  setenv("XDG_CACHE_HOME", test_path("cache"), 1);
  unsetenv("ZECL_CACHE");
}

void test_read_spirv(const char *path, struct zecl_spirv *spirv) {
  struct zecl_text file = {0}, log = {0};
  CHECK(zecl_tool_read(test_source(path), &file, &log));
  CHECK(zecl_spirv_read(spirv, file.data, file.length, &log));
  zecl_text_free(&file);
  zecl_text_free(&log);
}

void test_needs_llvm(void) {
  struct zecl_text log = {0};
  const bool is_here = zecl_llvm(&log) != NULL;
  static char reason[256];
  snprintf(reason, sizeof reason, "%.*s", (int)strcspn(log.data ? log.data : "", "\n"),
      log.data ? log.data : "");
  zecl_text_free(&log);
  if (!is_here) SKIP(reason);
}

void test_build(const struct zecl_spirv *spirv, struct zecl_ptx *ptx) {
  struct zecl_text log = {0};
  const bool good = zecl_ptx_build(spirv, NULL, 80, ptx, &log);
  CHECK_STR_EQ(good ? "" : log.data, "");
  zecl_text_free(&log);
}

const struct zecl_ptx_kernel *test_kernel(const struct zecl_ptx *ptx, const char *name) {
  for (uint32_t i = 0; i < ptx->kernel_count; i++)
    if (strcmp(ptx->kernels[i].name, name) == 0) return &ptx->kernels[i];
  CHECK(!"the module has such a kernel");
  return NULL;
}

int test_assemble(const struct zecl_ptx *ptx, struct zecl_text *cubin, struct zecl_text *log) {
  char ptxas[256], in[128], out[128];
  if (!zecl_tool_find("ptxas", ptxas, sizeof ptxas) &&
      !zecl_tool_find("/usr/local/cuda/bin/ptxas", ptxas, sizeof ptxas))
    return 0;
  snprintf(in, sizeof in, "%s", test_path("module.ptx"));
  snprintf(out, sizeof out, "%s", test_path("module.cubin"));
  char *argv[] = {ptxas, (char[]){"-arch"}, (char[]){"sm_80"}, in, (char[]){"-o"}, out, NULL};
  const bool good = zecl_tool_write(in, ptx->image, ptx->size, log) && zecl_tool_run(argv, log) &&
                    (!cubin || zecl_tool_read(out, cubin, log));
  return good ? 1 : -1;
}
