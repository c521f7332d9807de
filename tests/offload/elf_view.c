/* Sections and relocations of a host's file by address: which relocations are pointers, and
   look-ups from wherever the last one was. */
#include "syclze/offload/file.h"
#include "tests/check.h"

enum { X86 = 62, AARCH64 = 183, OBJECT = 1, PROGRAM = 2, SHARED = 3, COUNT = 40 };

/* A relocation, with a symbol's index. */
static bool relocation(const syclze_elf *elf, const struct syclze__elf_header *header,
    uint32_t kind, uint32_t symbol, struct syclze__elf_pointer *pointer) {
  const uint64_t words[3] = {0x1000, (uint64_t)symbol << 32 | kind, 0x2000};
  return syclze__elf_relocation(elf, header, (const uint8_t *)words, pointer);
}

/* Whether a relocation of a linked file is a pointer. */
static bool linked_relocation(
    syclze_elf *elf, uint32_t kind, uint32_t symbol, struct syclze__elf_pointer *pointer) {
  const uint64_t words[3] = {0x1000, (uint64_t)symbol << 32 | kind, 0x2000};
  struct syclze__elf_header header = {0};
  struct syclze__elf_view view;
  bool is_sorted = true;
  memset(&view, 0, sizeof view);
  elf->bytes = syclze_bytes_of(words, sizeof words);
  header.type = SYCLZE__ELF_SECTION_RELA;
  header.size = sizeof words;
  view.elf = elf;
  view.pointers = pointer;
  syclze__elf_view_add_pointers(&view, &header, &is_sorted);
  return view.pointer_count == 1;
}

/* Linking leaves those that add the load address: R_X86_64_RELATIVE, R_AARCH64_RELATIVE. */
TEST(of_a_linked_file_relative_relocations_are_pointers) {
  static const uint16_t types[] = {PROGRAM, SHARED}, machines[] = {X86, AARCH64};
  for (int type = 0; type < 2; type++)
    for (int machine = 0; machine < 2; machine++) {
      const uint32_t relative = machines[machine] == X86 ? 8 : 1027;
      syclze_elf elf;
      struct syclze__elf_pointer pointer;
      memset(&elf, 0, sizeof elf);
      elf.type = types[type];
      elf.machine = machines[machine];
      for (uint32_t kind = 0; kind < 1100; kind++)
        CHECK_EQ(linked_relocation(&elf, kind, 0, &pointer), kind == relative);
      CHECK(!linked_relocation(&elf, relative, 1, &pointer));
      CHECK(linked_relocation(&elf, relative, 0, &pointer));
      CHECK_EQ(pointer.address, 0x1000);
      CHECK_EQ(pointer.value, 0x2000);
    }
}

/* An object: a null section, data at byte 0x400, and symbols, of which 1 is at 0x10 of the data, 2
   is undefined and 3 is in a section that does not exist. */
static struct {
  uint8_t symbols[4][24];
  uint8_t sections[3][64];
} object;

static void store(uint8_t *to, uint64_t value, size_t size) {
  memcpy(to, &value, size);
}

static syclze_elf object_made(uint16_t machine) {
  syclze_elf elf;
  memset(&elf, 0, sizeof elf);
  memset(&object, 0, sizeof object);
  store(object.symbols[1] + 6, 1, 2);
  store(object.symbols[1] + 8, 0x10, 8);
  store(object.symbols[2] + 8, 0x10, 8);
  store(object.symbols[3] + 6, 3, 2);
  store(object.sections[1] + 4, 1, 4);
  store(object.sections[1] + 24, 0x400, 8);
  store(object.sections[2] + 4, 2, 4);
  store(object.sections[2] + 32, sizeof object.symbols, 8);
  elf.bytes = syclze_bytes_of(&object, sizeof object);
  elf.type = OBJECT;
  elf.machine = machine;
  elf.is_64_bit = true;
  elf.section_count = 3;
  elf.sections = object.sections[0];
  elf.section_size = 64;
  return elf;
}

/* Compiling leaves those that add a symbol's address: R_X86_64_64, R_AARCH64_ABS64. */
TEST(of_an_object_absolute_relocations_are_pointers) {
  static const uint16_t machines[] = {X86, AARCH64};
  for (int machine = 0; machine < 2; machine++) {
    const uint32_t absolute = machines[machine] == X86 ? 1 : 257;
    const syclze_elf elf = object_made(machines[machine]);
    struct syclze__elf_header header = {.link = 2, .info = 1};
    struct syclze__elf_pointer pointer;
    for (uint32_t kind = 0; kind < 1100; kind++)
      CHECK_EQ(relocation(&elf, &header, kind, 1, &pointer), kind == absolute);
    CHECK(relocation(&elf, &header, absolute, 1, &pointer));
    CHECK_EQ(pointer.address, 0x1400);
    CHECK_EQ(pointer.value, 0x2000 + 0x400 + 0x10);
    CHECK(!relocation(&elf, &header, absolute, 0, &pointer)); /* no section */
    CHECK(!relocation(&elf, &header, absolute, 2, &pointer));
    CHECK(!relocation(&elf, &header, absolute, 3, &pointer)); /* no such section */
    CHECK(!relocation(&elf, &header, absolute, 4, &pointer)); /* no such symbol */
    header.info = 3;
    CHECK(!relocation(&elf, &header, absolute, 1, &pointer));
    header.info = 2;
    CHECK(relocation(&elf, &header, absolute, 1, &pointer));
    CHECK_EQ(pointer.address, 0x1000);
    header.link = 3;
    CHECK(!relocation(&elf, &header, absolute, 1, &pointer));
  }
}

/* Every pointer, and every address beside one, from every pointer that was found last. */
TEST(a_relocation_is_found_from_any_other) {
  static struct syclze__elf_pointer pointers[COUNT];
  struct syclze__elf_view view;
  memset(&view, 0, sizeof view);
  view.pointers = pointers;
  for (size_t i = 0; i < COUNT; i++)
    pointers[i].address = 100 + i * (i % 3 + 8) * 8;
  for (size_t i = 1; i < COUNT; i++) /* in order */
    if (pointers[i].address <= pointers[i - 1].address)
      pointers[i].address = pointers[i - 1].address + 8;
  for (view.pointer_count = 0; view.pointer_count <= COUNT; view.pointer_count++)
    for (size_t near = 0; near < COUNT; near++) {
      for (size_t i = 0; i < COUNT; i++) {
        view.near_pointer[view.lane] = near;
        const struct syclze__elf_pointer *found =
            syclze__elf_view_relocation(&view, pointers[i].address);
        CHECK_EQ(found, i < view.pointer_count ? &pointers[i] : NULL);
        if (found != NULL) CHECK_EQ(view.near_pointer[view.lane], i);
        view.near_pointer[view.lane] = near;
        CHECK(syclze__elf_view_relocation(&view, pointers[i].address - 1) == NULL);
        view.near_pointer[view.lane] = near;
        CHECK(syclze__elf_view_relocation(&view, pointers[i].address + 1) == NULL);
      }
    }
}

/* Sections of 16 bytes with gaps of as many, but for the last two, which meet. */
TEST(a_section_is_found_by_each_of_its_addresses) {
  enum { SECTIONS = 6, SIZE = 16 };
  static uint8_t bytes[SECTIONS][SIZE];
  static syclze_elf_section sections[SECTIONS];
  struct syclze__elf_view view;
  memset(&view, 0, sizeof view);
  view.sections = sections;
  view.section_count = SECTIONS;
  for (size_t i = 0; i < SECTIONS; i++) {
    sections[i].address = 64 + 2 * SIZE * i - (i == SECTIONS - 1 ? SIZE : 0);
    sections[i].bytes = syclze_bytes_of(bytes[i], SIZE);
  }
  for (size_t near = 0; near < SECTIONS; near++)
    for (uint64_t address = 0; address < 400; address++) {
      const syclze_elf_section *expected = NULL;
      for (size_t i = 0; i < SECTIONS; i++)
        if (address >= sections[i].address && address < sections[i].address + SIZE)
          expected = &sections[i];
      view.near_section[view.lane] = near;
      CHECK_EQ(syclze__elf_view_section(&view, view.lane, address), expected);
      const uint64_t left = expected != NULL ? expected->address + SIZE - address : 0;
      CHECK(syclze__elf_view_bytes(&view, address, left + 1) == NULL);
      if (expected != NULL)
        CHECK_EQ(syclze__elf_view_bytes(&view, address, left),
            bytes[expected - sections] + (address - expected->address));
    }
}

/* Strings and arrays count against the budget with every byte, a string's terminator included. */
TEST(strings_and_arrays_use_up_the_budget) {
  static char text[8] = "abc";
  static syclze_elf_section section;
  struct syclze__elf_view view;
  const char *string;
  memset(&view, 0, sizeof view);
  section.address = 64;
  section.bytes = syclze_bytes_of(text, 4);
  view.sections = &section;
  view.section_count = 1;
  view.budget = 6;
  CHECK(syclze__elf_view_string(&view, 0, &string));
  CHECK(string == NULL);
  CHECK(!syclze__elf_view_string(&view, 63, &string));
  CHECK(syclze__elf_view_string(&view, 64, &string));
  CHECK_EQ(string, text);
  CHECK_EQ(view.budget, 2);
  CHECK(!syclze__elf_view_string(&view, 64, &string));
  CHECK(syclze__elf_view_string(&view, 66, &string));
  CHECK_EQ(view.budget, 0);
  CHECK(!syclze__elf_view_string(&view, 67, &string));
  view.budget = 4;
  CHECK(syclze__elf_view_array(&view, 64, 5) == NULL);
  CHECK_EQ(syclze__elf_view_array(&view, 64, 4), (uint8_t *)text);
  CHECK_EQ(view.budget, 0);
  CHECK(syclze__elf_view_array(&view, 64, 1) == NULL);
  /* Without its terminator a string is none. */
  section.bytes = syclze_bytes_of(text, 3);
  view.budget = 100;
  CHECK(!syclze__elf_view_string(&view, 64, &string));
  CHECK_EQ(view.budget, 100);
}

TEST_MAIN(of_a_linked_file_relative_relocations_are_pointers,
    of_an_object_absolute_relocations_are_pointers, a_relocation_is_found_from_any_other,
    a_section_is_found_by_each_of_its_addresses, strings_and_arrays_use_up_the_budget)
