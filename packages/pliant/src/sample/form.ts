import type { Vec3 } from '../check.js';
import type { Workspace } from '../spatial/wasm/workspace.js';
import type { Solid } from './solid.js';

/** Kinds of shapes that the kernels know (assembly/building/solid.ts). */
export const FormKind = {
  BOX: 0,
  SPHERE: 1,
  ELLIPSOID: 2,
  CYLINDER: 3,
  CAPSULE: 4,
  TORUS: 5,
  union: 6,
  difference: 7,
  intersection: 8,
  SHELL: 9,
} as const;

interface Box {
  min: Vec3;
  max: Vec3;
}

/** A solid as numbers. The kernels answer questions about it as its functions do, bit for bit. */
export interface SolidForm extends Box {
  kind: number;
  /** Half sides, half axes or radii; the thickness of walls. */
  sizes: readonly number[];
  parts: readonly SolidForm[];
  /** Length of rounded seams. */
  smooth: number;
  /** By how much bounds of distances have to differ to decide. */
  margin: number;
  /** The solid is rotated first, then moved. */
  moved?: Vec3;
  /** By rows. */
  turned?: readonly number[];
}

export const leafForm = (kind: number, sizes: readonly number[], { min, max }: Box): SolidForm => ({
  kind,
  sizes,
  parts: [],
  smooth: 0,
  margin: 0,
  min,
  max,
});

/** Undefined where a part has none. */
export function combinedForm(
  type: 'union' | 'difference' | 'intersection',
  of: readonly { form?: SolidForm }[],
  smooth: number,
  margin: number,
  { min, max }: Box,
): SolidForm | undefined {
  const parts = of.flatMap(({ form }) => form ?? []);
  return parts.length < of.length ? undefined : { kind: FormKind[type], sizes: [], parts, smooth, margin, min, max };
}

export const movedForm = (form: SolidForm | undefined, by: Vec3, { min, max }: Box) =>
  form && !form.moved ? { ...form, moved: by, min, max } : undefined;

export const turnedForm = (form: SolidForm | undefined, by: readonly number[], { min, max }: Box) =>
  form && !form.moved && !form.turned ? { ...form, turned: by, min, max } : undefined;

export const shellForm = (form: SolidForm | undefined, thickness: number): SolidForm | undefined =>
  form && form.kind !== FormKind.SHELL
    ? { kind: FormKind.SHELL, sizes: [thickness], parts: [form], smooth: 0, margin: 0, min: form.min, max: form.max }
    : undefined;

/** Gives a solid its form, not enumerable: a caller's copy with other functions has none. */
export const withForm = (solid: Solid, form: SolidForm | undefined): Solid =>
  form ? Object.defineProperty(solid, 'form', { value: form }) : solid;

export const formOf = (solid: Solid): SolidForm | undefined => (solid as { form?: SolidForm }).form;

/** Bytes of a node (class Node in assembly/building/solid.ts): four words, then numbers. */
const HEAD = 16;
const NUMBERS = 27;

/** Writes a form for the kernels. Returns its address; 0 for a solid without one. */
export function putForm(space: Workspace, form: SolidForm | undefined): number {
  if (!form) return 0;
  // Address 0 means none.
  if (space.isEmpty) space.take(16);
  return putNode(space, form);
}

function putNode(space: Workspace, { kind, sizes, parts, smooth, margin, moved, turned, min, max }: SolidForm): number {
  const addresses = space.putWords(parts.map((part) => putNode(space, part)));
  const at = space.take(HEAD + 8 * NUMBERS);
  space.words(at, 4).set([kind, parts.length, addresses, (moved ? 1 : 0) | (turned ? 2 : 0)]);
  const numbers = space.reals(at + HEAD, NUMBERS);
  numbers.fill(0);
  numbers.set(sizes);
  numbers[3] = smooth;
  if (moved) numbers.set(moved, 4);
  if (turned) numbers.set(turned, 7);
  numbers.set(min, 16);
  numbers.set(max, 19);
  numbers[22] = margin;
  for (let a = 0; a < 3; a++) numbers[23 + a] = 1 / numbers[a];
  numbers[26] = Math.min(numbers[0], numbers[1], numbers[2]);
  return at;
}
