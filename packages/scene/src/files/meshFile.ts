import { PliantError } from 'pliant';
import { shorten } from '../show.js';
import { type Growing, MOST_NUMBERS, MOST_VERTICES, TooLarge } from './growing.js';

/** A run of a mesh's indices with one material. */
export interface MeshGroup {
  /** First index of the run. */
  readonly start: number;
  /** Number of indices: three a triangle. */
  readonly count: number;
  /** Number of the material in the file; −1 if it names none. */
  readonly material: number;
}

/** The result of every mesh reader, as the file has it: not welded, not oriented, not scaled. */
export interface MeshFile {
  /** 'points' if the file has vertices and no faces. */
  kind: 'mesh' | 'points';
  /** x, y, z of every vertex, all finite, in the file's unit. */
  positions: Float64Array;
  /** Three vertex numbers per triangle, all within `positions`; empty for points. */
  indices: Uint32Array;
  /** r, g, b of every vertex in 0..1, if the file has colours. */
  colours?: Float32Array;
  /** u, v of every vertex, or of every corner (parallel to `indices`) if a vertex may have several; v runs upwards. */
  uvs?: Float32Array;
  /** Runs of `indices` with one material each, if the file has several or any: by the material's number in the file, −1 for none. */
  groups?: readonly MeshGroup[];
  /** Parts of the file that were changed or left out; each sentence names the file. */
  warnings: string[];
}

/** Throws in the wording of every refused file: "bunny.ply, line 12: x is "abc"; expected a finite number." */
export function fail(file: string, where: string, problem: string): never {
  throw new PliantError(file, `${place(file, where)} ${problem}.`);
}

/** Beginning of a message about a file: its name and, if known, the line or byte. */
export function place(file: string, where = ''): string {
  return where ? `${file}, ${where}:` : `${file}:`;
}

/** Part of a file as a short text for a message; control characters are escaped. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}...` : text);
}

/** A name, or a list of names, from a file for a message, shortened if it is long. */
export function named(names: string | readonly string[]): string {
  return typeof names === 'string' ? shorten(names, 60) : shorten(names.join(', '));
}

export function checkNotEmpty(bytes: Uint8Array, file: string, expected: string): void {
  if (bytes.length === 0) fail(file, '', `the file is empty; expected ${expected}`);
}

/** Refuses a count of vertices before memory is allocated for them. */
export function checkVertices(count: number, file: string, where: string): void {
  if (count > MOST_VERTICES) fail(file, where, `the file has ${count} vertices; expected at most ${MOST_VERTICES}`);
}

/**
 * The result of a reader. A file that expands beyond all bounds, or beyond the available memory, is refused like any
 * other.
 */
export async function bounded<T>(file: string, parse: () => T | Promise<T>): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    if (error instanceof TooLarge)
      fail(file, '', `the file expands to more than ${MOST_NUMBERS} numbers; expected fewer`);
    if (error instanceof RangeError && /allocation|typed array length/i.test(error.message))
      fail(file, '', 'the file needs more memory than there is; expected a smaller one');
    throw error;
  }
}

/** Adds the polygon's triangles as a fan from its first corner. Concave polygons keep their signed area and volume. */
export function addFan(indices: Growing<Uint32Array>, corners: Growing<Uint32Array>): void {
  for (let k = 2; k < corners.length; k++) {
    indices.push(corners.values[0]);
    indices.push(corners.values[k - 1]);
    indices.push(corners.values[k]);
  }
}

/**
 * Colours scaled to 0..1. In formats that store fractions some writers store 0..255: any value above 1 shows that for
 * the whole file, since no vertex of a file in fractions can have one. NaN means no colour: white.
 */
export function colourFractions(values: ArrayLike<number>, file: string, warnings: string[]): Float32Array {
  const colours = Float32Array.from(values);
  let largest = 0;
  for (const c of colours) if (c > largest) largest = c;
  if (largest > 1) warnings.push(`${place(file)} colours go up to ${largest}; read as 0..255 instead of 0..1.`);
  const scale = largest > 1 ? 1 / 255 : 1;
  for (let k = 0; k < colours.length; k++)
    colours[k] = Number.isNaN(colours[k]) ? 1 : Math.min(1, Math.max(0, colours[k] * scale));
  return colours;
}
