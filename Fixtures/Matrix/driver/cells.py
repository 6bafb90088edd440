"""The cells of the matrix, and which of them make sense."""

import itertools
import random
from dataclasses import dataclass

# The ways in, each with the suite of its tests and the line that it reports at. Slots have a function for each cell;
# the others take their cells as arguments.
SLOTS = 16
WAYS = {
    "trait": "TraitTests",
    "suite": "SuiteTests",
    "xctest": "CaseTests",
    "arguments": "WayTests/arguments",
    "simulated": "WayTests/simulated",
    "explore": "WayTests/explores",
    "run": "WayTests/runs",
    "fuzzer": "WayTests/fuzzer",
    "tree": "WayTests/treeFuzzer",
    "calls": "WayTests/linearizability",
}
IN_SLOTS = {"trait", "suite", "xctest"}
# These hand the cell to code of the kit that does not throw.
CATCHING = {"fuzzer", "tree", "calls"}

MODES = {
    "plain": {},
    "isolated": {"NAPKIN_ISOLATE": "1"},
    "jobs": {"NAPKIN_JOBS": "2"},
    "shards": {"NAPKIN_SHARD": "1/2"},
    "budget": {"NAPKIN_TIME_BUDGET": "0.1"},
    "parallel": {"MATRIX_STRATEGY": "parallel"},
    "exhaustive": {"MATRIX_STRATEGY": "exhaustive"},
    "cancels": {"MATRIX_CANCELS": "1"},
}
# The ways in by which an exploration is asked to cancel tasks.
CANCELLING = {"trait", "suite", "arguments", "run"}
OWN_PROCESS = {"isolated", "jobs"}

# Endings that end or stop their process, unless that is one of the exploration's own.
DANGEROUS = {"trap", "exit", "hang"}
# These and the one that takes as many steps as an execution may have are the expensive ones.
HEAVY = DANGEROUS | {"livelock"}
# Endings whose outcome is not decided by the choices of the execution.
UNDETERMINED = {"outlives", "once", "random", "coin"}


@dataclass(frozen=True)
class Construct:
    name: str
    tasks: tuple
    properties: frozenset
    is_step: bool


@dataclass(frozen=True)
class Ending:
    name: str
    is_step: bool


@dataclass(frozen=True)
class Cell:
    construct: Construct
    place: str
    ending: Ending
    way: str
    mode: str
    outer: Construct | None = None

    @property
    def body(self):
        outer = f"{self.outer.name}>" if self.outer else ""
        return f"{outer}{self.construct.name}/{self.place}/{self.ending.name}"

    @property
    def name(self):
        return f"{self.body}/{self.way}/{self.mode}"

    @property
    def constructs(self):
        return [self.outer, self.construct] if self.outer else [self.construct]

    def has(self, name):
        return any(name in construct.properties for construct in self.constructs)

    @property
    def runs_elsewhere(self):
        """Whether the ending is left to a thread or a queue."""
        return self.place == "inside" and self.construct.is_step and "uncontrolled" in self.construct.properties

    @property
    def is_left(self):
        """Whether the ending is left to a thread that no execution controls, or to an executor with one."""
        # An actor's jobs are the execution's, whatever executor that has.
        left = [one for one in self.constructs if "uncontrolled" in one.properties and one.name != "actor on a queue"]
        return self.place == "inside" and bool(left)

    @property
    def is_alone(self):
        """Whether the cell has a process of its own from the start."""
        if self.ending.name == "livelock":
            return True
        return self.runs_elsewhere or (self.ending.name in DANGEROUS and self.mode not in OWN_PROCESS)

    @property
    def is_heavy(self): return self.ending.name in HEAVY

    def makes_sense(self):
        ending, way, mode = self.ending.name, self.way, self.mode
        if self.place == "inside":
            if self.construct.is_step and not self.ending.is_step:
                return False
            if self.outer and (self.outer.is_step or self.outer == self.construct):
                return False
            # On such a thread there is no execution to draw from, or to settle.
            if self.outer and self.is_left and "needsExecution" in self.construct.properties:
                return False
        elif self.construct.name == "body" or self.outer:
            return False
        # An XCTAssert is of XCTest, which neither isolates nor runs on threads.
        if ending == "assertion" and (way != "xctest" or mode == "parallel"):
            return False
        if way == "xctest" and mode in OWN_PROCESS:
            return False
        if ending == "throws" and way in CATCHING:
            return False
        if mode == "cancels" and way not in CANCELLING:
            return False
        # It ignores the environment.
        if way == "run" and mode not in ("plain", "parallel", "exhaustive", "cancels"):
            return False
        # It has one strategy, which processes of its own and shards would only repeat.
        if way == "simulated" and mode not in ("plain", "isolated", "budget"):
            return False
        # On real threads what does not end is a hang after a minute, and a crash is the process's own.
        never_ends = {"deadlock", "endless stream", "livelock"}
        if mode == "parallel" and (ending in DANGEROUS | never_ends or ending == "race"):
            return False
        # Jobs would share the same search.
        if mode == "exhaustive" and ending in DANGEROUS:
            return False
        return True


def every(constructs, endings):
    """All cells with one construct."""
    for construct, place, ending, way, mode in itertools.product(
        constructs, ("inside", "after", "beside"), endings, WAYS, MODES
    ):
        cell = Cell(construct, place, ending, way, mode)
        if cell.makes_sense():
            yield cell


def covering(constructs, endings, source):
    """Cells in which each three of construct, place, ending, way in and mode come together that can, and each two constructs.

    An array of strength three: greedy, so that it is small, in an order that `source` shuffles, so that it is another one for
    each seed. Of the expensive endings each comes with each construct in each place, and with each way in and mode together.
    """
    cells = list(every(constructs, endings))
    source.shuffle(cells)
    chosen, seen = [], set()
    # A cell that brings more comes first: in each round those that bring so much at least.
    for least in range(10, 0, -1):
        rest = []
        for cell in cells:
            new = triples(cell) - seen
            if len(new) >= least:
                seen |= new
                chosen.append(cell)
            elif new:
                rest.append(cell)
        cells = rest
    return chosen + pairs(constructs, endings, source)


def triples(cell):
    """Each three of what makes up a cell, or fewer where it is expensive."""
    construct, place, ending, way, mode = parts = (
        ("construct", cell.construct.name), ("place", cell.place), ("ending", cell.ending.name), ("way", cell.way),
        ("mode", cell.mode))
    if not cell.is_heavy:
        return set(itertools.combinations(parts, 3))
    return {(construct, place, ending), (ending, way, mode), *itertools.combinations(parts, 2)}


def pairs(constructs, endings, source):
    """Each construct in each other one, with an ending, in a way and a mode, all by chance; one ending of fifty is expensive."""
    found, ways, modes = [], list(WAYS), list(MODES)
    heavy = [ending for ending in endings if ending.name in HEAVY]
    light = [ending for ending in endings if ending.name not in HEAVY]
    for outer, construct in itertools.permutations(constructs, 2):
        if outer.is_step:
            continue
        while True:
            ending = source.choice(light if source.randrange(50) else heavy)
            cell = Cell(construct, "inside", ending, source.choice(ways), source.choice(modes), outer)
            if cell.makes_sense():
                found.append(cell)
                break
    return found


def nested(constructs, endings, source, count):
    """Some cells with one construct in another one."""
    cells = set()
    ways, modes = list(WAYS), list(MODES)
    while len(cells) < count:
        outer, construct = source.choice(constructs), source.choice(constructs)
        cell = Cell(construct, "inside", source.choice(endings), source.choice(ways), source.choice(modes), outer)
        if cell.makes_sense():
            cells.add(cell)
    return sorted(cells, key=lambda cell: cell.name)


# Each has found a defect that no other cell did.
FOUND = [
    "preferred executor in a scope>async let/inside/leak/run/plain",
    "preferred executor in a scope>isolated deinit/inside/hang/trait/plain",
]


def named(name, constructs, endings):
    """The cell with a name, of one construct in another."""
    around, place, ending, way, mode = name.split("/")
    outer, inner = around.split(">")
    construct = {each.name: each for each in constructs}
    return Cell(construct[inner], place, {each.name: each for each in endings}[ending], way, mode, construct[outer])


def sample(constructs, endings, seed, count):
    """Cells by a seed: each construct with each way, each ending with each way and in each mode, and what has found something."""
    source = random.Random(seed)
    cells = sorted(every(constructs, endings), key=lambda cell: cell.name)
    source.shuffle(cells)
    # What ends or stops its process takes a process each, so beyond what has to be there are few of these.
    chosen, seen = [], set()
    rest = []
    for cell in cells:
        keys = {
            ("construct", cell.construct.name, cell.way),
            ("construct", cell.construct.name, cell.mode),
            ("construct", cell.construct.name, cell.ending.name),
            ("ending", cell.ending.name, cell.way, cell.mode),
        }
        if cell.is_heavy:
            keys = {("ending", cell.ending.name, cell.way), ("ending", cell.ending.name, cell.mode)}
        if keys - seen:
            seen |= keys
            chosen.append(cell)
        elif not cell.is_heavy and cell.mode not in OWN_PROCESS and not cell.is_alone:
            rest.append(cell)
    chosen += rest[: max(0, count * 3 // 4 - len(chosen))]
    light = [ending for ending in endings if ending.name not in HEAVY]
    pairs = [cell for cell in nested(constructs, light, source, count) if cell.mode not in OWN_PROCESS]
    return chosen + pairs[: max(0, count - len(chosen))] + [named(name, constructs, endings) for name in FOUND]
