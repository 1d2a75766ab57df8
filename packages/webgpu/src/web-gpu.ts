/**
 * What of WebGPU is used here, as types of our own: those of the platform are not in the libraries of TypeScript before 6, and a
 * device of any origin (a page's, Dawn's, a test's) fits these. Numbers of the flags are those of the standard.
 */
export interface GpuLike {
  requestAdapter(options?: { readonly powerPreference?: "high-performance" }): Promise<AdapterLike | null>;
}

interface AdapterLike {
  readonly limits: LimitsLike;
  readonly info: AdapterInfoLike;
  requestDevice(descriptor: { readonly requiredLimits: Record<string, number> }): Promise<DeviceLike>;
}

export interface AdapterInfoLike {
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  /** Whether the processor does the work. */
  readonly isFallbackAdapter?: boolean;
}

interface LimitsLike {
  readonly maxBufferSize: number;
  readonly maxStorageBufferBindingSize: number;
  readonly maxStorageBuffersPerShaderStage: number;
  readonly maxComputeWorkgroupStorageSize: number;
  readonly maxComputeInvocationsPerWorkgroup: number;
}

export interface DeviceLike {
  readonly limits: LimitsLike;
  readonly queue: QueueLike;
  readonly adapterInfo?: AdapterInfoLike;
  /** Resolves when the device is gone, and never before. */
  readonly lost: Promise<{ readonly reason: string; readonly message: string }>;
  addEventListener(
    type: "uncapturederror",
    listener: (event: { readonly error: { readonly message: string } }) => void,
  ): void;
  removeEventListener(
    type: "uncapturederror",
    listener: (event: { readonly error: { readonly message: string } }) => void,
  ): void;
  createBuffer(descriptor: { readonly size: number; readonly usage: number }): BufferLike;
  createShaderModule(descriptor: { readonly code: string }): object;
  createComputePipelineAsync(descriptor: {
    readonly layout: "auto";
    readonly compute: { readonly module: object; readonly entryPoint: string };
  }): Promise<PipelineLike>;
  createBindGroup(descriptor: {
    readonly layout: object;
    readonly entries: readonly {
      readonly binding: number;
      readonly resource: { readonly buffer: BufferLike };
    }[];
  }): object;
  createCommandEncoder(): EncoderLike;
  destroy(): void;
}

interface QueueLike {
  writeBuffer(
    buffer: BufferLike,
    offset: number,
    data: ArrayBufferLike,
    dataOffset: number,
    size: number,
  ): void;
  submit(commands: readonly object[]): void;
}

export interface BufferLike {
  readonly size: number;
  mapAsync(mode: number): Promise<unknown>;
  getMappedRange(): ArrayBuffer;
  unmap(): void;
  destroy(): void;
}

export interface PipelineLike {
  getBindGroupLayout(index: number): object;
}

interface EncoderLike {
  beginComputePass(): PassLike;
  copyBufferToBuffer(
    source: BufferLike,
    sourceOffset: number,
    target: BufferLike,
    targetOffset: number,
    size: number,
  ): void;
  finish(): object;
}

interface PassLike {
  setPipeline(pipeline: PipelineLike): void;
  setBindGroup(index: number, group: object): void;
  dispatchWorkgroups(x: number, y: number): void;
  end(): void;
}

export const USAGE = { mapRead: 1, copySource: 4, copyTarget: 8, uniform: 64, storage: 128 } as const;
export const MAP_READ = 1;
