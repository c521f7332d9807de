/* The build options of an image, as DPC++'s runtime passes them to Level Zero.
 *
 * DPC++ leaves options of its own front end in images; the runtime replaces them by the driver's,
 * or drops them. The order is the reference runtime's: the image's options, those of its
 * properties, the caller's, the environment's. */
#ifndef SYCLZE_OFFLOAD_DETAIL_BUILD_OPTIONS_H
#define SYCLZE_OFFLOAD_DETAIL_BUILD_OPTIONS_H

#include "../module_build.h"
#include "buffer_writer.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* DPC++'s values of the property sycl-register-alloc-mode. */
enum { SYCLZE__REGISTERS_AUTOMATIC = 0, SYCLZE__REGISTERS_LARGE = 2 };

/* Options under construction. */
struct syclze__options {
  struct syclze__writer writer;
  const syclze_device_traits *traits;
};

SYCLZE_LOCAL void syclze__options_put(struct syclze__options *options, syclze_text text) {
  if (text.size == 0) return;
  if (options->writer.size != 0) syclze__writer_put(&options->writer, " ", 1);
  syclze__writer_put_text(&options->writer, text);
}

SYCLZE_LOCAL void syclze__options_put_string(struct syclze__options *options, const char *string) {
  syclze__options_put(options, syclze_text_of(string));
}

SYCLZE_INLINE bool syclze__text_begins(syclze_text text, const char *prefix) {
  size_t size = strlen(prefix);
  return text.size >= size && memcmp(text.data, prefix, size) == 0;
}

/* Passes on, translates or drops one option of the compiler's command line. */
SYCLZE_LOCAL void syclze__options_translate(struct syclze__options *options, syclze_text option) {
  static const char registers[] = "-ftarget-register-alloc-mode=pvc:";
  const syclze_device_traits *traits = options->traits;
  if (syclze__text_begins(option, "-ftarget-register-alloc-mode=")) {
    bool is_pvc = syclze__is_intel_gpu(traits) && (traits->device_id & 0xff00u) == 0x0b00u;
    if (!is_pvc || !syclze__text_begins(option, registers)) return;
    option.data += sizeof registers - 1;
    option.size -= sizeof registers - 1;
  } else if (syclze_text_is(option, "-ftarget-compile-fast")) {
    if (!syclze__is_intel_gpu(traits)) return;
    option = syclze_text_of("-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'");
  } else if (syclze_text_is(option, "-foffload-fp32-prec-div") ||
             syclze_text_is(option, "-foffload-fp32-prec-sqrt")) {
    option = syclze_text_of("-ze-fp32-correctly-rounded-divide-sqrt");
  }
  syclze__options_put(options, option);
}

/* Translates all options, which are separated by blanks outside of quotes. */
SYCLZE_LOCAL void syclze__options_translate_all(struct syclze__options *options, syclze_text text) {
  size_t begin = 0;
  char quote = '\0';
  for (size_t at = 0; at <= text.size; at++) {
    bool is_end = at == text.size;
    char character = is_end ? ' ' : text.data[at];
    if (!is_end && quote != '\0') {
      if (character == quote) quote = '\0';
    } else if (character == '\'' || character == '"') {
      quote = character;
    } else if (character == ' ' || character == '\t' || character == '\n' || character == '\r') {
      syclze_text option = {text.data + begin, at - begin};
      if (option.size != 0) syclze__options_translate(options, option);
      begin = at + 1;
    }
  }
}

SYCLZE_LOCAL void syclze__options_put_registers(
    struct syclze__options *options, syclze_property_sets sets, bool is_esimd) {
  uint32_t number = 0;
  bool is_large = false, is_automatic = false;
  if (syclze_property_get_u32(
          sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_REGISTER_ALLOC_MODE, &number)) {
    is_large = number == SYCLZE__REGISTERS_LARGE;
    is_automatic = number == SYCLZE__REGISTERS_AUTOMATIC;
  } else if (syclze_property_get_u32(
                 sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_GRF_SIZE, &number)) {
    is_large = number == 256;
    is_automatic = number == 0;
  }
  if (is_large)
    syclze__options_put_string(options, is_esimd ? "-doubleGRF" : "-ze-opt-large-register-file");
  if (is_automatic) syclze__options_put_string(options, "-ze-intel-enable-auto-large-GRF-mode");
}

/* Adds the options that the image's properties imply; malformed properties imply none.
 * `is_replaced`: the environment replaces compile options. */
SYCLZE_LOCAL ze_result_t syclze__options_put_properties(
    struct syclze__options *options, const syclze_offload_image *image, bool is_replaced) {
  syclze_property_sets sets;
  uint32_t is_esimd = 0, level = 0;
  const ze_result_t result = syclze__property_sets_try(image, &sets);
  if (sets.rep == NULL) return result;
  syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_IS_ESIMD_IMAGE, &is_esimd);
  if (is_esimd != 0) syclze__options_put_string(options, "-vc-codegen -disable-finalizer-msg");
  syclze__options_put_registers(options, sets, is_esimd != 0);
  if (is_esimd == 0 && !is_replaced &&
      syclze_property_get_u32(sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_OPT_LEVEL, &level) &&
      level <= 3)
    syclze__options_put_string(options, level == 0 ? "-ze-opt-disable" : "-ze-opt-level=2");
  syclze_property_sets_close(sets);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_build_options(const syclze_offload_image *image,
    const syclze_device_traits *traits, const char *more, char *buffer, size_t *size) {
  if (image == NULL || traits == NULL || size == NULL)
    return syclze__fail_pointer(
        "syclze_build_options", "the image's, the traits' or the size's pointer is null");
  struct syclze__options options = {syclze__writer_of(buffer, size), traits};
  const char *compile = syclze__environment("SYCL_PROGRAM_COMPILE_OPTIONS");
  const char *link = syclze__environment("SYCL_PROGRAM_LINK_OPTIONS");
  if (compile != NULL)
    syclze__options_put_string(&options, compile);
  else
    syclze__options_translate_all(
        &options, syclze__text_before(syclze_offload_image_text(image, "compile-opts"), '\0'));
  ze_result_t result = syclze__options_put_properties(&options, image, compile != NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze__options_put_string(&options, syclze__environment("SYCL_PROGRAM_APPEND_COMPILE_OPTIONS"));
  if (link != NULL)
    syclze__options_put_string(&options, link);
  else
    syclze__options_put(
        &options, syclze__text_before(syclze_offload_image_text(image, "link-opts"), '\0'));
  syclze__options_put_string(&options, syclze__environment("SYCL_PROGRAM_APPEND_LINK_OPTIONS"));
  syclze__options_put_string(&options, more);
  syclze__writer_put_zeros(&options.writer, 1);
  return syclze__writer_end(&options.writer, size, "syclze_build_options");
}

#endif

SYCLZE_EXTERN_C_END

#endif
