/* Fuzz target: ELF files and their sections, zebins, and archives with their members. */
#include "syclze/offload/archive.h"
#include "syclze/offload/zebin.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_elf(syclze_bytes bytes) {
  syclze_elf elf;
  syclze_elf_section section;
  if (syclze_elf_open(bytes, &elf) != ZE_RESULT_SUCCESS) return;
  for (size_t i = 0; syclze_elf_section_at(&elf, i, &section); i++) {
    use(section.name, strlen(section.name));
    use(section.bytes.data, section.bytes.size);
  }
  syclze_elf_section_find(&elf, ".llvm.offloading", &section);
}

static void use_zebin(syclze_bytes bytes) {
  syclze_zebin zebin;
  syclze_text name;
  if (syclze_zebin_open(bytes, &zebin) != ZE_RESULT_SUCCESS) return;
  use(zebin.spirv.data, zebin.spirv.size);
  use(zebin.version.data, zebin.version.size);
  syclze_zebin_kernel_cursor cursor = syclze_zebin_kernels(&zebin);
  while (syclze_zebin_kernel_next(&cursor, &name))
    use(name.data, name.size);
}

static void use_archive(syclze_bytes bytes) {
  syclze_archive_cursor cursor = syclze_archive_begin(bytes);
  syclze_archive_member member;
  while (syclze_archive_next(&cursor, &member)) {
    use(member.name.data, member.name.size);
    use(member.target.data, member.target.size);
    use_zebin(member.bytes);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  syclze_bytes bytes = syclze_bytes_of(data, size);
  use_elf(bytes);
  use_zebin(bytes);
  use_archive(bytes);
  return 0;
}
