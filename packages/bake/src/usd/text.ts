import { UniqueNames } from '../names.js';

/** A number with the seven digits that single precision has. */
export const number = (value: number): string => String(Number(value.toPrecision(7)));

/** Values as "(1, 2, 3), (4, 5, 6)", `width` numbers each; of some rows only, if they are given. */
export function tuples(values: ArrayLike<number>, width: number, rows?: Uint32Array): string {
  const count = rows?.length ?? values.length / width;
  const parts: string[] = new Array(count);
  for (let n = 0; n < count; n++) {
    const o = width * (rows ? rows[n] : n);
    let part = `(${number(values[o])}`;
    for (let a = 1; a < width; a++) part += `, ${number(values[o + a])}`;
    parts[n] = `${part})`;
  }
  return parts.join(', ');
}

/** A text in quotes. */
export const quoted = (text: string): string =>
  `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\r?\n/g, '\\n')}"`;

/** Names of prims: letters, digits and underscores, none twice among siblings. */
export class PrimNames {
  private readonly names = new UniqueNames();

  take(wanted: string): string {
    const plain = wanted.normalize('NFKD').replace(/[^A-Za-z0-9_]+/g, '_');
    return this.names.take(/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`);
  }
}
