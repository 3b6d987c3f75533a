// Copies a template into a folder and fills in the name and the versions.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TEMPLATES = fileURLToPath(new URL('../templates', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const HELP = `npm create pliant@latest [folder] [-- --template three|react|node]
`;

/** `args` as on the command line. Returns the exit code: 0, or 2 for what is refused. */
export async function create(args, { out = process.stdout, err = process.stderr, input = process.stdin } = {}) {
  let folder;
  let template;
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { template: { type: 'string', short: 't' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) {
      out.write(HELP);
      return 0;
    }
    if (positionals.length > 1) throw new Error(`there are ${positionals.length} folders; expected one`);
    ({ folder, template } = await asked({ folder: positionals[0], template: values.template }, input, out));
    const known = readdirSync(TEMPLATES);
    if (!known.includes(template)) throw new Error(`--template is "${template}"; expected ${known.join(', ')}`);
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new Error(`${folder} is not empty; expected a folder that is, or a new one`);
  } catch (error) {
    err.write(`create-pliant: ${error.message}.\n`);
    return 2;
  }
  const target = resolve(folder);
  cpSync(join(TEMPLATES, template), target, { recursive: true });
  // npm leaves a file of this name out of packages.
  renameSync(join(target, '_gitignore'), join(target, '.gitignore'));
  const path = join(target, 'package.json');
  const json = JSON.parse(readFileSync(path, 'utf8'));
  json.name =
    basename(target)
      .toLowerCase()
      .replace(/[^a-z0-9._~-]+/g, '-')
      .replace(/^[-._]+/, '') || 'pliant-project';
  for (const name of Object.keys(json.dependencies))
    if (json.dependencies[name] === 'PLIANT') json.dependencies[name] = `^${version}`;
  writeFileSync(path, `${JSON.stringify(json, null, 2)}\n`);
  const start = template === 'node' ? 'npm start' : 'npm run dev';
  out.write(`Made ${folder} from the template "${template}". Now:\n\n  cd ${folder}\n  npm install\n  ${start}\n`);
  return 0;
}

/** Asks for what was not given. Without a terminal nobody answers, and defaults are taken. */
async function asked({ folder, template }, input, output) {
  if (!input.isTTY) return { folder: folder ?? 'pliant-project', template: template ?? 'three' };
  const lines = createInterface({ input, output });
  try {
    folder ??= (await lines.question('Folder (pliant-project): ')).trim() || 'pliant-project';
    template ??= (await lines.question('Template: three, react or node (three): ')).trim() || 'three';
    return { folder, template };
  } finally {
    lines.close();
  }
}
