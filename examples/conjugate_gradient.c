/* How does an iterative solver run on the device? Conjugate gradients for the Laplacian of a square
   grid: vectors as buffers, kernels for the stencil and the sums, one number a step on the host. */
#include "common.h"
#include "syclze/command.h"
#include "syclze/setup.h"
#include "syclze/syclze.h"

enum { SIDE = 32, COUNT = SIDE * SIDE, LOCAL = 64, GROUPS = COUNT / LOCAL };

struct solver {
  syclze_setup setup;
  syclze_kernel laplace, dot_groups, combine;
  syclze_buffer x, r, p, q, sums; /* solution, residual, direction, A p, sums of groups */
};

static void solver_begin(struct solver *s, const char *path) {
  const syclze_kernel_entry table[] = {
      {"laplace", &s->laplace}, {"dot_groups", &s->dot_groups}, {"combine", &s->combine}};
  syclze_buffer *const vectors[] = {&s->x, &s->r, &s->p, &s->q, &s->sums};
  const syclze_buffer_desc desc = {.element_size = sizeof(float), .range = {COUNT}};
  syclze_kernel_bundle bundle;
  TRY(syclze_setup_create((syclze_device){0}, NULL, &s->setup));
  TRY(syclze_kernel_bundle_load(s->setup.context, s->setup.device, path, NULL, &bundle));
  TRY(syclze_kernels_create(bundle, table, 3));
  TRY(syclze_release(bundle)); /* kept by its kernels */
  for (int i = 0; i < 5; i++)
    TRY(syclze_buffer_create(s->setup.context, &desc, vectors[i]));
}

/* to = A from */
static void multiply(struct solver *s, syclze_buffer from, syclze_buffer to) {
  const syclze_nd_range range = {.global = {SIDE, SIDE}};
  syclze_group group = syclze_group_begin(s->setup.queue);
  TRY(syclze_launch(&group, s->laplace, &range, NULL,
      syclze_arg(syclze_require(&group, from, SYCLZE_ACCESS_READ)),
      syclze_arg(syclze_require(&group, to, SYCLZE_ACCESS_DISCARD_WRITE))));
}

/* y = a x + b y */
static void combine(struct solver *s, float a, syclze_buffer x, float b, syclze_buffer y) {
  const syclze_nd_range range = {.global = {COUNT}};
  syclze_group group = syclze_group_begin(s->setup.queue);
  TRY(syclze_launch(&group, s->combine, &range, NULL, syclze_arg(a),
      syclze_arg(syclze_require(&group, x, SYCLZE_ACCESS_READ)), syclze_arg(b),
      syclze_arg(syclze_require(&group, y, SYCLZE_ACCESS_READ_WRITE))));
}

static void copy(struct solver *s, syclze_buffer to, syclze_buffer from) {
  syclze_group group = syclze_group_begin(s->setup.queue);
  TRY(syclze_copy(&group, to, from, COUNT * sizeof(float), NULL));
}

/* The product of two vectors, or of one with itself: a sum for each work-group, added by the host,
   which waits for nothing else. */
static float dot(struct solver *s, syclze_buffer x, syclze_buffer y) {
  const syclze_nd_range range = {.global = {COUNT}, .local = {LOCAL}};
  float sums[GROUPS], sum = 0;
  syclze_event copied;
  syclze_group group = syclze_group_begin(s->setup.queue);
  TRY(syclze_launch(&group, s->dot_groups, &range, NULL,
      syclze_arg(syclze_require(&group, x, SYCLZE_ACCESS_READ)),
      syclze_arg(syclze_require(&group, y, SYCLZE_ACCESS_READ)),
      syclze_arg(syclze_require(&group, s->sums, SYCLZE_ACCESS_WRITE)),
      syclze_local(LOCAL * sizeof(float))));
  group = syclze_group_begin(s->setup.queue);
  TRY(syclze_copy(&group, sums, s->sums, sizeof sums, &copied));
  TRY(syclze_event_wait(copied));
  TRY(syclze_release(copied));
  for (int i = 0; i < GROUPS; i++)
    sum += sums[i];
  return sum;
}

/* Solves A x = b, which the residual has at first; returns the number of steps. */
static int solve(struct solver *s, float tolerance) {
  const float zero = 0;
  syclze_group group = syclze_group_begin(s->setup.queue);
  TRY(syclze_fill(&group, s->x, &zero, sizeof zero, COUNT * sizeof zero, NULL));
  copy(s, s->p, s->r);
  float square = dot(s, s->r, s->r);
  const float enough = tolerance * tolerance * square;
  int steps = 0;
  for (; steps < COUNT && square > enough; steps++) {
    multiply(s, s->p, s->q);
    const float step = square / dot(s, s->p, s->q);
    combine(s, step, s->p, 1, s->x);
    combine(s, -step, s->q, 1, s->r);
    const float next = dot(s, s->r, s->r);
    combine(s, 1, s->r, next / square, s->p);
    square = next;
  }
  return steps;
}

int main(int argc, char **argv) {
  static float expected[COUNT], found[COUNT];
  struct solver s = {0};
  solver_begin(&s, argc > 1 ? argv[1] : "examples/conjugate_gradient.spv");
  for (int i = 0; i < COUNT; i++)
    expected[i] = (float)(i % 11 - 5);
  syclze_group group = syclze_group_begin(s.setup.queue);
  TRY(syclze_copy(&group, s.p, expected, sizeof expected, NULL));
  multiply(&s, s.p, s.r); /* the right side of a known solution */
  const int steps = solve(&s, 1e-6f);
  group = syclze_group_begin(s.setup.queue);
  TRY(syclze_copy(&group, found, s.x, sizeof found, NULL));
  TRY(syclze_queue_wait(s.setup.queue));
  float worst = 0;
  for (int i = 0; i < COUNT; i++) {
    const float error = found[i] - expected[i];
    worst = error > worst ? error : -error > worst ? -error : worst;
  }
  printf("%d unknowns, %d steps, the largest error is %g\n", COUNT, steps, (double)worst);
  CLAIM(steps > 0 && steps < COUNT);
  CLAIM(worst < 1e-3f);
  TRY(syclze_release(s.x, s.r, s.p, s.q, s.sums, s.laplace, s.dot_groups, s.combine));
  TRY(syclze_setup_release(&s.setup));
  puts("OK");
  return 0;
}
