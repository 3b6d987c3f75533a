import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SCENES = fileURLToPath(new URL('../../scenes', import.meta.url));

/** The facts that the gallery knows of a scene without loading it. */
export interface SceneCard {
  name: string;
  title: string;
  description: string;
  particles: number;
  /** Names of its variants. */
  variants: string[];
}

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

function cards(): SceneCard[] {
  return readdirSync(SCENES)
    .filter((file) => file.endsWith('.json') && file !== 'scene.schema.json')
    .map((file) => {
      const scene = JSON.parse(readFileSync(join(SCENES, file), 'utf8'));
      const particles = (scene.bodies as SceneBody[]).reduce((sum, { sampling, copies }) => {
        return sum + (sampling?.count ?? 0) * (1 + (copies?.length ?? 0));
      }, 0);
      const name = file.slice(0, -'.json'.length);
      const variants = Object.keys(scene.variants ?? {});
      return { name, title: scene.title ?? name, description: scene.description ?? '', particles, variants };
    });
}

interface SceneBody {
  sampling?: { count?: number };
  copies?: unknown[];
}
