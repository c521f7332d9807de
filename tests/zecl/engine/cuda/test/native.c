/* Native modules: PTX and cubins, their kernels and parameters, and what is malformed. */
#include "support/modules.h"

#include <stdlib.h>
#include <string.h>

static const char text[] =
    "// by hand\n/* two\nlines */ .version 7.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
    ".func helper(.param .u32 x) { ret; }\n"
    ".visible .entry all(\n"
    "  .param .u64 .ptr .global .align 4 a, // .entry no(\n"
    "  .param .align 8 .b8 b[32],\n"
    "  .param .u8 c, .param .u16 d, .param .f32 e, .param .f64 f)\n"
    ".maxntid 64, 1, 1\n"
    "{ ret; }\n"
    ".entry fixed() .reqntid 8, 4\n{ ret; }\n"
    ".visible .entry bare\n{ ret; }\n"
    ".visible .entry moved(.param .u64 a) { ret; }\n"
    ".visible .entry moved_with_offset(.param .u64 a, .param .align 4 .b8 o[12]) { ret; }\n"
    ".visible .entry lone_with_offset(.param .u64 a) { ret; }\n";

TEST(ptx_as_text) {
  struct zecl_ptx ptx;
  struct zecl_text log = {0};
  CHECK(zecl_ptx_read(text, sizeof text - 1, &ptx, &log));
  CHECK_EQ(ptx.kind, ZECL_PTX_TEXT);
  CHECK_EQ(ptx.kernel_count, 5);
  const struct zecl_ptx_kernel *kernel = test_kernel(&ptx, "all");
  static const uint32_t sizes[] = {8, 32, 1, 2, 4, 8};
  CHECK_EQ(kernel->arg_count, 6);
  for (uint32_t i = 0; i < 6; i++) {
    CHECK_EQ(kernel->args[i].size, sizes[i]);
    CHECK_EQ(kernel->args[i].kind, i ? ZECL_ARG_VALUE : ZECL_ARG_POINTER);
  }
  CHECK_EQ(kernel->required_group_size[0], 0);
  kernel = test_kernel(&ptx, "fixed");
  CHECK_EQ(kernel->arg_count, 0);
  CHECK_EQ(kernel->required_group_size[0], 8);
  CHECK_EQ(kernel->required_group_size[1], 4);
  CHECK_EQ(kernel->required_group_size[2], 1);
  CHECK_EQ(test_kernel(&ptx, "bare")->arg_count, 0);
  zecl_ptx_free(&ptx);
}

/* Kernels of DPC++ come in two, one of which takes an offset. */
TEST(twins_are_one_kernel) {
  struct zecl_ptx ptx;
  struct zecl_text log = {0};
  CHECK(zecl_ptx_read(text, sizeof text, &ptx, &log));
  const struct zecl_ptx_kernel *kernel = test_kernel(&ptx, "moved");
  CHECK_EQ(kernel->offset, ZECL_PTX_OFFSET_TWIN);
  CHECK_EQ(kernel->arg_count, 1);
  CHECK_EQ(test_kernel(&ptx, "lone_with_offset")->offset, ZECL_PTX_OFFSET_NONE);
  zecl_ptx_free(&ptx);
}

TEST(a_cubin_says_what_its_text_says) {
  struct zecl_ptx ptx, assembled;
  struct zecl_text log = {0}, cubin = {0};
  CHECK(zecl_ptx_read(text, sizeof text, &ptx, &log));
  const int made = test_assemble(&ptx, &cubin, &log);
  if (!made) zecl_ptx_free(&ptx);
  if (!made) SKIP("ptxas is not installed");
  CHECK_STR_EQ(made < 0 ? log.data : "", "");
  CHECK(zecl_ptx_read(cubin.data, cubin.length, &assembled, &log));
  CHECK_EQ(assembled.kind, ZECL_PTX_CUBIN);
  CHECK_EQ(assembled.kernel_count, ptx.kernel_count);
  for (uint32_t i = 0; i < ptx.kernel_count; i++) {
    const struct zecl_ptx_kernel *one = &ptx.kernels[i],
                                 *other = test_kernel(&assembled, one->name);
    CHECK_EQ(one->arg_count, other->arg_count);
    CHECK_EQ(one->offset, other->offset);
    for (uint32_t j = 0; j < one->arg_count; j++)
      CHECK_EQ(one->args[j].size, other->args[j].size);
    CHECK_EQ(memcmp(one->required_group_size, other->required_group_size, 12), 0);
  }
  /* Cut anywhere, and with bytes changed, it is read or refused. */
  zecl_ptx_free(&assembled);
  for (size_t i = 0; i < cubin.length; i += 7) {
    char *copy = malloc(i + 1);
    CHECK(copy != NULL);
    memcpy(copy, cubin.data, i);
    if (zecl_ptx_read(copy, i, &assembled, &log)) zecl_ptx_free(&assembled);
    free(copy);
    cubin.data[i] ^= 0x55;
    if (zecl_ptx_read(cubin.data, cubin.length, &assembled, &log)) zecl_ptx_free(&assembled);
    cubin.data[i] ^= 0x55;
  }
  zecl_ptx_free(&ptx);
  zecl_text_free(&cubin);
  zecl_text_free(&log);
}

TEST(beginnings) {
  static const char host[64] = {0x7f, 'E', 'L', 'F', 2, 1};
  static const char cubin[64] = {0x7f, 'E', 'L', 'F', 2, 1, [18] = (char)190};
  static const unsigned char fatbin[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
  static const uint32_t spirv[] = {0x07230203, 0x10200, 0, 1, 0};
  CHECK_EQ(zecl_ptx_kind_of(host, sizeof host), ZECL_PTX_NONE);
  CHECK_EQ(zecl_ptx_kind_of(cubin, sizeof cubin), ZECL_PTX_CUBIN);
  CHECK_EQ(zecl_ptx_kind_of(cubin, 20), ZECL_PTX_NONE);
  CHECK_EQ(zecl_ptx_kind_of(fatbin, sizeof fatbin), ZECL_PTX_FATBIN);
  CHECK_EQ(zecl_ptx_kind_of(spirv, sizeof spirv), ZECL_PTX_NONE);
  CHECK_EQ(zecl_ptx_kind_of(text, sizeof text), ZECL_PTX_TEXT);
  CHECK_EQ(zecl_ptx_kind_of("", 0), ZECL_PTX_NONE);
  CHECK_EQ(zecl_ptx_kind_of("// .version", 11), ZECL_PTX_NONE);
}

static void refused(const char *kernels, const char *reason) {
  struct zecl_ptx ptx;
  struct zecl_text log = {0}, whole = {0};
  zecl_text_add(&whole, ".version 7.0 .target sm_80 %s", kernels);
  CHECK(!zecl_ptx_read(whole.data, whole.length, &ptx, &log));
  CHECK_STR_EQ(log.data && strstr(log.data, reason) ? reason : log.data, reason);
  CHECK_EQ(ptx.kernel_count, 0);
  zecl_text_free(&whole);
  zecl_text_free(&log);
}

TEST(malformed_text) {
  refused(".entry", "a kernel without a name");
  refused(".entry k(", "a kernel's parameter is no .param");
  refused(".entry k(.param .u32 a", "no comma between parameters");
  refused(".entry k(.param .u33 a) {}", "a parameter without a size");
  refused(".entry k(.param .b8 a[99999999]) {}", "a parameter is too large");
  refused(".entry k(.param .b8 a[4) {}", "an array without an end");
  refused(".entry k()", "a kernel without a body");
  for (size_t i = 0; i < sizeof text - 1; i++) {
    struct zecl_ptx ptx;
    struct zecl_text log = {0};
    char *copy = strndup(text, i);
    CHECK(copy != NULL);
    if (zecl_ptx_read(copy, i, &ptx, &log)) zecl_ptx_free(&ptx);
    zecl_text_free(&log);
    free(copy);
  }
}

TEST_MAIN(
    ptx_as_text, twins_are_one_kernel, a_cubin_says_what_its_text_says, beginnings, malformed_text)
