#include "model.h"

void runOther() { run("b", 3); }

#ifdef __CLANG_RDC__
__device__ double weight = 7, weightShadow;
__device__ double cube(double x) { return x * x * x; }
#endif
