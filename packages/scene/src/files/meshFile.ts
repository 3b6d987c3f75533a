import { PliantError } from 'pliant';
import { type Growing, MOST_NUMBERS, MOST_VERTICES, TooLarge } from './growing.js';

/** What every mesh reader hands back, as the file has it: nothing welded, nothing turned, nothing scaled. */
export interface MeshFile {
  /** 'points' where the file has vertices and no faces. */
  kind: 'mesh' | 'points';
  /** x, y, z of every vertex, all finite, in the file's unit. */
  positions: Float64Array;
  /** Three vertex numbers per triangle, all within `positions`; empty for points. */
  indices: Uint32Array;
  /** r, g, b of every vertex in 0..1, where the file has colours. */
  colours?: Float32Array;
  /** u, v of every vertex, or of every corner (parallel to `indices`) where a vertex may have several; v runs upwards. */
  uvs?: Float32Array;
  /** What was read differently from how the file has it, or left out; each names the file. */
  warnings: string[];
}

/** "bunny.ply, line 12: x is "abc"; expected a finite number." — the one wording of every refused file. */
export function fail(file: string, where: string, problem: string): never {
  throw new PliantError(file, `${place(file, where)} ${problem}.`);
}

/** The head of a message about a file: its name and, where known, the line or byte. */
export function place(file: string, where = ''): string {
  return where ? `${file}, ${where}:` : `${file}:`;
}

/** A piece of a file as a short text for a message; control characters are escaped. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}...` : text);
}

export function checkNotEmpty(bytes: Uint8Array, file: string, expected: string): void {
  if (bytes.length === 0) fail(file, '', `the file is empty; expected ${expected}`);
}

/** Refuses a count of vertices before there is memory for them. */
export function checkVertices(count: number, file: string, where: string): void {
  if (count > MOST_VERTICES) fail(file, where, `the file has ${count} vertices; expected at most ${MOST_VERTICES}`);
}

/** What a reader gives; a file that expands beyond all bounds, or beyond the memory there is, is refused like any other. */
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

/** Adds the polygon's triangles, all from its first corner. Concave polygons keep their area and volume by sign. */
export function addFan(indices: Growing<Uint32Array>, corners: Growing<Uint32Array>): void {
  for (let k = 2; k < corners.length; k++) {
    indices.push(corners.values[0]);
    indices.push(corners.values[k - 1]);
    indices.push(corners.values[k]);
  }
}

/**
 * Colours into 0..1. Formats that store them as fractions also meet writers that store 0..255: any value above 1 says
 * so for the whole file, since no vertex of a file in fractions can have one. NaN stands for no colour: white.
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
