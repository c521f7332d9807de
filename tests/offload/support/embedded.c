/* A second file of the test programs that embeds files. */
#include "syclze/offload/embed.h"

syclze_embed("tests/offload/samples/sg.cl", source_in_support);
