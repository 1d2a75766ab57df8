/**
 * The viewer's program: follows wheel, pointer and keys, searches, shows what is known of a point and its neighbours, and saves the
 * points inside a line. It needs no network and no style of the page's.
 */
import { csvOf } from "./csv.js";
import { nearestRows, pointsInside } from "./geometry.js";
import { buildLegend } from "./legend.js";
import { Panel } from "./panel.js";
import { calledIn, type Payload, rowsOf } from "./payload.js";
import { Scene } from "./scene.js";
import { searchIn } from "./search.js";
import { type Skeleton, skeletonIn } from "./skeleton.js";

/** A map that stands in a page. */
export interface ShownMap {
  /** As a click on the row's point does, and brings it to the middle; undefined lets go of what is chosen. */
  choose(row: number | undefined): void;
  /** Takes the map out of the page, with all that listens. */
  remove(): void;
  /** Shows another one in its place, as it is looked at now. */
  replaced(payload: Payload): ShownMap;
}

export const showMap = (place: Element, payload: Payload): ShownMap => new Viewer(place, payload);

class Viewer implements ShownMap {
  private readonly parts: Skeleton;
  private readonly scene: Scene;
  private readonly panel: Panel;
  private readonly search: (query: string) => number[];
  private readonly size: ResizeObserver;
  /** Neighbours in the map, as many as there are in the data. */
  private readonly nearCount: number;
  private isLasso = false;
  private grip: { readonly x: number; readonly y: number; readonly moved: number } | undefined;

  /** @param before - what it comes before; undefined: it comes last */
  constructor(
    private readonly place: Element,
    private readonly payload: Payload,
    before?: Element,
  ) {
    this.parts = skeletonIn(place, payload, before);
    const { canvas, chosen, legend } = this.parts;
    this.scene = new Scene(payload, canvas);
    this.nearCount = Math.min(payload.neighbors?.count ?? 10, rowsOf(payload) - 1);
    if (payload.hasLegend) buildLegend(legend, payload, this.scene.hidden, () => this.scene.schedule());
    this.panel = new Panel(chosen, payload, {
      choose: (row) => this.choose(row),
      save: (rows) => saveCsv(csvOf(payload, rows)),
      close: () => this.clear(),
    });
    this.search = searchIn(payload);
    this.size = new ResizeObserver(() => this.scene.schedule());
    this.size.observe(canvas);
    this.listenToWords();
    this.listenToPointer();
    this.listenToKeys();
  }

  choose(row: number | undefined): void {
    if (row === undefined) {
      this.clear();
      return;
    }
    this.show(row);
    this.scene.camera.centerOn(row);
  }

  replaced(payload: Payload): ShownMap {
    const { scene, parts } = this;
    const next = new Viewer(this.place, payload, parts.host);
    this.remove();
    if (payload.axes === this.payload.axes) next.scene.camera.look(scene.camera.view);
    const isHidden = new Set(this.payload.classes.flatMap(({ name }, k) => (scene.hidden[k] ? [name] : [])));
    payload.classes.forEach(({ name }, k) => {
      if (isHidden.has(name)) next.parts.legend.querySelectorAll("button")[k]?.click();
    });
    const words = parts.field.value;
    if (words !== "") next.find(words);
    if (scene.chosen !== undefined && scene.chosen < rowsOf(payload)) next.show(scene.chosen);
    return next;
  }

  remove(): void {
    this.size.disconnect();
    this.scene.stop();
    this.parts.remove();
  }

  private show(row: number): void {
    const { scene, payload } = this;
    scene.chosen = row;
    scene.nearInMap = nearestRows(payload.points, payload.axes, row, this.nearCount, (n) =>
      scene.isHidden(n),
    );
    const inData = this.dataNeighbors(row);
    scene.nearInData = inData ?? [];
    scene.found = new Set([row, ...scene.nearInData, ...scene.nearInMap]);
    this.panel.showPoint(row, inData, scene.nearInMap);
    scene.schedule();
  }

  private dataNeighbors(row: number): number[] | undefined {
    if (this.payload.neighbors === null) return undefined;
    const { count, indices } = this.payload.neighbors;
    return indices.slice(row * count, (row + 1) * count).filter((n) => n >= 0);
  }

  private clear(): void {
    this.forget();
    this.scene.found = new Set();
    this.parts.field.value = "";
    this.parts.said.textContent = "";
    this.panel.clear();
    this.scene.schedule();
  }

  private forget(): void {
    this.scene.chosen = undefined;
    this.scene.nearInData = [];
    this.scene.nearInMap = [];
  }

  // Searching.

  private shownRows(query: string): number[] {
    return this.search(query).filter((row) => !this.scene.isHidden(row));
  }

  private find(words: string): void {
    const { field, said } = this.parts;
    const rows = this.shownRows(words);
    field.value = words;
    this.forget();
    this.scene.found = new Set(rows);
    if (words.trim() === "") {
      said.textContent = "";
      this.panel.clear();
    } else {
      said.textContent = rows.length === 0 ? "nothing found" : `${grouped(rows.length)} found`;
      this.panel.showPoints(`Found: ${words.trim()}`, rows);
    }
    this.scene.schedule();
  }

  private listenToWords(): void {
    const { field, lasso } = this.parts;
    field.addEventListener("input", () => this.find(field.value));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.clear();
      const [first] = this.shownRows(field.value);
      if (event.key === "Enter" && first !== undefined) this.choose(first);
    });
    lasso.addEventListener("click", () => this.setLasso(!this.isLasso));
  }

  // The lasso.

  private setLasso(on: boolean): void {
    this.isLasso = on;
    this.parts.lasso.setAttribute("aria-pressed", String(on));
    this.parts.canvas.classList.toggle("lasso", on);
  }

  private finishLasso(): void {
    const { scene } = this;
    const rows = pointsInside(scene.camera.screen, scene.lasso).filter((row) => !scene.isHidden(row));
    scene.lasso = [];
    this.forget();
    scene.found = new Set(rows);
    this.parts.said.textContent = rows.length === 0 ? "nothing inside" : `${grouped(rows.length)} inside`;
    this.panel.showPoints(rows.length === 1 ? "1 point" : `${grouped(rows.length)} points`, rows);
    this.setLasso(false);
    scene.schedule();
  }

  // Pointing.

  private describe(x: number, y: number): void {
    const { tip, canvas } = this.parts;
    const row = this.scene.nearest(x, y);
    tip.hidden = row === undefined;
    if (row === undefined) return;
    const { ownerDocument: page } = tip;
    tip.replaceChildren();
    tip.appendChild(page.createElement("b")).textContent = calledIn(this.payload, row);
    for (const { name, values } of this.payload.columns)
      tip.appendChild(page.createElement("div")).textContent = `${name}: ${values[row] || "–"}`;
    const { screen } = this.scene.camera;
    const [left, top] = [screen[2 * row], screen[2 * row + 1]];
    const across = left > canvas.clientWidth - 240 ? "calc(-100% - 24px)" : "0";
    const up = top > canvas.clientHeight - 40 - tip.offsetHeight ? "calc(-100% - 24px)" : "0";
    tip.style.left = `${left + 12}px`;
    tip.style.top = `${top + 12}px`;
    tip.style.transform = `translate(${across}, ${up})`;
  }

  private listenToPointer(): void {
    const { scene, payload } = this;
    const { canvas, tip } = this.parts;
    const { camera } = scene;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.grip = { x: event.clientX, y: event.clientY, moved: 0 };
      canvas.setPointerCapture(event.pointerId);
      tip.hidden = true;
      if (this.isLasso) scene.lasso = [event.offsetX, event.offsetY];
    });
    canvas.addEventListener("pointerup", (event) => {
      const isClick = this.grip !== undefined && this.grip.moved < 4;
      this.grip = undefined;
      if (this.isLasso && !isClick) {
        this.finishLasso();
        return;
      }
      scene.lasso = [];
      if (!isClick) return;
      const row = scene.nearest(event.offsetX, event.offsetY);
      if (row === undefined) this.clear();
      else this.show(row);
    });
    canvas.addEventListener("pointercancel", () => {
      this.grip = undefined;
      scene.lasso = [];
      scene.schedule();
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.grip === undefined) {
        this.describe(event.offsetX, event.offsetY);
        return;
      }
      const dx = event.clientX - this.grip.x;
      const dy = event.clientY - this.grip.y;
      const moved = this.grip.moved + Math.abs(dx) + Math.abs(dy);
      this.grip = { x: event.clientX, y: event.clientY, moved };
      if (this.isLasso) scene.lasso = [...scene.lasso, event.offsetX, event.offsetY];
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
        camera.zoomAt(2 ** (-event.deltaY / 433), event.offsetX, event.offsetY);
        scene.schedule();
      },
      { passive: false },
    );
    canvas.addEventListener("dblclick", () => {
      camera.reset();
      scene.schedule();
    });
  }

  private listenToKeys(): void {
    const { canvas } = this.parts;
    const { camera } = this.scene;
    const step = 40;
    canvas.addEventListener("keydown", (event) => {
      const [x, y] = [canvas.clientWidth / 2, canvas.clientHeight / 2];
      const moves = new Map<string, () => void>([
        ["ArrowLeft", () => camera.pan(step, 0)],
        ["ArrowRight", () => camera.pan(-step, 0)],
        ["ArrowUp", () => camera.pan(0, step)],
        ["ArrowDown", () => camera.pan(0, -step)],
        ["+", () => camera.zoomAt(1.25, x, y)],
        ["-", () => camera.zoomAt(0.8, x, y)],
        ["0", () => camera.reset()],
        ["l", () => this.setLasso(!this.isLasso)],
        ["Escape", () => this.clear()],
      ]);
      const move = moves.get(event.key);
      if (move === undefined) return;
      event.preventDefault();
      move();
      this.scene.schedule();
    });
  }
}

const grouped = (count: number): string => count.toLocaleString("en-US");

function saveCsv(content: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "text/csv" }));
  link.download = "selection.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
