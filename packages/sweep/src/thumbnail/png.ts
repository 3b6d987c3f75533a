import { crc32, deflateSync } from 'node:zlib';

/** An image of three bytes a pixel, rows from the top. */
export interface Image {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** An image as a PNG file. */
export function encodePng({ width, height, rgb }: Image): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // 8 bits a channel, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  // Each row begins with its filter: 2, differences from the row above, which are small in smooth pictures.
  const stride = 3 * width;
  const rows = new Uint8Array(height * (stride + 1));
  for (let y = 0; y < height; y++) {
    rows[y * (stride + 1)] = 2;
    for (let k = 0; k < stride; k++)
      rows[y * (stride + 1) + 1 + k] = rgb[y * stride + k] - (y > 0 ? rgb[(y - 1) * stride + k] : 0);
  }
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  out.set(data, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}
