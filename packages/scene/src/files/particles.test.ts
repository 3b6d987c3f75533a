import { PliantError } from 'pliant';
import { describe, expect, it } from 'vitest';
import { parseParticles } from './particles.js';
import { bytesOf } from './testing/cube.js';

const parse = (text: string) => parseParticles(bytesOf(text), 'ball.txt');

describe('parseParticles', () => {
  it('reads x y z per line', () => {
    const { positions, warnings } = parse('0 0.5 -1\n1e-3 +2 .25\n');
    expect([...positions]).toEqual([0, 0.5, -1, 0.001, 2, 0.25]);
    expect(warnings).toEqual([]);
  });

  it('takes blank lines, comments, tabs, CR LF and a missing last newline', () => {
    const { positions, warnings } = parse('# ball\r\n\r\n0 0\t0 # centre\r\n  \r\n1 1 1');
    expect([...positions]).toEqual([0, 0, 0, 1, 1, 1]);
    expect(warnings).toEqual([]);
  });

  it('ends at the first token that is not a number, as the research code does, and says so', () => {
    const { positions, warnings } = parse('0 0 0\n1 1 1\nend 3 3\n4 4 4\n');
    expect(positions).toHaveLength(6);
    expect(warnings).toEqual(['ball.txt, line 3: "end" is not a number; reading ended there, after 2 particles.']);
  });

  it('leaves out an incomplete triple and says so', () => {
    const { positions, warnings } = parse('0 0 0\n1 1');
    expect(positions).toHaveLength(3);
    expect(warnings).toEqual([
      'ball.txt: 2 of 3 coordinates after the last particle; the incomplete triple is left out.',
    ]);
  });

  it('says when lines do not hold one particle each', () => {
    const { positions, warnings } = parse('0 0 0 9\n1 1 1 9\n2 2 2 9\n');
    expect(positions).toHaveLength(12);
    expect(warnings).toEqual(['ball.txt, line 1: a particle spans several lines; expected x y z per line.']);
  });

  it.each([
    ['', 'ball.txt: the file is empty; expected particles as text, x y z per line.'],
    ['\n# nothing\n', 'ball.txt: the file has no particles; expected particles as text, x y z per line.'],
    ['1 2', 'ball.txt: the file has no particles; expected particles as text, x y z per line.'],
    [
      '{\n "a": 1}',
      'ball.txt: the file has no particles (line 1 has "{"); expected particles as text, x y z per line.',
    ],
    ['0 0 0\n1 nan 1', 'ball.txt, line 2: a coordinate is "nan"; expected a finite number.'],
    ['0 0 0\n1 -inf 1', 'ball.txt, line 2: a coordinate is "-inf"; expected a finite number.'],
    ['1 2 1e999', 'ball.txt, line 1: a coordinate is "1e999"; expected a finite number.'],
    ['1.#QNAN 2 3', 'ball.txt, line 1: a coordinate is "1.#QNAN"; expected a finite number.'],
  ])('refuses %$: $1', (text, message) => {
    expect(() => parse(text)).toThrow(new PliantError('ball.txt', message));
  });

  it('reads a million lines', () => {
    const line = '0.123456 -0.654321 12.5\n';
    const started = performance.now();
    const { positions } = parse(line.repeat(1_000_000));
    expect(positions).toHaveLength(3_000_000);
    // Well under a second; the bound only catches a reader that became quadratic.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
