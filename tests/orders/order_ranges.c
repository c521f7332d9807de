/* Accesses of parts of a buffer, in one, two and three dimensions: each pair of boxes and many
   triples. What overlaps is ordered; what does not is not. */
#include "support/scene.h"

#include <time.h>

/* A dimension of two elements, of which a box has the first, the second or both. */
enum { FIRST, SECOND, BOTH, PARTS, BOXES = PARTS * PARTS * PARTS, ELEMENTS = 8 };

static struct scene_base scene;
static syclze_kernel kernel;
static syclze_queue queues[3];
static syclze_buffer buffer;
static uint64_t *memory;

static void begin(uint32_t flags) {
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  kernel = scene_kernel(&scene, "node");
  for (int i = 0; i < 3; i++)
    queues[i] = scene_queue(&scene, flags);
  void *shared;
  CHECK_EQ(syclze_malloc_shared(ELEMENTS * sizeof *memory, scene.device, scene.context, &shared),
      ZE_RESULT_SUCCESS);
  memory = memset(shared, 0, ELEMENTS * sizeof *memory);
  syclze_buffer_input input = {.native_handle = memory,
      .element_size = sizeof *memory,
      .dimensions = 3,
      .range = {2, 2, 2},
      .ownership = SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_buffer(&input, scene.context, &buffer), ZE_RESULT_SUCCESS);
}

static void end(void) {
  strict_hold(false);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(syclze_queue_wait(queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  scene_end(&scene);
}

static void box_of(uint32_t box, size_t *first, size_t *count) {
  for (int i = 2; i >= 0; i--, box /= PARTS) {
    first[i] = box % PARTS == SECOND;
    count[i] = box % PARTS == BOTH ? 2 : 1;
  }
}

static bool overlap(uint32_t a, uint32_t b) {
  bool all = true;
  for (int i = 0; i < 3; i++, a /= PARTS, b /= PARTS)
    all = all && (a % PARTS == b % PARTS || a % PARTS == BOTH || b % PARTS == BOTH);
  return all;
}

/* One after another in memory, row by row. */
static bool has_gaps(uint32_t box) {
  const bool x = box % PARTS == BOTH, y = box / PARTS % PARTS == BOTH, z = box / 9 == BOTH;
  return (z && !(x && y)) || (y && !x);
}

static void access_box(
    syclze_queue queue, struct node *node, syclze_access_mode mode, uint32_t box) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  size_t first[3], count[3];
  box_of(box, first, count);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor part = syclze_group_require_range_nd(&group, buffer, mode, first, count);
  CHECK_EQ(syclze_accessor_get_pointer(part), memory);
  CHECK_EQ(syclze_accessor_get_part_pointer(part), memory + first[0] * 4 + first[1] * 2 + first[2]);
  CHECK_EQ(part.size, has_gaps(box) ? 0 : count[0] * count[1] * count[2] * sizeof *memory);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(node), syclze_arg(part)),
      ZE_RESULT_SUCCESS);
}

static struct node node_of(uint32_t number) {
  const struct node node = {.number = number, .runs = 1, .notes = true};
  return node;
}

/* Both are held. The second runs first exactly where nothing orders them. */
static void check_pair(
    uint32_t a, syclze_access_mode a_mode, uint32_t b, syclze_access_mode b_mode) {
  static struct node first, second;
  const bool ordered =
      overlap(a, b) && (a_mode != SYCLZE_ACCESS_READ || b_mode != SYCLZE_ACCESS_READ);
  first = node_of(0);
  second = node_of(1);
  strict_hold(true);
  access_box(queues[0], &first, a_mode, a);
  access_box(queues[1], &second, b_mode, b);
  CHECK_EQ(strict_step(1), 1);
  CHECK_EQ(node_has_run(&first), ordered);
  CHECK_EQ(node_has_run(&second), !ordered);
  strict_step(1000);
  CHECK(node_has_run(&first) && node_has_run(&second));
}

TEST(boxes_are_ordered_where_they_overlap) { // shows promises 19
  static const syclze_access_mode modes[][2] = {{SYCLZE_ACCESS_WRITE, SYCLZE_ACCESS_WRITE},
      {SYCLZE_ACCESS_READ, SYCLZE_ACCESS_WRITE}, {SYCLZE_ACCESS_READ_WRITE, SYCLZE_ACCESS_READ},
      {SYCLZE_ACCESS_READ, SYCLZE_ACCESS_READ}};
  begin(0);
  for (uint32_t a = 0; a < BOXES; a++)
    for (uint32_t b = 0; b < BOXES; b++)
      for (int m = 0; m < 4; m++)
        check_pair(a, modes[m][0], b, modes[m][1]);
  end();
}

/* Boxes of two dimensions: whatever the second covers of the first, the third waits for both. */
static void check_triple(const uint32_t *boxes, const syclze_access_mode *modes) {
  static struct node nodes[3];
  strict_hold(true);
  for (uint32_t i = 0; i < 3; i++) {
    nodes[i] = node_of(i);
    for (uint32_t k = 0; k < i; k++)
      if (overlap(boxes[i], boxes[k]) &&
          (modes[i] != SYCLZE_ACCESS_READ || modes[k] != SYCLZE_ACCESS_READ))
        nodes[i].before[nodes[i].before_count++] = &nodes[k];
    access_box(queues[i], &nodes[i], modes[i], boxes[i]);
  }
  strict_step(1000);
  for (uint32_t i = 0; i < 3; i++) {
    CHECK(node_has_run(&nodes[i]));
    CHECK(!nodes[i].failed);
  }
}

/* The dimension that is not varied is all of it. */
static uint32_t flat(uint32_t box, int without) {
  const uint32_t x = box % PARTS, y = box / PARTS;
  return without == 0   ? BOTH * 9 + y * 3 + x
         : without == 1 ? y * 9 + BOTH * 3 + x
                        : y * 9 + x * 3 + BOTH;
}

static void check_triples(uint32_t flags) {
  static const syclze_access_mode modes[][3] = {
      {SYCLZE_ACCESS_WRITE, SYCLZE_ACCESS_WRITE, SYCLZE_ACCESS_READ},
      {SYCLZE_ACCESS_READ, SYCLZE_ACCESS_READ, SYCLZE_ACCESS_WRITE},
      {SYCLZE_ACCESS_READ, SYCLZE_ACCESS_WRITE, SYCLZE_ACCESS_WRITE}};
  begin(flags);
  for (int without = 0; without < 3; without++)
    for (uint32_t i = 0; i < 9 * 9 * 9; i++)
      for (int m = 0; m < 3; m++) {
        const uint32_t boxes[3] = {
            flat(i % 9, without), flat(i / 9 % 9, without), flat(i / 81, without)};
        check_triple(boxes, modes[m]);
      }
  end();
}

TEST(a_third_box_waits_for_both_before_it) {
  check_triples(0);
}

TEST(a_third_box_waits_for_both_before_it_on_in_order_queues) {
  check_triples(SYCLZE_QUEUE_PROPERTY_IN_ORDER);
}

/* The whole object and parts of it. A part does not cover the whole, for which one beside it waits
   too. */
TEST(the_whole_object_overlaps_each_box) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  begin(0);
  for (uint32_t box = 0; box < BOXES; box++)
    for (int whole_first = 0; whole_first < 2; whole_first++) {
      struct node nodes[3] = {node_of(0), node_of(1), node_of(2)};
      uint32_t beside = 0;
      while (beside < BOXES && overlap(box, beside))
        beside++;
      strict_hold(true);
      for (int i = 0; i < 2; i++) {
        if ((i == 0) != (whole_first != 0)) {
          access_box(queues[i], &nodes[i], SYCLZE_ACCESS_WRITE, box);
          continue;
        }
        syclze_group group = syclze_group_begin(queues[i]);
        syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
        CHECK_EQ(all.size, ELEMENTS * sizeof *memory);
        const struct node *node = &nodes[i];
        CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(node), syclze_arg(all)),
            ZE_RESULT_SUCCESS);
      }
      if (beside < BOXES) access_box(queues[2], &nodes[2], SYCLZE_ACCESS_WRITE, beside);
      CHECK_EQ(strict_step(1), 1);
      CHECK(node_has_run(&nodes[0]) && !node_has_run(&nodes[1]));
      strict_step(1000);
      CHECK(node_has_run(&nodes[1]));
      CHECK(node_has_run(&nodes[2]) == (beside < BOXES));
    }
  end();
}

/* One list stands for what many parts of it have; parts beyond them wait for nothing. */
static void check_many(syclze_access_mode mode, syclze_access_mode other) {
  enum { MANY = 40, ALL = 64 };
  static struct node before[MANY], after[ALL];
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  syclze_buffer many;
  void *shared;
  CHECK_EQ(syclze_malloc_shared(ALL * sizeof *memory, scene.device, scene.context, &shared),
      ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {
      .native_handle = shared, .element_size = sizeof *memory, .dimensions = 1, .range = {ALL}};
  CHECK_EQ(syclze_make_buffer(&input, scene.context, &many), ZE_RESULT_SUCCESS);
  strict_hold(true);
  for (uint32_t i = 0; i < MANY + ALL; i++) {
    struct node *node = i < MANY ? &before[i] : &after[i - MANY];
    const size_t at = i < MANY ? i : ALL - 1 - (i - MANY);
    *node = node_of(i);
    if (i >= MANY && at < MANY) node->before[node->before_count++] = &before[at];
    syclze_group group = syclze_group_begin(queues[i < MANY ? 0 : 1 + i % 2]);
    syclze_accessor part = syclze_group_require_range(&group, many, i < MANY ? mode : other, at, 1);
    const struct node *argument = node;
    CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(argument), syclze_arg(part)),
        ZE_RESULT_SUCCESS);
    if (i != MANY) continue;
    CHECK_EQ(strict_step(1), 1);
    CHECK(node_has_run(node) && !node_has_run(&before[0]));
  }
  strict_step(1000);
  for (uint32_t i = 0; i < MANY; i++)
    CHECK(node_has_run(&before[i]) && !before[i].failed);
  for (uint32_t i = 0; i < ALL; i++)
    CHECK(node_has_run(&after[i]) && !after[i].failed);
  CHECK_EQ(syclze_release(many), ZE_RESULT_SUCCESS);
}

TEST(what_many_parts_of_an_in_order_queue_have_is_waited_for) {
  begin(SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  check_many(SYCLZE_ACCESS_WRITE, SYCLZE_ACCESS_READ);
  check_many(SYCLZE_ACCESS_READ, SYCLZE_ACCESS_WRITE);
  check_many(SYCLZE_ACCESS_READ_WRITE, SYCLZE_ACCESS_READ_WRITE);
  end();
}

/* Random boxes of a matrix, many of which are pending at once, run behind all before them that they
   depend on, whatever has completed meanwhile. */
enum { SIDE = 32, TILES = 700, EDGE = 3 };

static struct node tiles[TILES];
static struct {
  struct node *writer, *readers[TILES]; /* the last writer of an element, and the readers since */
  uint32_t count;
} elements[SIDE][SIDE];

static void tile_follows(struct node *tile, struct node *before) {
  for (uint32_t i = 0; i < tile->before_count; i++)
    if (tile->before[i] == before) return;
  if (before != NULL && tile->before_count < BEFORE) tile->before[tile->before_count++] = before;
}

static void tile_uses(struct node *tile, size_t row, size_t column, bool writes) {
  tile_follows(tile, elements[row][column].writer);
  if (!writes) {
    elements[row][column].readers[elements[row][column].count++] = tile;
    return;
  }
  for (uint32_t i = elements[row][column].count; i > 0; i--)
    tile_follows(tile, elements[row][column].readers[i - 1]);
  elements[row][column].writer = tile;
  elements[row][column].count = 0;
}

/* `reads` of 16 accesses read; with `steps` some run before others are submitted. Every third
   matrix has its elements accessed one after another at first. */
static void check_matrix(uint64_t *random, uint32_t reads, bool steps) {
  static const syclze_nd_range range = {.global = {1}, .local = {1}};
  const bool in_rows = random_below(random, 3) == 0;
  syclze_buffer matrix;
  void *shared;
  CHECK_EQ(syclze_malloc_shared(SIDE * SIDE * sizeof *memory, scene.device, scene.context, &shared),
      ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = shared,
      .ownership = SYCLZE_OWNERSHIP_TRANSFER,
      .element_size = sizeof *memory,
      .dimensions = 2,
      .range = {SIDE, SIDE}};
  CHECK_EQ(syclze_make_buffer(&input, scene.context, &matrix), ZE_RESULT_SUCCESS);
  memset(elements, 0, sizeof elements);
  strict_hold(true);
  for (uint32_t i = 0; i < TILES; i++) {
    struct node *tile = &tiles[i];
    const bool writes = random_below(random, 16) >= reads;
    size_t first[2] = {i / SIDE, i % SIDE}, count[2] = {1, 1};
    for (int k = 0; k < 2 && (!in_rows || i >= TILES / 2); k++) {
      count[k] = 1 + random_below(random, EDGE);
      first[k] = random_below(random, (uint32_t)(SIDE - count[k] + 1));
    }
    if (random_below(random, 64) == 0) { /* a band of rows covers many before it */
      count[0] = first[0] + 8 <= SIDE ? 8 : 1;
      count[1] = SIDE;
      first[1] = 0;
    }
    *tile = node_of(i);
    for (size_t row = first[0]; row < first[0] + count[0]; row++)
      for (size_t column = first[1]; column < first[1] + count[1]; column++)
        tile_uses(tile, row, column, writes);
    syclze_group group = syclze_group_begin(queues[random_below(random, 3)]);
    syclze_accessor part = syclze_group_require_range_nd(
        &group, matrix, writes ? SYCLZE_ACCESS_READ_WRITE : SYCLZE_ACCESS_READ, first, count);
    CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(tile), syclze_arg(part)),
        ZE_RESULT_SUCCESS);
    if (steps && random_below(random, 8) == 0) strict_step(random_below(random, 8));
  }
  strict_step(10 * TILES);
  for (uint32_t i = 0; i < TILES; i++)
    CHECK(node_has_run(&tiles[i]) && !tiles[i].failed);
  CHECK_EQ(syclze_release(matrix), ZE_RESULT_SUCCESS);
}

static void check_matrices(uint32_t flags) {
  uint64_t random = 1;
  begin(flags);
  for (uint32_t reads = 0; reads < 16; reads++)
    for (int steps = 0; steps < 2; steps++)
      check_matrix(&random, reads, steps != 0);
  end();
}

TEST(boxes_of_a_matrix_run_behind_those_that_they_overlap) {
  check_matrices(0);
}

TEST(boxes_of_a_matrix_run_behind_those_that_they_overlap_on_in_order_queues) {
  check_matrices(SYCLZE_QUEUE_PROPERTY_IN_ORDER);
}

TEST_MAIN(boxes_are_ordered_where_they_overlap, a_third_box_waits_for_both_before_it,
    a_third_box_waits_for_both_before_it_on_in_order_queues, the_whole_object_overlaps_each_box,
    what_many_parts_of_an_in_order_queue_have_is_waited_for,
    boxes_of_a_matrix_run_behind_those_that_they_overlap,
    boxes_of_a_matrix_run_behind_those_that_they_overlap_on_in_order_queues)
