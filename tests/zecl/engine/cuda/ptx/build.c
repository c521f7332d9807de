#include "engine/cuda/ptx.h"

#include "engine/build_flags.h"
#include "engine/cuda/ptx/cache.h"
#include "engine/cuda/ptx/lower.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A kernel as it is launched, from what the module has. */
static bool describe(
    const struct zecl_spirv_kernel *from, struct zecl_ptx_kernel *to, struct zecl_text *log) {
  to->name = strdup(from->name);
  to->entry = zecl_ptx_symbol(from->name);
  to->arg_count = from->arg_count;
  to->args = calloc(from->arg_count + 1, sizeof *to->args);
  memcpy(to->required_group_size, from->required_group_size, sizeof to->required_group_size);
  if (!to->name || !to->entry || !to->args) return false;
  for (uint32_t i = 0; i < from->arg_count; i++) {
    to->args[i] = from->args[i];
    if (to->args[i].kind == ZECL_ARG_LOCAL) to->args[i].size = sizeof(uint32_t);
    if (to->args[i].kind == ZECL_ARG_IMAGE || to->args[i].kind == ZECL_ARG_SAMPLER)
      to->args[i].size = sizeof(uint64_t);
    if (to->args[i].kind != ZECL_ARG_OTHER) continue;
    zecl_text_add(log,
        "argument %u of the kernel %s is a pipe, a queue or an event, which CUDA's engine has "
        "not\n",
        (unsigned)i, from->name);
    return false;
  }
  return true;
}

static bool describe_all(
    const struct zecl_spirv *spirv, struct zecl_ptx *ptx, struct zecl_text *log) {
  ptx->kernels = calloc(spirv->kernel_count + 1, sizeof *ptx->kernels);
  if (!ptx->kernels) return false;
  ptx->kernel_count = spirv->kernel_count;
  for (uint32_t i = 0; i < spirv->kernel_count; i++)
    if (!describe(&spirv->kernels[i], &ptx->kernels[i], log)) return false;
  return true;
}

/* OpenCL's options, each also as the beginning of one. All but -cl-opt-disable have no effect: they
 * are permissions. */
static const char *const known[] = {"-cl-opt-disable", "-cl-mad-enable", "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations", "-cl-finite-math-only", "-cl-fast-relaxed-math",
    "-cl-single-precision-constant", "-cl-denorms-are-zero", "-cl-strict-aliasing",
    "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-std=", "-cl-kernel-arg-info",
    "-cl-uniform-work-group-size", "-cl-no-subgroup-ifp", "-cl-intel-", "-g", "-w"};

static bool is_known(const char *option) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strncmp(option, known[i], strlen(known[i])) == 0) return true;
  return false;
}

static bool check_options(const char *options, struct zecl_text *log) {
  while (options && *(options += strspn(options, " "))) {
    const size_t length = strcspn(options, " ");
    if (!is_known(options)) {
      zecl_text_add(log, "cannot build with the option %.*s\n", (int)length, options);
      return false;
    }
    options += length;
  }
  return true;
}

/* Finds cached PTX of a version of LLVM, if the other packages are installed as they were. LLVM is
 * not loaded, which takes longer than reading PTX. */
static bool is_cached(const struct zecl_spirv *spirv, const char *options, unsigned capability,
    struct zecl_ptx *ptx) {
  struct zecl_llvm parts;
  for (size_t n = 0; zecl_llvm_parts(n, &parts); n++) {
    struct zecl_ptx_key key;
    if (!parts.version) continue;
    zecl_ptx_key(&parts, spirv, options, capability, &key);
    const bool found = zecl_ptx_read_cache(&key, ptx);
    zecl_ptx_key_free(&key);
    if (found) return true;
  }
  return false;
}

static bool build(const struct zecl_spirv *spirv, const char *options, unsigned capability,
    struct zecl_ptx *ptx, struct zecl_text *log) {
  struct zecl_ptx_key key;
  if (!check_options(options, log) || !describe_all(spirv, ptx, log)) return false;
  if (is_cached(spirv, options, capability, ptx)) return true;
  const struct zecl_llvm *llvm = zecl_llvm(log);
  if (!llvm) return false;
  if (!zecl_ptx_compile(llvm, spirv, options, capability, ptx, log)) return false;
  zecl_ptx_key(llvm, spirv, options, capability, &key);
  zecl_ptx_write_cache(&key, ptx);
  zecl_ptx_key_free(&key);
  return true;
}

bool zecl_ptx_build(const struct zecl_spirv *spirv, const char *flags, unsigned capability,
    struct zecl_ptx *ptx, struct zecl_text *log) {
  struct zecl_text options = {0};
  *ptx = (struct zecl_ptx){0};
  zecl_build_flags(flags, &options, log);
  const bool good = build(spirv, options.data, capability, ptx, log);
  zecl_text_free(&options);
  if (!good) zecl_ptx_free(ptx);
  return good;
}

char *zecl_ptx_symbol(const char *name) {
  struct zecl_text text = {0};
  zecl_text_add(&text, isdigit((unsigned char)*name) ? "$" : "");
  for (; *name; name++)
    if (isalnum((unsigned char)*name) || *name == '_' || *name == '$')
      zecl_text_add_bytes(&text, name, 1);
    else
      zecl_text_add(&text, "$%02x", (unsigned char)*name);
  return text.data;
}

void zecl_ptx_free(struct zecl_ptx *ptx) {
  for (uint32_t i = 0; i < ptx->kernel_count; i++) {
    free(ptx->kernels[i].name);
    free(ptx->kernels[i].entry);
    free(ptx->kernels[i].args);
  }
  free(ptx->kernels);
  free(ptx->image);
  *ptx = (struct zecl_ptx){0};
}
