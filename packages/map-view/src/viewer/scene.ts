/** What is on the canvas: points, those that are found or chosen brought out, their neighbours, names where there is room. */
import { placeNames } from "../names.js";
import { outlineOf } from "../palette.js";
import { Camera } from "./camera.js";
import { type Payload, rowsOf } from "./payload.js";

/** Milliseconds without a move, after which names look for new places. */
const rest = 120;
const fontSize = 13;
/** Names in sight that are looked at; more of them are not read, and would take long to place. */
const mostNames = 1500;

/** Where a name stands, from its point. */
interface Offset {
  readonly index: number;
  readonly dx: number;
  readonly dy: number;
  /** Ends of the line that leads to it, in the same way. */
  readonly leader: readonly number[];
}

export class Scene {
  readonly camera: Camera;
  /** 1 for each class that is not shown. */
  readonly hidden: Uint8Array;
  /** Rows that are brought out; the others are pale. Empty: none. */
  found: ReadonlySet<number> = new Set();
  /** The row that was clicked, and its nearest in the data and in the map. */
  chosen: number | undefined;
  nearInData: readonly number[] = [];
  nearInMap: readonly number[] = [];
  /** The lasso's corners while it is drawn. */
  lasso: readonly number[] = [];
  private readonly order: Int32Array;
  private readonly widths: Float64Array;
  private placed: readonly Offset[] = [];
  /** In the points' places, as they are read. */
  private readonly pictures: readonly HTMLImageElement[];
  private scheduled = false;
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly payload: Payload,
    private readonly canvas: HTMLCanvasElement,
  ) {
    this.camera = new Camera(payload);
    this.hidden = new Uint8Array(payload.classes.length);
    this.order = Int32Array.from(payload.order);
    this.widths = new Float64Array(rowsOf(payload));
    this.pictures = (payload.images?.urls ?? []).map((url) => {
      const picture = new Image();
      picture.onload = () => this.requestDraw();
      picture.src = url;
      return picture;
    });
  }

  /** Of what stands for a point, in pixels of the page. */
  private get reach(): number {
    const { images, radius } = this.payload;
    return (images === undefined ? radius : images.side / 2) * this.camera.magnification;
  }

  isHidden(row: number): boolean {
    return this.hidden[this.payload.classOf[row]] === 1;
  }

  /** Draws once the browser is ready to, and places the names anew when nothing has moved for a while. */
  schedule(): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.placeNames();
      this.requestDraw();
    }, rest);
    this.requestDraw();
  }

  /** Draws no more. */
  stop(): void {
    clearTimeout(this.resting);
    this.scheduled = true;
  }

  private requestDraw(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  private project(): void {
    this.camera.resize(this.canvas.clientWidth, this.canvas.clientHeight);
    this.camera.project();
  }

  /** The shown row that is nearest to a place on the screen, and not farther than a fingertip. */
  nearest(x: number, y: number): number | undefined {
    let best: number | undefined;
    let least = 12 ** 2;
    for (const n of this.order) {
      if (this.isHidden(n)) continue;
      const distance = (this.camera.screen[2 * n] - x) ** 2 + (this.camera.screen[2 * n + 1] - y) ** 2;
      if (distance <= least) [least, best] = [distance, n];
    }
    return best;
  }

  private placeNames(): void {
    const { names } = this.payload;
    const context = this.canvas.getContext("2d");
    if (names === null || context === null) return;
    this.project();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { screen } = this.camera;
    context.font = `${fontSize}px system-ui, sans-serif`;
    this.widths.fill(0);
    const isMeant = (n: number): boolean => !this.isHidden(n) && (this.found.size === 0 || this.found.has(n));
    let looked = 0;
    for (const n of this.order) {
      const [x, y] = [screen[2 * n], screen[2 * n + 1]];
      const isInSight = x >= 0 && y >= 0 && x <= width && y <= height;
      if (!isInSight || !isMeant(n) || names[n] === "" || ++looked > mostNames) continue;
      this.widths[n] = context.measureText(names[n]).width + 2;
    }
    this.placed = placeNames(screen, this.widths, {
      fontSize,
      radius: this.reach,
      bounds: { left: 0, top: 0, width, height },
      keepsOff: isMeant,
    }).map(({ index, x, y, leader = [] }) => ({
      index,
      dx: x - screen[2 * index],
      dy: y - screen[2 * index + 1],
      leader: leader.map((place, k) => place - screen[2 * index + (k % 2)]),
    }));
    // For whoever looks at the page by a program: which names are in sight.
    this.canvas.dataset["names"] = String(this.placed.length);
  }

  private draw(): void {
    const density = window.devicePixelRatio || 1;
    const { canvas, camera, payload } = this;
    canvas.width = Math.round(canvas.clientWidth * density);
    canvas.height = Math.round(canvas.clientHeight * density);
    this.project();
    const context = canvas.getContext("2d");
    if (context === null) return;
    const radius = payload.radius * camera.magnification * density;
    const reach = this.reach * density;
    const { screen, depth, size } = camera;
    if (payload.axes === 3) this.order.sort((a, b) => depth[b] - depth[a]);
    this.drawRegions(context, density);
    this.drawLinks(context, density);
    const stamps = payload.classes.map((c) => stampOf(c, radius, payload.opacity));
    const isPale = this.found.size > 0;
    const stamp = (n: number): void => {
      const picture = this.pictures[n];
      if (picture?.naturalWidth > 0) {
        const at: [number, number] = [screen[2 * n] * density, screen[2 * n + 1] * density];
        drawPicture(context, picture, at, 2 * reach * size[n]);
        if (payload.hasLegend)
          frame(context, payload.classes[payload.classOf[n]].color, at, 2 * reach * size[n]);
        return;
      }
      const mark = stamps[payload.classOf[n]];
      const side = mark.width * size[n];
      const x = screen[2 * n] * density - side / 2;
      const y = screen[2 * n + 1] * density - side / 2;
      if (x < -side || y < -side || x > canvas.width || y > canvas.height) return;
      context.drawImage(mark, x, y, side, side);
    };
    context.globalAlpha = isPale ? 0.18 : 1;
    for (const n of this.order) if (!this.isHidden(n) && !this.found.has(n)) stamp(n);
    context.globalAlpha = 1;
    for (const n of this.order) if (!this.isHidden(n) && this.found.has(n)) stamp(n);
    this.drawNames(context, density);
    this.drawRings(context, density, reach);
    this.drawLasso(context, density);
  }

  /** Where each shown point may be. */
  private drawRegions(context: CanvasRenderingContext2D, density: number): void {
    const { payload, camera, found } = this;
    if (payload.regions === undefined || payload.axes !== 2) return;
    const { ellipses, isMeaningless } = payload.regions;
    context.lineWidth = density;
    for (const n of this.order) {
      const [major, minor, dx, dy] = ellipses.slice(4 * n, 4 * n + 4);
      if (major == null || minor == null || this.isHidden(n)) continue;
      const color = isMeaningless ? "#9aa1ab" : payload.classes[payload.classOf[n]].color;
      const [x, y] = [camera.screen[2 * n] * density, camera.screen[2 * n + 1] * density];
      const unit = camera.pixelsPerUnit * density;
      const [across, down] = [dx ?? 1, -(dy ?? 0)]; // the screen's y points down
      context.setTransform(across, down, -down, across, x, y);
      context.beginPath();
      context.ellipse(0, 0, unit * major, unit * minor, 0, 0, 2 * Math.PI);
      context.resetTransform();
      const pale = found.size > 0 && !found.has(n) ? 0.3 : 1;
      context.fillStyle = context.strokeStyle = color;
      context.globalAlpha = 0.1 * pale;
      if (!isMeaningless) context.fill();
      context.globalAlpha = 0.55 * pale;
      context.setLineDash(isMeaningless ? [4 * density, 4 * density] : []);
      context.stroke();
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  /** From the chosen point to its nearest in the data. */
  private drawLinks(context: CanvasRenderingContext2D, density: number): void {
    const { chosen, nearInData, camera } = this;
    if (chosen === undefined) return;
    const at = (n: number): [number, number] => [
      camera.screen[2 * n] * density,
      camera.screen[2 * n + 1] * density,
    ];
    context.strokeStyle = "#23272f";
    context.globalAlpha = 0.55;
    context.lineWidth = 1.2 * density;
    context.beginPath();
    for (const n of nearInData) {
      context.moveTo(...at(chosen));
      context.lineTo(...at(n));
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  /** Around the chosen point, and thinner ones around its nearest in the map. */
  private drawRings(context: CanvasRenderingContext2D, density: number, radius: number): void {
    const { chosen, nearInMap, camera } = this;
    if (chosen === undefined) return;
    context.strokeStyle = "#23272f";
    for (const n of [chosen, ...nearInMap]) {
      context.lineWidth = (n === chosen ? 3 : 1.3) * density;
      context.beginPath();
      const reach = radius * camera.size[n] + (n === chosen ? 5 : 3) * density;
      context.arc(camera.screen[2 * n] * density, camera.screen[2 * n + 1] * density, reach, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  private drawNames(context: CanvasRenderingContext2D, density: number): void {
    const { names } = this.payload;
    if (names === null) return;
    context.font = `${fontSize * density}px system-ui, sans-serif`;
    context.textBaseline = "alphabetic";
    context.fillStyle = "#23272f";
    const lines = new Path2D();
    for (const { index, leader } of this.placed) {
      if (leader.length === 0 || this.isHidden(index)) continue;
      const [x, y] = [this.camera.screen[2 * index], this.camera.screen[2 * index + 1]];
      lines.moveTo((x + leader[0]) * density, (y + leader[1]) * density);
      lines.lineTo((x + leader[2]) * density, (y + leader[3]) * density);
    }
    context.lineWidth = 0.7 * density;
    context.strokeStyle = "#6b7280";
    context.stroke(lines);
    context.lineWidth = 4 * density;
    context.lineJoin = "round";
    context.strokeStyle = "rgba(255, 255, 255, 0.9)";
    for (const { index, dx, dy } of this.placed) {
      if (this.isHidden(index)) continue;
      const x = (this.camera.screen[2 * index] + dx) * density;
      const y = (this.camera.screen[2 * index + 1] + dy) * density;
      context.strokeText(names[index], x, y);
      context.fillText(names[index], x, y);
    }
  }

  private drawLasso(context: CanvasRenderingContext2D, density: number): void {
    const { lasso } = this;
    if (lasso.length < 4) return;
    context.beginPath();
    for (let k = 0; k < lasso.length; k += 2) context.lineTo(lasso[k] * density, lasso[k + 1] * density);
    context.closePath();
    context.fillStyle = "rgba(1, 144, 223, 0.12)";
    context.strokeStyle = "#0170ad";
    context.lineWidth = 1.5 * density;
    context.fill();
    context.stroke();
  }
}

/** As large as it may be in a square around its place. */
function drawPicture(
  context: CanvasRenderingContext2D,
  picture: HTMLImageElement,
  [x, y]: readonly [number, number],
  side: number,
): void {
  const scale = side / Math.max(picture.naturalWidth, picture.naturalHeight);
  const [width, height] = [scale * picture.naturalWidth, scale * picture.naturalHeight];
  context.drawImage(picture, x - width / 2, y - height / 2, width, height);
}

function frame(
  context: CanvasRenderingContext2D,
  color: string,
  [x, y]: readonly [number, number],
  side: number,
): void {
  context.strokeStyle = color;
  context.lineWidth = 0.045 * side;
  context.strokeRect(x - side / 2, y - side / 2, side, side);
}

/** A point of one class, drawn once and then stamped. */
function stampOf(
  { color, shape }: Payload["classes"][number],
  radius: number,
  opacity: number,
): HTMLCanvasElement {
  const mark = document.createElement("canvas");
  mark.width = mark.height = Math.ceil(2.8 * radius + 3);
  const context = mark.getContext("2d");
  if (context === null) return mark;
  const { path, line } = outlineOf(shape, radius);
  context.translate(mark.width / 2, mark.height / 2);
  context.globalAlpha = opacity;
  if (line === undefined) {
    context.fillStyle = color;
    context.fill(new Path2D(path));
  } else {
    context.strokeStyle = color;
    context.lineWidth = Math.max(1, line);
    context.stroke(new Path2D(path));
  }
  return mark;
}
