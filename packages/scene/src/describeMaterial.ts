import { type Field, MATERIALS, type MaterialOptions, PliantError, type RawOptions, shapeSolid } from 'pliant';
import type { Geometry } from './describeBody.js';
import { growingFloats, MOST_NUMBERS } from './files/growing.js';
import { Scanner } from './files/scan.js';
import { folderOf, resolvePath } from './paths.js';
import { type Read, readFirst } from './readFile.js';
import type { FieldFile } from './schema/material.js';
import type { MaterialFile } from './schema/scene.js';
import { show } from './show.js';

/** The properties that may vary over a body, beside `raw.stiffness`. */
const FIELDS = ['density', 'young', 'yield', 'toughness'] as const;

/** A material as the engine takes it: gradients become functions, colours and files become values. */
export async function describeMaterial(
  material: MaterialFile,
  geometry: Geometry,
  scenePath: string,
  path: string,
  read: Read,
): Promise<MaterialOptions> {
  const { preset, density: _, young: __, yield: ___, toughness: ____, raw, ...plain } = material;
  if (preset !== undefined && raw !== undefined)
    throw new PliantError(
      `${path}.preset`,
      `${scenePath}: ${path}.preset is ${show(preset)}; expected nothing beside raw, whose per-step parameters replace its elastic law.`,
    );
  const result: MaterialOptions = { ...(preset && presetBeside(preset, material)), ...plain };
  for (const key of FIELDS) {
    const value = material[key];
    if (value === undefined) continue;
    result[key] = await describeField(value, geometry, scenePath, `${path}.${key}`, read);
  }
  if (raw) result.raw = await describeRaw(raw, geometry, scenePath, `${path}.raw`, read);
  return result;
}

async function describeRaw(
  { stiffness, ...plain }: NonNullable<MaterialFile['raw']>,
  geometry: Geometry,
  scenePath: string,
  path: string,
  read: Read,
): Promise<RawOptions> {
  if (stiffness === undefined) return plain;
  return { ...plain, stiffness: await describeField(stiffness, geometry, scenePath, `${path}.stiffness`, read) };
}

/** Options of a preset, without its density where the material gives the mass otherwise. */
function presetBeside(name: keyof typeof MATERIALS, { mass, particleMass }: MaterialFile): MaterialOptions {
  const { density, ...others }: MaterialOptions = MATERIALS[name].material;
  return mass === undefined && particleMass === undefined ? { density, ...others } : others;
}

async function describeField(
  value: NonNullable<FieldFile>,
  geometry: Geometry,
  scenePath: string,
  path: string,
  read: Read,
): Promise<Field> {
  if (typeof value === 'number' || Array.isArray(value)) return value;
  if ('along' in value) {
    const axis = 'xyz'.indexOf(value.along);
    const [low, high] = value.range ?? extent(geometry, axis);
    return gradient(axis, low, high, value.values);
  }
  if ('vertexColour' in value) {
    const { mesh } = geometry;
    if (!mesh?.colours)
      throw new PliantError(
        path,
        `${scenePath}: ${path} asks for vertex colours; expected a body made from a mesh file that has them.`,
      );
    const channel = 'rgb'.indexOf(value.vertexColour);
    const [a, b] = value.values;
    const colours = mesh.colours;
    return {
      vertices: Float64Array.from({ length: colours.length / 3 }, (_, i) => a + (b - a) * colours[3 * i + channel]),
    };
  }
  const at = resolvePath(folderOf(scenePath), value.file);
  const { bytes, path: file } = await readFirst(read, [at], `${scenePath}: ${path}.file`, 'values');
  const values = parseNumbers(bytes, file);
  return geometry.mesh ? { vertices: values } : values;
}

/** Linear interpolation between values at equal distances from low to high, constant beyond. */
function gradient(axis: number, low: number, high: number, values: readonly number[]): Field {
  const last = values.length - 1;
  return (...place) => {
    const at = Math.min(last, Math.max(0, ((place[axis] - low) / (high - low)) * last));
    const k = Math.min(last - 1, Math.floor(at));
    return values[k] + (at - k) * (values[k + 1] - values[k]);
  };
}

/** Lowest and highest coordinate of a body along an axis, before it is placed. */
function extent({ options: { mesh, shape, points } }: Geometry, axis: number): [number, number] {
  if (shape) {
    const { min, max } = shapeSolid(shape);
    return [min[axis], max[axis]];
  }
  const coordinates = points ?? mesh!.positions;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = axis; k < coordinates.length; k += 3) {
    low = Math.min(low, coordinates[k]);
    high = Math.max(high, coordinates[k]);
  }
  // A body without extent along the axis has one value, the first.
  return low < high ? [low, high] : [low, low + 1];
}

/** Reads finite numbers separated by whitespace. */
function parseNumbers(bytes: Uint8Array, file: string): Float64Array {
  const scan = new Scanner(bytes, file);
  const values = growingFloats();
  while (scan.next()) {
    if (values.length === MOST_NUMBERS)
      throw new PliantError(file, `${file}: there are more than ${MOST_NUMBERS} numbers; expected fewer.`);
    values.push(scan.finite(`number ${values.length}`));
  }
  return values.take();
}
