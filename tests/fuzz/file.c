/* Fuzz target: any file, and every image in it with its strings and properties: DPC++ programs,
   SYCLBIN, bundles, bitcode; the sections of ELF and COFF on the way there. */
#include "use_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  use_file(data, size);
  syclze_coff coff;
  syclze_coff_section section;
  if (syclze_coff_open(syclze_bytes_of(data, size), &coff) != ZE_RESULT_SUCCESS) return 0;
  for (size_t i = 0; syclze_coff_section_at(&coff, i, &section); i++) {
    use(section.name.data, section.name.size);
    use(section.bytes.data, section.bytes.size);
  }
  return 0;
}
