import { growingFloats, MOST_NUMBERS } from './growing.js';
import { checkNotEmpty, fail, place, quote } from './meshFile.js';
import { Scanner } from './scan.js';

/** The content of a particle file. */
export interface ParticleFile {
  /** x, y, z of every particle, all finite, at least one particle. */
  positions: Float64Array;
  /** Remarks on the file, a sentence each. */
  warnings: string[];
}

const EXPECTED = 'particles as text, x y z per line';

/** How C and C++ programs print numbers that are not finite: nan, -nan(ind), inf, Infinity, 1.#QNAN. */
const NOT_FINITE = /^[+-]?(nan|inf|\d\.#)/i;

/**
 * Reads the research code's particle files: x y z triples, no header, no count. As in that code, reading ends at the
 * first token that is not a number; here it gives a warning. `#` starts a comment.
 */
export function parseParticles(bytes: Uint8Array, file: string): ParticleFile {
  checkNotEmpty(bytes, file, EXPECTED);
  const scan = new Scanner(bytes, file, { comments: true });
  const warnings: string[] = [];
  // A coordinate with its separator takes about 8 bytes; the array doubles if it takes less.
  const positions = growingFloats(Math.min(bytes.length >> 3, MOST_NUMBERS));
  let firstLine = 0;
  let straddling = 0;
  while (scan.next()) {
    const value = scan.number();
    if (!Number.isFinite(value)) {
      const token = scan.text();
      if (!Number.isNaN(value) || NOT_FINITE.test(token)) scan.refuse('a coordinate', 'a finite number');
      const count = Math.floor(positions.length / 3);
      warnings.push(
        `${place(file, `line ${scan.line}`)} ${quote(token)} is not a number; reading ended there, after ${count} particles.`,
      );
      break;
    }
    if (positions.length === MOST_NUMBERS)
      fail(file, `line ${scan.line}`, `the file has more than ${MOST_NUMBERS} coordinates; expected fewer`);
    const axis = positions.length % 3;
    if (axis === 0) firstLine = scan.line;
    else if (axis === 2 && straddling === 0 && scan.line !== firstLine) straddling = firstLine;
    positions.push(value);
  }
  const extra = positions.length % 3;
  const count = (positions.length - extra) / 3;
  if (count === 0) {
    const why = warnings.length > 0 ? ` (line ${scan.line} has ${quote(scan.text())})` : '';
    fail(file, '', `the file has no particles${why}; expected ${EXPECTED}`);
  }
  if (straddling > 0)
    warnings.push(`${place(file, `line ${straddling}`)} a particle spans several lines; expected x y z per line.`);
  if (extra > 0)
    warnings.push(
      `${place(file)} ${extra} of 3 coordinates after the last particle; the incomplete triple is left out.`,
    );
  return { positions: positions.values.slice(0, count * 3), warnings };
}
