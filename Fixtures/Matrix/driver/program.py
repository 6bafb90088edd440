"""The tests' program: built once, started for each batch of cells."""

import json
import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field

import cells as matrix

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(HERE))

# What the environment of the driver must not decide.
OWN = re.compile(r"^(NAPKIN_|MATRIX_|TEST_TOTAL_SHARDS|TEST_SHARD_INDEX|CI$|SWIFT_BACKTRACE)")


def environment(**changes):
    variables = {name: value for name, value in os.environ.items() if not OWN.match(name)}
    variables.update(NAPKIN_DATABASE="off", NAPKIN_VERBOSE="1", SWIFT_BACKTRACE="enable=no", NAPKIN_HANG="1")
    variables.update(changes)
    return variables


@dataclass
class Issue:
    """An issue as a user reads it, and the line that it is reported at."""

    text: str
    place: str
    is_failure: bool


@dataclass
class Seen:
    """What was seen of one cell."""

    issues: list = field(default_factory=list)
    # The issues that are of no test, where the cell was alone in its process.
    strays: list = field(default_factory=list)
    # The line of a pass, or what stands for it.
    passed: str | None = None
    # The output of the process, where the cell was alone in it.
    output: str = ""
    status: int | None = None
    timed_out: bool = False

    @property
    def failures(self):
        return [issue for issue in self.issues if issue.is_failure]


class Program:
    def __init__(self, options):
        self.build_variables = (
            {"NAPKIN_LIKE_APPLE": "1"} if options.apple else {"NAPKIN_SPLIT": "1"} if options.split
            else {"MATRIX_SETTINGS": "xcode"} if options.xcode else {})
        arguments = ["swift", "build", "--build-tests", "--package-path", HERE]
        if options.scratch:
            arguments += ["--scratch-path", options.scratch]
        if options.split:
            arguments += ["-Xswiftc", "-Xfrontend", "-Xswiftc", "-sanitize=thread"]
        variables = dict(os.environ, **self.build_variables)
        if not options.skip_build:
            built = subprocess.run(arguments, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if built.returncode:
                raise SystemExit(built.stdout)
        folder = subprocess.run(
            [*arguments, "--show-bin-path"], env=variables, stdout=subprocess.PIPE, text=True, check=True
        ).stdout.strip()
        self.path = os.path.join(folder, "MatrixPackageTests.xctest")

    def rows(self):
        """The constructs and the endings that there are."""
        listed = subprocess.run(
            [self.path, "--testing-library", "swift-testing", "--filter", "MatrixTests.ListTests"],
            env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True,
        ).stdout
        constructs, endings = [], []
        for line in listed.splitlines():
            kind, _, text = line.partition(" ")
            if kind == "construct":
                row = json.loads(text)
                constructs.append(
                    matrix.Construct(row["name"], tuple(row["tasks"]), frozenset(row["properties"]), row["isStep"]))
            elif kind == "ending":
                row = json.loads(text)
                endings.append(matrix.Ending(row["name"], row["isStep"]))
        return constructs, endings

    def run(self, cells, timeout, tokens=None, replays=None):
        """Runs cells of one way and one mode in one process, and returns what was seen of each; None if it is not known."""
        way, mode = cells[0].way, cells[0].mode
        variables = environment(MATRIX_CELLS="\n".join(cell.body for cell in cells), **matrix.MODES[mode])
        if mode == "exhaustive":
            variables["MATRIX_EXECUTIONS"] = "300"
        if tokens:
            variables["MATRIX_TOKENS"] = "\n".join(tokens)
            variables.pop("MATRIX_STRATEGY", None)
        if replays:
            variables["NAPKIN_REPLAY"] = replays
            variables.pop("MATRIX_STRATEGY", None)
        with tempfile.TemporaryDirectory() as folder:
            stream = os.path.join(folder, "events")
            arguments = [self.path]
            suite = matrix.WAYS[way]
            if way == "xctest":
                names = [f"MatrixTests.{suite}/testSlot{slot + 1:02}" for slot in range(len(cells))]
                arguments += [",".join(names), "--testing-library", "xctest"]
            else:
                slots = "|".join(f"slot{slot + 1:02}" for slot in range(len(cells)))
                filter = f"MatrixTests.{suite}/({slots})" if way in matrix.IN_SLOTS else f"MatrixTests.{suite}"
                arguments += [
                    "--testing-library", "swift-testing", "--no-parallel", "--filter", filter,
                    "--event-stream-output-path", stream, "--event-stream-version", "6.3",
                ]
            output, status, timed_out = start(arguments, variables, folder, timeout)
            events = []
            if os.path.exists(stream):
                with open(stream, encoding="utf-8", errors="replace") as lines:
                    events = [event for event in map(parsed, lines) if event]
        found = from_cases(cells, output) if way == "xctest" else from_events(cells, way, events, output)
        ended = not timed_out and status in (0, 1)
        for number, cell in enumerate(cells):
            seen = found[number]
            if len(cells) == 1:
                seen.output, seen.status, seen.timed_out = output, status, timed_out
        strays = [issue for issue in found[-1].issues if issue.is_failure]
        if len(cells) > 1 and (not ended or strays):
            # A report that is whole is one; of the others nothing is known.
            return [seen if seen.failures and not strays else None for seen in found[:-1]]
        found[0].strays = strays
        return found[:-1]


# The processes that run now, each the first of its session.
running = set()


def end_all():
    """Ends what runs, when the driver itself is ended."""
    for pid in list(running):
        end(pid)


def end(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def start(arguments, variables, folder, timeout):
    """Runs a process and all that it starts, and ends them when they take too long."""
    with open(os.path.join(folder, "output"), "w+b") as output:
        process = subprocess.Popen(
            arguments, env=variables, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        running.add(process.pid)
        timed_out = False
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
        # A process that it has started may outlive it.
        end(process.pid)
        process.wait()
        running.discard(process.pid)
        output.seek(0)
        return output.read().decode("utf-8", "replace"), process.returncode, timed_out


def parsed(line):
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event["payload"] if event.get("kind") == "event" else None


def located(place):
    return f"{place['fileID'].rpartition('/')[2]}:{place['line']}"


def from_events(cells, way, events, output):
    """The issues of each cell by the stream of events; the last of the list has those of no test."""
    found = [Seen() for _ in range(len(cells) + 1)]
    argument = ""
    for event in events:
        if event.get("kind") == "testCaseStarted":
            # One case after the other, so an issue of the test is of the case that was started last.
            case = re.search(r'argument cell → "([^"]+)"', event["messages"][0]["text"]) if event["messages"] else None
            argument = case[1] if case else ""
        if event.get("kind") != "issueRecorded":
            continue
        messages = event["messages"]
        head = messages[0]["text"]
        number = len(cells)
        slot = re.search(r"/slot(\d\d)\(\)", event.get("testID", ""))
        if slot:
            number = int(slot[1]) - 1
        elif argument and event.get("testID"):
            number = [cell.body for cell in cells].index(argument)
        issue = event["issue"]
        place = located(issue["sourceLocation"]) if issue.get("sourceLocation") else ""
        first = head.partition(": ")[2]
        text = "\n".join(message["text"] for message in messages[1:])
        if first and first != "Issue recorded" and not first.startswith("Issue recorded"):
            text = f"{first}\n{text}"
        is_failure = issue["isFailure"]
        found[number].issues.append(Issue(text, place, is_failure))
    if way == "run":
        for line in output.splitlines():
            if line.startswith("found "):
                add_result(found, cells, json.loads(line[6:]))
        return found
    lines = re.findall(r"◇ (?:[^\n]*?/slot(\d\d)\(\)|[^\n]*?) explored ([^\n]*)", output)
    if way in matrix.IN_SLOTS:
        for slot, worth in lines:
            if slot:
                found[int(slot) - 1].passed = worth
    else:
        waiting = [seen for seen in found[:-1] if not seen.failures]
        for seen, (_, worth) in zip(waiting, lines):
            seen.passed = worth
    return found


def add_result(found, cells, row):
    """What `Explorer.run` returned, as if it had been recorded."""
    seen = found[[cell.body for cell in cells].index(row["cell"])]
    seen.issues += [Issue(text, "", False) for text in row["warnings"]]
    if not row["messages"]:
        seen.passed = f"{row['executions']} executions" + (", which are all there are" if row["isExhaustive"] else "")
        return
    replay = f'\nReplay: .replay("{row["token"]}")' if row["token"] else ""
    seen.issues.append(Issue("\n".join(row["messages"]) + "\n" + row["timeline"] + replay, "", True))


def from_cases(cells, output):
    """The issues of each cell by the output of XCTest."""
    found = [Seen() for _ in range(len(cells) + 1)]
    for part in re.split(r"(?m)^(?=Test Case ')", output):
        head = re.match(r"Test Case 'CaseTests\.testSlot(\d\d)' (started|failed)", part)
        if not head:
            continue
        seen = found[int(head[1]) - 1]
        if head[2] == "failed":
            if not seen.failures:
                seen.issues.append(Issue("", "", True))
            continue
        for place, text in re.findall(
            r"(?ms)^[^\n]*/([^/\n]+\.swift:\d+): error: CaseTests\.testSlot\d\d : (.*?)(?=^[^\n]*\.swift:\d+: (?:error|warning):|^◇|\Z)", part
        ):
            seen.issues.append(Issue(re.sub(r"^failed - ", "", text), place, True))
        for place, text in re.findall(
            r"(?ms)^[^\n]*/([^/\n]+\.swift:\d+): warning: (.*?)(?=^[^\n]*\.swift:\d+: |^Test Case|^◇|\Z)", part
        ):
            seen.issues.append(Issue(text, place, False))
        explored = re.search(r"◇ [^\n]* explored ([^\n]*)", part)
        if explored:
            seen.passed = explored[1]
    return found
