/* A native module without kernels: what native_imports.c uses. */
int zecl_test_counter = 100;
int *zecl_test_shared = 0; /* stored by the runtime: how DPC++ has variables that modules share */
int zecl_test_next(int step);

int zecl_test_next(int step) {
  return zecl_test_counter += step;
}
