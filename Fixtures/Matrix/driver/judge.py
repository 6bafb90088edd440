"""What a report has to say of a cell, and what it says instead."""

import glob
import os
import re

import cells as matrix
from program import HERE

FIRST_WORDS = {
    "expectation": r"Expectation failed: \(seats → 3\) == 2",
    "order": r"Expectation failed: \(sold → 2\) == 1",
    "throws": r"Caught error: Sold\(\)",
    "trap": r"Crash",
    "exit": r"Crash",
    "hang": r"Hang",
    "deadlock": r"Deadlock",
    "endless stream": r"Deadlock",
    "livelock": r"Livelock",
    "leak": r"Node is still alive",
    "race": r"Data race",
    "outlives": r"Expectation failed: \(visits → \d+\) <= 3",
    "once": r"Expectation failed: \(visits → 4\) != 4",
    "random": r"Expectation failed: \(number → 5\) != 5",
    "drawn": r"Expectation failed: \(seat → 7\) != 7",
}
# The endings that a line of their own is reported for; the others are reported at the line of the way in.
OWN_LINE = {"expectation", "order", "leak", "outlives", "once", "random", "drawn"}
# The endings whose line the text shows.
SHOWN_LINE = {"deadlock", "endless stream", "trap", "exit", "hang"}
WAY_LINE = {"arguments": "arguments", "simulated": "simulated", "explore": "explore", "fuzzer": "fuzzer", "tree": "tree",
            "calls": "calls", "suite": "suite", "xctest": "xctest"}
# Lost control says of itself that a replay need not repeat the execution.
CHANCE = re.compile(r"did not come again|besides its choices|not deterministic|outlives the body|Lost control: the body left")
UNJUDGED = "The time of the exploration was over"
TOKEN = re.compile(r'\.replay\("([^"]+)"\)')


class Judge:
    def __init__(self, options):
        self.lines = marked_lines()
        self.splits = options.split
        # The function of an address is found by a library of Linux's toolchain.
        self.finds_functions = not options.apple
        # Nor is it known there for which execution a thread works.
        self.knows_threads = not options.apple

    def expected(self, cell):
        """Whether the cell fails: True, False, or None where it may do either."""
        ending, inside = cell.ending.name, cell.place == "inside"
        if ending in ("passes", "passes later", "coin"):
            return False
        if ending == "race":
            return None if self.splits else False
        if ending == "throws" and inside and cell.has("swallows"):
            return False
        if ending == "endless stream" and inside and cell.has("cancels"):
            return False if not cell.outer else None
        if cell.outer and cell.has("cancels") and ending in ("endless stream", "throws", "leak"):
            return None
        if cell.outer and ending == "throws":
            # A construct around it may be one whose group goes on.
            return None if cell.has("swallows") else True
        if ending in matrix.UNDETERMINED or ending == "drawn":
            few = cell.way == "simulated" or cell.mode in ("exhaustive", "parallel", "shards", "jobs", "budget")
            return None if few or ending == "random" else True
        # Threads may keep the order, and a search that is cut short may not come to the other one.
        if ending == "order" and cell.mode in ("parallel", "exhaustive"):
            return None
        return True

    def ends_process(self, cell, seen):
        """Whether the cell ends its process, and a report by that is all that there is."""
        if cell.ending.name == "hang" and cell.is_left and seen.failures:
            # A thread that hangs is no job: the body waits for it for ever.
            return False
        return cell.ending.name in matrix.DANGEROUS and cell.mode not in matrix.OWN_PROCESS

    def draws_on_thread(self, cell):
        """Whether the value is drawn on a thread that no execution controls."""
        # A task without a parent that such a thread starts is the execution's, where it is known for which one the thread works.
        comes_back = cell.outer is not None and "unstructured" in cell.construct.properties and self.knows_threads
        return cell.ending.name == "drawn" and cell.is_left and not comes_back

    def draws_in_vain(self, cell):
        """Whether nothing can be drawn: on a thread of which an execution is not known, or in an order that is not its own."""
        is_known = cell.mode == "parallel" and self.knows_threads and all(one.name != "operation" for one in cell.constructs)
        return self.draws_on_thread(cell) and not is_known

    def word_of(self, cell):
        """What a report begins with."""
        ending = cell.ending.name
        if cell.is_left and ending == "hang":
            return "Deadlock|Hang"
        if cell.is_left and ending == "livelock":
            return "Deadlock|Livelock"
        if self.draws_in_vain(cell):
            return r"Execution\.draw\(\"seat\"\) was called outside"
        return FIRST_WORDS[ending]

    def deviations(self, cell, seen):
        """The ways in which what was seen differs from what has to be, each as a word and a sentence."""
        if seen is None:
            return [("died", "the process ended before the cell was done")]
        if self.ends_process(cell, seen):
            return self.of_process(cell, seen)
        if seen.timed_out:
            return [("hung", "no verdict in time")]
        if seen.status is not None and seen.status not in (0, 1):
            return [("died", f"the process ended with status {seen.status}: {last_line(seen.output)}")]
        failures, fails = seen.failures, self.expected(cell)
        found = []
        if seen.strays:
            found.append(("stray", f"{len(seen.strays)} issues are of no test: {first_line(seen.strays[0].text)}"))
        if failures and fails is False:
            return [("kind", f"it has to pass, and says: {first_line(failures[0].text)}")]
        if not failures:
            if fails:
                # Without the time for its steps an execution is left, and the pass says so.
                if not (cell.mode == "budget" and any(UNJUDGED in issue.text for issue in seen.issues)):
                    if seen.strays:
                        # The test run fails, though its exploration does not hear of it.
                        return [("unheard", f"it has to fail, and passes: {found[0][1]}")]
                    return [("passes", "it has to fail, and passes")]
            if seen.passed is None or seen.passed.startswith("0 "):
                found.append(("silent", "it neither fails nor says what it explored"))
            found += self.of_pass(cell, seen)
            return found
        found += self.of_failure(cell, seen)
        return found

    def of_pass(self, cell, seen):
        found = []
        if cell.ending.name == "coin" and "which are all there are" in (seen.passed or ""):
            found.append(("claim", f"it is not determined by its choices, and claims: {seen.passed}"))
        # Nothing is drawn on a thread that is not known to work for an execution.
        if cell.ending.name == "drawn" and cell.mode == "exhaustive" and not self.draws_on_thread(cell):
            warned = any("drew the same values" in issue.text for issue in seen.issues)
            if not warned:
                found.append(("claim", f"one value was drawn in all executions: {seen.passed}"))
        if cell.way == "simulated" and not (seen.passed or "").startswith("1 execution"):
            found.append(("executions", f"it runs once, and says: {seen.passed}"))
        for issue in seen.issues:
            text = first_line(issue.text)
            if not issue.is_failure and not self.may_warn(cell, issue.text):
                found.append(("warning", text))
        return found

    def may_warn(self, cell, text):
        if cell.ending.name in matrix.UNDETERMINED and CHANCE.search(text):
            return True
        if cell.has("uncontrolled") and re.search(r"Lost control|took \d|did not come again|other threads", text):
            return True
        if cell.mode == "budget" and UNJUDGED in text:
            return True
        if "never suspends while another task is ready" in text:
            # Whether it is so depends on the construct; of one execution it cannot be said.
            return cell.way != "simulated"
        draws = cell.way in matrix.CATCHING or cell.ending.name == "drawn" or cell.has("draws")
        if cell.mode == "exhaustive" and draws and "drew the same values" in text:
            return True
        # On a machine with much to do it may well be slow.
        return bool(re.match(r"Execution \d+ took", text))

    def of_failure(self, cell, seen):
        found, ending = [], cell.ending.name
        failures = seen.failures
        issue = failures[0]
        if ending == "assertion":
            shown = [issue for issue in failures if "seats" in issue.text and issue.place == self.lines["assertion"]]
            return [] if shown else [("silent", f"the assertion is not shown: {first_line(issue.text) or 'no text'}")]
        if not issue.text.strip():
            return [("silent", "it fails without a text")]
        word = self.word_of(cell)
        if ending in matrix.UNDETERMINED:
            # The cause comes first.
            word = rf"(State outlives the body|The body is not deterministic)[^\0]*^{word}|{word}"
        if ending == "order":
            # No other ending depends on which of two steps comes first.
            word = rf"(It fails where .* before .*\n)?{word}"
        if ending == "drawn":
            word = rf"(It fails with seat = 7, in no special order of the tasks: )?{word}"
        if not re.match(word, issue.text, re.M):
            return [("kind", f"{ending} is reported as: {first_line(issue.text)}")]
        if ending == "order" and self.finds_functions and not cell.has("uncontrolled") and not first_line(issue.text).startswith("It fails where "):
            if cell.mode != "parallel" and cell.way != "run":
                found.append(("sentence", f"it does not begin with the two steps: {first_line(issue.text)}"))
        if len(failures) > 1:
            found.append(("twice", f"{len(failures)} failures in place of one; the second: {first_line(failures[1].text)}"))
        place = self.line_of(cell)
        if place and cell.way != "run" and issue.place != place:
            found.append(("line", f"reported at {issue.place}, not at {place}"))
        if self.shows_line(cell) and self.lines[ending] not in issue.text:
            found.append(("line", f"{self.lines[ending]} is not in the report"))
        if cell.mode == "parallel":
            return found
        if cell.place == "inside" and not cell.outer:
            for name in cell.construct.tasks:
                # In a crowd a task that does as all others do has no row of its own.
                if "crowd" in cell.construct.name and "✘" not in lanes(issue.text):
                    continue
                if not re.search(rf"\b{re.escape(name)}\b", lanes(issue.text)):
                    found.append(("name", f"the task \"{name}\" is not in the lanes"))
        if ending == "drawn" and not self.draws_on_thread(cell) and "seat = 7" not in issue.text:
            found.append(("value", "the drawn value is not in the report"))
        says = r"which a replay need not repeat" if cell.has("uncontrolled") else CHANCE
        if ending in matrix.UNDETERMINED and not any(CHANCE.search(issue.text) or re.search(says, issue.text) for issue in seen.issues):
            found.append(("chance", "it does not say that the outcome depends on more than its choices"))
        if not TOKEN.search(issue.text):
            found.append(("token", "there is no token"))
        return found

    def shows_line(self, cell):
        """Whether the text has the ending's line; the message of a trap has it everywhere."""
        ending = cell.ending.name
        if cell.is_left and ending in ("hang", "deadlock", "endless stream"):
            return False
        return ending in SHOWN_LINE and (self.finds_functions or ending == "trap")

    def line_of(self, cell):
        ending = cell.ending.name
        if self.draws_in_vain(cell):
            return self.lines["draws"]
        if ending == "hang" and cell.is_left:
            return None
        if ending in OWN_LINE:
            return self.lines[ending]
        if ending in matrix.DANGEROUS and self.finds_functions:
            return self.lines[ending]
        if ending == "race":
            return None
        if cell.way == "trait":
            return None
        return self.lines.get(WAY_LINE.get(cell.way, ""))

    def of_process(self, cell, seen):
        """A process of its own that the cell ends: its output has to have the report, and its status has to say so."""
        if seen.timed_out:
            return [("hung", "no verdict in time")]
        found, word, output = [], self.word_of(cell), seen.output
        if seen.status == 0:
            found.append(("passes", "the process ends with status 0"))
        if not re.search(rf"(?m)^({word}):", output):
            found.append(("silent", f"the process ends with status {seen.status} without a report: {last_line(output)}"))
            return found
        if self.shows_line(cell) and self.lines[cell.ending.name] not in output:
            found.append(("line", f"{self.lines[cell.ending.name]} is not in the report"))
        if not TOKEN.search(output):
            found.append(("token", "there is no token"))
        # A test case cannot be started again by its name.
        if cell.way == "xctest" and re.search(r"With isolated: true|has no effect here", output):
            found.append(("advice", "it says what has no effect in XCTest"))
        return found

    def token(self, cell, seen):
        """The token that a report ends with."""
        if seen is None or cell.mode == "parallel":
            return None
        text = seen.failures[0].text if seen.failures else seen.output if seen.status not in (None, 0, 1) else ""
        found = TOKEN.findall(text)
        return found[-1] if found else None

    def of_replay(self, cell, seen, again):
        """The same verdict at the same line has to come again, or the report says that it cannot."""
        if again is None:
            return [("replay", "the process ended in the replay")]
        if self.ends_process(cell, again):
            return [("replay", what) for _, what in self.of_process(cell, again)]
        if again.timed_out:
            return [("replay", "no verdict in time")]
        if again.status not in (None, 0, 1):
            return [("replay", f"the process ended with status {again.status} in the replay")]
        if cell.has("uncontrolled"):
            return []
        if cell.ending.name in matrix.UNDETERMINED:
            if not again.issues:
                return [("replay", "its token passes in another process, without a word")]
            return []
        if cell.ending.name in matrix.DANGEROUS:
            # In its own process again.
            return []
        if not seen.failures:
            # It ended its process, and is a deviation already.
            return []
        if not again.failures:
            texts = "; ".join(first_line(issue.text) for issue in again.issues)
            return [("replay", f"its token passes in another process: {texts or 'without a word'}")]
        if first_line(again.failures[0].text) != first_line(seen.failures[0].text):
            return [("replay", f"its token fails otherwise: {first_line(again.failures[0].text)}")]
        if again.failures[0].place != seen.failures[0].place and cell.way not in ("trait", "suite", "arguments"):
            return [("replay", f"its token fails elsewhere: {again.failures[0].place}")]
        text = again.failures[0].text + "\n".join(issue.text for issue in again.issues)
        if re.search(r"did not come again|other choices|Divergence", text):
            return [("replay", "its token meets other choices in the same build")]
        return []


def lanes(text):
    """The picture of a report."""
    start = text.find("step  ")
    end = text.find("\nFound in", start)
    return text[start : end if end > 0 else len(text)] if start >= 0 else ""


def first_line(text):
    return text.strip().partition("\n")[0][:160]


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:160] if lines else "no output"


def marked_lines():
    """The lines that comments mark with "at:"."""
    lines = {}
    for path in glob.glob(os.path.join(HERE, "Tests", "MatrixTests", "*.swift")):
        with open(path, encoding="utf-8") as source:
            for number, line in enumerate(source, 1):
                mark = re.search(r"// +at: (.*)$", line)
                if mark:
                    lines[mark[1].strip()] = f"{os.path.basename(path)}:{number}"
    return lines
