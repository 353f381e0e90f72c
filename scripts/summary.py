#!/usr/bin/env python3
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which question this answers: how many tests passed and how many failed?

    summary.py RESULTS

RESULTS/ctest.xml is ctest's report (JUnit); RESULTS/NAME.json, where there is
one, are the outcomes of the single tests that the ctest entry NAME ran: lit's
--output, GoogleTest's --gtest_output=json, `kdiff cases --json`, or
check_floors.py's --json. Each single test counts once. An entry that failed
without saying which of its tests did (a crash, a hang) counts as a failure,
and so does one that ought to have left a result and did not.

The last line is `N passed, N failed`; status 1 unless all passed.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree

# An entry whose name starts with one of these leaves a NAME.json.
REPORTING = ("lit", "gtest-", "cases-", "floors")


def lit_outcomes(report):
    for test in report["tests"]:
        code = test["code"]
        if code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            yield test["name"], "skipped"
        else:
            # An expected failure is a failure too: there is none to expect.
            passed = code in ("PASS", "FLAKYPASS")
            yield test["name"], "passed" if passed else "failed"


def gtest_outcomes(report):
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            name = f"{suite['name']}.{test['name']}"
            if test["status"] == "NOTRUN" or test["result"] == "SKIPPED":
                yield name, "skipped"
            else:
                yield name, "failed" if test.get("failures") else "passed"


def case_outcomes(report):
    for case in report:
        passed = case["outcome"] == "pass"
        yield f"{case['case']} ({case['mode']})", "passed" if passed else "failed"


def floors_outcomes(report):
    for rule, faults in report.items():
        yield rule, "failed" if faults else "passed"


READERS = {
    "lit": lit_outcomes,
    "gtest-": gtest_outcomes,
    "cases-": case_outcomes,
    "floors": floors_outcomes,
}


def single_tests(name, path):
    """(test, outcome) of each test that the ctest entry NAME ran; raises if
    its report cannot be read."""
    for prefix, reader in READERS.items():
        if name.startswith(prefix):
            return list(reader(json.loads(path.read_text(encoding="utf-8"))))
    raise ValueError(f"no reader for {name}")


def entry_outcomes(name, status, results):
    """(test, outcome) for one ctest entry; status is ctest's word for it."""
    if not name.startswith(REPORTING):
        skipped = status in ("notrun", "disabled", "skipped")
        yield name, "passed" if status == "run" else (
            "skipped" if skipped else "failed"
        )
        return
    try:
        tests = single_tests(name, results / f"{name}.json")
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield f"{name}: no result ({error.__class__.__name__}: {error})", "failed"
        return
    yield from ((f"{name}: {test}", outcome) for test, outcome in tests)
    if not tests:
        yield f"{name}: ran no test", "failed"
    elif status != "run" and all(outcome != "failed" for _, outcome in tests):
        yield f"{name}: ended with status '{status}' though its tests passed", "failed"


def main():
    results = pathlib.Path(sys.argv[1])
    outcomes = []
    try:
        report = xml.etree.ElementTree.parse(results / "ctest.xml")
        for entry in report.getroot().iter("testcase"):
            outcomes += entry_outcomes(entry.get("name"), entry.get("status"), results)
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        outcomes.append((f"ctest left no report ({error})", "failed"))
    if not outcomes:
        outcomes.append(("ctest ran no test", "failed"))

    names = {"passed": [], "failed": [], "skipped": []}
    for name, outcome in outcomes:
        names[outcome].append(name)
    for outcome in ("skipped", "failed"):
        for name in names[outcome]:
            print(f"{outcome}: {name}")
    print(f"{len(names['passed'])} passed, {len(names['failed'])} failed")
    return 1 if names["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
