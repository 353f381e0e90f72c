#!/usr/bin/env python3
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which question this answers: do the sources keep the project's own rules?

    check_floors.py [ROOT] [--json FILE]

- pass/ includes downward only, and the executor never includes the pass;
- only pass/compat/ names an LLVM version;
- pass/ reports through diagnostics: no errs(), outs(), report_fatal_error;
- a C++ file's first comment says the question it answers and the licence;
- files have at most 500 lines, functions at most 150.

Prints `FILE:LINE: what is wrong` for each fault; status 1 if there is one.
"""

import argparse
import json
import pathlib
import re
import sys

# Lower floors may not include higher ones. lower/Abstract.h declares the
# operations that plan chooses, emit writes and lower expands, so it lies on
# plan's floor.
FLOORS = [
    {"compat", "support"},
    {"target", "rules"},
    {"request", "prepare", "analysis"},
    {"shadow"},
    {"plan", "lower/Abstract.h"},
    {"emit"},
    {"lower"},
    {"lint", "KDiffPass.h", "KDiffPass.cpp"},
    {"Plugin.cpp", "PassRegistry.def"},
]

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 150
CXX_SUFFIXES = {".h", ".hpp", ".cpp", ".cc", ".def", ".inc"}
FORBIDDEN_CALLS = re.compile(
    r"\b(errs|outs|report_fatal_error|reportFatalInternalError|"
    r"reportFatalUsageError)\s*\("
)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
NOT_A_FUNCTION = re.compile(
    r"(namespace|struct|class|enum|union|extern|template|#|//|/\*|\*|\{|\}|[ \t]|$)"
)


def functions(lines):
    """The first and last lines of the definitions at column 0. clang-format
    puts their closing brace there too, so braces need not be counted; tables
    (`= {` … `};`) are none."""
    start, in_body = None, False
    for number, line in enumerate(lines, 1):
        if start is None and not NOT_A_FUNCTION.match(line):
            start, in_body = number, False
        if start is None:
            continue
        code = line.split("//")[0].rstrip()
        if in_body:
            if line.startswith("}"):
                if not line.startswith("};"):
                    yield start, number
                start = None
        elif code.endswith("{"):
            in_body = True
        elif code.endswith((";", "}")):
            start = None


def floor_of(path):
    """The floor of a path relative to pass/, or None if it has none."""
    for key in (path, path.split("/")[0]):
        for level, members in enumerate(FLOORS):
            if key in members:
                return level
    return None


class Checker:
    def __init__(self, root):
        self.root = root
        self.faults = []
        self.rules = {
            "includes": self.check_includes,
            "versions": self.check_versions,
            "diagnostics": self.check_diagnostics,
            "first-comment": self.check_first_comment,
            "file-length": self.check_file_length,
            "function-length": self.check_function_length,
        }

    def fault(self, path, line, text):
        self.faults.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def sources(self, *folders):
        for folder in folders:
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in CXX_SUFFIXES and path.is_file():
                    yield path, path.read_text(encoding="utf-8").split("\n")

    def check_includes(self):
        base = self.root / "pass"
        for path, lines in self.sources("pass"):
            name = path.relative_to(base).as_posix()
            level = floor_of(name)
            if level is None:
                self.fault(path, 1, "lies on no floor (scripts/check_floors.py)")
                continue
            for number, line in enumerate(lines, 1):
                match = INCLUDE.match(line)
                if not match or not (base / match[1]).exists():
                    continue
                other = floor_of(match[1])
                if other is None or other > level:
                    self.fault(path, number, f"includes upward: {match[1]}")
        for path, lines in self.sources("runtime/simt"):
            for number, line in enumerate(lines, 1):
                match = INCLUDE.match(line)
                if match and (base / match[1]).exists():
                    self.fault(path, number, "the executor includes the pass")

    def check_versions(self):
        for path, lines in self.sources("pass"):
            if path.relative_to(self.root / "pass").parts[0] == "compat":
                continue
            for number, line in enumerate(lines, 1):
                if re.search(r"\bLLVM_VERSION_(MAJOR|MINOR)\b", line):
                    self.fault(path, number, "an LLVM version outside compat/")

    def check_diagnostics(self):
        for path, lines in self.sources("pass"):
            if path.name == "PassRegistry.def":
                continue  # Print passes print to errs(), as LLVM's own do.
            for number, line in enumerate(lines, 1):
                match = FORBIDDEN_CALLS.search(line.split("//")[0])
                if match:
                    self.fault(path, number, f"{match[1]}() instead of a diagnostic")

    def check_first_comment(self):
        for path, lines in self.sources("pass", "runtime"):
            comment = []
            for line in lines:
                if not line.startswith(("//", "/*", " *")):
                    break
                comment.append(line)
            text = "\n".join(comment)
            if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in text:
                self.fault(path, 1, "the first comment does not name the licence")
            if "question this answers:" not in text:
                self.fault(path, 1, "the first comment does not say the question")

    def check_file_length(self):
        for path, lines in self.sources("pass", "runtime"):
            if len(lines) - 1 > MAX_FILE_LINES:
                self.fault(path, len(lines) - 1, f"more than {MAX_FILE_LINES} lines")

    def check_function_length(self):
        for path, lines in self.sources("pass", "runtime"):
            for start, end in functions(lines):
                if end - start + 1 > MAX_FUNCTION_LINES:
                    self.fault(path, start, f"more than {MAX_FUNCTION_LINES} lines")

    def run(self):
        """Runs every rule; returns {rule: its faults}."""
        result = {}
        for name, rule in self.rules.items():
            before = len(self.faults)
            rule()
            result[name] = self.faults[before:]
        return result


def main():
    parser = argparse.ArgumentParser(description="Checks KDiff's source rules.")
    default = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=default)
    parser.add_argument("--json", type=pathlib.Path, help="write outcomes here")
    arguments = parser.parse_args()

    result = Checker(arguments.root.resolve()).run()
    faults = [fault for group in result.values() for fault in group]
    for fault in faults:
        print(fault)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(result, indent=2))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
