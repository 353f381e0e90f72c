//===- Registrations.h - What the user says about functions ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which derivatives, replacements, inactive
// functions and shadows of variables does a module register?
//
// A registration is a constant array whose variable's name contains one of
//
//   __kd_inactive      {f, ...}                    no derivative
//   __kd_replace       {f, g}                      below a request, g for f
//   __kd_reverse_rule  {f, augmented, reverse, n}  as custom::ReverseRule; n,
//                                                  cast to a pointer: the bytes
//                                                  that Saved points to
//   __kd_forward_rule  {f, tangent}                as custom::setTangent
//   __kd_shadow        {&variable, &shadow}        of a device variable
//
// (kdiff/rules.h has a macro for each; __enzyme_inactivefn means
// __kd_inactive.) Counters, file or name mangling around the name do not
// matter.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_REGISTRATIONS_H
#define KDIFF_REQUEST_REGISTRATIONS_H

namespace llvm {
class Instruction;
class Module;
} // namespace llvm

namespace kdiff {

/// Notes every registration of \p M on the function or variable that it is
/// about (rules/Custom.h) and takes the arrays out of the module. False, and
/// reported, if one does not fit or says something about a function that
/// another one says already. Reported at \p Asking, the first request.
bool readRegistrations(llvm::Module &M, const llvm::Instruction &Asking);

} // namespace kdiff
#endif // KDIFF_REQUEST_REGISTRATIONS_H
