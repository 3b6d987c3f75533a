// Loads a built body in a process that has built none, and adds it to a world: prints the times as JSON. `node asset.mjs FILE OPTIONS` writes the file, `node asset.mjs FILE` loads it.
import { readFileSync, writeFileSync } from 'node:fs';
import { buildBody, loadBody, saveBody, World } from 'pliant';

const [file, options] = process.argv.slice(2);
if (options) writeFileSync(file, saveBody(buildBody(JSON.parse(options))));
else {
  const bytes = new Uint8Array(readFileSync(file));
  const world = await World.create();
  const start = performance.now();
  const built = loadBody(bytes);
  const loaded = performance.now();
  world.addBody(built);
  console.log(JSON.stringify({ load: loaded - start, add: performance.now() - loaded }));
}
