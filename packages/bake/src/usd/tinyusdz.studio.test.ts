import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error: a plain script, shared with `npm test`'s set-up.
import { BROWSER_FLAGS, findBrowser } from '../../../../scripts/browser.mjs';
import { bakeTo, boxOf, follow } from '../testing/scene.js';

/** The part of TinyUSDZ's WASM module that is used here. */
interface TinyUsdz {
  TinyUSDZLoaderNative: new () => {
    loadFromBinary(bytes: Uint8Array, name: string): boolean;
    error(): string;
    numMeshes(): number;
    getMesh(k: number): {
      primName: string;
      points: Float32Array;
      faceVertexIndices: Uint32Array;
      faceVertexCounts: Uint32Array;
    };
  };
}

/** Makes the module's function a global one: the tests' own imports are not the browser's. */
const HOST = `<script type="module">import open from '/tinyusdz.js'; globalThis.open = open;</script>`;

/** USD by a reader that others wrote: TinyUSDZ, a C++ library as WASM, which is built for browsers only. */
describe.skipIf(!findBrowser())('TinyUSDZ', () => {
  let browser: Browser;
  let page: Page;
  const files = new Map<string, Uint8Array>();
  const own = (name: string) => readFileSync(fileURLToPath(import.meta.resolve(`tinyusdz/${name}`)));

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS });
    page = await browser.newPage();
    await page.route('http://localhost/**', (route) => {
      const name = route.request().url().split('/').at(-1)!;
      if (name === '') return route.fulfill({ contentType: 'text/html', body: HOST });
      const isScript = name.endsWith('.js');
      const contentType = isScript ? 'text/javascript' : name.endsWith('.wasm') ? 'application/wasm' : 'model/usd';
      return route.fulfill({ contentType, body: Buffer.from(files.get(name) ?? own(name)) });
    });
    await page.goto('http://localhost/', { waitUntil: 'load' });
  });
  afterAll(() => browser.close());

  test.each(['usda', 'usdz'])('reads %s: a mesh for every object, where the bodies are at first', async (format) => {
    const name = `all.${format}`;
    const { bytes, result } = await bakeTo(name, { fps: 60, frames: 8 });
    files.set(name, await bytes(name));
    const { error, meshes } = await page.evaluate(async (name) => {
      const module = await (globalThis as unknown as { open(): Promise<TinyUsdz> }).open();
      const loader = new module.TinyUSDZLoaderNative();
      const bytes = new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer());
      const ok = loader.loadFromBinary(bytes, name);
      const count = ok ? loader.numMeshes() : 0;
      return {
        error: ok ? '' : loader.error(),
        meshes: Array.from({ length: count }, (_, k) => {
          const { primName, points, faceVertexIndices } = loader.getMesh(k);
          return { name: primName, points: [...points], corners: faceVertexIndices.length };
        }),
      };
    }, name);
    expect(error).toBe('');
    expect(meshes).toHaveLength(result.objects);
    await follow(0, ({ bodies }) => {
      for (const [k, prim] of ['ball', 'crate_1'].entries()) {
        const skin = bodies[k].getSkin();
        const mesh = meshes.find(({ name }) => name === prim)!;
        expect(mesh.corners).toBe(skin.indices.length);
        const wanted = boxOf(skin.positions);
        for (const [a, value] of boxOf(mesh.points).entries()) expect(value).toBeCloseTo(wanted[a], 5);
      }
    });
  });
});
