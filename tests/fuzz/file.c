/* Fuzz target: any file, and every image in it with its strings and properties: DPC++ programs,
   SYCLBIN, bundles, bitcode; the sections of ELF and COFF on the way there. */
#include "syclze/offload/file.h"
#include "syclze/offload/property_set.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(syclze_bytes_of(data, size));
  syclze_offload_image image;
  while (syclze_offload_file_next(&cursor, &image)) {
    use(cursor.place, strlen(cursor.place));
    use_image(&image);
    syclze_property_sets sets;
    if (syclze_property_sets_open(&image, &sets) != ZE_RESULT_SUCCESS) continue;
    for (size_t i = 0; i < syclze_property_count(sets); i++)
      use(syclze_property_at(sets, i)->bytes.data, syclze_property_at(sets, i)->bytes.size);
    syclze_property_sets_close(sets);
  }
  syclze_offload_file_end(&cursor);
  syclze_coff coff;
  syclze_coff_section section;
  if (syclze_coff_open(syclze_bytes_of(data, size), &coff) != ZE_RESULT_SUCCESS) return 0;
  for (size_t i = 0; syclze_coff_section_at(&coff, i, &section); i++) {
    use(section.name.data, section.name.size);
    use(section.bytes.data, section.bytes.size);
  }
  return 0;
}
