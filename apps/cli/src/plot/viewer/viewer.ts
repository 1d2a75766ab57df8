/**
 * The page's program: draws the map on a canvas, follows wheel, pointer and keys, and shows the row and label under
 * the pointer. It runs from one file, without a network, under a policy that allows this script alone.
 */
import { Camera } from "./camera.js";
import { buildLegend } from "./legend.js";
import type { Payload } from "./payload.js";

function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}.`);
  return found;
}

const payload: Payload = JSON.parse(element("data", HTMLScriptElement).textContent ?? "");
const canvas = element("map", HTMLCanvasElement);
const tip = element("tip", HTMLElement);
const camera = new Camera(payload);
const hidden = new Uint8Array(payload.classes.length);
const order = Int32Array.from(payload.order);
let scheduled = false;

element("title", HTMLElement).textContent = payload.title;
element("subtitle", HTMLElement).textContent = payload.subtitle;
if (payload.labels !== null) buildLegend(element("legend", HTMLElement), payload, hidden, schedule);

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    draw();
  });
}

function draw(): void {
  const density = window.devicePixelRatio || 1;
  const { clientWidth, clientHeight } = canvas;
  canvas.width = Math.round(clientWidth * density);
  canvas.height = Math.round(clientHeight * density);
  camera.resize(clientWidth, clientHeight);
  camera.project();
  const context = canvas.getContext("2d");
  if (context === null) return;
  const radius = payload.radius * camera.magnification * density;
  const marks = payload.classes.map((c) => markOf(c, radius));
  const half = marks[0].width / 2;
  const { screen, depth } = camera;
  if (payload.axes === 3) order.sort((a, b) => depth[b] - depth[a]);
  for (const n of order) {
    const group = payload.classOf[n];
    if (hidden[group] === 1) continue;
    const x = screen[2 * n] * density - half;
    const y = screen[2 * n + 1] * density - half;
    if (x < -2 * half || y < -2 * half || x > canvas.width || y > canvas.height) continue;
    context.drawImage(marks[group], x, y);
  }
  if (payload.names !== null && payload.namesShown) drawNames(context, payload.names, density, radius);
}

function drawNames(
  context: CanvasRenderingContext2D,
  names: readonly string[],
  density: number,
  radius: number,
): void {
  context.font = `${13 * density}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  context.lineWidth = 4 * density;
  context.lineJoin = "round";
  context.strokeStyle = "rgba(255, 255, 255, 0.9)";
  context.fillStyle = "#23272f";
  for (const n of order) {
    if (hidden[payload.classOf[n]] === 1) continue;
    const x = camera.screen[2 * n] * density + radius + 3 * density;
    const y = camera.screen[2 * n + 1] * density;
    context.strokeText(names[n], x, y);
    context.fillText(names[n], x, y);
  }
}

/** A point of one class, drawn once and then stamped. */
function markOf({ color, ring }: Payload["classes"][number], radius: number): HTMLCanvasElement {
  const mark = document.createElement("canvas");
  mark.width = mark.height = Math.ceil(2 * radius + 3);
  const context = mark.getContext("2d");
  if (context === null) return mark;
  const center = mark.width / 2;
  const line = Math.max(1, 0.4 * radius);
  context.globalAlpha = payload.opacity;
  context.beginPath();
  context.arc(center, center, ring ? radius - line / 2 : radius, 0, 2 * Math.PI);
  if (ring) {
    context.strokeStyle = color;
    context.lineWidth = line;
    context.stroke();
  } else {
    context.fillStyle = color;
    context.fill();
  }
  return mark;
}

function nearest(x: number, y: number): number | undefined {
  let best: number | undefined;
  let least = 12 ** 2;
  for (const n of order) {
    if (hidden[payload.classOf[n]] === 1) continue;
    const distance = (camera.screen[2 * n] - x) ** 2 + (camera.screen[2 * n + 1] - y) ** 2;
    if (distance <= least) {
      least = distance;
      best = n;
    }
  }
  return best;
}

function describe(x: number, y: number): void {
  const row = nearest(x, y);
  tip.hidden = row === undefined;
  if (row === undefined) return;
  const label = payload.labels === null ? "" : payload.labels[row] || "no label";
  const name = payload.names === null ? "" : payload.names[row];
  tip.textContent = [name, label, `row ${row + 1}`].filter((word) => word !== "").join(" · ");
  const side = camera.screen[2 * row] > canvas.clientWidth - 160 ? "translateX(calc(-100% - 24px))" : "none";
  tip.style.left = `${camera.screen[2 * row] + 12}px`;
  tip.style.top = `${camera.screen[2 * row + 1] + 12}px`;
  tip.style.transform = side;
}

let grip: { x: number; y: number } | undefined;

canvas.addEventListener("pointerdown", (event) => {
  grip = { x: event.clientX, y: event.clientY };
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointerup", () => {
  grip = undefined;
});
canvas.addEventListener("pointercancel", () => {
  grip = undefined;
});
canvas.addEventListener("pointermove", (event) => {
  if (grip === undefined) {
    describe(event.offsetX, event.offsetY);
    return;
  }
  const dx = event.clientX - grip.x;
  const dy = event.clientY - grip.y;
  grip = { x: event.clientX, y: event.clientY };
  tip.hidden = true;
  if (payload.axes === 3 && !event.shiftKey) camera.turn(dx, dy);
  else camera.pan(dx, dy);
  schedule();
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
    schedule();
  },
  { passive: false },
);
canvas.addEventListener("dblclick", () => {
  camera.reset();
  schedule();
});
canvas.addEventListener("keydown", (event) => {
  const step = 40;
  const moves: Record<string, () => void> = {
    ArrowLeft: () => camera.pan(step, 0),
    ArrowRight: () => camera.pan(-step, 0),
    ArrowUp: () => camera.pan(0, step),
    ArrowDown: () => camera.pan(0, -step),
    "+": () => camera.zoomAt(1.25, canvas.clientWidth / 2, canvas.clientHeight / 2),
    "-": () => camera.zoomAt(0.8, canvas.clientWidth / 2, canvas.clientHeight / 2),
    "0": () => camera.reset(),
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
  schedule();
});
new ResizeObserver(schedule).observe(canvas);
