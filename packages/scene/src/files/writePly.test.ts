import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePly } from './ply.js';
import { CORNERS, signedVolume, TRIANGLES } from './testing/cube.js';
import { writePly } from './writePly.js';

const seed = Number(process.env.PLIANT_SEED);
const positions = new Float32Array(CORNERS.flat());
const indices = new Uint32Array(TRIANGLES.flat());

describe('writePly', () => {
  it('writes what parsePly reads back', () => {
    const colours = new Uint8Array(24).map((_, k) => k * 10);
    const extra = [
      { name: 'strain', values: new Float32Array(8).fill(Number.NaN) },
      { name: 'body_2', values: new Float32Array(8) },
    ];
    const mesh = parsePly(writePly({ positions, indices, colours, extra }), 'a.ply');
    expect(mesh).toMatchObject({ kind: 'mesh', warnings: [], indices });
    expect([...mesh.positions]).toEqual(CORNERS.flat());
    expect(signedVolume(mesh)).toBe(1);
    expect([...mesh.colours!].map((c) => Math.round(c * 255))).toEqual([...colours]);
  });

  it('has the header that other programs look for', () => {
    const bytes = writePly({
      positions,
      indices,
      colours: new Uint8Array(24),
      extra: [{ name: 's', values: new Float32Array(8) }],
    });
    const text = new TextDecoder('latin1').decode(bytes);
    expect(text.slice(0, text.indexOf('end_header'))).toBe(
      'ply\nformat binary_little_endian 1.0\ncomment written by Pliant\nelement vertex 8\n' +
        'property float x\nproperty float y\nproperty float z\n' +
        'property uchar red\nproperty uchar green\nproperty uchar blue\nproperty float s\n' +
        'element face 12\nproperty list uchar int vertex_indices\n',
    );
    expect(bytes.length).toBe(text.indexOf('end_header\n') + 11 + 8 * (12 + 3 + 4) + 12 * 13);
  });

  it(`keeps doubles to the bit and skips what a stride carries (PLIANT_SEED=${seed})`, () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    const points = fc.array(fc.tuple(finite, finite, finite), { minLength: 1 });
    fc.assert(
      fc.property(points, fc.integer({ min: 3, max: 6 }), (list, stride) => {
        const padded = new Float64Array(list.length * stride).fill(Number.NaN);
        list.forEach((p, i) => {
          padded.set(p, i * stride);
        });
        const cloud = parsePly(writePly({ positions: padded, stride }), 'a.ply');
        expect(cloud.kind).toBe('points');
        expect([...cloud.positions]).toEqual(list.flat());
      }),
      { seed },
    );
  });

  it('refuses what would not be a readable file', () => {
    const values = new Float32Array(8);
    expect(() => writePly({ positions: new Float32Array() })).toThrow(
      'positions.length is 0; expected a multiple of the stride 3, above 0.',
    );
    expect(() => writePly({ positions, stride: 2 })).toThrow('stride is 2; expected an integer of at least 3.');
    expect(() => writePly({ positions, stride: 5 })).toThrow(
      'positions.length is 24; expected a multiple of the stride 5, above 0.',
    );
    expect(() => writePly({ positions: new Float32Array([0, Number.NaN, 0]) })).toThrow(
      'positions[1] is NaN; expected a finite number.',
    );
    expect(() => writePly({ positions, colours: new Uint8Array(8) })).toThrow(
      'colours.length is 8; expected 24, three for each of 8 vertices.',
    );
    expect(() => writePly({ positions, indices: new Uint32Array(4) })).toThrow(
      'indices.length is 4; expected a multiple of 3.',
    );
    expect(() => writePly({ positions, indices: new Uint32Array([0, 1, 8]) })).toThrow(
      'indices[2] is 8; expected a vertex number from 0 to 7.',
    );
    expect(() => writePly({ positions, extra: [{ name: 'a b', values }] })).toThrow(
      'extra.name is "a b"; expected a name of letters, digits and _.',
    );
    expect(() => writePly({ positions, extra: [{ name: 'x', values }] })).toThrow(
      'extra.name x is there already; expected a new name.',
    );
    expect(() => writePly({ positions, extra: [{ name: 's', values: new Float32Array(7) }] })).toThrow(
      'extra.s.length is 7; expected 8, one for each vertex.',
    );
  });
});
