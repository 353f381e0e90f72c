// A list of local nodes, walked by pointers that are read from the nodes.
#ifndef REAL
#define REAL float
#endif
struct Node {
  REAL v;
  Node *next;
};
extern "C" __global__ void list(const REAL *x, REAL *y) {
  Node n[3];
  Node *head = nullptr;
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++) {
    n[i].v = x[t * 3 + i];
    n[i].next = head;
    head = &n[i];
  }
  REAL s = 1;
  for (Node *p = head; p; p = p->next)
    s = s * p->v + REAL(0.5);
  y[t] = s;
}
