#define _POSIX_C_SOURCE 200809L
/* The runs of a graph are freed by the last of those that refer to them. */
#include "support/scene.h"

#include "syclze/command/detail/graph/executable.h"

enum { ROUNDS = 200 };

static struct scene_base scene;

struct user {
  syclze_executable_graph graph;
  syclze_queue queue;
  syclze_buffer buffer;
  pthread_barrier_t *start;
};

static void *end_graph(void *argument) {
  const struct user *user = argument;
  pthread_barrier_wait(user->start);
  CHECK_EQ(syclze_executable_graph_release(user->graph), ZE_RESULT_SUCCESS);
  return NULL;
}

/* Detaches the buffer's access from the runs. */
static void *use_buffer(void *argument) {
  const struct user *user = argument;
  pthread_barrier_wait(user->start);
  scene_fill(user->queue, user->buffer, 1);
  return NULL;
}

TEST(a_graph_ends_beside_other_work_on_its_memory) {
  pthread_barrier_t start;
  CHECK_EQ(pthread_barrier_init(&start, NULL, 2), 0);
  strict_begin(1, STRICT_RANDOM);
  scene_begin(&scene);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  syclze_queue queue = scene_queue(&scene, 0);
  syclze_graph graph;
  CHECK_EQ(syclze_graph_create(scene.context, scene.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  scene_fill(queue, buffer, 2);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < ROUNDS; i++) {
    struct user user = {.queue = queue, .buffer = buffer, .start = &start};
    pthread_t threads[2];
    CHECK_EQ(syclze_graph_finalize(graph, 0, &user.graph), ZE_RESULT_SUCCESS);
    for (int run = 0; run < 2; run++)
      CHECK_EQ(syclze_queue_submit_graph(queue, user.graph, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(user.graph.rep->runs->count, user.graph.rep->runs->accessor_count);
    CHECK_EQ(pthread_create(&threads[0], NULL, end_graph, &user), 0);
    CHECK_EQ(pthread_create(&threads[1], NULL, use_buffer, &user), 0);
    for (int thread = 0; thread < 2; thread++)
      CHECK_EQ(pthread_join(threads[thread], NULL), 0);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_end(&scene);
  pthread_barrier_destroy(&start);
}

TEST_MAIN(a_graph_ends_beside_other_work_on_its_memory)
