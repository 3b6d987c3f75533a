/** Ways to damage a file. Each takes the content (a text or a list of bytes) and random numbers, and returns another. */

/** As they stand in texts. JSON has none of the last few, other formats do. */
const NUMBERS = [
  '0',
  '-1',
  '1e300',
  '-1e300',
  '1e-300',
  '1e155',
  '1e80',
  '1e12',
  '1e39',
  '-0',
  '4294967295',
  '4294967296',
  '2147483648',
  '-2147483648',
  '9007199254740993',
  '0.1',
  '3',
  '1e999',
  'NaN',
  'inf',
  '1.#QNAN',
  '0x10',
  '1,5',
  '١',
];
const VALUES = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  -1e300,
  1e-300,
  1e155,
  4294967296,
  2147483647,
  '',
  'x',
  '../x',
  '/etc/passwd',
  'data:,',
  'http://localhost:1/x',
  '\u001b[31m',
  '__proto__',
  [],
  {},
  [[]],
  [0, 0, 0],
  [1, 2],
  { type: 'box' },
  { file: 'cube.obj' },
  'x'.repeat(5000),
];

export function mutate(content, name, random) {
  let result = content;
  for (let k = random.weighted({ 1: 5, 2: 3, 4: 1 }); k > 0; k--) {
    if (typeof result !== 'string') result = mutateBytes(result, random);
    else if (/json$|gltf$/.test(name) && random.chance(0.7)) result = mutateJson(result, random);
    else result = mutateText(result, random);
  }
  return result;
}

function mutateText(text, random) {
  const at = random.integer(0, text.length);
  const end = Math.min(text.length, at + random.integer(1, 40));
  switch (
    random.pick([
      'number',
      'number',
      'number',
      'word',
      'truncate',
      'delete',
      'repeat',
      'insert',
      'flip',
      'lines',
      'ending',
      'move',
    ])
  ) {
    case 'number':
      return replaceOne(text, /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g, random.pick(NUMBERS), random);
    case 'word':
      return replaceOne(
        text,
        /[A-Za-z_]+/g,
        random.pick([
          'x',
          'vertex',
          'face',
          'float',
          'double',
          'list',
          'element',
          'int8',
          'solid',
          'f',
          'v',
          'end_header',
          'null',
        ]),
        random,
      );
    case 'truncate':
      return text.slice(0, at);
    case 'delete':
      return text.slice(0, at) + text.slice(end);
    case 'repeat':
      return text.slice(0, end) + text.slice(at, end).repeat(random.pick([1, 2, 50])) + text.slice(end);
    case 'insert':
      return (
        text.slice(0, at) +
        random.pick([
          '\u0000',
          '\ufeff',
          '\r',
          '"',
          '{',
          '[',
          ']',
          '//',
          '/*',
          '\\',
          '\ud800',
          ' '.repeat(1000),
          '[['.repeat(2000),
          '9'.repeat(400),
          '#',
        ]) +
        text.slice(at)
      );
    case 'flip':
      return (
        text.slice(0, at) +
        String.fromCharCode(text.charCodeAt(Math.min(at, text.length - 1)) ^ (1 << random.integer(0, 6)) || 32) +
        text.slice(at + 1)
      );
    case 'lines': {
      const lines = text.split('\n');
      const k = random.integer(0, lines.length - 1);
      lines.splice(k, 1, ...(random.chance(0.5) ? [] : [lines[random.integer(0, lines.length - 1)], lines[k]]));
      return lines.join('\n');
    }
    case 'ending':
      return text.replaceAll('\n', random.pick(['\r\n', '\r', ' ', '\n\n']));
    default:
      return text.slice(0, at) + text.slice(end) + text.slice(at, end);
  }
}

function replaceOne(text, pattern, by, random) {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text + by;
  const match = random.pick(matches);
  return text.slice(0, match.index) + by + text.slice(match.index + match[0].length);
}

function mutateJson(text, random) {
  let tree;
  try {
    tree = JSON.parse(text);
  } catch {
    return mutateText(text, random);
  }
  const places = [];
  collect(tree, places);
  if (places.length === 0) return mutateText(text, random);
  const { holder, key } = random.pick(places);
  const other = random.pick(places);
  switch (random.pick(['value', 'value', 'value', 'delete', 'copy', 'rename', 'repeat', 'nest', 'number'])) {
    case 'value':
      holder[key] = random.pick(VALUES);
      break;
    case 'number':
      holder[key] =
        typeof holder[key] === 'number'
          ? holder[key] * random.pick([-1, 0, 1e-9, 1e9, 1e150, 2, 1e-3])
          : random.pick(VALUES);
      break;
    case 'delete':
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      break;
    case 'copy':
      holder[key] = structuredClone(other.holder[other.key]);
      break;
    case 'rename':
      if (!Array.isArray(holder)) {
        holder[random.pick(['radus', '__proto__', 'constructor', 'TYPE', '', 'particleFiles', other.key])] =
          holder[key];
        delete holder[key];
      }
      break;
    case 'repeat':
      if (Array.isArray(holder[key]))
        holder[key] = Array.from({ length: 20 }, () => structuredClone(holder[key])).flat();
      break;
    default:
      holder[key] = [holder[key]];
  }
  return JSON.stringify(tree);
}

function collect(value, places) {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    places.push({ holder: value, key });
    collect(value[key], places);
  }
}

function mutateBytes(bytes, random) {
  const copy = [...bytes];
  const at = random.integer(0, Math.max(0, bytes.length - 1));
  // Lengths and counts stand at the start, and where chunks begin.
  const word = random.chance(0.5) ? at : 4 * random.integer(0, Math.min(30, bytes.length >> 2));
  switch (random.pick(['flip', 'flip', 'word', 'word', 'word', 'truncate', 'delete', 'repeat', 'text'])) {
    case 'flip':
      copy[at] ^= 1 << random.integer(0, 7);
      return copy;
    case 'word':
      copy.splice(
        word,
        4,
        ...random.pick([
          [0, 0, 0, 0],
          [255, 255, 255, 255],
          [255, 255, 255, 127],
          [0, 0, 192, 127],
          [0, 0, 128, 127],
          [255, 255, 127, 127],
          [1, 0, 0, 0],
          [0, 0, 0, 1],
          [0, 0, 1, 0],
          [1, 0, 0, 0],
        ]),
      );
      return copy;
    case 'truncate':
      return copy.slice(0, at);
    case 'delete':
      copy.splice(at, random.integer(1, 20));
      return copy;
    case 'repeat':
      copy.splice(at, 0, ...copy.slice(at, at + random.integer(1, 60)));
      return copy;
    default: {
      // The head of a binary file is text: its numbers and names.
      const text = String.fromCharCode(...copy.slice(0, 400));
      return [...Array.from(mutateText(text, random), (c) => c.charCodeAt(0) & 255), ...copy.slice(400)];
    }
  }
}
