/* Ranges of accessors, each small one against each other: what overlaps, contains and equals. */
#undef SYCLZE_DECLARATIONS
#include "support/world.h"
#include "syclze/command/detail/order/access.h"
#include "tests/check.h"

enum { SIZE = 3, LINES = SIZE * (SIZE + 1) / 2, RANGES = LINES * LINES };

/* The n-th range of one dimension that is not empty. */
static void line(unsigned n, size_t *first, size_t *end) {
  *first = 0;
  *end = 1;
  while (n-- > 0)
    if (++*end > SIZE) {
      ++*first;
      *end = *first + 1;
    }
}

/* The n-th range of two dimensions; which of the three are the two, `dimension` selects. */
static struct syclze__range range_of(unsigned n, unsigned dimension) {
  struct syclze__range range = {{0, 0, 0}, {1, 1, 1}};
  const unsigned a = dimension, b = (dimension + 1) % 3;
  line(n % LINES, &range.first[a], &range.end[a]);
  line(n / LINES, &range.first[b], &range.end[b]);
  return range;
}

/* The elements of a range, one bit each. */
static uint32_t elements(const struct syclze__range *range) {
  uint32_t bits = 0;
  for (size_t x = range->first[0]; x < range->end[0]; x++)
    for (size_t y = range->first[1]; y < range->end[1]; y++)
      for (size_t z = range->first[2]; z < range->end[2]; z++)
        bits |= 1u << (x + SIZE * (y + SIZE * z));
  return bits;
}

TEST(ranges_are_compared_by_their_elements) {
  for (unsigned dimension = 0; dimension < 3; dimension++)
    for (unsigned i = 0; i < RANGES; i++)
      for (unsigned j = 0; j < RANGES; j++) {
        const struct syclze__access a = {.range = range_of(i, dimension)},
                                    b = {.range = range_of(j, dimension)};
        const uint32_t in_a = elements(&a.range), in_b = elements(&b.range);
        CHECK_EQ(syclze__accesses_overlap(&a, &b), (in_a & in_b) != 0);
        CHECK_EQ(syclze__access_covers(&a, &b), (in_a & in_b) == in_b);
        CHECK_EQ(syclze__ranges_equal(&a.range, &b.range), in_a == in_b);
      }
}

TEST_MAIN(ranges_are_compared_by_their_elements)
