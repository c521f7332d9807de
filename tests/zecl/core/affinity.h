/* ZE_AFFINITY_MASK: the devices, or parts of devices, that a process sees, as in "0,2.1". Numbers
 * are those that zeDeviceGet and zeDeviceGetSubDevices would count from zero without a mask. */
#ifndef ZECL_CORE_AFFINITY_H
#define ZECL_CORE_AFFINITY_H

#include <stdbool.h>
#include <stdint.h>

/* True when the mask has the part, by itself or with its whole device. A mask that is null or empty
 * has everything; what is no number in it has nothing. */
bool zecl_affinity_has(const char *mask, uint32_t device, uint32_t part);

#endif
