#include "images/pitched.h"

#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* Structure types of headers 1.9 and later. */
enum { BINDLESS_DESC = 0x0002001e, PITCHED_DESC = 0x0002001f, CUSTOM_PITCH_DESC = 0x00020042 };

struct extension {
  uint32_t stype;
  const struct extension *next;
  union {
    void *memory;     /* PITCHED_DESC */
    size_t row_pitch; /* CUSTOM_PITCH_DESC; a slice pitch follows */
  } first;
};

static bool is_wanted;

__attribute__((constructor)) static void read_variable(void) {
  const char *value = secure_getenv("ZECL_PITCHED");
  is_wanted = value && strcmp(value, "1") == 0;
}

bool zecl_pitched_is_offered(void) {
  return is_wanted && !zecl_engine()->streams && zecl_engine()->properties->has_images;
}

static size_t pitch_of(size_t row) {
  return (row + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

ze_result_t zecl_zeMemGetPitchFor2dImage(ze_context_handle_t context, ze_device_handle_t device,
    size_t width, size_t height, unsigned int size, size_t *pitch) {
  ZECL_ENTER(zeMemGetPitchFor2dImage);
  ZECL_REQUIRE(zecl_pitched_is_offered(), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(pitch);
  ZECL_REQUIRE(width && height && size, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  *pitch = pitch_of(width * size);
  return ZE_RESULT_SUCCESS;
}

/* The last row may end where its texels do. */
static bool has_room(
    struct zecl_context *context, const struct zecl_pitched *pitched, size_t row, size_t rows) {
  struct zecl_allocation found;
  if (!zecl_memory_find(context, pitched->memory, &found)) return false;
  const size_t room = (size_t)(found.base + found.size - (char *)pitched->memory);
  return row <= room && (room - row) / pitched->row_pitch >= rows - 1;
}

ze_result_t zecl_pitched_read(struct zecl_context *context, const ze_image_desc_t *desc,
    const struct zecl_image_format *format, const size_t size[3], struct zecl_pitched *pitched) {
  const size_t texel = zecl_texel_size(format), row = size[0] * texel;
  bool is_bindless = false;
  pitched->memory = NULL;
  pitched->row_pitch = pitch_of(row);
  for (const struct extension *e = desc->pNext; e; e = e->next)
    if (e->stype == PITCHED_DESC)
      pitched->memory = e->first.memory;
    else if (e->stype == CUSTOM_PITCH_DESC)
      pitched->row_pitch = e->first.row_pitch;
    else if (e->stype == BINDLESS_DESC)
      is_bindless = true;
  ZECL_REQUIRE(!is_bindless, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  if (!pitched->memory) return ZE_RESULT_SUCCESS;
  ZECL_REQUIRE(zecl_pitched_is_offered(), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ZECL_REQUIRE(desc->type == ZE_IMAGE_TYPE_2D, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(
      !format->is_widened && !format->is_converted, ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  ZECL_REQUIRE(pitched->row_pitch >= row && pitched->row_pitch % texel == 0,
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  ZECL_REQUIRE(has_room(context, pitched, row, size[1]), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}
