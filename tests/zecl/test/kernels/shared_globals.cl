/* A variable that holds a pointer, which the runtime stores: how DPC++ has device globals that all
 * modules of a program share. The other module's are in shared_globals_reader.cl. */
__global int *__global shared_values;

__kernel void add_to_shared(int value) {
  shared_values[1] += value;
}
