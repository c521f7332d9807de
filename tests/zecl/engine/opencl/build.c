/* Programs: the words of a module as the platform takes them, and its build log. */
#include "engine/opencl/opencl.h"

#include "modules/program.h"
#include "engine/build_flags.h"
#include "spirv/call.h"
#include "spirv/cooperate.h"
#include "spirv/global.h"
#include "spirv/group.h"
#include "spirv/half.h"
#include "spirv/real_atomics.h"
#include "engine/opencl/translate.h"
#include "spirv/words.h"

#include <stdlib.h>
#include <string.h>

static void log_error(struct zecl_text *log, const char *what, cl_int error) {
  zecl_text_add(log, "%s: OpenCL error %d\n", what, (int)error);
}

static cl_program from_bitcode(const struct zecl_opencl *opencl, const uint32_t *words,
    size_t word_count, struct zecl_text *log) {
  char version[1024] = "";
  struct zecl_text bitcode = {0};
  clGetPlatformInfo(opencl->platform, CL_PLATFORM_VERSION, sizeof version - 1, version, NULL);
  if (!zecl_translate(words, word_count, version, &bitcode, log)) {
    zecl_text_free(&bitcode);
    return NULL;
  }
  const unsigned char *bytes = (const unsigned char *)bitcode.data;
  cl_int error, status;
  cl_program program = clCreateProgramWithBinary(
      opencl->context, 1, &opencl->device, &bitcode.length, &bytes, &status, &error);
  if (!program) log_error(log, "the platform refuses the translated module", error);
  zecl_text_free(&bitcode);
  return program;
}

static cl_program from_il(const struct zecl_opencl *opencl, const uint32_t *words,
    size_t word_count, struct zecl_text *log) {
  cl_int error;
  cl_program program =
      clCreateProgramWithIL(opencl->context, words, word_count * sizeof *words, &error);
  if (!program) log_error(log, "the platform refuses the module", error);
  return program;
}

static void take_build_log(cl_program program, cl_device_id device, struct zecl_text *log) {
  size_t size = 0;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) || size < 2)
    return;
  char *text = calloc(size + 1, 1);
  if (text && !clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, text, NULL)) {
    size_t length = strlen(text);
    while (length && text[length - 1] == '\n')
      length--;
    if (length) zecl_text_add(log, "%.*s\n", (int)length, text);
  }
  free(text);
}

/* Fails for capabilities that the device's properties deny: a platform may build them and fail
 * later. */
static bool check_capabilities(const struct zecl_spirv *spirv, struct zecl_text *log) {
  const char *lacking = NULL;
  for (uint32_t i = 0; i < spirv->capability_count; i++) {
    if (spirv->capabilities[i] == SPIRV_CAPABILITY_FLOAT16 && !zecl_opencl_properties.has_fp16)
      lacking = "Float16";
    if (spirv->capabilities[i] == SPIRV_CAPABILITY_FLOAT64 && !zecl_opencl_properties.has_fp64)
      lacking = "Float64";
  }
  if (lacking) zecl_text_add(log, "the module needs %s, which the device lacks\n", lacking);
  return !lacking;
}

/* Variables and functions at their places. Takes the words over. */
static uint32_t *place(
    const struct zecl_program *program, uint32_t *words, size_t *count, struct zecl_text *log) {
  const struct zecl_spirv *spirv = &program->spirv;
  void **places = calloc(spirv->global_count + 1, sizeof *places);
  uint32_t *placed = NULL;
  for (uint32_t i = 0; places && i < spirv->global_count; i++)
    places[i] = program->globals[i]->bytes;
  if (places) placed = zecl_spirv_place_globals(spirv, words, *count, places, count);
  if (placed && zecl_spirv_has_pointer_calls(spirv)) {
    uint32_t *before = placed;
    placed = zecl_spirv_direct_calls(spirv, before, *count, places, count, log);
    free(before);
  }
  free(words);
  free(places);
  return placed;
}

/* The words without functions that engines lack: atomics of floating-point numbers all do, of some
 * types and pointers; those of half precision and of work-groups PoCL does. Takes the words over.
 */
static uint32_t *without_newer(const struct zecl_opencl *opencl, uint32_t *words, size_t *count) {
  uint32_t *plain = zecl_spirv_plain_real_atomics(words, *count, count);
  free(words);
  if (plain && opencl->lacks_half_functions) {
    words = zecl_spirv_plain_halves(plain, *count, count);
    free(plain);
    plain = words;
  }
  if (!plain || opencl->has_groups) return plain;
  words = zecl_spirv_plain_groups(plain, *count, zecl_opencl_properties.max_group_size, count);
  free(plain);
  return words;
}

/* The words as translators and engines take them. */
static uint32_t *words_of(const struct zecl_opencl *opencl, const struct zecl_program *program,
    size_t *count, struct zecl_text *log) {
  const struct zecl_spirv *spirv = &program->spirv;
  uint32_t *words = zecl_spirv_plain_words(spirv, !opencl->takes_il, count);
  if (words) words = place(program, words, count, log);
  if (words) words = without_newer(opencl, words, count);
  if (!words || !zecl_spirv_has_wide_barriers(spirv)) return words;
  uint32_t *lone = zecl_spirv_lone_groups(spirv, words, *count, count);
  free(words);
  return lone;
}

static cl_program create(
    const struct zecl_opencl *opencl, const struct zecl_program *program, struct zecl_text *log) {
  size_t count;
  uint32_t *words = words_of(opencl, program, &count, log);
  if (!words) return NULL;
  cl_program made = (opencl->takes_il ? from_il : from_bitcode)(opencl, words, count, log);
  free(words);
  return made;
}

struct zecl_engine_program *zecl_opencl_program_build(
    const struct zecl_program *from, struct zecl_text *log) {
  const struct zecl_opencl *opencl = zecl_opencl();
  struct zecl_text options = {0};
  zecl_text_add(&options, "%s", opencl->takes_il ? "" : "-x spir -spir-std=1.2");
  zecl_build_flags(from->flags, &options, log);
  cl_program program = check_capabilities(&from->spirv, log) ? create(opencl, from, log) : NULL;
  if (program) {
    cl_int error = clBuildProgram(program, 1, &opencl->device, options.data, NULL, NULL);
    take_build_log(program, opencl->device, log);
    if (error) {
      log_error(log, "the platform cannot build the module", error);
      clReleaseProgram(program);
      program = NULL;
    }
  }
  zecl_text_free(&options);
  return (struct zecl_engine_program *)program;
}
