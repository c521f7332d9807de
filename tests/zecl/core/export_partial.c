/* The tables of which few functions are there, or none. The loader refuses a driver that does not
 * export them. They are declared here without the headers' types, since not all headers have all of
 * them. */
#include "core/entries.h"
#include "core/sysman.h"
#include "core/table.h"

#define SOME(Table, newer, newer_count, ...)                                                       \
  ZECL_EXPORT ze_result_t Table##ProcAddrTable(ze_api_version_t version, void *table);             \
  ze_result_t Table##ProcAddrTable(ze_api_version_t version, void *table) {                        \
    static const struct zecl_growth growth[] = {__VA_ARGS__};                                      \
    const struct zecl_table contents = {                                                           \
        NULL, 0, newer, newer_count, growth, sizeof growth / sizeof *growth};                      \
    return zecl_table_fill(version, table, &contents);                                             \
  }

#define NOTHING(Table, ...) SOME(Table, NULL, 0, __VA_ARGS__)

/* A table of a single function. */
#define ONE(Table, at, name, ...)                                                                  \
  static const struct zecl_slot Table##_slots[] = {{at, (zecl_function *)zecl_##name}};            \
  SOME(Table, Table##_slots, 1, __VA_ARGS__)

static const struct zecl_slot command_list_exp[] = {
    {0, (zecl_function *)zecl_zeCommandListCreateCloneExp},
    {1, (zecl_function *)zecl_zeCommandListImmediateAppendCommandListsExp},
    {2, (zecl_function *)zecl_zeCommandListGetNextCommandIdExp},
    {3, (zecl_function *)zecl_zeCommandListUpdateMutableCommandsExp},
    {4, (zecl_function *)zecl_zeCommandListUpdateMutableCommandSignalEventExp},
    {5, (zecl_function *)zecl_zeCommandListUpdateMutableCommandWaitEventsExp},
    {6, (zecl_function *)zecl_zeCommandListGetNextCommandIdWithKernelsExp},
    {7, (zecl_function *)zecl_zeCommandListUpdateMutableCommandKernelsExp},
    {8, (zecl_function *)zecl_zeCommandListIsMutableExp},
};
SOME(zeGetCommandListExp, command_list_exp, sizeof command_list_exp / sizeof *command_list_exp,
    {9, 6}, {10, 8}, {17, 9})
static const struct zecl_slot mem_exp[] = {
    {0, (zecl_function *)zecl_zeMemGetIpcHandleFromFileDescriptorExp},
    {1, (zecl_function *)zecl_zeMemGetFileDescriptorFromIpcHandleExp},
};
SOME(zeGetMemExp, mem_exp, sizeof mem_exp / sizeof *mem_exp, {6, 2}, {7, 4})
static const struct zecl_slot graph[] = {
    {0, (zecl_function *)zecl_zeGraphCreateExt},
    {1, (zecl_function *)zecl_zeGraphGetPrimaryCommandListExt},
    {2, (zecl_function *)zecl_zeGraphSetDestructionCallbackExt},
    {3, (zecl_function *)zecl_zeGraphInstantiateExt},
    {4, (zecl_function *)zecl_zeGraphIsEmptyExt},
    {5, (zecl_function *)zecl_zeGraphDumpContentsExt},
    {6, (zecl_function *)zecl_zeGraphDestroyExt},
};
atomic_bool zecl_loader_has_graphs;

ZECL_EXPORT ze_result_t zeGetGraphProcAddrTable(ze_api_version_t version, void *table);
ze_result_t zeGetGraphProcAddrTable(ze_api_version_t version, void *table) {
  static const struct zecl_growth growth[] = {{17, 7}};
  const struct zecl_table contents = {NULL, 0, graph, sizeof graph / sizeof *graph, growth, 1};
  if (ZE_MINOR_VERSION(version) >= growth->minor) atomic_store(&zecl_loader_has_graphs, true);
  return zecl_table_fill(version, table, &contents);
}

static const struct zecl_slot executable_graph[] = {
    {0, (zecl_function *)zecl_zeExecutableGraphGetSourceGraphExt},
    {1, (zecl_function *)zecl_zeExecutableGraphDestroyExt},
};
SOME(zeGetExecutableGraph, executable_graph, sizeof executable_graph / sizeof *executable_graph,
    {17, 2})
ONE(zesGetGlobal, 0, zesInit, {0, 1})
ONE(zesGetDriver, 2, zesDriverGet, {0, 1}, {1, 2}, {5, 3}, {8, 5})
ONE(zesGetDriverExp, 0, zesDriverGetDeviceByUuidExp, {9, 1})

static const struct zecl_slot sysman_device[] = {
    {0, (zecl_function *)zecl_zesDeviceGetProperties},
    {4, (zecl_function *)zecl_zesDevicePciGetProperties},
    {9, (zecl_function *)zecl_zesDeviceEnumEngineGroups},
    {12, (zecl_function *)zecl_zesDeviceEnumFans},
    {14, (zecl_function *)zecl_zesDeviceEnumFrequencyDomains},
    {16, (zecl_function *)zecl_zesDeviceEnumMemoryModules},
    {18, (zecl_function *)zecl_zesDeviceEnumPowerDomains},
    {24, (zecl_function *)zecl_zesDeviceEnumTemperatureSensors},
    {29, (zecl_function *)zecl_zesDeviceGet},
};
SOME(zesGetDevice, sysman_device, sizeof sysman_device / sizeof *sysman_device, {0, 25}, {4, 29},
    {5, 36}, {7, 37}, {15, 38})
static const struct zecl_slot sysman_memory[] = {
    {0, (zecl_function *)zecl_zesMemoryGetProperties},
    {1, (zecl_function *)zecl_zesMemoryGetState},
};
SOME(zesGetMemory, sysman_memory, sizeof sysman_memory / sizeof *sysman_memory, {0, 3})
static const struct zecl_slot sysman_frequency[] = {
    {0, (zecl_function *)zecl_zesFrequencyGetProperties},
    {2, (zecl_function *)zecl_zesFrequencyGetRange},
    {4, (zecl_function *)zecl_zesFrequencyGetState},
};
SOME(zesGetFrequency, sysman_frequency, sizeof sysman_frequency / sizeof *sysman_frequency, {0, 17})

NOTHING(zeGetRTASBuilder, {13, 5})
NOTHING(zeGetRTASBuilderExp, {7, 4})
NOTHING(zeGetRTASParallelOperation, {13, 4})
NOTHING(zeGetRTASParallelOperationExp, {7, 4})
NOTHING(zeGetDriverExp, {7, 1})
NOTHING(zeGetDeviceExp, {4, 1})
NOTHING(zeGetFabricEdgeExp, {4, 3})
NOTHING(zeGetFabricVertexExp, {4, 4})
NOTHING(zetGetMetricDecoderExp, {10, 3})
NOTHING(zetGetMetricProgrammableExp, {9, 4})
NOTHING(zetGetMetricTracerExp, {10, 6})
NOTHING(zetGetDevice, {0, 1})
NOTHING(zetGetDeviceExp, {10, 2}, {13, 4})
NOTHING(zetGetContext, {0, 1})
NOTHING(zetGetCommandList, {0, 4})
NOTHING(zetGetCommandListExp, {13, 1})
NOTHING(zetGetKernel, {0, 1})
NOTHING(zetGetModule, {0, 1})
NOTHING(zetGetDebug, {0, 11}, {5, 12})
NOTHING(zetGetMetric, {0, 2})
NOTHING(zetGetMetricExp, {9, 2}, {11, 3})
NOTHING(zetGetMetricGroup, {0, 3})
NOTHING(zetGetMetricGroupExp, {2, 1}, {5, 2}, {6, 4}, {9, 9})
NOTHING(zetGetMetricQuery, {0, 4})
NOTHING(zetGetMetricQueryPool, {0, 2})
NOTHING(zetGetMetricStreamer, {0, 3})
NOTHING(zetGetTracerExp, {0, 5})
NOTHING(zesGetDeviceExp, {9, 2}, {10, 3})
NOTHING(zesGetDiagnostics, {0, 3})
NOTHING(zesGetEngine, {0, 1}, {4, 2}, {7, 3})
NOTHING(zesGetFabricPort, {0, 6}, {7, 8})
NOTHING(zesGetFan, {0, 6})
NOTHING(zesGetFirmware, {0, 2}, {8, 3}, {9, 4})
NOTHING(zesGetFirmwareExp, {9, 2})
NOTHING(zesGetLed, {0, 4})
NOTHING(zesGetOverclock, {5, 9})
NOTHING(zesGetPerformanceFactor, {0, 3})
NOTHING(zesGetPower, {0, 8}, {16, 11})
NOTHING(zesGetPsu, {0, 2})
NOTHING(zesGetRas, {0, 4})
NOTHING(zesGetRasExp, {0, 2}, {16, 6})
NOTHING(zesGetScheduler, {0, 8})
NOTHING(zesGetStandby, {0, 3})
NOTHING(zesGetTemperature, {0, 4})
NOTHING(zesGetVFManagementExp, {9, 5}, {10, 8}, {12, 9})
