// Builds the WASM kernels: declarations of src → their AssemblyScript (kernel-layout.mjs) → kernels.wasm → a TypeScript module that holds the
// binary as hexadecimal digits, which compress better than base64, so that the package needs no loader in any bundler, worker or Node. Skips what is up to date.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { transformWithOxc } from 'vite';
import { checkFields, checkNoData, checkScratch, findMemoryImport, generate } from './kernel-layout.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'src/kernels/wasm/binary.generated.ts');

// Modules of src with what they import at run time: each becomes a data URL.
const loaded = new Map();
const urlOf = (path) => {
  if (!loaded.has(path)) loaded.set(path, translate(path));
  return loaded.get(path);
};
const translate = async (path) => {
  let { code } = await transformWithOxc(readFileSync(path, 'utf8'), path, {});
  for (const [text, from] of code.matchAll(/from\s*["'](\.[^"']+)\.js["']/g))
    code = code.replace(text, `from ${JSON.stringify(await urlOf(join(dirname(path), `${from}.ts`)))}`);
  return `data:text/javascript,${encodeURIComponent(code)}`;
};
const load = async (path) => import(await urlOf(join(root, 'src', path)));

const { LAYOUT, POINTER_TABLE, UNTOUCHED, ALIKE } = await load('state/layout.ts');
const { FIELDS, Matrix, Symmetric, Vector, MemberBlock } = await load('state/fields.ts');
const { PATCH } = await load('state/contactRow.ts');
const { Flag, Refit } = await load('state/flags.ts');
const { Match } = await load('kernels/kernels.ts');
const { KERNEL_CONSTANTS } = await load('kernels/constants.ts');
const { SCRATCH, SCRATCH_START, SCRATCH_END, MEMORY_BASE } = await load('kernels/wasm/scratchMap.ts');

checkScratch(SCRATCH, SCRATCH_START, SCRATCH_END);
checkFields(LAYOUT, FIELDS, ALIKE);
const prefixed = (prefix, values) => Object.fromEntries(Object.entries(values).map(([name, v]) => [prefix + name, v]));
const layout = generate({
  layout: LAYOUT,
  pointerTable: POINTER_TABLE,
  fields: FIELDS,
  shapes: { MATRIX: Matrix, SYMMETRIC: Symmetric, VECTOR: Vector },
  blocks: MemberBlock,
  // Rows whose offsets are not inlined: the kernels' speeds (bench/README.md) were measured so.
  late: ['contactRow', 'patch', 'softness', 'proxy', 'placedProxy', 'sums', 'coarseFit', 'coarseGoal'],
  constants: KERNEL_CONSTANTS,
  words: {
    ...prefixed('FLAG_', Flag),
    ...prefixed('REFIT_', Refit),
    PATCH,
    BYTES_PATCH: 4 * PATCH,
    UNTOUCHED,
  },
  scratch: SCRATCH,
  modes: prefixed('MATCH_', Match),
});
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
  `${MEMORY_BASE}`,
  '--lowMemoryLimit',
  `${SCRATCH_START}`,
];
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
checkNoData(wasm);
const { section, limits } = findMemoryImport(wasm);
writeFileSync(
  target,
  `${stamp}
export const BINARY = '${Buffer.from(wasm).toString('hex')}';
/** Where the size of the import section and the limits of the memory are in it: module.ts makes the form for a shared memory. */
export const MEMORY_IMPORT = { section: ${section}, limits: ${limits} } as const;
`,
);
console.log(`kernels: ${wasm.length} bytes of WASM`);
