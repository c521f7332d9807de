#include "chain.h"
#include "sweep.h"

void chain_launch(syclze_queue queue, syclze_kernel kernel, syclze_buffer buffer, size_t global,
    size_t local, struct node *nodes, uint32_t count) {
  const syclze_nd_range range = {.global = {global}, .local = {local}};
  for (uint32_t i = 0; i < count; i++) {
    struct node *node = &nodes[i];
    node->number = i;
    node->notes = true;
    node->access_count = 1;
    node->accesses[0] = (struct node_access){.end = SEGMENTS, .how = NODE_READS | NODE_WRITES};
    syclze_group group = syclze_group_begin(queue);
    syclze_accessor accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
    const ze_result_t result =
        syclze_launch(&group, kernel, &range, NULL, syclze_arg(node), syclze_arg(accessor));
    sweep_check_result(result);
    node->expected = result == ZE_RESULT_SUCCESS;
  }
}

void chain_check(const struct node *nodes, uint32_t count, const void *memory) {
  uint64_t contents = 0;
  for (uint32_t i = 0; i < count; i++) {
    CHECK_EQ(nodes[i].ran, nodes[i].expected);
    CHECK(!nodes[i].failed);
    if (nodes[i].ran == 0) continue;
    CHECK_EQ(nodes[i].accesses[0].before[0], contents);
    contents = node_mix(contents, i);
  }
  CHECK_EQ(*(const uint64_t *)memory, contents);
}
