import { PliantError } from '../check.js';
import type { Kernels } from '../kernels/kernels.js';
import { MAX_MEMORY } from '../limits.js';
import type { World } from '../world.js';
import {
  ARENA_START,
  ARRAY_NAMES,
  type ArrayLayout,
  type ArrayName,
  DOMAINS,
  type Domain,
  LAYOUT,
  POINTER_TABLE,
  type Views,
} from './layout.js';
import { SELF_ROOM } from './selfRow.js';

const BYTES = { f32: 4, f64: 8, u32: 4 } as const;
const PAGE = 65536;
/** Pages that a new memory has. */
export const LEAST_PAGES = ARENA_START / PAGE + 1;

export type Counts = Record<Domain, number>;
const NONE: Counts = { particle: 0, cluster: 0, membership: 0, coarse: 0, tie: 0, node: 0, neighbour: 0 };

/**
 * The part of WebAssembly.Memory that is used. A separate interface, so that the published types need neither those of
 * the DOM nor those of Node.
 */
export interface LinearMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

/**
 * The arrays of LAYOUT in one WASM memory, in both backends. Capacity grows geometrically. Growing moves the arrays and
 * detaches every view taken before, so views are read from `state.views` when needed and never kept.
 */
export class State {
  readonly count: Counts = { ...NONE };
  readonly capacity: Counts = { ...NONE };
  views!: Views;
  /** The kernels of the world's backend, for skins, which have no reference to the world. */
  kernels!: Kernels;
  /** The world of this state, for bodies: moving a body affects its clamps and the bodies that touch it. */
  world?: World;
  /** Increases whenever the views are replaced. */
  version = 0;
  /**
   * Increases whenever a constant array is written, as bodies are added, removed or changed. Snapshots share these
   * arrays while it does not change.
   */
  revision = 0;
  private offsets = layOut(NONE);
  /** End of the memory that arrays have had: behind it nobody has written. */
  private used = ARENA_START;

  /** `memory`: that of a world with threads, which is shared; else its own. It has at least LEAST_PAGES pages. */
  constructor(readonly memory: LinearMemory = new WebAssembly.Memory({ initial: LEAST_PAGES })) {
    this.reserve({ ...NONE, particle: 64, cluster: 8, membership: 128 });
  }

  /**
   * Makes room for at least these totals; the content stays. Domains that are not named do not grow. Those that grow get `spare` rows more: memory that nobody
   * writes to is not taken from the machine.
   */
  reserve(totals: Partial<Counts>, spare: Partial<Counts> = {}): void {
    const grown = { ...this.capacity };
    for (const domain of DOMAINS) {
      const wanted = totals[domain] ?? 0;
      if (wanted > grown[domain])
        grown[domain] = Math.max(wanted + (spare[domain] ?? 0), Math.ceil(grown[domain] * 1.5));
    }
    if (this.views && sameCounts(grown, this.capacity)) return;
    // Spare capacity is given up near the limit of the memory.
    if (layOut(grown).end > MAX_MEMORY)
      for (const domain of DOMAINS) grown[domain] = Math.max(this.capacity[domain], totals[domain] ?? 0);

    const before = this.offsets;
    const after = layOut(grown);
    const used = this.used;
    this.growTo(after.end, SELF_ROOM * grown.particle);
    this.used = Math.max(used, after.end);
    // Arrays keep their order and only move up, so that copying from the last to the first never overwrites data still
    // needed.
    const bytes = new Uint8Array(this.memory.buffer);
    for (const name of [...PLACED].reverse()) {
      const [from, to] = [before.start[name], after.start[name]];
      const length = this.views ? bytesOf(LAYOUT[name], this.capacity[LAYOUT[name].of]) : 0;
      if (to !== from) bytes.copyWithin(to, from, from + length);
      // Memory behind the arrays of before is fresh and holds zeros already. Writing them was 3 % of building 125 000 particles.
      const end = Math.min(to + bytesOf(LAYOUT[name], grown[LAYOUT[name].of]), used);
      if (end > to + length) bytes.fill(0, to + length, end);
    }
    Object.assign(this.capacity, grown);
    this.offsets = after;
    this.refreshViews();
  }

  /**
   * Address of that many bytes behind the arrays, for use within a stage: the next call, and arrays that grow, overwrite them. There is as much as contacts of a body with itself need, unless the
   * memory is near its limit; else it grows, which replaces the views.
   */
  roomBehind(bytes: number): number {
    const { end } = this.offsets;
    if (end + bytes > this.memory.buffer.byteLength) {
      this.growTo(end + bytes);
      this.refreshViews();
    }
    this.used = Math.max(this.used, end + bytes);
    return end;
  }

  /** Grows the memory to at least that many bytes, or throws and changes nothing. It grows by `spare` bytes more where that is possible: memory that nobody writes to is not taken from the machine. */
  private growTo(bytes: number, spare = 0): void {
    const missing = bytes - this.memory.buffer.byteLength;
    const wanted = Math.ceil((missing + spare) / PAGE);
    if (wanted <= 0) return;
    if (spare > 0 && bytes + spare <= MAX_MEMORY)
      try {
        this.memory.grow(wanted);
        return;
      } catch {
        // The arrays may still have room.
      }
    if (missing <= 0) return;
    const refusal = (why: string) =>
      new PliantError('world', `world needs ${megabytes(bytes)} MB for its bodies; expected at most ${why}.`);
    if (bytes > MAX_MEMORY) throw refusal(`${megabytes(MAX_MEMORY)} MB, as its memory has 32-bit addresses`);
    try {
      this.memory.grow(Math.ceil(missing / PAGE));
    } catch {
      throw refusal('what this machine gives (its memory could not grow)');
    }
  }

  /** Makes new views of the memory's buffer and writes the addresses of the arrays for the kernels. */
  private refreshViews(): void {
    const buffer = this.memory.buffer;
    const table = new Uint32Array(buffer, POINTER_TABLE, ARRAY_NAMES.length);
    const views = newViews();
    ARRAY_NAMES.forEach((name, k) => {
      const layout: ArrayLayout = LAYOUT[name];
      const start = this.offsets.start[name];
      const length = rowsOf(layout, this.capacity[layout.of]) * layout.width;
      table[k] = start;
      views[name] =
        layout.type === 'f32'
          ? new Float32Array(buffer, start, length)
          : layout.type === 'f64'
            ? new Float64Array(buffer, start, length)
            : new Uint32Array(buffer, start, length);
    });
    this.views = views as unknown as Views;
    this.version++;
  }
}

/**
 * A copy of an object with the same keys. V8 turns an object that grows key by key into a hash table, which makes
 * every access slow.
 */
const newViews = (): Record<ArrayName, unknown> => ({ ...LAYOUT });
/** V8 makes copies of another inner form once it has seen that many of them. Code that was compiled for the views of the first worlds was thrown away then, all at once. */
for (let k = 0; k < 12; k++) newViews();

/**
 * Order of the arrays in memory. The first are those of domains that a cut hardly enlarges: it divides clusters and
 * gives fields to pieces, but adds no particles and few memberships, which take most of the memory. So growing for a
 * cut moves little.
 */
const PLACED = (['membership', 'particle', 'coarse', 'tie', 'cluster', 'neighbour', 'node'] as const).flatMap(
  (domain) => ARRAY_NAMES.filter((name) => LAYOUT[name].of === domain),
);

const megabytes = (bytes: number) => Math.ceil(bytes / (1 << 20));
const rowsOf = (layout: ArrayLayout, capacity: number) => capacity + (layout.extra ?? 0);
const bytesOf = (layout: ArrayLayout, capacity: number) => rowsOf(layout, capacity) * layout.width * BYTES[layout.type];
const sameCounts = (a: Counts, b: Counts) => DOMAINS.every((domain) => a[domain] === b[domain]);

/** Byte offset of every array for these capacities; each starts on a cache line. */
function layOut(capacity: Counts): { start: Record<ArrayName, number>; end: number } {
  const start = {} as Record<ArrayName, number>;
  let end = ARENA_START;
  for (const name of PLACED) {
    start[name] = end;
    end += Math.ceil(bytesOf(LAYOUT[name], capacity[LAYOUT[name].of]) / 64) * 64;
  }
  return { start, end };
}
