// Writes packages/scene/src/schema/sceneTypes.ts: the type of scene files as plain TypeScript. The schema's own type is written in zod's, which compile neither with TypeScript 5.0 nor without DOM types.
// `node scripts/sceneTypes.mjs` writes the file; tests/types.long.test.ts fails where it is not up to date.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './run.mjs';

export const SCENE_TYPES = 'packages/scene/src/schema/sceneTypes.ts';

const HEAD = `// Written by scripts/sceneTypes.mjs from the schema: change that.

`;
const NOTES = {
  ShapeFile: '/** A shape in a scene file: those of the engine, without functions. */',
  SceneFile: '/** A scene file, parsed. `sceneJsonSchema` describes each of its fields. */',
};

/** The text of the file. */
export function sceneTypes() {
  // TypeScript 7 has no compiler API.
  const ts = createRequire(join(ROOT, 'package.json'))('typescript-5.4');
  const files = { ShapeFile: 'geometry.ts', SceneFile: 'scene.ts' };
  const paths = Object.values(files).map((file) => join(ROOT, 'packages/scene/src/schema', file));
  const program = ts.createProgram(paths, {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] },
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const { NoTruncation, InTypeAlias, MultilineObjectLiterals, UseStructuralFallback } = ts.TypeFormatFlags;
  const flags = NoTruncation | InTypeAlias | MultilineObjectLiterals | UseStructuralFallback;
  const texts = Object.keys(files).map((name, k) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(paths[k]));
    const symbol = checker.getExportsOfModule(module).find((other) => other.name === name);
    const text = checker.typeToString(checker.getDeclaredTypeOfSymbol(symbol), undefined, flags);
    return `${NOTES[name]}\nexport type ${name} = ${text.replace(/\bTriple\b/g, '[number, number, number]')};\n`;
  });
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [biome, 'format', `--stdin-file-path=${SCENE_TYPES}`],
    {
      ...{ cwd: ROOT, encoding: 'utf8', input: HEAD + texts.join('\n') },
    },
  );
  if (status !== 0) throw new Error(stderr);
  // Fields of a scene have the descriptions of the JSON schema.
  const { properties } = JSON.parse(readFileSync(join(ROOT, 'scenes/scene.schema.json'), 'utf8'));
  const [before, scene] = stdout.split('export type SceneFile = ');
  const documented = scene.replace(/^ {2}(\$?\w+)\??:/gm, (line, name) => {
    const text = (properties[name]?.description ?? 'Name of the scene.').replace(/^What/, `The ${name}: what`);
    return `  /** ${text} */\n${line}`;
  });
  return `${before}export type SceneFile = ${documented}`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(join(ROOT, SCENE_TYPES), sceneTypes());
