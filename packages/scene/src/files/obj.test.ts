import { PliantError } from 'pliant';
import { describe, expect, it } from 'vitest';
import { parseObj } from './obj.js';
import { bytesOf } from './testing/cube.js';

const parse = (text: string) => parseObj(bytesOf(text), 'a.obj');
const TRIANGLE = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';

describe('parseObj', () => {
  it.each(['f 1 2 3', 'f 1/1 2/2 3/3', 'f 1//1 2//1 3//1', 'f 1/1/1 2/2/1 3/3/1', 'f -3 -2 -1', 'f -3/-1 -2//-1 3'])(
    'reads %s',
    (face) => {
      const mesh = parse(`${TRIANGLE}vt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n${face}\n`);
      expect(mesh).toMatchObject({ kind: 'mesh', warnings: [] });
      expect([...mesh.indices]).toEqual([0, 1, 2]);
      expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
      expect(mesh.colours).toBeUndefined();
    },
  );

  it('makes triangle fans of polygons', () => {
    const mesh = parse('v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\n');
    expect([...mesh.indices]).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4]);
  });

  it('counts negative numbers from the vertices so far', () => {
    const mesh = parse(`${TRIANGLE}f -3 -2 -1\nv 5 5 5\nf -4 -3 -1\n`);
    expect([...mesh.indices]).toEqual([0, 1, 2, 0, 1, 3]);
  });

  it('takes faces before their vertices', () => {
    expect([...parse(`f 1 2 3\n${TRIANGLE}`).indices]).toEqual([0, 1, 2]);
  });

  it('reads places in the texture, by corner: a vertex may have several', () => {
    const quad = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';
    const mesh = parse(`vt 0 0.25\n${quad}vt 1\nvt 1 1 9\nf 1/1 2/2/1 3/3 4/-3\nf 3/2 2//1 1\nvt 0.5 x\n`);
    expect([...mesh.indices]).toEqual([0, 1, 2, 0, 2, 3, 2, 1, 0]);
    expect([...mesh.uvs!]).toEqual([0, 0.25, 1, 0, 1, 1, 0, 0.25, 1, 1, 0, 0.25, 1, 0, 0, 0, 0, 0]);
    expect(mesh.warnings).toEqual([]);
    expect(parse(`${quad}f 1 2 3`).uvs).toBeUndefined();
    expect(parse(`${quad}vt 0 0\n`).uvs).toBeUndefined();
    expect(parse(`${quad}vt 0 0\nf 1/1 2/7 3/-9`).warnings).toEqual([
      'a.obj: 1 corners use a "vt" beyond the 1 there are.',
    ]);
  });

  it('reads vertex colours; vertices without one are white', () => {
    const mesh = parse('v 0 0 0\nv 1 0 0 0 0.5 1\nv 0 1 0\nv 0 0 1 1 0 0\nv 1 1 1\nf 1 2 3');
    expect([...mesh.colours!]).toEqual([1, 1, 1, 0, 0.5, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1]);
    expect(mesh.positions).toHaveLength(15);
  });

  it('takes colours above 1 as 0..255', () => {
    const mesh = parse('v 0 0 0 255 0 51\nv 1 0 0\nv 0 1 0 0 0 0\nf 1 2 3');
    expect([...mesh.colours!]).toEqual([1, 0, Math.fround(0.2), 1, 1, 1, 0, 0, 0]);
    expect(mesh.warnings).toEqual(['a.obj: colours go up to 255; read as 0..255 instead of 0..1.']);
  });

  it('ignores w, comments, groups and materials; joins continued lines; takes any line end', () => {
    const text = `mtllib a.mtl\ng one\n${TRIANGLE}v 0 0 1 1.0\nusemtl red\ns off\nf 1 2 \\\n3 # a face\n#f 9 9 9\nl 1 2\n`;
    for (const eol of ['\n', '\r\n', '\r']) {
      const mesh = parse(text.replaceAll('\n', eol));
      expect([...mesh.indices]).toEqual([0, 1, 2]);
      expect(mesh.positions).toHaveLength(12);
      expect(mesh.warnings).toEqual([]);
    }
  });

  it('names the first keyword that it does not read', () => {
    const { warnings } = parse(`${TRIANGLE}surf 0 1 0 1 1 2 3\nf 1 2 3\ncstype bezier\n`);
    expect(warnings).toEqual([
      'a.obj, line 4: the keyword "surf" is not read.',
      'a.obj: 2 lines with keywords that are not read.',
    ]);
  });

  it('is a point cloud without faces', () => {
    expect(parse(TRIANGLE)).toMatchObject({ kind: 'points', indices: new Uint32Array() });
  });

  it.each([
    ['', 'a.obj: the file is empty; expected an OBJ file.'],
    ['hello\n', 'a.obj: the file has no vertices; expected lines "v x y z".'],
    ['v 0 zero 0\n', 'a.obj, line 1: y is "zero"; expected a finite number.'],
    ['\nv 0 0 nan\n', 'a.obj, line 2: z is "nan"; expected a finite number.'],
    ['v 0 0\n', 'a.obj, line 1: z is missing; expected a finite number.'],
    ['v 0 0 0 1 1\n', 'a.obj, line 1: blue is missing; expected a finite number.'],
    [`${TRIANGLE}f 1 2\n`, 'a.obj, line 4: the face has 2 corners; expected at least 3.'],
    [`${TRIANGLE}f 1 2 4\n`, 'a.obj, line 4: the face uses vertex 4; expected at most 3, the vertices there are.'],
    [
      `${TRIANGLE}f 1 2 0\n`,
      'a.obj, line 4: a corner of the face is "0"; expected a vertex number, from 1 or negative.',
    ],
    [
      `${TRIANGLE}f 1 2 -4/1\n`,
      'a.obj, line 4: a corner of the face is "-4/1"; expected at most 3 back, the vertices so far.',
    ],
    [
      `${TRIANGLE}f 1 2 x\n`,
      'a.obj, line 4: a corner of the face is "x"; expected a vertex number, from 1 or negative.',
    ],
    [
      `${TRIANGLE}f 1 2 1.5\n`,
      'a.obj, line 4: a corner of the face is "1.5"; expected a vertex number, from 1 or negative.',
    ],
    [
      `${TRIANGLE}f 1 2 //3\n`,
      'a.obj, line 4: a corner of the face is "//3"; expected a vertex number, from 1 or negative.',
    ],
  ])('refuses %$: $1', (text, message) => {
    expect(() => parse(text)).toThrow(new PliantError('a.obj', message));
  });
});
