import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SCENES = fileURLToPath(new URL('../../scenes', import.meta.url));

/** Particles of every scene when it is built, which only building tells. The test of the gallery compares them. */
const PARTICLES: Record<string, number> = JSON.parse(readFileSync(new URL('particles.json', import.meta.url), 'utf8'));

/** The repository's scenes on the page's server, as they are, and a list of them: `virtual:scenes`. */
export function scenes(): Plugin {
  return {
    name: 'pliant-scenes',
    resolveId: (id) => (id === 'virtual:scenes' ? '\0virtual:scenes' : undefined),
    load: (id) => (id === '\0virtual:scenes' ? `export const scenes = ${JSON.stringify(cards())};` : undefined),
    configureServer({ middlewares }) {
      middlewares.use('/scenes/', (request, response, next) => {
        const file = join(SCENES, decodeURIComponent(new URL(request.url!, 'http://x').pathname));
        if (!file.startsWith(SCENES + sep) || !isFile(file)) return next();
        response.end(readFileSync(file));
      });
    },
    generateBundle() {
      for (const file of readdirSync(SCENES, { recursive: true }) as string[])
        if (isFile(join(SCENES, file)))
          this.emitFile({ type: 'asset', fileName: `scenes/${file}`, source: readFileSync(join(SCENES, file)) });
    },
  };
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function cards() {
  return readdirSync(SCENES)
    .filter((file) => file.endsWith('.json') && file !== 'scene.schema.json')
    .map((file) => {
      const scene = JSON.parse(readFileSync(join(SCENES, file), 'utf8'));
      const name = file.slice(0, -'.json'.length);
      const { title = name, description = '', group = 'touch', try: hint = '' } = scene;
      const variants = Object.keys(scene.variants ?? {});
      const materials = materialsOf(scene);
      return { name, title, description, group, hint, particles: PARTICLES[name], materials, variants };
    });
}

/** Names of the materials and presets of a scene, for the search. */
function materialsOf({ materials = {}, bodies }: { materials?: Record<string, Material>; bodies: SceneBody[] }) {
  const own = bodies.flatMap(({ material }) => (typeof material === 'object' ? [material] : []));
  const presets = [...Object.values(materials), ...own].flatMap(({ preset }) => preset ?? []);
  return [...new Set([...Object.keys(materials), ...presets])];
}

interface Material {
  preset?: string;
}

interface SceneBody {
  material?: string | Material;
}
