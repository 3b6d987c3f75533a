// Builds the WASM kernels: layout.ts → accessors for AssemblyScript → kernels.wasm → a TypeScript module that holds the
// binary as base64, so that the package needs no loader in any bundler, worker or Node. Skips what is up to date.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { transformWithOxc } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'src/kernels/wasm/binary.generated.ts');
const flags = [
  '-O3',
  '--converge',
  '--noAssert',
  '--runtime',
  'stub',
  '--enable',
  'simd',
  '--importMemory',
  '--initialMemory',
  '2',
  '--use',
  'abort=',
  '--memoryBase',
  '1024',
];

// Imports of the files that are loaded are dropped: what they declare stands by itself.
const load = async (path) => {
  const { code } = await transformWithOxc(readFileSync(join(root, path), 'utf8'), path, {});
  return import(`data:text/javascript,${encodeURIComponent(code.replace(/import[^;]*from\s*['"]\.[^;]*;/g, ''))}`);
};
const { LAYOUT, POINTER_TABLE, UNTOUCHED } = await load('src/state/layout.ts');
const { Match, Solve } = await load('src/kernels/kernels.ts');
const { Blow } = await load('src/state/contactRow.ts');
const { Soft } = await load('src/state/soft.ts');
const { Flag } = await load('src/state/flags.ts');

/** One inlined accessor per array (its address, read from the pointer table) and the shared constants. */
function accessors() {
  const lines = [
    '// Generated from src/state/layout.ts, src/state/flags.ts and src/kernels/kernels.ts by scripts/build-kernels.mjs.',
  ];
  Object.entries(LAYOUT).forEach(([name, { note, type, width }], k) => {
    lines.push(`/** ${type}×${width}: ${note} */`);
    lines.push(`// @ts-ignore: decorator`);
    lines.push(`@inline export function ${name}(): usize { return load<u32>(${POINTER_TABLE + 4 * k}); }`);
  });
  for (const [name, value] of Object.entries(Match)) lines.push(`export const MATCH_${name}: i32 = ${value};`);
  for (const [name, value] of Object.entries(Flag)) lines.push(`export const FLAG_${name}: u32 = ${value};`);
  for (const [name, value] of Object.entries(Solve)) {
    const type = name.endsWith('SWEEPS') ? 'u32' : 'f32';
    lines.push(`export const ${name}: ${type} = ${value};`);
  }
  // Byte offsets within a row of `blow`.
  for (const [name, value] of Object.entries(Blow)) lines.push(`export const BLOW_${name}: usize = ${4 * value};`);
  // And of `softness`.
  for (const [name, value] of Object.entries(Soft)) lines.push(`export const SOFT_${name}: usize = ${4 * value};`);
  lines.push(`export const UNTOUCHED: u32 = ${UNTOUCHED};`);
  return `${lines.join('\n')}\n`;
}

const layout = accessors();
const sources = readdirSync(join(root, 'assembly'))
  .filter((f) => f.endsWith('.ts') && !f.endsWith('.generated.ts'))
  .sort();
const hash = createHash('sha256').update(layout).update(flags.join(' '));
for (const file of sources) hash.update(readFileSync(join(root, 'assembly', file)));
const stamp = `// ${hash.digest('hex')}`;
if (existsSync(target) && readFileSync(target, 'utf8').startsWith(stamp)) process.exit(0);

writeFileSync(join(root, 'assembly/layout.generated.ts'), layout);
let wasm;
const { error, stderr } = await asc.main(
  ['assembly/index.ts', '--baseDir', root, '--outFile', 'kernels.wasm', '--textFile', 'kernels.wat', ...flags],
  {
    writeFile(name, data) {
      if (name.endsWith('.wasm')) wasm = data;
      else if (process.env.PLIANT_WAT) writeFileSync(process.env.PLIANT_WAT, data);
    },
  },
);
if (error) {
  console.error(stderr.toString());
  process.exit(1);
}
mkdirSync(join(root, 'src/kernels/wasm'), { recursive: true });
writeFileSync(target, `${stamp}\nexport const BINARY = '${Buffer.from(wasm).toString('base64')}';\n`);
console.log(`kernels: ${wasm.length} bytes of WASM`);
