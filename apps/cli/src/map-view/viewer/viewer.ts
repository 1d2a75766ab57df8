/**
 * The page's program: follows wheel, pointer and keys, searches, shows what is known of a point and its neighbours, and saves the
 * points inside a line. It runs from one file, without a network, under a policy that allows this script alone.
 */
import { csvOf } from "./csv.js";
import { nearestRows, pointsInside } from "./geometry.js";
import { buildLegend } from "./legend.js";
import { Panel } from "./panel.js";
import { calledIn, type Payload, rowsOf } from "./payload.js";
import { Scene } from "./scene.js";
import { searchIn } from "./search.js";

function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}.`);
  return found;
}

const payload: Payload = JSON.parse(element("data", HTMLScriptElement).textContent ?? "");
const canvas = element("map", HTMLCanvasElement);
const tip = element("tip", HTMLElement);
const field = element("search", HTMLInputElement);
const said = element("said", HTMLElement);
const lassoButton = element("lasso", HTMLButtonElement);
const scene = new Scene(payload, canvas);
const { camera } = scene;
/** Neighbours in the map, as many as there are in the data. */
const nearCount = Math.min(payload.neighbors?.count ?? 10, rowsOf(payload) - 1);

element("title", HTMLElement).textContent = payload.title;
element("subtitle", HTMLElement).textContent = payload.subtitle;
if (payload.hasLegend)
  buildLegend(element("legend", HTMLElement), payload, scene.hidden, () => scene.schedule());

// Choosing points.

const panel = new Panel(element("chosen", HTMLElement), payload, {
  choose: (row) => {
    choose(row);
    camera.centerOn(row);
  },
  save: saveCsv,
  close: clear,
});

function choose(row: number): void {
  scene.chosen = row;
  scene.nearInMap = nearestRows(payload.points, payload.axes, row, nearCount, (n) => scene.isHidden(n));
  const inData = dataNeighbors(row);
  scene.nearInData = inData ?? [];
  scene.found = new Set([row, ...scene.nearInData, ...scene.nearInMap]);
  panel.showPoint(row, inData, scene.nearInMap);
  scene.schedule();
}

function dataNeighbors(row: number): number[] | undefined {
  if (payload.neighbors === null) return undefined;
  const { count, indices } = payload.neighbors;
  return indices.slice(row * count, (row + 1) * count).filter((n) => n >= 0);
}

function clear(): void {
  forget();
  scene.found = new Set();
  field.value = "";
  said.textContent = "";
  panel.clear();
  scene.schedule();
}

function forget(): void {
  scene.chosen = undefined;
  scene.nearInData = [];
  scene.nearInMap = [];
}

function saveCsv(rows: readonly number[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csvOf(payload, rows)], { type: "text/csv" }));
  link.download = "selection.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Searching.

const search = searchIn(payload);

field.addEventListener("input", () => {
  const rows = search(field.value).filter((row) => !scene.isHidden(row));
  forget();
  scene.found = new Set(rows);
  if (field.value.trim() === "") {
    said.textContent = "";
    panel.clear();
  } else {
    said.textContent = rows.length === 0 ? "nothing found" : `${rows.length.toLocaleString("en-US")} found`;
    panel.showPoints(`Found: ${field.value.trim()}`, rows);
  }
  scene.schedule();
});
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") clear();
  const [first] = search(field.value).filter((row) => !scene.isHidden(row));
  if (event.key !== "Enter" || first === undefined) return;
  choose(first);
  camera.centerOn(first);
});

// The lasso.

let isLasso = false;

function setLasso(on: boolean): void {
  isLasso = on;
  lassoButton.setAttribute("aria-pressed", String(on));
  canvas.classList.toggle("lasso", on);
}

lassoButton.addEventListener("click", () => setLasso(!isLasso));

function finishLasso(): void {
  const rows = pointsInside(camera.screen, scene.lasso).filter((row) => !scene.isHidden(row));
  scene.lasso = [];
  forget();
  scene.found = new Set(rows);
  said.textContent = rows.length === 0 ? "nothing inside" : `${rows.length.toLocaleString("en-US")} inside`;
  panel.showPoints(rows.length === 1 ? "1 point" : `${rows.length.toLocaleString("en-US")} points`, rows);
  setLasso(false);
  scene.schedule();
}

// Pointing.

function describe(x: number, y: number): void {
  const row = scene.nearest(x, y);
  tip.hidden = row === undefined;
  if (row === undefined) return;
  tip.replaceChildren();
  tip.appendChild(document.createElement("b")).textContent = calledIn(payload, row);
  for (const { name, values } of payload.columns) {
    const line = tip.appendChild(document.createElement("div"));
    line.textContent = `${name}: ${values[row] || "–"}`;
  }
  const [left, top] = [camera.screen[2 * row], camera.screen[2 * row + 1]];
  const across = left > canvas.clientWidth - 240 ? "calc(-100% - 24px)" : "0";
  const up = top > canvas.clientHeight - 40 - tip.offsetHeight ? "calc(-100% - 24px)" : "0";
  tip.style.left = `${left + 12}px`;
  tip.style.top = `${top + 12}px`;
  tip.style.transform = `translate(${across}, ${up})`;
}

let grip: { x: number; y: number; moved: number } | undefined;

canvas.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  grip = { x: event.clientX, y: event.clientY, moved: 0 };
  canvas.setPointerCapture(event.pointerId);
  tip.hidden = true;
  if (isLasso) scene.lasso = [event.offsetX, event.offsetY];
});
canvas.addEventListener("pointerup", (event) => {
  const isClick = grip !== undefined && grip.moved < 4;
  grip = undefined;
  if (isLasso && !isClick) {
    finishLasso();
    return;
  }
  scene.lasso = [];
  if (!isClick) return;
  const row = scene.nearest(event.offsetX, event.offsetY);
  if (row === undefined) clear();
  else choose(row);
});
canvas.addEventListener("pointercancel", () => {
  grip = undefined;
  scene.lasso = [];
  scene.schedule();
});
canvas.addEventListener("pointermove", (event) => {
  if (grip === undefined) {
    describe(event.offsetX, event.offsetY);
    return;
  }
  const dx = event.clientX - grip.x;
  const dy = event.clientY - grip.y;
  grip = { x: event.clientX, y: event.clientY, moved: grip.moved + Math.abs(dx) + Math.abs(dy) };
  if (isLasso) scene.lasso = [...scene.lasso, event.offsetX, event.offsetY];
  else if (payload.axes === 3 && !event.shiftKey) camera.turn(dx, dy);
  else camera.pan(dx, dy);
  scene.schedule();
});
canvas.addEventListener("pointerleave", () => {
  tip.hidden = true;
});
canvas.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    tip.hidden = true;
    camera.zoomAt(Math.exp(-event.deltaY * 0.0016), event.offsetX, event.offsetY);
    scene.schedule();
  },
  { passive: false },
);
canvas.addEventListener("dblclick", () => {
  camera.reset();
  scene.schedule();
});
canvas.addEventListener("keydown", (event) => {
  const step = 40;
  const [x, y] = [canvas.clientWidth / 2, canvas.clientHeight / 2];
  const moves: Record<string, () => void> = {
    ArrowLeft: () => camera.pan(step, 0),
    ArrowRight: () => camera.pan(-step, 0),
    ArrowUp: () => camera.pan(0, step),
    ArrowDown: () => camera.pan(0, -step),
    "+": () => camera.zoomAt(1.25, x, y),
    "-": () => camera.zoomAt(0.8, x, y),
    "0": () => camera.reset(),
    l: () => setLasso(!isLasso),
    Escape: clear,
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
  scene.schedule();
});
new ResizeObserver(() => scene.schedule()).observe(canvas);
