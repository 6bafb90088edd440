"""Runs cells, judges what was seen, and compares the deviations with those that are accepted."""

import argparse
import collections
import concurrent.futures
import fnmatch
import fractions
import os
import random
import re
import signal
import sys
import threading
import time

import cells as matrix
from judge import Judge
from program import HERE, Program, end_all


def arguments():
    parser = argparse.ArgumentParser(prog="Fixtures/Matrix/matrix")
    parser.add_argument("--all", action="store_true", help="each three of what makes up a cell, and each two constructs")
    parser.add_argument("--every", action="store_true", help="the whole product, and half as many pairs of constructs")
    parser.add_argument("--seed", type=int, default=0, help="what the cells are chosen by")
    parser.add_argument("--count", type=int, default=2_000, help="how many cells the sample has, if those that have to be there are fewer")
    parser.add_argument("--cell", action="append", default=[], help="one cell, or those that a pattern names")
    parser.add_argument("--split", action="store_true", help="build for split steps")
    parser.add_argument("--apple", action="store_true", help="build for the ways into the runtime that Apple's platforms have")
    parser.add_argument("--xcode", action="store_true", help="build with the settings of a new Xcode project")
    parser.add_argument("--scratch", help="the folder of built products")
    parser.add_argument("--skip-build", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="processes at once")
    parser.add_argument("--show", action="store_true", help="print what was seen of each cell")
    parser.add_argument("--times", action="store_true", help="print how long each process takes, and how often each accepted deviation came")
    parser.add_argument("--part", default="0/1", help="a share of the cells, such as 0/4")
    return parser.parse_args()


class Run:
    def __init__(self, options, program, judge):
        self.options, self.program, self.judge = options, program, judge
        self.rows = accepted(options)
        self.used, self.unexplained = collections.Counter(), []
        self.deviations, self.cells, self.processes = 0, 0, 0
        self.lock = threading.Lock()

    def batch(self, cells):
        start = time.monotonic()
        self.run(cells)
        if self.options.times:
            print(f"{time.monotonic() - start:.1f} s: {len(cells)} cells from {cells[0].name}", flush=True)

    def run(self, cells):
        """Runs cells together, and those of which nothing is known by themselves."""
        seen = self.started(cells, timeout=60 + 3 * len(cells))
        if len(cells) > 1:
            seen = [one or self.alone(cell) for one, cell in zip(seen, cells)]
        for cell, one in zip(cells, seen):
            found = self.judge.deviations(cell, one)
            if found and len(cells) > 1 and one.status is None:
                # A cell is judged by what it does by itself, unless that needs the cells before it.
                again = self.alone(cell)
                if not self.judge.deviations(cell, again):
                    found = [(kind, f"{what} (not by itself)") for kind, what in found]
                else:
                    one, found = again, self.judge.deviations(cell, again)
            self.note(cell, one, found)
        self.replay([(cell, one) for cell, one in zip(cells, seen) if self.judge.token(cell, one)])

    def alone(self, cell):
        return self.started([cell], timeout=60)[0]

    def started(self, cells, timeout, **settings):
        with self.lock:
            self.processes += 1
        return self.program.run(cells, timeout, **settings)

    def replay(self, failed):
        """Replays tokens in another process: of functions by their strategy, of arguments one by one where a trait has it."""
        for cell, seen in failed:
            if cell.is_alone or cell.ending.name in matrix.DANGEROUS or cell.way in ("arguments", "simulated", "suite"):
                # One in some, since each takes a process.
                if not self.options.cell and hash_of(cell.name) % 4:
                    continue
                token = self.judge.token(cell, seen)
                again = self.started([cell], 30, replays=token)[0]
                self.note(cell, again, self.judge.of_replay(cell, seen, again), counts=False)
        together = [
            (cell, seen) for cell, seen in failed
            if not (cell.is_alone or cell.ending.name in matrix.DANGEROUS or cell.way in ("arguments", "simulated", "suite"))
        ]
        if not together:
            return
        cells = [cell for cell, _ in together]
        tokens = [self.judge.token(cell, seen) for cell, seen in together]
        again = self.started(cells, 60, tokens=tokens)
        for (cell, seen), token, one in zip(together, tokens, again):
            if one is None:
                one = self.started([cell], 30, tokens=[token])[0]
            self.note(cell, one, self.judge.of_replay(cell, seen, one), counts=False)

    def note(self, cell, seen, found, counts=True):
        with self.lock:
            self.cells += counts
            for kind, what in found:
                self.deviate(cell, kind, what)
            if self.options.show:
                print(f"\n=== {cell.name}{'' if counts else ' (replay)'}: {found or 'as it has to be'}")
                if seen:
                    print(f"    {seen.passed}", *(f"\n  [{issue.place}] {issue.text}" for issue in seen.issues))
                    if seen.status is not None:
                        print(f"    status {seen.status}\n{seen.output}")

    def deviate(self, cell, kind, what):
        """Counts a deviation for the rows that accept it, or prints it."""
        self.deviations += 1
        matching = [
            number for number, (names, kinds, _, _) in enumerate(self.rows)
            if fnmatch.fnmatchcase(cell.name, names) and re.fullmatch(kinds, kind)
        ]
        self.used.update(matching)
        if not matching:
            self.unexplained.append(cell)
            print(f"✘ {cell.name}: {kind}: {what}", flush=True)


def hash_of(text):
    value = 0
    for character in text:
        value = (value * 31 + ord(character)) % 1_000_003
    return value


def batches(cells):
    """Cells of one way and one mode in one process, unless a cell has to be alone."""
    groups, found = collections.defaultdict(list), []
    for cell in cells:
        if cell.is_alone or (cell.way == "run" and cell.ending.name in matrix.DANGEROUS):
            found.append([cell])
        else:
            groups[cell.way, cell.mode].append(cell)
    for (way, mode), group in sorted(groups.items()):
        size = 6 if mode in matrix.OWN_PROCESS else matrix.SLOTS if way in matrix.IN_SLOTS else 40
        found += [group[start : start + size] for start in range(0, len(group), size)]
    return found


def accepted(options):
    """The rows of `accepted.tsv`: which cells, which deviation, in what share of them at least, and why."""
    build = "split" if options.split else "apple" if options.apple else "xcode" if options.xcode else "plain"
    rows = []
    with open(os.path.join(HERE, "accepted.tsv"), encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                builds, cells, kind, often, reason = line.rstrip("\n").split("\t")
                if fnmatch.fnmatchcase(build, builds):
                    rows.append((cells, kind, often, reason))
    return rows


# A row that would be unused by chance in fewer runs than this is stale.
UNLIKELY = 1 / 1_000


def verdict(options, run, cells, seconds):
    stale = 0
    for number, (names, kind, often, reason) in enumerate(run.rows):
        tried = sum(fnmatch.fnmatchcase(cell.name, names) for cell in cells)
        if options.times:
            print(f"accepted.tsv: {run.used[number]} deviations \"{kind}\" in {tried} cells {names}")
        if not run.used[number] and (1 - fractions.Fraction(often)) ** tried < UNLIKELY:
            stale += 1
            print(f"✘ accepted.tsv: {names} has no deviation \"{kind}\" any more in {tried} cells: {reason}")
    spent = os.times()
    print(
        f"{run.cells:,} cells in {run.processes:,} processes and {seconds:.0f} seconds, "
        f"{spent.children_user + spent.children_system:.0f} of a processor: "
        f"{len(run.unexplained):,} deviations, {run.deviations - len(run.unexplained):,} accepted.")
    return 1 if run.unexplained or stale else 0


def stopped(*_):
    end_all()
    os._exit(1)


def main():
    options = arguments()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stopped)
    program = Program(options)
    constructs, endings = program.rows()
    if options.cell:
        everything = list(matrix.every(constructs, endings))
        everything += [matrix.named(name, constructs, endings) for name in options.cell if ">" in name]
        cells = [cell for cell in everything if any(fnmatch.fnmatchcase(cell.name, one) for one in options.cell)]
    elif options.all:
        cells = matrix.covering(constructs, endings, random.Random(options.seed))
    elif options.every:
        cells = list(matrix.every(constructs, endings))
        cells += matrix.nested(constructs, endings, random.Random(options.seed), len(cells) // 2)
    else:
        cells = matrix.sample(constructs, endings, options.seed, options.count)
    index, count = map(int, options.part.split("/"))
    cells = cells[index::count]
    if not cells:
        raise SystemExit("There is no such cell.")
    run, start = Run(options, program, Judge(options)), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in [pool.submit(run.batch, batch) for batch in batches(cells)]:
            done.result()
    sys.exit(verdict(options, run, cells, time.monotonic() - start))


main()
