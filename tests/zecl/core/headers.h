/* Which Level Zero headers this is compiled against. Those before ZE_API_VERSION_CURRENT_M count as
 * 1.4, Debian 12's, the oldest that are supported. */
#ifndef ZECL_CORE_HEADERS_H
#define ZECL_CORE_HEADERS_H

#include <stdbool.h>
#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

#ifdef ZE_API_VERSION_CURRENT_M
#define ZECL_HEADERS_MINOR (ZE_API_VERSION_CURRENT_M & 0xffff)
#else
#define ZECL_HEADERS_MINOR 4
#endif

#define ZECL_HEADERS_1_6 (ZECL_HEADERS_MINOR >= 6)
#define ZECL_HEADERS_1_7 (ZECL_HEADERS_MINOR >= 7)
#define ZECL_HEADERS_1_9 (ZECL_HEADERS_MINOR >= 9)
#define ZECL_HEADERS_1_10 (ZECL_HEADERS_MINOR >= 10)
#define ZECL_HEADERS_1_11 (ZECL_HEADERS_MINOR >= 11)
#define ZECL_HEADERS_1_17 (ZECL_HEADERS_MINOR >= 17)

#endif
