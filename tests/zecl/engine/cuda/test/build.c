/* SPIR-V to PTX: what of the tests' modules builds, and what does not with its cause; what the PTX
 * has; the cache. */
#include "support/modules.h"

#include "core/tool.h"
#include "engine/cuda/ptx/spaces.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct module {
  const char *path, *missing; /* null: it builds */
} modules[] = {{"test/kernels/saxpy.spv", NULL},
    {"test/kernels/assert.spv", "__devicelib_assert_fail"},
    {"test/kernels/assert_fallback.spv", NULL}, {"test/kernels/atomics.spv", NULL},
    {"test/kernels/basic.spv", NULL}, {"test/kernels/builtins.spv", NULL},
    {"test/kernels/by_hand.spv", NULL}, {"test/kernels/cooperative.spv", NULL},
    {"test/kernels/cooperative_alone.spv", NULL}, {"test/kernels/exports.spv", NULL},
    {"test/kernels/generic.spv", NULL}, {"test/kernels/globals.spv", NULL},
    {"test/kernels/graph.spv", NULL}, {"test/kernels/graph_arguments.spv", NULL},
    {"test/kernels/graph_images.spv", NULL}, {"test/kernels/images.spv", NULL},
    {"test/kernels/imports.spv", "twice_and_one"}, {"test/kernels/mixed.spv", NULL},
    {"test/kernels/pointers.spv", NULL}, {"test/kernels/pointers_recursive.spv", NULL},
    {"test/kernels/printf.spv", NULL}, {"test/kernels/samplers.spv", NULL},
    {"test/kernels/shared_globals.spv", NULL}, {"test/kernels/shared_globals_reader.spv", NULL},
    {"test/kernels/spec.spv", NULL}, {"test/kernels/sub_groups.spv", NULL},
    {"images/probe.spv", NULL}};

/* ZECL_TEST_MODULES names more that build, with colons between them. */
static void each_module(void (*use)(const char *path, const char *missing)) {
  test_needs_llvm();
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    use(modules[i].path, modules[i].missing);
  const char *more = getenv("ZECL_TEST_MODULES");
  char *all = strdup(more ? more : ""), *rest = NULL;
  CHECK(all);
  for (char *path = strtok_r(all, ":", &rest); path; path = strtok_r(NULL, ":", &rest))
    use(path, NULL);
  free(all);
}

static void builds_or_names_what_it_lacks(const char *path, const char *missing) {
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  struct zecl_text log = {0};
  test_read_spirv(path, &spirv);
  const bool good = zecl_ptx_build(&spirv, NULL, 80, &ptx, &log);
  if (missing) {
    CHECK(!good && log.data);
    CHECK_STR_EQ(strstr(log.data, missing) ? "" : log.data, "");
  } else {
    CHECK_STR_EQ(good ? "" : log.data ? log.data : path, "");
  }
  zecl_ptx_free(&ptx);
  zecl_text_free(&log);
  zecl_spirv_free(&spirv);
}

TEST(modules_build_or_name_what_they_lack) {
  each_module(builds_or_names_what_it_lacks);
}

static void assembles(const char *path, const char *missing) {
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  struct zecl_text log = {0};
  if (missing) return;
  test_read_spirv(path, &spirv);
  test_build(&spirv, &ptx);
  const int assembled = test_assemble(&ptx, NULL, &log);
  CHECK_STR_EQ(assembled < 0 ? log.data : "", "");
  zecl_text_free(&log);
  zecl_ptx_free(&ptx);
  zecl_spirv_free(&spirv);
  if (!assembled) SKIP("ptxas is not installed");
}

TEST(ptxas_takes_what_is_built) {
  each_module(assembles);
}

TEST(kernels_have_their_arguments) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  test_read_spirv("test/kernels/builtins.spv", &spirv);
  test_build(&spirv, &ptx);
  CHECK_EQ(ptx.kind, ZECL_PTX_TEXT);
  const struct zecl_ptx_kernel *kernel = test_kernel(&ptx, "locals");
  CHECK_EQ(kernel->arg_count, 4);
  CHECK_EQ(kernel->args[1].kind, ZECL_ARG_POINTER);
  CHECK_EQ(kernel->args[2].kind, ZECL_ARG_LOCAL);
  CHECK_EQ(kernel->args[2].size, 4);
  CHECK_EQ(kernel->offset, ZECL_PTX_OFFSET_NONE);
  CHECK_EQ(test_kernel(&ptx, "through_a_function")->offset, ZECL_PTX_OFFSET_LAST);
  CHECK(strstr(ptx.image, ".extern .shared .align 128 .b8 zecl_local[]"));
  zecl_ptx_free(&ptx);
  zecl_spirv_free(&spirv);
}

/* The kernels' descriptions agree with the text of the PTX. */
TEST(the_text_agrees) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx ptx, read;
  struct zecl_text log = {0};
  test_read_spirv("test/kernels/basic.spv", &spirv);
  test_build(&spirv, &ptx);
  CHECK(zecl_ptx_read(ptx.image, ptx.size, &read, &log));
  CHECK_EQ(read.kernel_count, ptx.kernel_count);
  for (uint32_t i = 0; i < ptx.kernel_count; i++) {
    const struct zecl_ptx_kernel *kernel = &ptx.kernels[i];
    const struct zecl_ptx_kernel *other = test_kernel(&read, kernel->entry);
    CHECK_EQ(other->arg_count, kernel->arg_count + (kernel->offset == ZECL_PTX_OFFSET_LAST));
    for (uint32_t j = 0; j < kernel->arg_count; j++)
      CHECK_EQ(other->args[j].size, kernel->args[j].size);
    CHECK_EQ(memcmp(other->required_group_size, kernel->required_group_size, 12), 0);
  }
  CHECK_EQ(test_kernel(&ptx, "fixed_group")->required_group_size[0], 8);
  zecl_ptx_free(&ptx);
  zecl_ptx_free(&read);
  zecl_spirv_free(&spirv);
}

TEST(exported_variables_are_visible) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  test_read_spirv("test/kernels/globals.spv", &spirv);
  test_build(&spirv, &ptx);
  CHECK(strstr(ptx.image, ".visible .global .align 4 .u32 counter = 7"));
  CHECK(strstr(ptx.image, ".visible .global .align 8 .b8 zeros[2400]"));
  CHECK(!strstr(ptx.image, ".visible .global .align 4 .u32 hidden"));
  zecl_ptx_free(&ptx);
  zecl_spirv_free(&spirv);
}

TEST(constants_are_specialised) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  const int value = 1 << 20; /* which becomes a float */
  test_read_spirv("test/kernels/spec.spv", &spirv);
  CHECK(zecl_spirv_specialise(&spirv, 0, &value));
  test_build(&spirv, &ptx);
  CHECK(strstr(ptx.image, "1233125376") || strstr(ptx.image, "0f49800000"));
  zecl_ptx_free(&ptx);
  zecl_spirv_free(&spirv);
}

TEST(printf_is_of_cuda) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  char numbers[512] = "";
  test_read_spirv("test/kernels/printf.spv", &spirv);
  test_build(&spirv, &ptx);
  CHECK(strstr(ptx.image, "vprintf"));
  for (const char *at = "%lx; %.1f,%.1f,%.1f,%.1f%%\n"; *at; at++)
    snprintf(numbers + strlen(numbers), 8, "%s%d", *numbers ? ", " : "", *at);
  CHECK(strstr(ptx.image, numbers));
  zecl_ptx_free(&ptx);
  zecl_spirv_free(&spirv);
}

TEST(flags_are_heeded) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx ptx, plain;
  struct zecl_text log = {0};
  test_read_spirv("test/kernels/saxpy.spv", &spirv);
  test_build(&spirv, &ptx);
  CHECK(zecl_ptx_build(&spirv, "-ze-opt-disable -ze-no-such-flag", 80, &plain, &log));
  CHECK(strcmp(plain.image, ptx.image) != 0);
  CHECK(log.data && strstr(log.data, "-ze-no-such-flag"));
  zecl_ptx_free(&ptx);
  CHECK(!zecl_ptx_build(&spirv, "-cl-mad-enable -no-such-option", 80, &ptx, &log));
  CHECK(strstr(log.data, "cannot build with the option -no-such-option"));
  zecl_ptx_free(&plain);
  zecl_text_free(&log);
  zecl_spirv_free(&spirv);
}

TEST(targets_are_those_of_the_device) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  struct zecl_text log = {0};
  test_read_spirv("test/kernels/saxpy.spv", &spirv);
  CHECK(zecl_ptx_build(&spirv, NULL, 75, &ptx, &log));
  CHECK(strstr(ptx.image, ".target sm_75\n"));
  zecl_ptx_free(&ptx);
  CHECK(zecl_ptx_build(&spirv, NULL, 200, &ptx, &log));
  CHECK(strstr(ptx.image, ".target sm_86\n") || strstr(ptx.image, ".target sm_90\n"));
  zecl_ptx_free(&ptx);
  zecl_spirv_free(&spirv);
}

/* A translator that leaves a line in a file each time it runs. */
static void count_translations(void) {
  struct zecl_text log = {0}, script = {0};
  char real[256] = "", path[128];
  for (int version = 19; version >= 15 && !*real; version--) {
    char name[32];
    snprintf(name, sizeof name, "llvm-spirv-%d", version);
    if (!zecl_tool_find(name, real, sizeof real)) *real = 0;
  }
  if (!*real) return;
  zecl_text_add(&script, "#!/bin/sh\necho run >>%s\n", test_path("runs"));
  zecl_text_add(&script, "exec %s \"$@\"\n", real);
  snprintf(path, sizeof path, "%s", test_path("translator"));
  CHECK(zecl_tool_write(path, script.data, script.length, &log));
  chmod(path, 0755);
  setenv("ZECL_LLVM_SPIRV", path, 1);
  zecl_text_free(&script);
}

__attribute__((constructor)) static void begin(void) {
  if (!getenv("ZECL_LLVM_SPIRV")) count_translations();
}

static size_t runs(void) {
  struct zecl_text file = {0}, log = {0};
  if (access(test_path("runs"), R_OK) == 0) zecl_tool_read(test_path("runs"), &file, &log);
  const size_t count = file.length / 4;
  zecl_text_free(&file);
  zecl_text_free(&log);
  return count;
}

/* The one file of an empty cache that a build made; null: there is none. */
static const char *cached_file(void) {
  static char path[400];
  char folder[128];
  snprintf(folder, sizeof folder, "%s", test_path("cache/zecl"));
  DIR *open = opendir(folder);
  *path = 0;
  for (struct dirent *entry; open && (entry = readdir(open));)
    if (*entry->d_name != '.') snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
  if (open) closedir(open);
  return *path ? path : NULL;
}

static void empty_cache(void) {
  for (const char *path; (path = cached_file());)
    CHECK_EQ(unlink(path), 0);
}

TEST(the_cache_spares_a_second_build) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx first, second;
  struct zecl_text log = {0};
  empty_cache();
  test_read_spirv("test/kernels/basic.spv", &spirv);
  const size_t before = runs();
  test_build(&spirv, &first);
  CHECK_EQ(runs(), before + 1);
  test_build(&spirv, &second);
  CHECK_EQ(runs(), before + 1);
  CHECK_EQ(first.size, second.size);
  CHECK_STR_EQ(first.image, second.image);
  for (uint32_t i = 0; i < first.kernel_count; i++)
    CHECK_EQ(first.kernels[i].offset, second.kernels[i].offset);
  zecl_ptx_free(&second);
  CHECK(zecl_ptx_build(&spirv, "-ze-opt-disable", 80, &second, &log));
  CHECK_EQ(runs(), before + 2);
  zecl_ptx_free(&second);
  CHECK(zecl_ptx_build(&spirv, NULL, 75, &second, &log));
  CHECK_EQ(runs(), before + 3);
  zecl_ptx_free(&first);
  zecl_ptx_free(&second);
  zecl_spirv_free(&spirv);
}

TEST(damaged_files_are_built_anew) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx first, again;
  struct zecl_text file = {0}, log = {0};
  empty_cache();
  test_read_spirv("test/kernels/saxpy.spv", &spirv);
  test_build(&spirv, &first);
  const char *path = cached_file();
  CHECK(path && zecl_tool_read(path, &file, &log));
  size_t before = runs();
  for (size_t cut = 0; cut < file.length; cut += file.length / 15 + 1) {
    CHECK(zecl_tool_write(path, file.data, cut, &log));
    test_build(&spirv, &again);
    CHECK_STR_EQ(again.image, first.image);
    zecl_ptx_free(&again);
    CHECK_EQ(runs(), ++before);
  }
  for (size_t at = 0; at < file.length; at += file.length / 15 + 1) {
    file.data[at] ^= 1;
    CHECK(zecl_tool_write(path, file.data, file.length, &log));
    file.data[at] ^= 1;
    test_build(&spirv, &again);
    CHECK_STR_EQ(again.image, first.image);
    zecl_ptx_free(&again);
    CHECK_EQ(runs(), ++before);
  }
  zecl_text_free(&file);
  zecl_ptx_free(&first);
  zecl_spirv_free(&spirv);
}

/* Another module's file under this one's name, as after equal hashes: the key differs. */
TEST(a_file_of_another_key_is_not_used) {
  test_needs_llvm();
  struct zecl_spirv one, other;
  struct zecl_ptx of_one, of_other;
  struct zecl_text file = {0}, log = {0};
  test_read_spirv("test/kernels/saxpy.spv", &one);
  test_read_spirv("test/kernels/basic.spv", &other);
  empty_cache();
  test_build(&one, &of_one);
  CHECK(zecl_tool_read(cached_file(), &file, &log));
  empty_cache();
  test_build(&other, &of_other);
  CHECK(zecl_tool_write(cached_file(), file.data, file.length, &log));
  zecl_ptx_free(&of_other);
  const size_t before = runs();
  test_build(&other, &of_other);
  CHECK_EQ(runs(), before + 1);
  CHECK(strcmp(of_other.image, of_one.image) != 0);
  zecl_text_free(&file);
  zecl_ptx_free(&of_one);
  zecl_ptx_free(&of_other);
  zecl_spirv_free(&one);
  zecl_spirv_free(&other);
}

/* A file that others may write, a link, a FIFO, and a folder that others may write. */
TEST(what_is_not_the_user_s_own_is_not_used) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  char path[400], moved[450];
  struct stat properties;
  test_read_spirv("test/kernels/saxpy.spv", &spirv);
  for (int i = 0; i < 4; i++) {
    CHECK_EQ(chmod(test_path("cache/zecl"), 0700), 0);
    empty_cache();
    test_build(&spirv, &ptx);
    zecl_ptx_free(&ptx);
    snprintf(path, sizeof path, "%s", cached_file());
    snprintf(moved, sizeof moved, "%s", test_path("cache/moved"));
    CHECK(lstat(path, &properties) == 0 && (properties.st_mode & 0777) == 0600);
    if (i == 0) CHECK_EQ(chmod(path, 0666), 0);
    if (i == 1) CHECK(rename(path, moved) == 0 && symlink(moved, path) == 0);
    if (i == 2) CHECK(unlink(path) == 0 && mkfifo(path, 0600) == 0);
    if (i == 3) CHECK_EQ(chmod(test_path("cache/zecl"), 0777), 0);
    const size_t before = runs();
    test_build(&spirv, &ptx);
    CHECK_EQ(runs(), before + 1);
    zecl_ptx_free(&ptx);
    /* The file in the folder has been replaced. */
    if (i < 3) CHECK(lstat(path, &properties) == 0 && S_ISREG(properties.st_mode));
  }
  CHECK_EQ(chmod(test_path("cache/zecl"), 0700), 0);
  empty_cache();
  zecl_spirv_free(&spirv);
}

TEST(the_cache_can_be_turned_off) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  empty_cache();
  setenv("ZECL_CACHE", "0", 1);
  test_read_spirv("test/kernels/saxpy.spv", &spirv);
  test_build(&spirv, &ptx);
  unsetenv("ZECL_CACHE");
  CHECK(!cached_file());
  zecl_ptx_free(&ptx);
  zecl_spirv_free(&spirv);
}

/* A folder that cannot be made is no reason to fail. */
TEST(without_a_folder_nothing_is_kept) {
  test_needs_llvm();
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  setenv("XDG_CACHE_HOME", "/dev/null/no", 1);
  test_read_spirv("test/kernels/saxpy.spv", &spirv);
  test_build(&spirv, &ptx);
  setenv("XDG_CACHE_HOME", test_path("cache"), 1);
  zecl_ptx_free(&ptx);
  zecl_spirv_free(&spirv);
}

static void *build_again(void *path) {
  struct zecl_spirv spirv;
  struct zecl_ptx ptx;
  struct zecl_text log = {0};
  test_read_spirv(path, &spirv);
  const bool good = zecl_ptx_build(&spirv, NULL, 80, &ptx, &log);
  zecl_ptx_free(&ptx);
  zecl_text_free(&log);
  zecl_spirv_free(&spirv);
  return good ? path : NULL;
}

TEST(threads_build_at_once) {
  enum { THREADS = 4 };
  static char basic[] = "test/kernels/basic.spv", lacking[] = "test/kernels/assert.spv";
  pthread_t threads[THREADS];
  test_needs_llvm();
  empty_cache();
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, build_again, i ? basic : lacking), 0);
  for (int i = 0; i < THREADS; i++) {
    void *built;
    CHECK_EQ(pthread_join(threads[i], &built), 0);
    CHECK_EQ(built != NULL, i != 0);
  }
}

/* The input is as the translators of LLVM 17 and newer write it. */
TEST(images_and_samplers_are_pointers) {
  struct zecl_text changed = {0};
  zecl_ptx_spaces(
      "declare spir_func <4 x float> @_Z11read_imagef(target(\"spirv.Image\", void, 1, 0, 0, 0, "
      "0, 0, 0), target(\"spirv.Sampler\"), <2 x i32>)",
      &changed);
  CHECK_STR_EQ(changed.data, "declare <4 x float> @_Z11read_imagef(ptr addrspace(1), "
                             "ptr addrspace(1), <2 x i32>)");
  zecl_text_free(&changed);
}

TEST(symbols_are_names_that_ptx_takes) {
  char *symbol = zecl_ptx_symbol("_ZTS5saxpy");
  CHECK_STR_EQ(symbol, "_ZTS5saxpy");
  free(symbol);
  symbol = zecl_ptx_symbol("1 a.b");
  CHECK_STR_EQ(symbol, "$1$20a$2eb");
  free(symbol);
}

TEST_MAIN(modules_build_or_name_what_they_lack, ptxas_takes_what_is_built,
    kernels_have_their_arguments, the_text_agrees, exported_variables_are_visible,
    constants_are_specialised, printf_is_of_cuda, flags_are_heeded, targets_are_those_of_the_device,
    the_cache_spares_a_second_build, damaged_files_are_built_anew,
    a_file_of_another_key_is_not_used, what_is_not_the_user_s_own_is_not_used,
    the_cache_can_be_turned_off, without_a_folder_nothing_is_kept, threads_build_at_once,
    images_and_samplers_are_pointers, symbols_are_names_that_ptx_takes)
