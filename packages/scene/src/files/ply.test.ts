import { PliantError } from 'pliant';
import { describe, expect, it } from 'vitest';
import { parsePly } from './ply.js';
import { bytesOf, cubePlyBinary, cubePlyText, plyHeader, signedVolume } from './testing/cube.js';

const parse = (bytes: Uint8Array | string) => parsePly(typeof bytes === 'string' ? bytesOf(bytes) : bytes, 'a.ply');
const XYZ = 'property float x\nproperty float y\nproperty float z\n';
const FACE = 'element face 1\nproperty list uchar int vertex_indices\n';
const header = (rest: string, format = 'ascii') => `ply\nformat ${format} 1.0\n${rest}end_header\n`;
const THREE = '0 0 0\n1 0 0\n0 1 0\n';

/** A binary PLY: header text, then what `fill` writes. */
function binary(text: string, size: number, fill: (view: DataView) => void): Uint8Array {
  const head = bytesOf(text);
  const bytes = new Uint8Array(head.length + size);
  bytes.set(head);
  fill(new DataView(bytes.buffer, head.length));
  return bytes;
}

describe('parsePly', () => {
  it.each([
    ['ascii', cubePlyText()],
    ['little endian', cubePlyBinary(true)],
    ['big endian', cubePlyBinary(false)],
  ])('reads %s', (_, bytes) => {
    const mesh = parse(bytes);
    expect(mesh).toMatchObject({ kind: 'mesh', warnings: [] });
    expect(mesh.positions).toHaveLength(24);
    expect(mesh.indices).toHaveLength(36);
    expect(signedVolume(mesh)).toBeCloseTo(1, 12);
  });

  it('takes vertex_index, comments, CR LF and CR', () => {
    const text = header(`comment by hand\nobj_info x\nelement vertex 3\n${XYZ}${FACE.replace('indices', 'index')}`);
    for (const eol of ['\n', '\r\n', '\r']) {
      const mesh = parse(`${text}${THREE}3 2 1 0\n`.replaceAll('\n', eol));
      expect([...mesh.indices]).toEqual([2, 1, 0]);
      expect(mesh.warnings).toEqual([]);
    }
  });

  it('finds binary data behind headers of every line end, also where it begins with a line feed', () => {
    const text = header(
      'element vertex 1\nproperty char x\nproperty char y\nproperty char z\n',
      'binary_little_endian',
    );
    for (const eol of ['\n', '\r\n', '\r']) {
      const mesh = parse(new Uint8Array([...bytesOf(text.replaceAll('\n', eol)), 10, 13, 10]));
      expect([...mesh.positions]).toEqual([10, 13, 10]);
    }
  });

  it('reads every scalar type in both byte orders', () => {
    const types =
      'char uchar short ushort int uint float double int8 uint8 int16 uint16 int32 uint32 float32 float64'.split(' ');
    const properties = types.map((type, k) => `property ${type} p${k}\n`).join('');
    for (const little of [true, false]) {
      const order = little ? 'binary_little_endian' : 'binary_big_endian';
      const sizes = [1, 1, 2, 2, 4, 4, 4, 8, 1, 1, 2, 2, 4, 4, 4, 8];
      const skipped = sizes.reduce((a, b) => a + b);
      const bytes = binary(
        header(`element vertex 1\n${properties}property double x\nproperty short y\nproperty uint z\n`, order),
        skipped + 14,
        (view) => {
          view.setFloat64(skipped, 0.1, little);
          view.setInt16(skipped + 8, -300, little);
          view.setUint32(skipped + 10, 4e9, little);
        },
      );
      expect([...parse(bytes).positions]).toEqual([0.1, -300, 4e9]);
    }
  });

  it('skips unknown elements and properties, lists among them, in text and binary', () => {
    const rest = `element camera 2\nproperty list uchar float view\nproperty int id\nelement vertex 1\nproperty list ushort char tags\n${XYZ}property uchar flag\n`;
    expect([...parse(`${header(rest)}3 1 2 3 7\n0 8\n2 5 6 1 2 3 9\n`).positions]).toEqual([1, 2, 3]);
    const bytes = binary(header(rest, 'binary_little_endian'), 17 + 5 + 17, (view) => {
      view.setUint8(0, 3);
      view.setUint16(22, 2, true);
      [1, 2, 3].forEach((value, k) => {
        view.setFloat32(26 + 4 * k, value, true);
      });
    });
    expect([...parse(bytes).positions]).toEqual([1, 2, 3]);
  });

  it('takes faces before vertices and properties beside the list', () => {
    const text = `${header(`element face 1\nproperty uchar flags\nproperty list int uint vertex_indices\nproperty list uchar float texcoord\nelement vertex 3\n${XYZ}`)}9 3 0 1 2 6 0 0 1 0 0 1\n${THREE}`;
    expect([...parse(text).indices]).toEqual([0, 1, 2]);
  });

  it.each(['s t', 'u v', 'texture_u texture_v'])('reads places in the texture as %s', (names) => {
    const uv = names.replace(/(\w+) (\w+)/, 'property float $1\nproperty float $2\n');
    const mesh = parse(
      `${header(`element vertex 3\n${XYZ}${uv}${FACE}`)}0 0 0 0 1\n1 0 0 0.5 0\n0 1 0 0.25 1\n3 0 1 2\n`,
    );
    expect([...mesh.uvs!]).toEqual([0, 1, 0.5, 0, 0.25, 1]);
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  it('reads colours as bytes, shorts and fractions', () => {
    const colours = (type: string) => ['red', 'green', 'blue'].map((name) => `property ${type} ${name}\n`).join('');
    const read = (type: string, values: string) =>
      parse(`${header(`element vertex 1\n${XYZ}${colours(type)}property uchar alpha\n`)}0 0 0 ${values} 255\n`);
    expect([...read('uchar', '255 51 0').colours!]).toEqual([1, Math.fround(0.2), 0]);
    expect([...read('ushort', '65535 13107 0').colours!]).toEqual([1, Math.fround(0.2), 0]);
    expect([...read('float', '1 0.25 0').colours!]).toEqual([1, 0.25, 0]);
    expect(read('float', '1 0.25 0').warnings).toEqual([]);
    expect([...read('float', '255 51 0').colours!]).toEqual([1, Math.fround(0.2), 0]);
    expect(read('float', '255 51 0').warnings).toEqual([
      'a.ply: colours go up to 255; read as 0..255 instead of 0..1.',
    ]);
  });

  it('is a point cloud without faces', () => {
    const none = new Uint32Array();
    expect(parse(`${header(`element vertex 3\n${XYZ}`)}${THREE}`)).toMatchObject({ kind: 'points', indices: none });
    expect(parse(`${plyHeader('ascii', 3, 0)}${THREE}`)).toMatchObject({ kind: 'points', indices: none });
  });

  it('takes nan where no one reads it', () => {
    expect(parse(`${header(`element vertex 1\n${XYZ}property float quality\n`)}1 2 3 -nan\n`).positions).toHaveLength(
      3,
    );
  });

  it('says what it leaves out', () => {
    const text = `${header(`element vertex 1\n${XYZ}element tristrips 1\nproperty list int int vertex_indices\n`)}0 0 0\n3 0 0 0\nmore`;
    expect(parse(text).warnings).toEqual([
      'a.ply: triangle strips (element tristrips) are not read.',
      'a.ply: text from line 12 after the last element: not read.',
    ]);
    expect(parse(new Uint8Array([...cubePlyBinary(true), 0, 0])).warnings).toEqual([
      'a.ply: 2 bytes from byte 367 after the last element: not read.',
    ]);
  });

  it('shortens names of the header in messages', () => {
    const long = 'n'.repeat(3000);
    const many = Array.from({ length: 900 }, (_, k) => `property float name${k}\n`).join('');
    for (const text of [
      `${header(`element vertex 3\n${XYZ}element face 1\nproperty uchar ${long}\n`)}${THREE}0`,
      `${header(`element vertex 1\n${many}`)}${'0 '.repeat(900)}`,
      `${header(`element ${long} 9\nproperty float a\n`)}0`,
      `${header(`element ${long} 1\n`)}0`,
      `${header(`element vertex 1\nproperty float ${long}\n${XYZ}`)}a 0 0 0`,
      `${header(`element vertex 1\n${XYZ}property list uchar float ${long}\n`)}0 0 0 -1`,
      `${header(`element vertex 1\n${XYZ}property list uchar float ${long}\n`)}0 0 0 100`,
      `${header(`element vertex 2\n${XYZ}property float ${long}\n`)}1 1 1 1 1 1 1     `,
    ]) {
      let message = '';
      try {
        parse(text);
      } catch (error) {
        message = (error as PliantError).message;
      }
      expect(message).toContain('a.ply');
      expect(message.length).toBeLessThan(400);
    }
  });

  const mesh = header(`element vertex 3\n${XYZ}${FACE}`);
  const big = (name: string, count: string) => header(`element ${name} ${count}\n${XYZ}`);
  it.each([
    ['', 'a.ply: the file is empty; expected a PLY file.'],
    ['solid\n', 'a.ply, line 1: the file begins with "solid"; expected "ply".'],
    ['ply\nformat ascii 1.0\n', 'a.ply: the header does not end; expected a line "end_header".'],
    ['ply\nend_header\n', 'a.ply, line 2: the header has no format line; expected "format ascii 1.0" or a binary one.'],
    [
      'ply\nformat ebcdic 1.0\n',
      'a.ply, line 2: format is "ebcdic"; expected ascii, binary_little_endian, binary_big_endian.',
    ],
    [
      header('lement vertex 3\n'),
      'a.ply, line 3: the header has "lement"; expected format, element, property, comment, obj_info or end_header.',
    ],
    [header('element vertex -3\n'), 'a.ply, line 3: the element is "vertex -3"; expected a name and a count.'],
    [header('element a 1\nelement a 1\n'), 'a.ply, line 4: the element "a" is there twice; expected it once.'],
    [header('property float x\n'), 'a.ply, line 3: the property "x" has no element; expected "element" before it.'],
    [
      header('element vertex 1\nproperty half x\n'),
      'a.ply, line 4: the property is "half x"; expected a type and a name, or "list", an integer type, a type and a name.',
    ],
    [
      header('element face 1\nproperty list float int vertex_index\n'),
      'a.ply, line 4: the property is "list float int vertex_index"; expected a type and a name, or "list", an integer type, a type and a name.',
    ],
    [
      header('element vertex 1\nproperty float x\nproperty float x\n'),
      'a.ply, line 5: the property "x" is there twice; expected it once.',
    ],
    [header(''), 'a.ply: the header has no vertices; expected "element vertex" with a count above 0.'],
    [`${header('element vertex 1\nproperty float x\n')}0\n`, 'a.ply: the vertices have x; expected x, y and z.'],
    [
      header('element vertex 9\n'),
      'a.ply: the element vertex has no properties; expected at least one for its 9 items.',
    ],
    [
      big('vertex', '4000000000'),
      'a.ply, line 8: 4000000000 × vertex need 12000000000 values, the file has 0 bytes left; expected a whole file.',
    ],
    [
      big('vertex', '4000000000').replace('ascii', 'binary_big_endian'),
      'a.ply, byte 121: 4000000000 × vertex need at least 48000000000 bytes, the file has 0 left; expected a whole file.',
    ],
    [`${mesh}0 0 0\n1 x 0\n`.padEnd(200), 'a.ply, line 11: y is "x"; expected a number.'],
    [`${mesh}0 0 0\n1 nan 0\n0 1 0\n3 0 1 2`, 'a.ply, line 11: y of vertex 1 is NaN; expected a finite number.'],
    [
      `${mesh}0 0 0\n`.padEnd(250),
      "a.ply, line 11: the file ends before x; expected the whole of its header's elements.",
    ],
    [`${mesh}${THREE}3 0 1 3`, 'a.ply, line 13: face 0 uses vertex 3; expected 0 to 2.'],
    [`${mesh}${THREE}3 0 1 -1`, 'a.ply, line 13: face 0 uses vertex -1; expected 0 to 2.'],
    [`${mesh}${THREE}3 0 1 1.5`, 'a.ply, line 13: vertex_indices is "1.5"; expected an integer.'],
    [`${mesh}${THREE}2 0 1`, 'a.ply, line 13: face 0 has 2 corners; expected at least 3.'],
    [`${mesh}${THREE}-3 0 1 2`, 'a.ply, line 13: the length of vertex_indices is -3; expected at least 0.'],
    [
      `${mesh}${THREE}200 0 1 2`,
      'a.ply, line 13: 200 × vertex_indices need 200 values, the file has 6 bytes left; expected a whole file.',
    ],
    [
      cubePlyBinary(true).subarray(0, 350),
      "a.ply, byte 350: the file ends before the length of vertex_indices; expected the whole of its header's elements.",
    ],
    [
      `${header(`element vertex 3\n${XYZ}element face 1\nproperty uchar a\n`)}${THREE}0`,
      'a.ply: the faces have a; expected a list vertex_indices or vertex_index.',
    ],
    [
      cubePlyBinary(true).subarray(0, 200),
      'a.ply, byte 169: 8 × vertex need at least 96 bytes, the file has 31 left; expected a whole file.',
    ],
    [
      cubePlyBinary(true).subarray(0, 342),
      'a.ply, byte 334: 4 × vertex_indices need at least 16 bytes, the file has 8 left; expected a whole file.',
    ],
  ])('refuses %$: $1', (bytes, message) => {
    expect(() => parse(bytes)).toThrow(new PliantError('a.ply', message));
  });

  it('names the byte of what is wrong in a binary file', () => {
    const start = bytesOf(plyHeader('binary_little_endian', 8, 6)).length;
    const broken = cubePlyBinary(true);
    new DataView(broken.buffer).setFloat32(start + 12, Number.POSITIVE_INFINITY, true);
    expect(() => parse(broken)).toThrow(
      `a.ply, byte ${start + 12}: x of vertex 1 is Infinity; expected a finite number.`,
    );
    const outside = cubePlyBinary(true);
    new DataView(outside.buffer).setInt32(start + 96 + 1, 8, true);
    expect(() => parse(outside)).toThrow(`a.ply, byte ${start + 97}: face 0 uses vertex 8; expected 0 to 7.`);
  });
});
