/**
 * Cases are JSON. A value that JSON cannot hold is a marker, { $: name }, that stands for a piece of JavaScript: `PIECES` for values and functions, or a reference to something of the world
 * (`{ $: 'body', n: 2 }`). A case is run by printing its calls as JavaScript, so that what is run and what is printed are one.
 */
export const PIECES = {
  NaN: 'NaN',
  Infinity: 'Infinity',
  '-Infinity': '-Infinity',
  '-0': '-0',
  undefined: 'undefined',
  bigint: '3n',
  symbol: "Symbol('s')",
  date: 'new Date(0)',
  sparse: 'new Array(3)',
  buffer: 'new ArrayBuffer(8)',
  endless: '{ length: 3 }',
  negativeLength: '{ length: -3 }',
  float32: 'new Float32Array([0, 1, 0])',
  emptyFloat64: 'new Float64Array(0)',
  bare: 'Object.create(null)',
  text: "'x'.repeat(100_000)",
  nothing: '() => {}',
  // Fields over a body.
  one: '() => 1',
  half: '() => 0.5',
  stripes: '(x, y, z) => (Math.floor(8 * x) % 2 ? 0.9 : 0.2)',
  slope: '(x, y, z) => Math.min(1.5, Math.max(0.05, 0.5 + x))',
  rarely: '(x) => (x > 0 ? Infinity : 0.1)',
  nan: '() => NaN',
  negative: '() => -1',
  words: "() => 'x'",
  // Signed distances.
  ball: '(x, y, z) => Math.sqrt(x * x + y * y + z * z) - 0.4',
  gyroid: '(x, y, z) => Math.abs(x * y + y * z + z * x) - 0.1',
  sign: '(x, y, z) => (x + y + z < 0 ? -1 : 1)',
  full: '() => -1',
  empty: '() => 1',
  // Custom force fields.
  swirl: '(x, y, z, vx, vy, vz, t, out) => { out[0] = -y; out[1] = x; out[2] = Math.sin(t); }',
  huge: '(x, y, z, vx, vy, vz, t, out) => { out[0] = Infinity; out[1] = -1e300; }',
  lost: '(x, y, z, vx, vy, vz, t, out) => { out[0] = NaN; }',
  // Functions that throw, at once or for some; a filter's x is a body.
  throws: "() => { throw new Error('mine'); }",
  throwsLater: "(x) => { if (x > 0) throw new Error('mine'); return 0.5; }",
  // Filters of queries.
  all: '() => true',
  none: '() => false',
};

/** References to things of the world that a case runs in, by kind: `body(2)` is the third body, counted around. */
export const REFERENCES = [
  'body',
  'gone',
  'handle',
  'collider',
  'clamp',
  'forceField',
  'pick',
  'snapshot',
  'particle',
  'foreign',
];

/** A value of a case as JavaScript. */
export function print(value) {
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : JSON.stringify(value);
  if (typeof value.$ !== 'string') {
    const entries = Object.entries(value).map(
      ([key, v]) => `${/^[a-zA-Z]\w*$/.test(key) ? key : `[${JSON.stringify(key)}]`}: ${print(v)}`,
    );
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (REFERENCES.includes(value.$)) {
    const given = Object.entries(value)
      .filter(([key]) => key !== '$')
      .map(([, v]) => print(v));
    return `${value.$}(${given.join(', ')})`;
  }
  return PIECES[value.$];
}
