/* External memory (syclze/external_memory.h) as the driver has it: what works, or is refused by
 * name. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/external_memory.h"

enum { SIZE = 65536 };

/* Types that the device lacks are refused, and those that it has are allocated. */
TEST(each_type_is_exportable_or_refused) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_device device = made_device(&g);
  const ze_external_memory_type_flag_t types[] = {
      ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF};
  ze_external_memory_type_flags_t imports, exports;
  CHECK_EQ(syclze_external_memory_get_support(device, &imports, &exports), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    void *memory;
    if ((exports & types[i]) == 0)
      REFUSED(memory, syclze_external_memory_allocate(SIZE, types[i], device, context, &memory),
          ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "syclze_external_memory_allocate",
          "does not export", g.context);
    else {
      CHECK_EQ(syclze_external_memory_allocate(SIZE, types[i], device, context, &memory),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
    }
    if ((imports & types[i]) == 0)
      REFUSED(memory, syclze_external_memory_import(0, types[i], SIZE, device, context, &memory),
          ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "syclze_external_memory_import",
          "does not import", g.context);
  }
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(host_memory_is_registered_or_refused) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  void *memory = aligned_alloc(SIZE, SIZE), *function = NULL;
  if (zeDriverGetExtensionFunctionAddress(g.driver, "zexDriverImportExternalPointer", &function) ==
      ZE_RESULT_SUCCESS) {
    CHECK_EQ(syclze_host_memory_register(memory, SIZE, context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_host_memory_unregister(memory, context), ZE_RESULT_SUCCESS);
  } else
    FAILED(syclze_host_memory_register(memory, SIZE, context), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        "syclze_host_memory_register", "zexDriverImportExternalPointer", memory);
  free(memory);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(each_type_is_exportable_or_refused, host_memory_is_registered_or_refused)
