import { bytesOfText } from '../../math/bytesOfText.js';
import type { PointGrid } from '../grid.js';
import { BINARY } from './binary.generated.js';
import type { Asked, BuildKernels } from './kernels.js';

/** The constructors that compile while the caller waits: the kernels are small, and building a body is synchronous. */
interface Host {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => WebAssembly.Module;
  Instance: new (module: WebAssembly.Module, imports: { env: Record<string, unknown> }) => WebAssembly.Instance;
}

const PAGE = 65536;
/** A memory above this many pages is not kept for the next body: 32 MiB. */
const MOST_KEPT = 512;
/** Bytes of a grid's description (class Grid in assembly/building/grid.ts). */
const GRID = 64;

/** The memory of the kernels that build bodies. Lists are taken one behind the other and released all at once. */
export class Workspace {
  private end = 0;

  private constructor(
    readonly kernels: BuildKernels,
    private readonly memory: WebAssembly.Memory,
    private readonly asked: Partial<Asked>,
  ) {}

  /** Compiles the kernels. Throws where there is no WASM, or none with SIMD. */
  static create(): Workspace {
    const host = WebAssembly as unknown as Host;
    module ??= new host.Module(bytesOfText(BINARY));
    const memory = new WebAssembly.Memory({ initial: 2 });
    const asked: Partial<Asked> = {};
    const { exports } = new host.Instance(module, {
      env: {
        memory,
        isInside: (x: number, y: number, z: number) => (asked.isInside!(x, y, z) ? 1 : 0),
        classify: (x: number, y: number, z: number, h: number) => asked.classify!(x, y, z, h),
        tick: (samples: number) => asked.tick!(samples),
      },
    });
    return new Workspace(exports as unknown as BuildKernels, memory, asked);
  }

  get isLarge(): boolean {
    return this.memory.buffer.byteLength > MOST_KEPT * PAGE;
  }

  get isEmpty(): boolean {
    return this.end === 0;
  }

  /** Room for some bytes, of any content; returns its address, a multiple of 16. Views made before may be gone. */
  take(bytes: number): number {
    const at = this.end;
    this.end = at + 16 * Math.ceil(bytes / 16);
    const missing = Math.ceil((this.end - this.memory.buffer.byteLength) / PAGE);
    if (missing > 0) this.memory.grow(missing);
    return at;
  }

  /** The address from which on all memory is the caller's, who may grow it. Nothing else can be taken before the release. */
  takeRest(): number {
    const at = this.end;
    this.end = Number.NaN;
    return at;
  }

  takeReals = (count: number): number => this.take(8 * count);
  takeWords = (count: number): number => this.take(4 * count);

  /** Views are valid until something is taken. */
  reals = (at: number, count: number): Float64Array => new Float64Array(this.memory.buffer, at, count);
  words = (at: number, count: number): Uint32Array => new Uint32Array(this.memory.buffer, at, count);
  bytes = (at: number, count: number): Uint8Array => new Uint8Array(this.memory.buffer, at, count);
  floats = (at: number, count: number): Float32Array => new Float32Array(this.memory.buffer, at, count);

  /** Takes room for numbers and writes them. */
  putReals(values: ArrayLike<number>): number {
    const at = this.takeReals(values.length);
    this.reals(at, values.length).set(values);
    return at;
  }

  putWords(values: ArrayLike<number>): number {
    const at = this.takeWords(values.length);
    this.words(at, values.length).set(values);
    return at;
  }

  putFloats(values: ArrayLike<number>): number {
    const at = this.take(4 * values.length);
    this.floats(at, values.length).set(values);
    return at;
  }

  /** Room for a grid of at most this many points and cells. */
  takeGrid(points: number, cells: number): number {
    return this.take(GRID + 24 * points + 16 + 4 * (cells + 1));
  }

  /** Writes the shape of a grid to the address that takeGrid gave. Returns the addresses of its lists. */
  shapeGrid(at: number, { count, cells, origin, size }: Pick<PointGrid, 'count' | 'cells' | 'origin' | 'size'>) {
    const [head, shape] = [this.words(at, 8), this.reals(at + 32, 4)];
    const x = at + GRID;
    const lists = { x, y: x + 8 * count, z: x + 16 * count, cellStart: x + 24 * count };
    head.set([lists.x, lists.y, lists.z, lists.cellStart, ...cells, count]);
    shape.set([...origin, size]);
    return lists;
  }

  /** Writes a grid to the address that takeGrid gave. */
  setGrid(at: number, grid: PointGrid): void {
    const { x, y, z, cellStart } = this.shapeGrid(at, grid);
    this.reals(x, grid.count).set(grid.x);
    this.reals(y, grid.count).set(grid.y);
    this.reals(z, grid.count).set(grid.z);
    this.words(cellStart, grid.cellStart.length).set(grid.cellStart);
  }

  putGrid(grid: PointGrid): number {
    const at = this.takeGrid(grid.count, grid.cellStart.length - 1);
    this.setGrid(at, grid);
    return at;
  }

  /** Lets the kernels ask about a solid while `act` runs. */
  answering<T>(asked: Partial<Asked>, act: () => T): T {
    Object.assign(this.asked, asked);
    try {
      return act();
    } finally {
      for (const key of ['isInside', 'classify', 'tick'] as const) delete this.asked[key];
    }
  }

  release(): void {
    this.end = 0;
  }
}

let module: WebAssembly.Module | undefined;
let kept: Workspace | undefined;
let isInUse = false;
/** Set where kernels cannot be compiled, and by tests of the plain forms. */
let isOff = false;

/**
 * Lets `act` use the kernels that build bodies. Returns undefined, and does not call it, where there are none or where they are in use: the plain form then has to do.
 */
export function withKernels<T>(act: (space: Workspace) => T): T | undefined {
  if (isOff || isInUse) return undefined;
  const space = openSpace();
  if (!space) return undefined;
  isInUse = true;
  try {
    return act(space);
  } finally {
    isInUse = false;
    space.release();
    if (space.isLarge) kept = undefined;
  }
}

function openSpace(): Workspace | undefined {
  try {
    return (kept ??= Workspace.create());
  } catch {
    // An old browser, or a page that does not allow WASM.
    isOff = true;
    return undefined;
  }
}

/** For tests: runs `act` with the plain forms. */
export function withoutKernels<T>(act: () => T): T {
  const before = isOff;
  isOff = true;
  try {
    return act();
  } finally {
    isOff = before;
  }
}
