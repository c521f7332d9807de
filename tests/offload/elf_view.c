/* Sections and relocations of a host's file by address: which relocations are pointers, and
   look-ups from wherever the last one was. */
#undef SYCLZE_DECLARATIONS
#include "syclze/offload/file.h"
#include "tests/check.h"

enum { X86 = 62, AARCH64 = 183, OBJECT = 1, PROGRAM = 2, SHARED = 3, COUNT = 40 };

/* A relocation, with a symbol's index. */
static bool relocation(const syclze_elf *elf, const struct syclze__elf_header *header,
    uint32_t kind, uint32_t symbol, struct syclze__elf_pointer *pointer) {
  const uint64_t words[3] = {0x1000, (uint64_t)symbol << 32 | kind, 0x2000};
  return syclze__elf_relocation(elf, header, (const struct syclze__elf_pointer *)words, pointer);
}

/* A linked file of one section of relocations. */
static struct {
  uint64_t relocations[4][3];
  uint8_t section[64];
} linked;

static void store(uint8_t *to, uint64_t value, size_t size) {
  memcpy(to, &value, size);
}

static syclze_elf linked_made(uint16_t type, uint16_t machine, size_t count) {
  syclze_elf elf;
  memset(&elf, 0, sizeof elf);
  memset(linked.section, 0, sizeof linked.section);
  store(linked.section + 4, SYCLZE__ELF_SECTION_RELA, 4);
  store(linked.section + 32, count * sizeof *linked.relocations, 8);
  elf.bytes = syclze_bytes_of(&linked, sizeof linked);
  elf.type = type;
  elf.machine = machine;
  elf.is_64_bit = true;
  elf.section_count = 1;
  elf.sections = linked.section;
  elf.section_size = 64;
  return elf;
}

static void set_relocation(size_t index, uint64_t address, uint64_t info) {
  linked.relocations[index][0] = address;
  linked.relocations[index][1] = info;
  linked.relocations[index][2] = address * 2;
}

/* Opens the file, whose pointers then are at `addresses`: in the file, or in a list of their own.
 */
static void check_pointers(
    const syclze_elf *elf, size_t count, const uint64_t *addresses, bool are_in_file) {
  struct syclze__elf_view_block *opened;
  CHECK_EQ(syclze__elf_view_open(elf, &opened).result, ZE_RESULT_SUCCESS);
  const struct syclze__elf_view *view = &opened->view;
  CHECK_EQ(view->pointer_count, count);
  if (count != 0)
    CHECK_EQ((const void *)view->pointers == (const void *)linked.relocations, are_in_file);
  for (size_t i = 0; i < count; i++) {
    CHECK_EQ(syclze__elf_view_address(view, i), addresses[i]);
    CHECK_EQ(syclze__load_u64(view->pointers[i].value), addresses[i] * 2);
  }
  free(opened);
}

/* Linking leaves those that add the load address: R_X86_64_RELATIVE, R_AARCH64_RELATIVE. */
TEST(of_a_linked_file_relative_relocations_are_pointers) { // shows offload 13
  static const uint16_t types[] = {PROGRAM, SHARED}, machines[] = {X86, AARCH64};
  for (int type = 0; type < 2; type++)
    for (int machine = 0; machine < 2; machine++) {
      const uint32_t relative = machines[machine] == X86 ? 8 : 1027;
      const syclze_elf elf = linked_made(types[type], machines[machine], 1);
      const uint64_t address = 0x1000;
      for (uint32_t kind = 0; kind < 1100; kind++) {
        set_relocation(0, address, kind);
        check_pointers(&elf, kind == relative, &address, kind == relative);
      }
      set_relocation(0, address, UINT64_C(1) << 32 | relative);
      check_pointers(&elf, 0, NULL, false);
    }
}

/* Those that linkers write in order and before all others are not copied. */
TEST(relocations_in_order_are_read_where_they_are) { // shows offload 13
  static const uint64_t three[] = {0x10, 0x20, 0x30};
  const syclze_elf elf = linked_made(SHARED, X86, 4);
  for (size_t i = 0; i < 4; i++)
    set_relocation(i, 0x10 * (i + 1), i < 3 ? 8 : 6);
  check_pointers(&elf, 3, three, true);
  set_relocation(1, 0x30, 8); /* out of order */
  set_relocation(2, 0x20, 8);
  check_pointers(&elf, 3, three, false);
  set_relocation(1, 0x20, 6); /* behind another */
  set_relocation(2, 0x20, 8);
  set_relocation(3, 0x30, 8);
  check_pointers(&elf, 3, three, false);
  set_relocation(1, 0x20, 8); /* twice */
  check_pointers(&elf, 3, three, false);
}

/* An object: a null section, data at byte 0x400, and symbols, of which 1 is at 0x10 of the data, 2
   is undefined and 3 is in a section that does not exist. */
static struct {
  uint8_t symbols[4][24];
  uint8_t sections[3][64];
} object;

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
TEST(of_an_object_absolute_relocations_are_pointers) { // shows offload 13
  static const uint16_t machines[] = {X86, AARCH64};
  for (int machine = 0; machine < 2; machine++) {
    const uint32_t absolute = machines[machine] == X86 ? 1 : 257;
    const syclze_elf elf = object_made(machines[machine]);
    struct syclze__elf_header header = {.link = 2, .info = 1};
    struct syclze__elf_pointer pointer;
    for (uint32_t kind = 0; kind < 1100; kind++)
      CHECK_EQ(relocation(&elf, &header, kind, 1, &pointer), kind == absolute);
    CHECK(relocation(&elf, &header, absolute, 1, &pointer));
    CHECK_EQ(syclze__load_u64(pointer.address), 0x1400);
    CHECK_EQ(syclze__load_u64(pointer.value), 0x2000 + 0x400 + 0x10);
    CHECK(!relocation(&elf, &header, absolute, 0, &pointer)); /* no section */
    CHECK(!relocation(&elf, &header, absolute, 2, &pointer));
    CHECK(!relocation(&elf, &header, absolute, 3, &pointer)); /* no such section */
    CHECK(!relocation(&elf, &header, absolute, 4, &pointer)); /* no such symbol */
    header.info = 3;
    CHECK(!relocation(&elf, &header, absolute, 1, &pointer));
    header.info = 2;
    CHECK(relocation(&elf, &header, absolute, 1, &pointer));
    CHECK_EQ(syclze__load_u64(pointer.address), 0x1000);
    header.link = 3;
    CHECK(!relocation(&elf, &header, absolute, 1, &pointer));
  }
}

/* Every pointer, and every address beside one, from every pointer that was found last. */
TEST(a_relocation_is_found_from_any_other) { // shows offload 13, promises 75
  static struct syclze__elf_pointer pointers[COUNT];
  uint64_t addresses[COUNT];
  struct syclze__elf_view view;
  memset(&view, 0, sizeof view);
  view.pointers = pointers;
  for (size_t i = 0; i < COUNT; i++) {
    addresses[i] = 100 + i * (i % 3 + 8) * 8;
    if (i != 0 && addresses[i] <= addresses[i - 1]) addresses[i] = addresses[i - 1] + 8;
    syclze__elf_store_u64(pointers[i].address, addresses[i]);
  }
  for (view.pointer_count = 0; view.pointer_count <= COUNT; view.pointer_count++)
    for (size_t near = 0; near <= COUNT; near++)
      for (size_t i = 0; i < COUNT; i++) {
        const size_t found = i < view.pointer_count ? i : view.pointer_count;
        const size_t behind = i + 1 < view.pointer_count ? i + 1 : view.pointer_count;
        view.near_pointer[view.lane] = near;
        CHECK_EQ(syclze__elf_view_relocation(&view, addresses[i]), &pointers[found]);
        CHECK_EQ(syclze__elf_view_relocation(&view, addresses[i] - 1), &pointers[found]);
        CHECK_EQ(syclze__elf_view_relocation(&view, addresses[i] + 1), &pointers[behind]);
      }
}

/* Words of a section, some of which relocations store: one of them between two words. */
TEST(pointers_in_a_row_are_relocated_or_in_place) { // shows offload 13
  static uint64_t words[6] = {1, 2, 3, 4, 5, 6};
  static struct syclze__elf_pointer pointers[3];
  static const uint64_t addresses[] = {64 + 8, 64 + 12, 64 + 24};
  const uint8_t *bytes = (const uint8_t *)words;
  struct syclze__elf_view view;
  uint64_t found[5];
  memset(&view, 0, sizeof view);
  for (size_t i = 0; i < 3; i++) {
    syclze__elf_store_u64(pointers[i].address, addresses[i]);
    syclze__elf_store_u64(pointers[i].value, i == 0 ? 20 : i == 1 ? 30 : 40);
  }
  view.pointers = pointers;
  view.pointer_count = 3;
  for (size_t near = 0; near <= 3; near++) {
    view.near_pointer[view.lane] = near;
    syclze__elf_view_pointers(&view, 64, bytes, found, 5);
    for (size_t i = 0; i < 5; i++)
      CHECK_EQ(found[i], i == 1 ? 20u : i == 3 ? 40u : words[i]);
    CHECK_EQ(syclze__elf_view_pointer(&view, 64 + 40, bytes + 40), 6);
    CHECK_EQ(syclze__elf_view_pointer(&view, 64 + 24, bytes + 24), 40);
    CHECK_EQ(syclze__elf_view_pointer(&view, 64 + 16, bytes + 16), 3);
  }
}

/* Sections of 16 bytes with gaps of as many, but for the last two, which meet. */
TEST(a_section_is_found_by_each_of_its_addresses) { // shows offload 13
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
TEST(strings_and_arrays_use_up_the_budget) { // shows offload 13
  static char text[8] = "abc";
  static syclze_elf_section section;
  struct syclze__elf_view view;
  syclze_text string;
  memset(&view, 0, sizeof view);
  section.address = 64;
  section.bytes = syclze_bytes_of(text, 4);
  view.sections = &section;
  view.section_count = 1;
  view.budget = 6;
  CHECK(syclze__elf_view_string(&view, 0, &string));
  CHECK(string.data == NULL);
  CHECK(!syclze__elf_view_string(&view, 63, &string));
  CHECK(syclze__elf_view_string(&view, 64, &string));
  CHECK_EQ(string.data, text);
  CHECK_EQ(string.size, 3);
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
    relocations_in_order_are_read_where_they_are, of_an_object_absolute_relocations_are_pointers,
    a_relocation_is_found_from_any_other, pointers_in_a_row_are_relocated_or_in_place,
    a_section_is_found_by_each_of_its_addresses, strings_and_arrays_use_up_the_budget)
