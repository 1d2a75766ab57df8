/**
 * The moving part of a scatterplot: camera, pointer and keys on two canvases, one for the points and one above it for
 * what is drawn with the pointer. It draws when something has changed, once per frame of the display.
 */
import {
  boundsOf,
  type Camera,
  fitted,
  panned,
  pointRadius,
  type Size,
  toPlane,
  toScreen,
  zoomed,
} from "./camera.js";
import { CanvasPainter } from "./canvas-painter.js";
import type { Looks } from "./coloring.js";
import { drawOverlay, onScreen } from "./overlay.js";
import type { Painter } from "./painter-types.js";
import { pointAt, pointsWithin } from "./pick.js";
import { WebglPainter } from "./webgl-painter.js";

export interface ScatterEvents {
  /** The point under the pointer (or chosen by key) and its place in CSS pixels; −1 for none. */
  onHover(point: number, x: number, y: number): void;
  /** The points within a lasso; none after an empty one. */
  onLasso(points: Int32Array): void;
}

export type PointerMode = "pan" | "lasso";

interface Held {
  x: number;
  y: number;
}

const reach = 10;
const panStep = 40;
const zoomStep = 1.25;

export class ScatterCanvas {
  mode: PointerMode = "pan";
  private readonly painter: Painter;
  private readonly observer: ResizeObserver;
  private readonly listening = new AbortController();
  private positions: ArrayLike<number> = [];
  private size: Size = { width: 0, height: 0 };
  private camera: Camera = { x: 0, y: 0, scale: 1 };
  /** Whether the camera keeps all points in sight; ends when the user moves it. */
  private follows = true;
  private hovered = -1;
  private told = { point: -1, x: 0, y: 0 };
  private readonly held = new Map<number, Held>();
  private lasso: number[] | undefined;
  private frame = 0;

  constructor(
    private readonly host: HTMLElement,
    points: HTMLCanvasElement,
    private readonly overlay: HTMLCanvasElement,
    private readonly events: ScatterEvents,
    onLost: () => void,
  ) {
    this.painter = WebglPainter.create(points, onLost) ?? new CanvasPainter(points);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
    this.resize();
    this.listen();
  }

  setPositions(positions: ArrayLike<number>): void {
    this.positions = positions;
    this.painter.setPositions(positions);
    if (this.hovered * 2 >= positions.length) this.hover(-1);
    this.invalidate();
  }

  setLooks(looks: Looks): void {
    this.painter.setLooks(looks);
    this.invalidate();
  }

  /** Shows all points again, and keeps them in sight. */
  reset(): void {
    this.follows = true;
    this.invalidate();
  }

  zoom(factor: number): void {
    this.move(zoomed(this.camera, this.size, factor, this.size.width / 2, this.size.height / 2));
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
    this.listening.abort();
    this.painter.dispose();
  }

  private resize(): void {
    this.size = { width: this.host.clientWidth, height: this.host.clientHeight };
    this.invalidate();
  }

  private invalidate(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.frame = 0;
    const { size } = this;
    if (size.width === 0 || size.height === 0) return;
    if (this.follows) {
      const bounds = boundsOf(this.positions);
      if (bounds !== undefined) this.camera = fitted(bounds, size);
    }
    const density = Math.min(window.devicePixelRatio || 1, 3);
    const radius = pointRadius(this.positions.length / 2, size);
    this.painter.paint({ camera: this.camera, size, density, radius });
    this.drawOverlay(density, radius);
    this.tellHover();
  }

  private drawOverlay(density: number, radius: number): void {
    const { camera, size, lasso, hovered } = this;
    const isThere = hovered >= 0 && 2 * hovered < this.positions.length;
    drawOverlay(this.overlay, density, {
      size,
      color: getComputedStyle(this.host).color,
      lasso: lasso && onScreen(lasso, camera, size),
      ring: isThere ? { centre: this.screenOf(hovered), radius: radius + 3 } : undefined,
    });
  }

  private screenOf(point: number): readonly [number, number] {
    return toScreen(this.camera, this.size, this.positions[2 * point], this.positions[2 * point + 1]);
  }

  private move(camera: Camera): void {
    this.follows = false;
    this.camera = camera;
    this.invalidate();
    this.hover(-1);
  }

  private hover(point: number): void {
    if (point === this.hovered) return;
    this.hovered = point;
    this.invalidate();
  }

  /** Once per drawing, so that the words go with a point that moves. */
  private tellHover(): void {
    const [x, y] = this.hovered < 0 ? [0, 0] : this.screenOf(this.hovered);
    const { told, hovered: point } = this;
    if (told.point === point && told.x === x && told.y === y) return;
    this.told = { point, x, y };
    this.events.onHover(point, x, y);
  }

  private listen(): void {
    const { host } = this;
    const options = { signal: this.listening.signal };
    host.addEventListener("pointerdown", (event) => this.pointerDown(event), options);
    host.addEventListener("pointermove", (event) => this.pointerMove(event), options);
    host.addEventListener("pointerup", (event) => this.pointerUp(event), options);
    host.addEventListener("pointercancel", (event) => this.pointerLost(event), options);
    host.addEventListener("pointerleave", () => this.hover(-1), options);
    host.addEventListener("dblclick", () => this.reset(), options);
    host.addEventListener("blur", () => this.hover(-1), options);
    host.addEventListener("keydown", (event) => this.keyDown(event), options);
    host.addEventListener("wheel", (event) => this.wheel(event), { ...options, passive: false });
  }

  private placeOf(event: MouseEvent): readonly [number, number] {
    const box = this.host.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private pointerDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const [x, y] = this.placeOf(event);
    this.host.setPointerCapture(event.pointerId);
    this.held.set(event.pointerId, { x, y });
    const drawsLasso = this.mode === "lasso" || event.shiftKey;
    this.lasso = drawsLasso && this.held.size === 1 ? [...toPlane(this.camera, this.size, x, y)] : undefined;
  }

  private pointerMove(event: PointerEvent): void {
    const [x, y] = this.placeOf(event);
    const held = this.held.get(event.pointerId);
    if (held === undefined) {
      this.hover(pointAt(this.positions, this.camera, this.size, [x, y], reach));
      return;
    }
    if (this.lasso !== undefined) {
      this.lasso.push(...toPlane(this.camera, this.size, x, y));
      this.invalidate();
    } else if (this.held.size === 2) this.pinch(event.pointerId, held, x, y);
    else this.move(panned(this.camera, x - held.x, y - held.y));
    held.x = x;
    held.y = y;
  }

  /** Two fingers: their distance zooms about their middle, and their middle pans. */
  private pinch(id: number, held: Held, x: number, y: number): void {
    const other = [...this.held].find(([otherId]) => otherId !== id)?.[1];
    if (other === undefined) return;
    const before = Math.hypot(held.x - other.x, held.y - other.y);
    const after = Math.hypot(x - other.x, y - other.y);
    const moved = panned(this.camera, (x - held.x) / 2, (y - held.y) / 2);
    this.move(zoomed(moved, this.size, after / Math.max(before, 1), (x + other.x) / 2, (y + other.y) / 2));
  }

  private pointerUp(event: PointerEvent): void {
    const held = this.held.get(event.pointerId);
    this.held.delete(event.pointerId);
    const { lasso } = this;
    this.lasso = undefined;
    if (lasso !== undefined) {
      this.events.onLasso(lasso.length < 6 ? new Int32Array(0) : pointsWithin(this.positions, lasso));
      this.invalidate();
    } else if (held !== undefined && event.pointerType === "touch") {
      this.hover(pointAt(this.positions, this.camera, this.size, [held.x, held.y], 2 * reach));
    }
  }

  /** The browser has taken the pointer, to scroll the page. */
  private pointerLost({ pointerId }: PointerEvent): void {
    this.held.delete(pointerId);
    this.lasso = undefined;
    this.invalidate();
  }

  private wheel(event: WheelEvent): void {
    // The page scrolls past a map that nobody has chosen; a pinch on a touchpad comes with ctrlKey.
    if (!event.ctrlKey && document.activeElement !== this.host) return;
    event.preventDefault();
    const lines = event.deltaMode === 0 ? event.deltaY / 100 : event.deltaY / 3;
    const [x, y] = this.placeOf(event);
    this.move(zoomed(this.camera, this.size, zoomStep ** -Math.max(-4, Math.min(4, lines)), x, y));
  }

  private keyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = this.actionOf(event.key);
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  private actionOf(key: string): (() => void) | undefined {
    switch (key) {
      case "ArrowLeft":
        return () => this.move(panned(this.camera, panStep, 0));
      case "ArrowRight":
        return () => this.move(panned(this.camera, -panStep, 0));
      case "ArrowUp":
        return () => this.move(panned(this.camera, 0, panStep));
      case "ArrowDown":
        return () => this.move(panned(this.camera, 0, -panStep));
      case "+":
      case "=":
        return () => this.zoom(zoomStep);
      case "-":
        return () => this.zoom(1 / zoomStep);
      case "0":
        return () => this.reset();
      case ".":
        return () => this.step(1);
      case ",":
        return () => this.step(-1);
      case "Escape":
        return () => {
          this.hover(-1);
          this.events.onLasso(new Int32Array(0));
        };
      default:
        return undefined;
    }
  }

  /** To the next point or the one before, in the order of the data. */
  private step(by: number): void {
    const count = Math.floor(this.positions.length / 2);
    if (count > 0)
      this.hover(
        (this.hovered < 0 && by < 0 ? 0 : this.hovered) + by < 0 ? count - 1 : (this.hovered + by) % count,
      );
  }
}
