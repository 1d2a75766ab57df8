/**
 * A device and what runs on it: `navigator.gpu` in pages and workers, Dawn (the package `webgpu`) in Node. No other code asks where
 * it runs.
 */
import { CurvatureError, flag, type OptionsOf, object, optionTable } from "@curvature/linalg";
import {
  type AdapterInfoLike,
  type BufferLike,
  type DeviceLike,
  type GpuLike,
  MAP_READ,
  type PipelineLike,
  USAGE,
} from "./web-gpu.js";

export const gpuOptions = optionTable({
  /** A GPUDevice of one's own, which `close` leaves open. Left out: one is opened, with the largest buffers that the adapter has. */
  device: object<DeviceLike>("a GPUDevice"),
  /** Whether an adapter that only imitates a GPU on the processor will do: for tests. */
  allowSoftware: flag.default(false),
});
export type GpuOptions = OptionsOf<typeof gpuOptions>;

/** A kernel with its buffers and its grid of workgroups. */
export interface Job {
  readonly pipeline: PipelineLike;
  readonly group: object;
  readonly x: number;
  readonly y: number;
}

/** What is to be read of a buffer, in bytes; all of it from `from` on if no `bytes` are given. */
export interface Wanted {
  readonly buffer: BufferLike;
  readonly bytes?: number;
  readonly from?: number;
}

/** Workgroups in one dimension of a grid. */
const MAX_GROUPS = 65_535;

/** Bytes that one call brings to the device: browsers copy them first. */
const UPLOAD = 2 ** 28;

/**
 * Opens a device.
 *
 * @throws CurvatureError (the promise rejects) ERR_DEVICE where there is no WebGPU, no adapter, or only one that runs on the processor
 *
 * ```ts
 * const gpu = await openGpu();
 * try {
 *   const { indices } = await nearestOnGpu(gpu, points, 10);
 * } finally {
 *   gpu.close();
 * }
 * ```
 */
export async function openGpu(options?: GpuOptions): Promise<Gpu> {
  const { device, allowSoftware } = gpuOptions.resolve("openGpu", options);
  if (device !== undefined) return new Gpu(device, device.adapterInfo, false);
  const adapter = await (await platform()).requestAdapter({ powerPreference: "high-performance" });
  if (adapter === null)
    throw noDevice(
      "WebGPU finds no adapter. In Node it needs Vulkan, Metal or Direct3D 12 with their driver; in a page see chrome://gpu or about:support.",
    );
  if (!allowSoftware && isSoftware(adapter.info))
    throw noDevice(
      `The only adapter, ${named(adapter.info)}, imitates a GPU on the processor and is slower than the loops without one.`,
    );
  const { limits } = adapter;
  const opened = await adapter.requestDevice({
    requiredLimits: {
      maxBufferSize: limits.maxBufferSize,
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
    },
  });
  return new Gpu(opened, adapter.info, true);
}

/** Names of software adapters where `isFallbackAdapter` does not say so. */
const isSoftware = ({ isFallbackAdapter, architecture, description }: AdapterInfoLike): boolean =>
  isFallbackAdapter === true ||
  /swiftshader|llvmpipe|lavapipe|basic render/i.test(`${architecture} ${description}`);

const named = ({ vendor, architecture, device, description }: AdapterInfoLike): string =>
  [...new Set([vendor, architecture, device, description])].filter((word) => word !== "").join(" ");

/** Of Dawn, which ends the process if it is collected while its devices are at work. */
let dawn: GpuLike | undefined;

/** @throws CurvatureError ERR_DEVICE */
async function platform(): Promise<GpuLike> {
  const { navigator } = globalThis as { readonly navigator?: { readonly gpu?: GpuLike } };
  if (navigator?.gpu !== undefined) return navigator.gpu;
  if (typeof process === "undefined" || process.versions?.node === undefined)
    throw noDevice("This page has no WebGPU: it needs a browser that has it, and https or localhost.");
  const name = "webgpu"; // not a literal, so that bundlers of pages leave it alone
  try {
    const { create }: { readonly create: (flags: string[]) => GpuLike } = await import(name);
    dawn ??= create([]);
    return dawn;
  } catch (cause) {
    throw noDevice("Node needs the package webgpu for a GPU: npm install webgpu.", cause);
  }
}

const noDevice = (message: string, cause?: unknown): CurvatureError =>
  new CurvatureError("ERR_DEVICE", message, { expected: "a GPU that WebGPU can use", cause });

/** An open device: buffers, kernels that are compiled once, and one wait for each read. */
export class Gpu {
  /** The adapter's vendor, architecture and name. */
  readonly name: string;
  /** Bytes of the largest buffer that a kernel can see. */
  readonly largestBuffer: number;
  private readonly pipelines = new Map<string, Promise<PipelineLike>>();
  /** Buffers to read through, by their size, while nobody reads through them. */
  private readonly idle = new Map<number, BufferLike[]>();
  private failure: CurvatureError | undefined;
  private readonly lost: Promise<never>;
  /** What was made and not freed. */
  private readonly held = new Set<BufferLike>();

  constructor(
    readonly device: DeviceLike,
    info: AdapterInfoLike | undefined,
    private readonly isOwn: boolean,
  ) {
    this.name = info === undefined ? "a device of one's own" : named(info);
    const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
    this.largestBuffer = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    this.lost = device.lost.then(({ reason, message }) => {
      this.failure ??= new CurvatureError(
        "ERR_DEVICE",
        `The GPU was lost (${reason}): ${message || "no reason given"}`,
        {
          expected: "a device that stays",
        },
      );
      throw this.failure;
    });
    this.lost.catch(() => undefined);
    device.addEventListener("uncapturederror", this.refused);
  }

  private readonly refused = ({ error }: { readonly error: { readonly message: string } }): void => {
    this.failure ??= new CurvatureError("ERR_DEVICE", `The GPU refused its work: ${error.message}`, {
      expected: "work that the device can do",
    });
  };

  /** @throws CurvatureError ERR_MEMORY for more than a buffer can have */
  buffer(bytes: number): BufferLike {
    const size = Math.max(16, 16 * Math.ceil(bytes / 16));
    if (size > this.largestBuffer)
      throw new CurvatureError(
        "ERR_MEMORY",
        `A buffer of ${(size / 2 ** 20).toFixed(0)} MiB is more than the ${(this.largestBuffer / 2 ** 20).toFixed(0)} MiB that this GPU allows.`,
        { expected: `at most ${this.largestBuffer} bytes`, received: size },
      );
    return this.hold(
      this.device.createBuffer({ size, usage: USAGE.storage | USAGE.copySource | USAGE.copyTarget }),
    );
  }

  /** A buffer with what is in the array. */
  upload(data: Float32Array | Uint32Array | Int32Array): BufferLike {
    const buffer = this.buffer(data.byteLength);
    this.write(buffer, data);
    return buffer;
  }

  write(buffer: BufferLike, data: Float32Array | Uint32Array | Int32Array, offset = 0): void {
    for (let at = 0; at < data.byteLength; at += UPLOAD)
      this.device.queue.writeBuffer(
        buffer,
        offset + at,
        data.buffer,
        data.byteOffset + at,
        Math.min(UPLOAD, data.byteLength - at),
      );
  }

  /** Up to four numbers of a kernel, `struct P { a : u32, b : u32, c : u32, d : u32 }`. */
  parameters(...values: readonly number[]): BufferLike {
    const buffer = this.hold(this.device.createBuffer({ size: 16, usage: USAGE.uniform | USAGE.copyTarget }));
    this.write(
      buffer,
      Uint32Array.from({ length: 4 }, (_, k) => values[k] ?? 0),
    );
    return buffer;
  }

  /** A kernel, compiled at its first use. @throws CurvatureError ERR_DEVICE (the promise rejects) */
  async kernel(code: string): Promise<PipelineLike> {
    let pipeline = this.pipelines.get(code);
    if (pipeline === undefined) {
      const module = this.device.createShaderModule({ code });
      pipeline = this.device.createComputePipelineAsync({
        layout: "auto",
        compute: { module, entryPoint: "main" },
      });
      this.pipelines.set(code, pipeline);
    }
    try {
      return await Promise.race([pipeline, this.lost]);
    } catch (cause) {
      this.pipelines.delete(code);
      throw (
        this.failure ?? new CurvatureError("ERR_DEVICE", "The GPU could not compile a kernel.", { cause })
      );
    }
  }

  /**
   * A kernel at work: buffers at the bindings 0, 1, …, on so many workgroups. Above 65,535 of them the grid has rows of so many, and
   * the kernel counts y · 65535 + x.
   */
  job(pipeline: PipelineLike, buffers: readonly BufferLike[], groups: number, y = 1): Job {
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const group = this.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
    const isWide = groups > MAX_GROUPS;
    return {
      pipeline,
      group,
      x: isWide ? MAX_GROUPS : groups,
      y: isWide ? Math.ceil(groups / MAX_GROUPS) : y,
    };
  }

  /** Begins jobs, one after the other, and does not wait for them. */
  run(jobs: readonly Job[]): void {
    this.submit(jobs, () => undefined);
  }

  /**
   * Jobs, one after the other, then what they left in buffers: one submission, one wait.
   *
   * @throws CurvatureError (the promise rejects) ERR_DEVICE if the device is lost or refuses its work
   */
  async read(jobs: readonly Job[], wanted: readonly Wanted[]): Promise<ArrayBuffer[]> {
    this.check();
    const sizes = wanted.map(({ buffer, bytes, from = 0 }) => bytes ?? buffer.size - from);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const through =
      this.idle.get(total)?.pop() ??
      this.device.createBuffer({ size: total, usage: USAGE.mapRead | USAGE.copyTarget });
    this.submit(jobs, (encoder) => {
      let at = 0;
      for (const [k, { buffer, from = 0 }] of wanted.entries()) {
        encoder.copyBufferToBuffer(buffer, from, through, at, sizes[k]);
        at += sizes[k];
      }
    });
    try {
      await Promise.race([through.mapAsync(MAP_READ), this.lost]);
    } catch (cause) {
      throw (
        this.failure ??
        new CurvatureError("ERR_DEVICE", "The GPU did not return what it computed.", { cause })
      );
    }
    this.check();
    const all = through.getMappedRange();
    let at = 0;
    const parts = sizes.map((size) => {
      at += size;
      return all.slice(at - size, at);
    });
    through.unmap();
    this.idle.set(total, [...(this.idle.get(total) ?? []), through]);
    return parts;
  }

  /** @throws CurvatureError ERR_DEVICE for what has happened to the device */
  private check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  private hold(buffer: BufferLike): BufferLike {
    this.held.add(buffer);
    return buffer;
  }

  free(buffers: readonly BufferLike[]): void {
    for (const buffer of buffers) {
      buffer.destroy();
      this.held.delete(buffer);
    }
  }

  /** Frees all that was made on the device, and gives it back, unless it came from outside. */
  close(): void {
    this.free([...this.held, ...[...this.idle.values()].flat()]);
    this.idle.clear();
    this.device.removeEventListener("uncapturederror", this.refused);
    if (this.isOwn) this.device.destroy();
  }

  private submit(
    jobs: readonly Job[],
    copies: (encoder: ReturnType<DeviceLike["createCommandEncoder"]>) => void,
  ): void {
    const encoder = this.device.createCommandEncoder();
    if (jobs.length > 0) {
      const pass = encoder.beginComputePass();
      for (const { pipeline, group, x, y } of jobs) {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(x, y);
      }
      pass.end();
    }
    copies(encoder);
    this.device.queue.submit([encoder.finish()]);
  }
}

/** Of a number in single precision, for a kernel's parameters. */
export const singleBits = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0];
