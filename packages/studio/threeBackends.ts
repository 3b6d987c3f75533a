import type { Plugin } from 'vite';

const FILE = /\/three\/build\/three\.webgpu\.js$/;
const LIST = 'virtual:three-backends';
const ROOTS = { gpu: 'WebGPUBackend', gl: 'WebGLBackend' } as const;
/** Names of the modules that the parts become. */
const PARTS = { gpu: 'three-backend:gpu', gl: 'three-backend:gl' } as const;

/**
 * three's renderer draws by WebGPU or by WebGL2, and its module has both. Here each is a script of its own with everything that only it uses, and a page loads the one that it draws with:
 * some 20 kB gzipped less. `virtual:three-backends` loads them. While the page is developed three stays as it is.
 */
export function threeBackends(): Plugin {
  let isBuild = false;
  let tell: (parts: Record<string, string>) => void;
  let fail: (error: unknown) => void;
  /** The code of both parts. A bundler loads modules side by side, and may ask for a part before three's module is divided. */
  const divided = new Promise<Record<string, string>>((resolve, reject) => {
    [tell, fail] = [resolve, reject];
  });
  // An error of the division is that of `transform`; nobody need ask for a part as well.
  divided.catch(() => {});
  return {
    name: 'pliant-three-backends',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    resolveId: (id) => (id === LIST || id === PARTS.gpu || id === PARTS.gl ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${LIST}`) return isBuild ? LOADERS : 'export const loadBackend = async () => undefined;';
      if (id === `\0${PARTS.gpu}` || id === `\0${PARTS.gl}`) return (await divided)[id.slice(1)];
      return undefined;
    },
    transform: {
      // After the plugins that leave out what the studio does not use.
      order: 'post',
      handler(code, id) {
        if (!isBuild || !FILE.test(id)) return undefined;
        try {
          const text = rendererByOption(code);
          const { rest, gpu, gl } = divide(text, this.parse(text).body as unknown as Statement[], id);
          tell({ [PARTS.gpu]: gpu, [PARTS.gl]: gl });
          return { code: rest, map: null };
        } catch (error) {
          fail(error);
          throw error;
        }
      },
    },
  };
}

const LOADERS = `import 'three/webgpu';
export const loadBackend = async (gpu) => gpu
  ? (await import('${PARTS.gpu}')).${ROOTS.gpu}
  : (await import('${PARTS.gl}')).${ROOTS.gl};`;

/** A statement of a module, as the parser tells. */
interface Statement {
  type: string;
  start: number;
  end: number;
  id?: { name?: string };
  declarations?: { id: { name?: string } }[];
}

interface Part {
  names: string[];
  text: string;
  /** Names of other declarations that it uses. */
  uses: Set<string>;
}

/** Divides a module into the parts that only one of two declarations uses, and the rest. */
function divide(code: string, body: Statement[], path: string): { rest: string; gpu: string; gl: string } {
  const parts = body.map((statement): Part => {
    const text = code.slice(statement.start, statement.end);
    return { names: declaredBy(statement), text, uses: new Set() };
  });
  const of = new Map(parts.flatMap((part) => part.names.map((name) => [name, part] as const)));
  body.forEach((statement, n) => {
    if (/^(?:Import|Export)/.test(statement.type)) return;
    const { names, uses } = parts[n];
    visitNames(statement, (name) => {
      if (of.has(name) && !names.includes(name)) uses.add(name);
    });
  });
  const reach = (from: Iterable<Part>) => {
    const found = new Set(from);
    for (const part of found) for (const name of part.uses) found.add(of.get(name)!);
    return found;
  };
  const [gpu, gl] = [ROOTS.gpu, ROOTS.gl].map((name) => reach([of.get(name) ?? missing(name)]));
  const common = reach(parts.filter((part) => !gpu.has(part) && !gl.has(part)));
  const only = (own: Set<Part>, other: Set<Part>) =>
    parts.filter((part) => own.has(part) && !other.has(part) && !common.has(part));
  const [onlyGpu, onlyGl] = [only(gpu, gl), only(gl, gpu)];
  const divided = [...onlyGpu, ...onlyGl];
  const gone = new Set(divided.flatMap(({ names }) => names));
  if (!gone.has(ROOTS.gpu) || !gone.has(ROOTS.gl)) missing('backends that nothing else uses');
  const shared = new Set(divided.flatMap(({ uses }) => [...uses]).filter((name) => !gone.has(name)));
  const folder = path.slice(0, path.lastIndexOf('/'));
  const imports = parts
    .filter((_, n) => body[n].type === 'ImportDeclaration')
    .map(({ text }) => text.replace("'./", `'${folder}/`));
  const alone = (list: Part[], root: string) => {
    const needed = new Set(list.flatMap(({ uses }) => [...uses]).filter((name) => shared.has(name)));
    const texts = list.map(({ text }) => text);
    return [...imports, `import { ${[...needed].join(', ')} } from '${path}';`, ...texts, `export { ${root} };`].join(
      '\n',
    );
  };
  const rest = parts.filter(({ names }) => !names.some((name) => gone.has(name))).map(({ text }) => text);
  return {
    rest: withExports(rest.join('\n'), gone, shared),
    gpu: alone(onlyGpu, ROOTS.gpu),
    gl: alone(onlyGl, ROOTS.gl),
  };
}

/** Names that a statement at the top of a module declares. */
const declaredBy = ({ id, declarations = [] }: Statement): string[] =>
  [id, ...declarations.map((one) => one.id)].flatMap((one) => one?.name ?? []);

/** Tells the names of variables in a piece of syntax, and perhaps others. */
function visitNames(node: unknown, tell: (name: string) => void): void {
  if (Array.isArray(node)) for (const one of node) visitNames(one, tell);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const { type, name, computed, ...fields } = node as Record<string, unknown>;
  if (type === 'Identifier') tell(name as string);
  for (const [key, value] of Object.entries(fields)) {
    const isField = !computed && (key === 'property' || (key === 'key' && type !== 'Property'));
    if (!isField) visitNames(value, tell);
  }
}

/** The renderer takes the backend that it is given. */
function rendererByOption(code: string): string {
  const choice = /let BackendClass;[\s\S]*?const backend = new BackendClass\( parameters \);/;
  if (!choice.test(code)) missing('choice of a backend in WebGPURenderer');
  return code.replace(choice, 'const backend = new parameters.Backend( parameters );');
}

/** The module's last list of exports without the names that are gone, and with others that the parts need. */
function withExports(code: string, gone: Set<string>, needed: Set<string>): string {
  const list = /^export \{([^}]*)\};$/gm;
  const own = [...code.matchAll(list)].at(-1) ?? missing('list of exports');
  const names = own[1].split(',').map((name) => name.trim());
  const all = new Set([...names.filter((name) => !gone.has(name.split(' ')[0])), ...needed]);
  return code.replace(own[0], `export { ${[...all].join(', ')} };`);
}

function missing(what: string): never {
  throw new Error(`three.webgpu.js has no ${what}; expected to divide it by backend`);
}
