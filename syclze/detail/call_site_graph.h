/* Call sites of the functions of graph.h, once it and a trace are included. */
#ifndef SYCLZE_CALL_SITE_GRAPH_H
#define SYCLZE_CALL_SITE_GRAPH_H

#include "../command/graph.h"
#include "call_site.h"

#ifdef SYCLZE__AT_CALL_SITE
#define syclze_graph_create(...) SYCLZE__AT_CALL_SITE(syclze_graph_create(__VA_ARGS__))
#define syclze_graph_begin_recording(...)                                                          \
  SYCLZE__AT_CALL_SITE(syclze_graph_begin_recording(__VA_ARGS__))
#define syclze_graph_finalize(...) SYCLZE__AT_CALL_SITE(syclze_graph_finalize(__VA_ARGS__))
#define syclze_group_execute_graph(...)                                                            \
  SYCLZE__AT_CALL_SITE(syclze_group_execute_graph(__VA_ARGS__))
#define syclze_queue_submit_graph(...) SYCLZE__AT_CALL_SITE(syclze_queue_submit_graph(__VA_ARGS__))
#define syclze_queue_submit_graph_after(...)                                                       \
  SYCLZE__AT_CALL_SITE(syclze_queue_submit_graph_after(__VA_ARGS__))
#endif

#endif

/* That of graph_capture.h, which includes this file once more. */
#if defined(SYCLZE_COMMAND_DETAIL_GRAPH_CAPTURE_H) && defined(SYCLZE__AT_CALL_SITE) &&             \
    !defined(syclze_graph_finalize_captured)
#define syclze_graph_finalize_captured(...)                                                        \
  SYCLZE__AT_CALL_SITE(syclze_graph_finalize_captured(__VA_ARGS__))
#endif
