// Puts still WebP pictures together to one that moves (the RIFF container of WebP: VP8X, ANIM, then an ANMF for each frame).

const chunk = (name, ...parts) => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
};

const u24 = (value) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255]);

/** The chunks of a still picture that hold its pixels: VP8 or VP8L, with ALPH before it where there is one. */
function pixels(picture) {
  const chunks = [];
  for (let at = 12; at + 8 <= picture.length; ) {
    const name = picture.toString('latin1', at, at + 4);
    const end = at + 8 + picture.readUInt32LE(at + 4);
    if (['VP8 ', 'VP8L', 'ALPH'].includes(name)) chunks.push(chunk(name, picture.subarray(at + 8, end)));
    at = end + (end % 2);
  }
  return Buffer.concat(chunks);
}

/** `pictures`: WebP files of the same size; `pause`: milliseconds between two of them. Repeats for ever. */
export function animate(pictures, width, height, pause) {
  const frames = pictures.map((picture) =>
    chunk(
      'ANMF',
      u24(0),
      u24(0),
      u24(width - 1),
      u24(height - 1),
      u24(Math.round(pause)),
      Buffer.from([2]),
      pixels(picture),
    ),
  );
  const header = chunk('VP8X', Buffer.from([2, 0, 0, 0]), u24(width - 1), u24(height - 1));
  const forever = chunk('ANIM', Buffer.from([255, 255, 255, 255, 0, 0]));
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), header, forever, ...frames]);
  const riff = Buffer.alloc(8);
  riff.write('RIFF', 0, 'latin1');
  riff.writeUInt32LE(body.length, 4);
  return Buffer.concat([riff, body]);
}
