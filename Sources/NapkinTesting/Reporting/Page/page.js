// SPDX-License-Identifier: Apache-2.0
// Draws the lanes and the tree from the data of the page, and handles the keyboard.
// Texts of the test enter the page as text nodes only, so none of them can become markup.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
const taskName = new Map(data.tasks.map(task => [task.id, task.name]));
const placeName = id => data.places[id];
const mostLanes = 8;
const isDecisive = event => event.kind === "ran" && (data.pair ?? []).includes(event.step);
let rows = [], selected = -1, matches = [], byActor = false;

// A note belongs to the lane of the actor that its task ran on last.
const whereabouts = new Map();
let lastTask = null;
for (const event of data.events) {
  if (event.kind === "ran") {
    whereabouts.set(event.task, event.place);
    event.isSwitch = lastTask !== null && lastTask !== event.task;
    lastTask = event.task;
  }
  event.lanePlace = whereabouts.has(event.task) ? whereabouts.get(event.task) : 0;
}

function words(event) {
  const task = event.task === undefined ? "" : taskName.get(event.task);
  if (event.kind === "ran") {
    if (byActor) return task;
    return event.place === 0 ? "runs" : placeName(event.place);
  }
  const what = {
    started: () => event.by === undefined ? "is created" : "is started by " + taskName.get(event.by),
    timer: () => "its sleep ends", cancelled: () => "is cancelled by the exploration",
    drew: () => "draws " + event.text, issue: () => "✘ " + event.text,
  }[event.kind];
  return (byActor && task ? task + ": " : "") + (what ? what() : event.text);
}

function lanes() {
  const key = byActor ? event => event.lanePlace : event => event.task;
  const seen = [];
  for (const event of data.events) {
    const lane = key(event);
    if (lane !== undefined && !seen.includes(lane)) seen.push(lane);
  }
  const title = byActor ? id => id === 0 ? "no actor" : placeName(id) : id => taskName.get(id);
  if (seen.length > mostLanes) return [{ title: byActor ? "actor: event" : "task: event", has: () => true, isShared: true }];
  return seen.map(id => ({ title: title(id), has: event => key(event) === id }));
}

function draw() {
  const columns = lanes();
  const head = byId("head");
  head.replaceChildren();
  for (const title of ["", "step", data.hasTime ? "time" : null, ...columns.map(lane => lane.title)]) {
    if (title !== null) { const cell = make("th", "", title); cell.scope = "col"; head.append(cell); }
  }
  for (const lane of columns) {
    const own = data.events.map((event, index) => lane.has(event) ? index : -1).filter(index => index >= 0);
    lane.from = own[0]; lane.to = own[own.length - 1];
  }
  let time = null;
  rows = data.events.map((event, index) => {
    const row = make("tr", (event.isSwitch ? "switch" : "") + (isDecisive(event) ? " decisive" : ""));
    row.tabIndex = -1;
    const cancels = event.kind === "cancels" || event.kind === "cancelled";
    const mark = make("td", "mark", isDecisive(event) ? "▶" : event.rank ? "◆" : cancels ? "⊘" : "");
    if (isDecisive(event)) mark.title = "The order of this step and the other one that is marked so decides.";
    else if (event.rank) mark.title = "This scheduling decision differs from FIFO order.";
    else if (cancels) mark.title = "A task is cancelled.";
    row.append(mark, make("td", "n", event.kind === "ran" ? String(event.step) : ""));
    if (data.hasTime) row.append(make("td", "n", event.time === time ? "" : event.time));
    time = event.time;
    for (const lane of columns) {
      const cell = make("td", "lane" + (lane.isShared ? " shared" : index >= lane.from && index <= lane.to ? " live" : ""));
      if (lane.has(event)) cell.append(chip(event, lane.isShared));
      row.append(cell);
    }
    row.addEventListener("click", () => select(index));
    return row;
  });
  byId("rows").replaceChildren(...rows.flatMap((row, index) => folded(index, columns.length)));
  widen();
  find();
  select(selected < 0 ? 0 : selected, false);
}

// A text may end beyond the last lane: the colour of its row goes as far.
function widen() {
  const scroll = document.querySelector(".scroll"), last = byId("head").lastElementChild;
  last.style.minWidth = "";
  const beyond = scroll.scrollWidth - scroll.querySelector("table").offsetWidth;
  if (beyond > 0) last.style.minWidth = last.offsetWidth + beyond + "px";
}
addEventListener("resize", widen);

// Rows that the report leaves out are folded, as in the log: each stretch of them is one row until it is opened.
const folds = [];
let stretch = null;
data.events.forEach((event, index) => {
  if (!data.folded.some(([from, to]) => event.step >= from && event.step <= to)) { stretch = null; return; }
  if (!stretch) folds.push(stretch = { from: index, to: index, isOpen: false });
  stretch.to = index;
});
const foldOf = index => folds.find(fold => index >= fold.from && index <= fold.to && !fold.isOpen);

function folded(index, columns) {
  const fold = foldOf(index);
  rows[index].hidden = fold !== undefined;
  if (!fold || fold.from !== index) return [rows[index]];
  const count = fold.to - fold.from + 1;
  const line = make("tr", "fold");
  const cell = make("td");
  const button = make("button", "", "⋮ " + count + (count === 1 ? " event" : " events") + " with no part in it");
  cell.colSpan = columns + (data.hasTime ? 3 : 2);
  button.type = "button";
  button.addEventListener("click", () => unfold(fold));
  cell.append(button);
  line.append(cell);
  fold.line = line;
  return [line, rows[index]];
}

function unfold(fold) {
  fold.isOpen = true;
  fold.line?.remove();
  for (let index = fold.from; index <= fold.to; index++) rows[index].hidden = false;
  widen();
}

function chip(event, isShared) {
  const kind = { ran: event.rank ? "deviation" : "", issue: "issue", cancels: "cancels", cancelled: "cancels" }[event.kind];
  const box = make("span", "chip " + (kind === undefined ? "side" : kind));
  box.style.setProperty("--hue", ((event.task ?? 0) * 137 + 205) % 360);
  const owner = !isShared || event.task === undefined ? "" : (byActor ? placeName(event.lanePlace) : taskName.get(event.task)) + ": ";
  const text = words(event);
  const fn = event.kind === "ran" && !event.own && event.function;
  // A function of the actor that it runs on says which one that is.
  if (!fn) box.append(owner + text);
  else if (fn.startsWith(text + ".")) box.append(owner + fn);
  else box.append(owner + text, make("span", "fn", "  " + fn));
  if (event.at) box.append(make("span", "fn", "  " + event.at));
  box.title = box.textContent;
  return box;
}

function select(index, takesFocus = true) {
  if (rows.length === 0) return;
  index = Math.max(0, Math.min(rows.length - 1, index));
  const fold = foldOf(index);
  if (fold && takesFocus) unfold(fold);
  if (rows[selected]) { rows[selected].tabIndex = -1; rows[selected].removeAttribute("aria-selected"); }
  selected = index;
  rows[index].tabIndex = 0;
  rows[index].setAttribute("aria-selected", "true");
  if (takesFocus) rows[index].focus({ preventScroll: true });
  if (takesFocus) show(index);
  describe(data.events[index]);
  tree(index);
  const drawn = data.events.slice(0, index + 1).filter(event => event.kind === "drew");
  byId("drawn").replaceChildren(...(drawn.length ? drawn.map(event => make("li", "mono", event.text)) : [make("li", "dim", "none")]));
}

// A row has one text, which may lie far to the right.
function show(index) {
  rows[index].scrollIntoView({ block: "nearest" });
  const chip = rows[index].querySelector(".chip");
  if (!chip) return;
  // The columns on the left stay in sight where the text begins beside them, even if it ends out of sight.
  const scroll = document.querySelector(".scroll");
  chip.scrollIntoView({ block: "nearest", inline: "nearest" });
  const left = scroll.scrollLeft;
  scroll.scrollLeft = 0;
  const beyond = chip.getBoundingClientRect().left + 240 - scroll.getBoundingClientRect().right;
  scroll.scrollLeft = Math.min(left, Math.max(0, beyond));
}

// The file and the line, as a link that an editor opens where the path is known.
function place(event) {
  const line = event.at.split(":").pop();
  if (!event.path || !event.path.startsWith("/")) return make("span", "at", event.at);
  const link = make("a", "at", event.at);
  link.href = "vscode://file" + encodeURI(event.path) + ":" + line;
  return link;
}

function describe(event) {
  const facts = [["step", event.step], ["time", event.time]];
  if (event.task !== undefined) facts.push(["task", taskName.get(event.task)]);
  if (event.kind === "ran") {
    facts.push(["actor", event.place === 0 ? "none" : placeName(event.place)]);
    if (event.function) facts.push(["resumes in", event.function]);
    facts.push(["decision", event.ready < 2 ? "none: one task was ready"
      : event.rank ? "number " + (event.rank + 1) + " of " + event.ready + " ready ◆" : "the first of " + event.ready + " ready (FIFO)"]);
  } else facts.push(["event", words(event)]);
  if (event.at) facts.push(["at", place(event)]);
  byId("facts").replaceChildren(...facts.flatMap(([name, value]) => {
    const text = make("dd");
    text.append(value instanceof Node ? value : String(value));
    return [make("dt", "", name), text];
  }));
}

// The tree after an event is the one before the page, changed by all events up to it.
function tree(index) {
  const nodes = new Map(data.tree.map(node => [node.number, node]));
  let changed = new Set();
  for (const [position, event] of data.events.slice(0, index + 1).entries()) {
    for (const change of event.changes ?? []) {
      if (position === index) changed.add(change.number);
      if (change.gone) { nodes.delete(change.number); continue; }
      if (nodes.has(change.number) && nodes.get(change.number).parent !== change.parent) nodes.delete(change.number);
      nodes.set(change.number, change);
    }
  }
  const branch = (parent, depth) => {
    const list = make("ul");
    for (const node of nodes.values()) {
      const isRoot = node.parent === undefined || !nodes.has(node.parent);
      if (parent === null ? !isRoot : node.parent !== parent) continue;
      const item = make("li");
      const look = (node.state === "inactive" ? " inactive" : "") + (changed.has(node.number) ? " changed" : "");
      const label = make("span", "node" + look, node.name);
      item.append(label, make("span", "dim", "  " + node.state + (node.tasks ? ", " + node.tasks + " bound" : "")));
      if (depth < 200) item.append(branch(node.number, depth + 1));
      list.append(item);
    }
    return list;
  };
  byId("tree").replaceChildren(nodes.size ? branch(null, 0) : make("p", "dim", "no napkin exists at this step"));
}

function find() {
  const query = byId("search").value.trim().toLowerCase();
  matches = [];
  rows.forEach((row, index) => {
    const event = data.events[index];
    const texts = [row.textContent, event.function ?? "", event.at ?? "", taskName.get(event.task) ?? ""];
    const text = texts.join(" ").toLowerCase();
    const isHit = query !== "" && text.includes(query);
    row.classList.toggle("hit", isHit);
    if (isHit) matches.push(index);
  });
  byId("found").textContent = query === "" ? "" : matches.length === 1 ? "1 row" : matches.length + " rows";
}

// The next or the previous of some rows, and round again.
function leap(candidates, isForward) {
  if (candidates.length === 0) return;
  const ahead = isForward ? candidates.find(index => index > selected) : candidates.findLast(index => index < selected);
  select(ahead ?? (isForward ? candidates[0] : candidates[candidates.length - 1]));
}
const where = test => data.events.map((event, index) => test(event) ? index : -1).filter(index => index >= 0);

const keys = {
  j: () => select(selected + 1), ArrowDown: () => select(selected + 1),
  k: () => select(selected - 1), ArrowUp: () => select(selected - 1),
  Home: () => select(0), End: () => select(rows.length - 1),
  PageDown: () => select(selected + 15), PageUp: () => select(selected - 15),
  d: () => leap(where(event => event.rank), true), D: () => leap(where(event => event.rank), false),
  n: () => leap(matches, true), N: () => leap(matches, false),
  i: () => leap(where(event => event.kind === "issue"), true),
  l: () => byId("lanes").click(), "/": () => { byId("search").focus(); byId("search").select(); },
  "?": () => byId("help").showModal(),
};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.target === byId("search")) {
    if (event.key === "Escape") select(selected);
    else if (event.key === "Enter") leap(matches, !event.shiftKey);
    else return;
  } else if (event.target instanceof HTMLElement && event.target.closest("pre") && event.key.startsWith("Arrow")) return;
  else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
});
byId("search").addEventListener("input", find);
byId("lanes").addEventListener("click", () => {
  byActor = !byActor;
  byId("lanes").textContent = byActor ? "Lanes: actors" : "Lanes: tasks";
  draw();
  select(selected);
});
byId("ask").addEventListener("click", () => byId("help").showModal());
for (const button of document.querySelectorAll("button.copy")) {
  const label = button.textContent;
  button.addEventListener("click", () => {
    copy(button.dataset.copy);
    button.textContent = "Copied";
    setTimeout(() => button.textContent = label, 1500);
  });
}

// A page that was opened as a file may have no clipboard but the one of a selection.
function copy(text) {
  const area = make("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  navigator.clipboard?.writeText(text).catch(() => {});
}
draw();
// An error that the body throws is no event of its own: the story ends with the last row then.
const recorded = data.events.findIndex(event => event.kind === "issue");
const firstIssue = recorded >= 0 ? recorded : data.events.length - 1;
if (firstIssue >= 0) {
  // The deciding row comes first: the pair of steps, the first deviation, or the issue where there is none before it.
  const pair = data.events.findIndex(isDecisive);
  const deviation = pair >= 0 ? pair : data.events.findIndex(event => event.rank);
  const opening = deviation >= 0 && deviation < firstIssue ? deviation : firstIssue;
  select(opening, false);
  // The rows have what is left of the window below the head, so that both are in sight at once.
  const scroll = document.querySelector(".scroll");
  const room = innerHeight - scroll.getBoundingClientRect().top - scrollY - 8;
  if (room > 240) scroll.style.maxHeight = room + "px";
  rows[opening].scrollIntoView({ block: "start" });
  show(opening);
  if (room > 240) scrollTo(0, 0);
}
document.documentElement.dataset.ready = "true";
