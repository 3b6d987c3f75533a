// Builds the WASM kernels: declarations of src → their AssemblyScript (kernel-layout.mjs) → kernels.wasm → a TypeScript module that holds the
// binary as printable letters (textOfBytes.mjs), which compress better than hexadecimal digits and base64, so that the package needs no loader in any bundler, worker or Node. Skips what is up to date.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { transformWithOxc } from 'vite';
import { checkFields, checkNoData, checkScratch, findMemoryImport, generate } from './kernel-layout.mjs';
import { textOfBytes } from './textOfBytes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

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
const { SelfChange, SelfRow } = await load('state/selfRow.ts');
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
  shapes: { MATRIX: Matrix, SYMMETRIC: Symmetric, VECTOR: Vector, SELF_ROW: SelfRow, SELF_CHANGE: SelfChange },
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
const options = [
  '-O3',
  // 3 % smaller when compressed.
  '--shrinkLevel',
  '1',
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
  // Profiles then name functions.
  ...(process.env.PLIANT_NAMES ? ['--debug'] : []),
];

// The kernels of a step, over the memory of a world.
await compile({
  folder: 'assembly',
  target: 'src/kernels/wasm/binary.generated.ts',
  flags: [...options, '--memoryBase', `${MEMORY_BASE}`, '--lowMemoryLimit', `${SCRATCH_START}`],
  inputs: [layout],
  prepare: () => writeFileSync(join(root, 'assembly/layout.generated.ts'), layout),
  extra: (wasm) => {
    const { section, limits } = findMemoryImport(wasm);
    return `/** Where the size of the import section and the limits of the memory are in it: module.ts makes the form for a shared memory. */
export const MEMORY_IMPORT = { section: ${section}, limits: ${limits} } as const;
`;
  },
});
// Those of building a body, over a memory of their own.
await compile({
  folder: 'assembly/building',
  target: 'src/spatial/wasm/binary.generated.ts',
  // Not shrunk: blue noise takes a twentieth less, for 0.1 kB compressed.
  flags: options.map((flag, k) => (options[k - 1] === '--shrinkLevel' ? '0' : flag)),
  inputs: [readFileSync(join(root, 'assembly/power.ts'))],
  prepare: () => {},
  extra: () => '',
});

async function compile({ folder, target, flags, inputs, prepare, extra }) {
  const file = join(root, target);
  const sources = readdirSync(join(root, folder))
    .filter((f) => f.endsWith('.ts') && !f.endsWith('.generated.ts'))
    .sort();
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(input);
  hash.update(flags.join(' '));
  hash.update(textOfBytes([...Array(256).keys()]));
  for (const source of sources) hash.update(readFileSync(join(root, folder, source)));
  const stamp = `// ${hash.digest('hex')}`;
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(stamp)) return;

  prepare();
  let wasm;
  const { error, stderr } = await asc.main(
    [`${folder}/index.ts`, '--baseDir', root, '--outFile', 'kernels.wasm', '--textFile', 'kernels.wat', ...flags],
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
  mkdirSync(dirname(file), { recursive: true });
  checkNoData(wasm);
  writeFileSync(file, `${stamp}\nexport const BINARY = '${textOfBytes(wasm)}';\n${extra(wasm)}`);
  console.log(`${folder}: ${wasm.length} bytes of WASM`);
}
