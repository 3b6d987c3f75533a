import { checkNumber, checkNumberOrInfinity, PliantError, type Range, refuse } from '../check.js';

/**
 * A material value that may vary over the body: one number for all of it, a function of the rest position in the world (m), one value per particle,
 * or `{ vertices }` with one value per vertex of the body's mesh, such as a painted mask.
 */
export type Field =
  | number
  | ((x: number, y: number, z: number) => number)
  | ArrayLike<number>
  | { vertices: ArrayLike<number> };

/** A field's value at every particle, each checked. `fromVertices` interpolates values painted on the body's mesh. */
export function evaluateField(
  name: string,
  field: Field,
  positions: Float64Array,
  range: Range,
  fromVertices?: (values: ArrayLike<number>, name: string) => Float64Array,
): Float64Array {
  const n = positions.length / 3;
  let values: ArrayLike<number>;
  if (typeof field === 'number') values = new Float64Array(n).fill(field);
  else if (typeof field === 'function')
    values = Float64Array.from({ length: n }, (_, i) =>
      field(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]),
    );
  else if (typeof field === 'object' && field !== null && 'vertices' in field) {
    if (!fromVertices) refuse(`${name}.vertices`, field.vertices, 'a body made from a mesh, which this one is not');
    values = fromVertices(field.vertices, `${name}.vertices`);
  } else if (typeof field === 'object' && field !== null && typeof field.length === 'number') {
    if (field.length !== n)
      throw new PliantError(name, `${name} has ${field.length} values; expected one per particle, ${n}.`);
    values = field;
  } else refuse(name, field, 'a number, a function, a list with one value per particle, or { vertices }');
  const perParticle = typeof field === 'number' ? 1 : n;
  for (let i = 0; i < perParticle; i++) {
    if (isPlainly(values[i], range)) continue;
    const where = typeof field === 'number' ? name : `${name} at particle ${i}`;
    if (range.min === 0 && range.max === undefined && range.below === undefined)
      checkNumberOrInfinity(where, values[i], range);
    else checkNumber(where, values[i], range);
  }
  return values instanceof Float64Array ? values : Float64Array.from(values as ArrayLike<number>, Number);
}

/** Whether a value is within the range without a doubt. The others are checked with a path, which takes time to make. */
const isPlainly = (value: number, { min = -1e300, max = 1e300, above = -1e300, below = 1e300 }: Range) =>
  typeof value === 'number' && value >= min && value <= max && value > above && value < below;
