/* OpenCL C compiled at run time: by ocloc's library, for which a stand-in is opened by its path
   (stand_in/libocloc.c), by scripts in the place of clang, and by clang and llvm-spirv where they
   are installed. */
#undef SYCLZE_DECLARATIONS
#define _GNU_SOURCE
#include "syclze/offload/kernel_source.h"
#include "support/sample.h"
#include "support/scratch.h"
#include "tests/check.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char diagnosed[4096];
static char text_of_log[4096];

static void diagnose(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  snprintf(diagnosed, sizeof diagnosed, "%s", diagnostic->detail != NULL ? diagnostic->detail : "");
}

/* A source without a compiler, cache or variable. */
static syclze_kernel_source source_of(const char *text) {
  syclze_kernel_source source = {0};
  source.text = text;
  source.ocloc = source.tools = source.cache_folder = "";
  source.log = text_of_log;
  source.log_size = sizeof text_of_log;
  memset(text_of_log, 'x', sizeof text_of_log - 1);
  diagnosed[0] = '\0';
  static const syclze_diagnostic_handler handler = {diagnose, NULL};
  syclze_diagnostic_set_handler(&handler);
  return source;
}

/* Compiles a source with the expected result, and frees what it returns. */
static size_t compiled(const syclze_kernel_source *source, ze_result_t expected) {
  syclze_bytes spirv = syclze_bytes_of(&spirv, 1);
  CHECK_EQ(syclze_kernel_source_compile(source, &spirv), expected);
  CHECK_EQ(spirv.size != 0, expected == ZE_RESULT_SUCCESS);
  CHECK_EQ(spirv.data != NULL, expected == ZE_RESULT_SUCCESS);
  syclze_kernel_source_free(spirv);
  return spirv.size;
}

static void check_log(const char *part) {
  CHECK(strstr(text_of_log, part) != NULL);
  CHECK(strstr(diagnosed, part) != NULL);
}

TEST(nulls_are_refused) { // shows offload 59
  syclze_kernel_source source = source_of(NULL);
  syclze_bytes spirv = syclze_bytes_of(&spirv, 1);
  CHECK_EQ(syclze_kernel_source_compile(NULL, &spirv), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(spirv.size, 0);
  CHECK_EQ(syclze_kernel_source_compile(&source, &spirv), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  source.text = "";
  CHECK_EQ(syclze_kernel_source_compile(&source, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  syclze_kernel_source_free(syclze_bytes_of(NULL, 0));
}

TEST(without_a_compiler_each_is_named) { // shows offload 59
  syclze_kernel_source source = source_of("kernel void k(void) {}");
  compiled(&source, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  check_log("no clang-22");
  CHECK(strstr(text_of_log, "ocloc") == NULL);
  source.ocloc = "/nowhere/libocloc.so";
  source.tools = "/nowhere:relative::.";
  compiled(&source, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  check_log("/nowhere/libocloc.so is not installed");
  check_log("no clang-22");
  source.log_size = 4; /* cut off */
  compiled(&source, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(strlen(text_of_log), 3);
  source.log = NULL;
  compiled(&source, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK(strstr(diagnosed, "no clang-22") != NULL);
}

TEST(oclocs_library_compiles) { // shows offload 59
  void *library = dlopen(OCLOC, RTLD_NOW);
  CHECK(library != NULL);
  int (*outputs_left)(void);
  *(void **)&outputs_left = dlsym(library, "fake_outputs_left");
  syclze_kernel_source source = source_of("kernel void k(void) {}");
  source.ocloc = OCLOC;
  CHECK_EQ(compiled(&source, ZE_RESULT_SUCCESS), 20);
  CHECK_STR_EQ(text_of_log, "");
  source.text = "refuse";
  compiled(&source, SYCLZE_RESULT_ERROR_BUILD);
  check_log("ocloc -q -spv_only -file main.cl ");
  CHECK(strstr(text_of_log, "-options") == NULL && strstr(text_of_log, "-device") == NULL);
  source.options = "-DN=2 -cl-mad-enable";
  compiled(&source, SYCLZE_RESULT_ERROR_BUILD);
  check_log("-options -DN=2 -cl-mad-enable ");
  static const char *const without[] = {"nothing", "odd"};
  for (int i = 0; i < 2; i++) {
    source.text = without[i];
    compiled(&source, SYCLZE_RESULT_ERROR_BUILD);
  }
  source.text = "lack"; /* clang is the next, and is not there */
  compiled(&source, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  check_log("ocloc: error -6");
  check_log("no clang-22");
  CHECK_EQ(outputs_left(), 0);
  dlclose(library);
}

TEST(the_devices_architecture_is_passed_to_ocloc) { // shows offload 59
  syclze_kernel_source source = source_of("refuse");
  source.ocloc = OCLOC;
  static const uint32_t versions[] = {0x030f0007, 90};
  for (int i = 0; i < 2; i++) {
    struct syclze__source_job job;
    memset(&job, 0, sizeof job);
    job.source = &source;
    job.log.text = text_of_log;
    job.log.room = sizeof text_of_log;
    job.ip_version = versions[i];
    CHECK_EQ(syclze__ocloc_compile(&job), SYCLZE_RESULT_ERROR_BUILD);
    CHECK_EQ(strstr(text_of_log, "-device 51314695 ") != NULL, i == 0);
    CHECK_EQ(strstr(text_of_log, "-device") != NULL, i == 0);
  }
}

/* The module that a real compiler made of a source which adds N has the kernel, and is freed;
   without the options that define N the source is refused. */
static void check_added(syclze_kernel_source *source, syclze_bytes spirv) {
  syclze_spirv module;
  uint32_t position = 0;
  CHECK_EQ(syclze_spirv_open(spirv, &module), ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(syclze_spirv_next_kernel_name(&module, &position), "add");
  syclze_kernel_source_free(spirv);
  source->options = NULL;
  compiled(source, SYCLZE_RESULT_ERROR_BUILD);
  check_log("use of undeclared identifier 'N'");
}

/* Intel's own library. With options, as programs have them, and an error of its compiler. */
TEST(the_installed_ocloc_compiles) { // shows offload 59
  syclze_kernel_source source =
      source_of("kernel void add(global int *x) { x[get_global_id(0)] += N; }");
  void *library = dlopen("libocloc.so", RTLD_NOW);
  if (library == NULL) SKIP("libocloc.so is not installed");
#ifdef __SANITIZE_ADDRESS__
  dlclose(library);
  SKIP("it opens its compiler with RTLD_DEEPBIND, at which this sanitizer ends the process");
#endif
  source.ocloc = NULL; /* the default */
  source.options = "-DN=2 -cl-std=CL2.0";
  syclze_bytes spirv;
  const ze_result_t result = syclze_kernel_source_compile(&source, &spirv);
  if (result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED) {
    dlclose(library);
    SKIP("libocloc.so is installed without its compiler");
  }
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  check_added(&source, spirv);
  dlclose(library);
}

/* Puts a script in the place of a tool into the scratch folder: it keeps its arguments, variables
   and input, refuses a source with "refuse", and else copies a module. */
static void put_tool(const char *tool) {
  char script[4096], here[1024];
  CHECK(getcwd(here, sizeof here) != NULL);
  const int size = snprintf(script, sizeof script,
      "#!/bin/sh\n"
      "echo \"$*\" >>%s\nenv >%s\ncat >%s\n"
      "while [ $# -gt 1 ]; do [ \"$1\" != -o ] || out=$2; shift; done\n"
      "echo 'a message of it'\n"
      "! grep -q refuse \"$1\" || { echo 'refused' >&2; exit 1; }\n"
      "cp %s/tests/offload/samples/two.llvmspirv15.spv \"$out\"\n",
      scratch_path("arguments"), scratch_path("variables"), scratch_path("input"), here);
  scratch_write(tool, syclze_bytes_of(script, (size_t)size));
  CHECK_EQ(chmod(scratch_path(tool), 0755), 0);
}

/* The content of a file of the scratch folder, good until the next call. */
static const char *content_of(const char *name) {
  static char content[8192];
  FILE *file = fopen(scratch_path(name), "rb");
  CHECK(file != NULL);
  content[fread(content, 1, sizeof content - 1, file)] = '\0';
  fclose(file);
  return content;
}

/* Tools in the scratch folder, and a folder for temporary files there. */
static syclze_kernel_source source_for_tools(const char *text) {
  syclze_kernel_source source = source_of(text);
  scratch_begin(NULL);
  source.tools = scratch_path(".");
  CHECK_EQ(mkdir(scratch_path("temporary"), 0700), 0);
  CHECK_EQ(setenv("TMPDIR", scratch_path("temporary"), 1), 0);
  return source;
}

/* Nothing is left of a compilation. */
static void end_tools(void) {
  CHECK_EQ(rmdir(scratch_path("temporary")), 0);
  CHECK_EQ(unsetenv("TMPDIR"), 0);
  scratch_end();
}

TEST(a_new_clang_writes_spirv_itself) { // shows offload 59
  syclze_kernel_source source = source_for_tools("kernel void k(void) {}");
  put_tool("clang-22");
  put_tool("clang-15"); /* is older */
  source.options = "  -DN=2\t-cl-std=CL1.2 ";
  setenv("CPATH", "/hostile", 1);
  CHECK_EQ(compiled(&source, ZE_RESULT_SUCCESS) != 0, true);
  unsetenv("CPATH");
  CHECK_STR_EQ(text_of_log, "");
  CHECK(strstr(content_of("arguments"),
            "-c -target spirv64 -xcl -cl-std=CL3.0 -O2 -DN=2 -cl-std=CL1.2 -o ") != NULL);
  CHECK(strstr(content_of("variables"), "CPATH") == NULL);
  CHECK(strstr(content_of("variables"), "LC_ALL=C\n") != NULL);
  CHECK_STR_EQ(content_of("input"), "");
  source.text = "refuse";
  compiled(&source, SYCLZE_RESULT_ERROR_BUILD);
  check_log("a message of it\nrefused\n");
  end_tools();
}

TEST(an_old_clang_needs_the_translator_of_its_version) { // shows offload 59
  syclze_kernel_source source = source_for_tools("kernel void k(void) {}");
  source.options = "-O3 -cl-std=CL3.0 -DN=2";
  put_tool("clang-15");
  put_tool("llvm-spirv-14");
  CHECK_EQ(mkdir(scratch_path("llvm-spirv-15"), 0755), 0); /* no file */
  compiled(&source, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(rmdir(scratch_path("llvm-spirv-15")), 0);
  put_tool("llvm-spirv-15");
  CHECK(compiled(&source, ZE_RESULT_SUCCESS) != 0);
  CHECK(strstr(content_of("arguments"), "-c -target spir64 -xcl -DN=2 -cl-std=CL2.0 -O2 ") != NULL);
  CHECK(strstr(content_of("arguments"), "-passes=") == NULL);
  put_tool("opt-15");
  CHECK(compiled(&source, ZE_RESULT_SUCCESS) != 0);
  CHECK(strstr(content_of("arguments"), "-passes=sroa,early-cse,instcombine") != NULL);
  end_tools();
}

TEST(it_works_in_odd_environments) { // shows offload 59
  syclze_kernel_source source = source_for_tools("kernel void k(void) {}");
  put_tool("clang-22");
  const mode_t mask = umask(0);
  CHECK(compiled(&source, ZE_RESULT_SUCCESS) != 0);
  umask(mask);
  signal(SIGCHLD, SIG_IGN); /* no status of a child can be had */
  CHECK(compiled(&source, ZE_RESULT_SUCCESS) != 0);
  source.text = "refuse";
  compiled(&source, SYCLZE_RESULT_ERROR_BUILD);
  check_log("refused");
  signal(SIGCHLD, SIG_DFL);
  source.text = "kernel void k(void) {}";
  const pid_t process = fork();
  if (process == 0) { /* without standard files */
    syclze_bytes spirv;
    close(0), close(1), close(2);
    _exit(syclze_kernel_source_compile(&source, &spirv) == ZE_RESULT_SUCCESS ? 7 : 8);
  }
  int status = 0;
  CHECK_EQ(waitpid(process, &status, 0), process);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  setenv("TMPDIR", "/nowhere", 1);
  compiled(&source, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  check_log("no folder in TMPDIR");
  setenv("TMPDIR", "relative", 1); /* as /tmp */
  CHECK(compiled(&source, ZE_RESULT_SUCCESS) != 0);
  end_tools();
}

/* A source is not refused where the compiler could not begin; one that is killed says nothing. */
TEST(a_compiler_that_does_not_run_is_named) { // shows offload 59
  static const char killed[] = "#!/bin/sh\nkill -9 $$\n", none[] = "no program";
  static const struct {
    const char *script, *reason;
    ze_result_t result;
  } tools[] = {{killed, "clang-22 was ended by signal 9", SYCLZE_RESULT_ERROR_BUILD},
      {none, "clang-22 cannot be run", SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED}};
  syclze_kernel_source source = source_for_tools("kernel void k(void) {}");
  for (int i = 0; i < 2; i++) {
    scratch_write("clang-22", syclze_bytes_of(tools[i].script, strlen(tools[i].script)));
    CHECK_EQ(chmod(scratch_path("clang-22"), 0755), 0);
    compiled(&source, tools[i].result);
    check_log(tools[i].reason);
  }
  put_tool("clang-22");
  const pid_t process = fork();
  if (process == 0) { /* no file may have a byte */
    const struct rlimit none_at_all = {0, 0};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none_at_all);
    syclze_bytes spirv;
    const ze_result_t result = syclze_kernel_source_compile(&source, &spirv);
    _exit(result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED && text_of_log[0] != '\0' ? 7 : 8);
  }
  int status = 0;
  CHECK_EQ(waitpid(process, &status, 0), process);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  end_tools();
}

TEST(spirv_is_kept_in_the_cache) { // shows offload 59
  syclze_kernel_source source = source_for_tools("kernel void k(void) {}");
  put_tool("clang-22");
  source.cache_folder = scratch_path("cache");
  const size_t size = compiled(&source, ZE_RESULT_SUCCESS);
  CHECK_EQ(unlink(scratch_path("clang-22")), 0);
  CHECK_EQ(compiled(&source, ZE_RESULT_SUCCESS), size);
  CHECK_STR_EQ(text_of_log, "");
  syclze_kernel_source other = source;
  other.options = "-DN=2";
  compiled(&other, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  other = source;
  other.text = "kernel void l(void) {}";
  compiled(&other, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  other = source;
  other.cache_folder = NULL;
  setenv("SYCLZE_CACHE_DIR", source.cache_folder, 1);
  CHECK_EQ(compiled(&other, ZE_RESULT_SUCCESS), size);
  unsetenv("SYCLZE_CACHE_DIR");
  CHECK_EQ(scratch_run("for f in %s/*; do truncate -s -4 $f; done", source.cache_folder), 0);
  compiled(&source, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  put_tool("clang-22");
  CHECK_EQ(compiled(&source, ZE_RESULT_SUCCESS), size);
  CHECK_EQ(scratch_run("[ $(ls %s | wc -l) -eq 1 ]", source.cache_folder), 0);
  end_tools();
}

/* Installed tools: the kernel is in the module, and the compiler's messages in the log. */
TEST(installed_tools_compile) { // shows offload 59
  syclze_kernel_source source =
      source_for_tools("kernel void add(global int *x) { x[get_global_id(0)] += N; }");
  source.tools = NULL;
  source.options = "-DN=2 -cl-std=CL3.0";
  syclze_bytes spirv;
  const ze_result_t result = syclze_kernel_source_compile(&source, &spirv);
  if (result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED) {
    end_tools();
    SKIP("no clang with a way to SPIR-V is installed");
  }
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  check_added(&source, spirv);
  end_tools();
}

TEST_MAIN(nulls_are_refused, without_a_compiler_each_is_named, oclocs_library_compiles,
    the_devices_architecture_is_passed_to_ocloc, the_installed_ocloc_compiles,
    a_new_clang_writes_spirv_itself, an_old_clang_needs_the_translator_of_its_version,
    it_works_in_odd_environments, a_compiler_that_does_not_run_is_named, spirv_is_kept_in_the_cache,
    installed_tools_compile)
