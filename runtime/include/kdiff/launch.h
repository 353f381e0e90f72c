//===- launch.h - Launches that say what was wrong -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a launch of a derivative report that it
// is impossible?
//
// By an exception with the kernel's name and the remedy, from the launch
// itself. Nothing here waits for the device; that a launch failed while it ran
// is what a later call returns, as CUDA has it: a later launch then names the
// one before it, too.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LAUNCH_H
#define KDIFF_LAUNCH_H

#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace kdiff {

/// A derivative could not be launched. Nothing of it has run.
class LaunchError : public std::runtime_error {
public:
  LaunchError(const std::string &Message, cudaError_t Code)
      : std::runtime_error(Message), Code(Code) {}
  const cudaError_t Code;
};

namespace detail {

/// The name of the kernel \p K as the compiler spells it, for messages.
template <auto K> std::string kernelName() {
  std::string Text = __PRETTY_FUNCTION__; // "... [K = &saxpy]"
  size_t At = Text.rfind("[K = ");
  if (At == std::string::npos)
    return Text;
  At += Text[At + 5] == '&' ? 6 : 5;
  return Text.substr(At, Text.size() - At - 1);
}

/// The derivative that this thread launched last.
struct LastLaunch {
  const char *What;
  std::string (*Name)(); ///< Null: none so far.
};
inline thread_local LastLaunch Last = {};

inline std::string remedyFor(cudaError_t Code, dim3 Block, std::size_t Shared) {
  int Device = 0, Limit = 0;
  cudaGetDevice(&Device);
  cudaDeviceGetAttribute(&Limit, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                         Device);
  if (Shared > std::size_t(Limit))
    return "it asks for " + std::to_string(Shared) +
           " bytes of dynamic shared memory (what its kernel takes, and as "
           "much for each derivative), and a block of this device has " +
           std::to_string(Limit) + ": let the kernel use smaller tiles";
  if (Block.x * Block.y * Block.z > 1024 ||
      Code == cudaErrorInvalidConfiguration ||
      Code == cudaErrorLaunchOutOfResources)
    return "a block of " + std::to_string(Block.x * Block.y * Block.z) +
           " threads does not fit (a derivative may need more registers than "
           "its kernel): launch smaller blocks, or give the kernel "
           "__launch_bounds__";
  std::string Before =
      Last.Name ? ", or " + (Last.What + Last.Name()) + " before it," : "";
  return "it" + Before +
         " or other work before may have failed while it ran: see what was "
         "printed";
}

/// Launches \p Kernel, the \p What of the kernel that \p Name names. \p Args
/// point to its arguments' values.
inline void launchKernel(const char *What, std::string (*Name)(),
                         const void *Kernel, dim3 Grid, dim3 Block, void **Args,
                         std::size_t Shared, cudaStream_t Stream) {
  cudaError_t Code = cudaSuccess;
  if (Shared > 48 * 1024)
    Code = cudaFuncSetAttribute(
        Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(Shared));
  if (Code == cudaSuccess)
    Code = cudaLaunchKernel(Kernel, Grid, Block, Args, Shared, Stream);
  if (Code == cudaSuccess) {
    Last = {What, Name};
    return;
  }
  cudaGetLastError(); // It is reported here.
  throw LaunchError("kdiff: " + std::string(What) + Name() +
                        " cannot be launched: " + cudaGetErrorString(Code) +
                        "; " + remedyFor(Code, Block, Shared),
                    Code);
}

} // namespace detail
} // namespace kdiff
#endif // KDIFF_LAUNCH_H
