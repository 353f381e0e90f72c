//===- PassPlugin.h - LLVM's plugin interface, of any version --*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where does an LLVM version declare what a pass
// plugin hands to it?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_COMPAT_PASSPLUGIN_H
#define KDIFF_COMPAT_PASSPLUGIN_H

#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

#endif // KDIFF_COMPAT_PASSPLUGIN_H
