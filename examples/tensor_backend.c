/* How small is the backend of a machine-learning runtime? Tensors in device memory, uploaded and
   downloaded, and operators by kernels: a layer y = relu(x * w + b), compared with the host's. */
#include "common.h"
#include "syclze/command.h"
#include "syclze/setup.h"
#include "syclze/syclze.h"

enum { BATCH = 8, INPUTS = 32, OUTPUTS = 16 };

struct backend {
  syclze_setup setup;
  syclze_scope made; /* released before the setup */
  syclze_kernel matmul, add_row, relu;
};

struct tensor {
  syclze_buffer buffer; /* the backend's */
  size_t rows, columns;
};

static void backend_begin(struct backend *backend, const char *path) {
  const syclze_kernel_entry table[] = {
      {"matmul", &backend->matmul}, {"add_row", &backend->add_row}, {"relu", &backend->relu}};
  syclze_kernel_bundle bundle;
  TRY(syclze_setup_create((syclze_device){0}, NULL, &backend->setup));
  TRY(syclze_kernel_bundle_load(
      backend->setup.context, backend->setup.device, path, NULL, &bundle));
  TRY(syclze_kernels_create(bundle, table, 3));
  TRY(syclze_release(bundle)); /* kept by its kernels */
  for (int i = 0; i < 3; i++)
    TRY(syclze_scope_add(&backend->made, *table[i].kernel));
}

/* With contents of the host, which are copied, or null for none. */
static struct tensor tensor_of(
    struct backend *backend, size_t rows, size_t columns, const float *contents) {
  const syclze_buffer_desc desc = {
      .element_size = sizeof(float), .range = {rows * columns}, .const_host_data = contents};
  struct tensor tensor = {.rows = rows, .columns = columns};
  TRY(syclze_buffer_create(backend->setup.context, &desc, &tensor.buffer));
  TRY(syclze_scope_add(&backend->made, tensor.buffer));
  return tensor;
}

/* Waits, as no other function here does: commands follow those before them by what they access. */
static void download(struct backend *backend, float *to, struct tensor from) {
  syclze_group group = syclze_group_begin(backend->setup.queue);
  TRY(syclze_copy(&group, to, from.buffer, from.rows * from.columns * sizeof *to, NULL));
  TRY(syclze_queue_wait(backend->setup.queue));
}

static struct tensor matmul(struct backend *backend, struct tensor a, struct tensor b) {
  struct tensor c = tensor_of(backend, a.rows, b.columns, NULL);
  const syclze_nd_range range = {.global = {c.rows, c.columns}};
  syclze_group group = syclze_group_begin(backend->setup.queue);
  TRY(syclze_launch(&group, backend->matmul, &range, NULL,
      syclze_arg(syclze_require(&group, a.buffer, SYCLZE_ACCESS_READ)),
      syclze_arg(syclze_require(&group, b.buffer, SYCLZE_ACCESS_READ)),
      syclze_arg(syclze_require(&group, c.buffer, SYCLZE_ACCESS_DISCARD_WRITE)),
      syclze_arg((int)a.columns), syclze_arg((int)c.columns)));
  return c;
}

static void add_row(struct backend *backend, struct tensor matrix, struct tensor row) {
  const syclze_nd_range range = {.global = {matrix.rows * matrix.columns}};
  syclze_group group = syclze_group_begin(backend->setup.queue);
  TRY(syclze_launch(&group, backend->add_row, &range, NULL,
      syclze_arg(syclze_require(&group, matrix.buffer, SYCLZE_ACCESS_READ_WRITE)),
      syclze_arg(syclze_require(&group, row.buffer, SYCLZE_ACCESS_READ)),
      syclze_arg((int)row.columns)));
}

static void relu(struct backend *backend, struct tensor numbers) {
  const syclze_nd_range range = {.global = {numbers.rows * numbers.columns}};
  syclze_group group = syclze_group_begin(backend->setup.queue);
  TRY(syclze_launch(&group, backend->relu, &range, NULL,
      syclze_arg(syclze_require(&group, numbers.buffer, SYCLZE_ACCESS_READ_WRITE))));
}

int main(int argc, char **argv) {
  static float x[BATCH][INPUTS], w[INPUTS][OUTPUTS], b[OUTPUTS], y[BATCH][OUTPUTS];
  struct backend backend = {0};
  for (int i = 0; i < BATCH * INPUTS; i++)
    x[i / INPUTS][i % INPUTS] = (float)(i % 7 - 3);
  for (int i = 0; i < INPUTS * OUTPUTS; i++)
    w[i / OUTPUTS][i % OUTPUTS] = (float)(i % 5 - 2), b[i % OUTPUTS] = (float)(i % OUTPUTS);
  backend_begin(&backend, argc > 1 ? argv[1] : "examples/tensor_backend.spv");
  const struct tensor input = tensor_of(&backend, BATCH, INPUTS, *x);
  const struct tensor weights = tensor_of(&backend, INPUTS, OUTPUTS, *w);
  const struct tensor bias = tensor_of(&backend, 1, OUTPUTS, b);
  const struct tensor output = matmul(&backend, input, weights);
  add_row(&backend, output, bias);
  relu(&backend, output);
  download(&backend, *y, output);
  int wrong = 0;
  for (int i = 0; i < BATCH * OUTPUTS; i++) {
    float sum = b[i % OUTPUTS]; /* of small integers: exact */
    for (int k = 0; k < INPUTS; k++)
      sum += x[i / OUTPUTS][k] * w[k][i % OUTPUTS];
    wrong += y[i / OUTPUTS][i % OUTPUTS] != (sum > 0 ? sum : 0);
  }
  printf("checked: %d numbers, %d wrong\n", BATCH * OUTPUTS, wrong);
  TRY(syclze_scope_end(&backend.made));
  TRY(syclze_setup_release(&backend.setup));
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
