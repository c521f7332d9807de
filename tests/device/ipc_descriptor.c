/* The cases of ipc.c with native handles that are a descriptor of the exporter's process and nothing
   else, as of Intel's driver on Linux. */
#define IPC_MODE "descriptor"
#include "ipc.c"
