#include "request/PointerUse.h"
#include "llvm/IR/Function.h"
kdiff::Pointee kdiff::classifyPointee(llvm::Argument &A) { return Pointee::FloatingPoint; }
