struct Four {
  double a, b, c, d;
};
struct Eight {
  double place[2], pull[2], lift[2], turn[2];
};

// Threads gather whole records, some of them the same: those of a branch that
// few lanes take, and those of all, in a warp that is not full.
extern "C" __global__ void records(const Four *__restrict__ fours,
                                   const Eight *__restrict__ eights,
                                   const int *__restrict__ which,
                                   double *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int w = which[i];
  const Eight e = eights[w % 7];
  double s = e.place[0] * e.pull[1] + e.place[1] * e.lift[0] +
             e.pull[0] * e.turn[1] + e.lift[1] * e.turn[0];
  if (w % 3 != 1) {
    const Four f = fours[w];
    s += f.a * f.b + f.c * f.d * s;
  }
  y[i] = s;
}
