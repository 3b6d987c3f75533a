import { PliantError } from 'pliant';
import { describe, expect, it } from 'vitest';
import { parseStl } from './stl.js';
import { bytesOf, cubeStlBinary, cubeStlText, signedVolume } from './testing/cube.js';

const parse = (bytes: Uint8Array | string) => parseStl(typeof bytes === 'string' ? bytesOf(bytes) : bytes, 'a.stl');
const facet = (corners: string, normal = '0 0 1') =>
  `facet normal ${normal}\nouter loop\n${corners}endloop\nendfacet\n`;
const THREE = 'vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n';

describe('parseStl', () => {
  it('reads text as soup', () => {
    const mesh = parse(cubeStlText());
    expect(mesh).toMatchObject({ kind: 'mesh', warnings: [] });
    expect(mesh.positions).toHaveLength(12 * 9);
    expect([...mesh.indices]).toEqual(Array.from({ length: 36 }, (_, k) => k));
    expect(signedVolume(mesh)).toBeCloseTo(1, 12);
  });

  it('takes any case, several solids, one line, nan normals and "facet" in the name', () => {
    expect(
      parse(`solid a facet b\n${facet(THREE, 'nan nan nan')}endsolid\nsolid\n${facet(THREE)}endsolid\n`).indices,
    ).toHaveLength(6);
    expect(parse(`SOLID A\n${facet(THREE).toUpperCase()}ENDSOLID`).indices).toHaveLength(3);
    expect(parse(`solid a\n${facet(THREE).replaceAll('\n', ' ')}endsolid a`).indices).toHaveLength(3);
  });

  it.each(['binary cube', 'solid cube', 'solid cube\nfacet normal'])('reads binary with the header %j', (header) => {
    const mesh = parse(cubeStlBinary(header));
    expect(mesh.warnings).toEqual([]);
    expect(signedVolume(mesh)).toBeCloseTo(1, 12);
  });

  it('reads bytes that do not begin at 0 of their buffer', () => {
    const cube = cubeStlBinary();
    const padded = new Uint8Array(cube.length + 3);
    padded.set(cube, 3);
    expect(signedVolume(parse(padded.subarray(3)))).toBeCloseTo(1, 12);
  });

  it('says when bytes follow the last facet, also where the header says solid', () => {
    const cube = cubeStlBinary('solid');
    const longer = new Uint8Array(cube.length + 7);
    longer.set(cube);
    const mesh = parse(longer);
    expect(signedVolume(mesh)).toBeCloseTo(1, 12);
    expect(mesh.warnings).toEqual(['a.stl, byte 684: 7 bytes after the last facet are not read.']);
  });

  it('names the byte of a coordinate that is not finite', () => {
    const cube = cubeStlBinary();
    new DataView(cube.buffer).setFloat32(84 + 50 + 12 + 4, Number.NaN, true);
    expect(() => parse(cube)).toThrow(new PliantError('a.stl', 'a.stl, byte 150: y is NaN; expected a finite number.'));
  });

  it.each([
    [new Uint8Array(), 'a.stl: the file is empty; expected an STL file.'],
    ['hello', 'a.stl: the file has 5 bytes; expected text that begins with "solid" or at least 84 bytes.'],
    ['solid\nendsolid\n', 'a.stl: the file has no facets; expected at least one.'],
    [new Uint8Array(84), 'a.stl: the file has no facets; expected at least one.'],
    [
      cubeStlBinary().subarray(0, 600),
      'a.stl, byte 80: 12 facets take 684 bytes, the file has 600; expected a whole STL file.',
    ],
    [
      new Uint8Array(90).fill(255),
      'a.stl, byte 80: 4294967295 facets take 214748364834 bytes, the file has 90; expected a whole STL file.',
    ],
    [`solid\n${facet('vertex 0 0 0\n')}`, 'a.stl, line 6: the facet has 1 corners; expected 3.'],
    [`solid\n${facet(THREE + THREE)}`, 'a.stl, line 11: the facet has 6 corners; expected 3.'],
    [`solid\n${facet('vertex 0 0 o\n')}`, 'a.stl, line 4: z is "o"; expected a finite number.'],
    [`solid\n${facet('vertex 0 0\n')}`, 'a.stl, line 4: z is missing; expected a finite number.'],
    [`solid\n${facet('vertex 0 inf 0\n')}`, 'a.stl, line 4: y is "inf"; expected a finite number.'],
    [
      'solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n',
      'a.stl, line 5: the file ends inside a facet with 1 corners; expected endfacet.',
    ],
    ['solid\nvertex 0 0 0\n', 'a.stl, line 2: the next keyword is "vertex"; expected facet.'],
    ['solid\nfacet normal 0 0 1\nfacet\n', 'a.stl, line 3: the next keyword is "facet"; expected endfacet.'],
    ['solid\nendfacet', 'a.stl, line 2: the facet has 0 corners; expected 3.'],
    [
      'solid\ntriangle\n',
      'a.stl, line 2: the next keyword is "triangle"; expected solid, facet, outer loop, vertex, endloop, endfacet or endsolid.',
    ],
  ])('refuses %$: $1', (bytes, message) => {
    expect(() => parse(bytes)).toThrow(new PliantError('a.stl', message));
  });
});
