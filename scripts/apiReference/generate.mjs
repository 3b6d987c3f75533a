// Generates the API reference of the packages from their doc comments, as HTML and as Markdown, and tells what it finds wrong with them:
//
//     node scripts/apiReference/generate.mjs FOLDER [TSCONFIG ENTRY …]
//
// It writes FOLDER/html and FOLDER/markdown, prints a line for each fault, and fails if there is one. scripts/setup.mjs --reference installs what it needs.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Logger, LogLevel } from 'typedoc';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const ENTRY_POINTS = [
  'pliant/src/index.ts',
  'scene/src/index.ts',
  'scene/src/node/index.ts',
  'bake/src/index.ts',
  'sweep/src/index.ts',
].map((path) => here(`../../packages/${path}`));

/** The kinds of declarations that must have a doc comment. A setter has that of its getter. */
const DOCUMENTED = ['Module', 'Namespace', 'Variable', 'Function', 'Class', 'Interface', 'TypeAlias'];
const DOCUMENTED_MEMBERS = ['Property', 'Method', 'GetSignature'];

/** Fields of inline object types, among them the default values and the scene file's schema: the comment of what has that type describes them. */
const INLINE = /\.__type\b/;

/** Types that public types name and that are not exported. `implements` names the first two; the others are handed on by users and never looked into. */
const OPAQUE = {
  pliant: ['Convex', 'ColliderSettings', 'Surface', 'Work'],
  '@pliant/scene': [],
  '@pliant/bake': [],
  '@pliant/sweep': [],
};

/** Keeps warnings and errors, each once, for whoever called. */
class Collector extends Logger {
  found = new Set();

  log(message, level) {
    if (level >= LogLevel.Warn && !INLINE.test(message)) this.found.add(message);
  }
}

/** Writes `html` and `markdown` into a folder; returns what is wrong with the doc comments, a line each. */
async function generate(folder, tsconfig = here('tsconfig.json'), entryPoints = ENTRY_POINTS) {
  const app = await Application.bootstrapWithPlugins({
    name: 'Pliant',
    plugin: [fileURLToPath(import.meta.resolve('typedoc-plugin-markdown'))],
    tsconfig,
    entryPoints,
    logLevel: 'Warn',
    outputs: ['html', 'markdown'].map((name) => ({ name, path: join(folder, name) })),
    readme: 'none',
    excludeInternal: true,
    excludePrivate: true,
    disableSources: true,
    validation: { notExported: true, invalidLink: true, rewrittenLink: true, notDocumented: true },
    requiredToBeDocumented: [...DOCUMENTED, ...DOCUMENTED_MEMBERS],
    packagesRequiringDocumentation: Object.keys(OPAQUE),
  });
  const logger = (app.logger = new Collector());
  const project = await app.convert();
  if (!project) return [...logger.found];
  // typedoc looks for types that are not exported only in the package that the project is named after.
  for (const [name, opaque] of Object.entries(OPAQUE)) {
    project.packageName = name;
    app.options.setValue('intentionallyNotExported', opaque);
    app.validate(project);
  }
  project.packageName = undefined;
  await app.generateOutputs(project);
  return [...logger.found];
}

const [folder, tsconfig, ...entries] = process.argv.slice(2);
const faults = await generate(resolve(folder), tsconfig, tsconfig && entries);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
