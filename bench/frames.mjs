// How long the studio takes for a frame, scene by scene and level by level, in Chromium with the graphics card that it finds. Without one SwiftShader draws.
// PLIANT_BROWSER names another browser, PLIANT_BROWSER_FLAGS its flags (separated by spaces) in the place of those for machines without a graphics card.
import { chromium } from 'playwright-core';
import { BROWSER_FLAGS, findBrowser } from '../scripts/browser.mjs';
import { serve } from '../scripts/serve.mjs';
import { median, quantile, table } from './statistics.mjs';

/** Large bodies, many bodies, pieces, glass and jelly; the creature has 125 000 particles. */
const SCENES = ['hello', 'materials', 'pile', 'four-bunnies', 'plate-weak', 'hollow-ball', 'creature-on-cylinders'];
const QUICK = ['hello', 'hollow-ball'];
const BACKENDS = ['webgl', 'webgpu'];
/** Levels of quality that are drawn and waited for, from the best on. */
const LEVELS = 4;
/** Frames of each level, and frames that are shown at the pace of the display (60 Hz) with the quality that the studio chooses, after a while that it has to choose. */
const DRAWN = 40;
const SHOWN = 400;
const WARM = 200;
/** Time (ms) after which slow machines draw no more frames of a level. */
const LONGEST = 4000;
const VIEWPORT = { width: 1440, height: 900 };

export async function frames({ quick } = {}) {
  const executablePath = findBrowser();
  if (!executablePath) {
    console.log('\nFrames: skipped, no Chromium on this machine.');
    return undefined;
  }
  const { PLIANT_BROWSER_FLAGS } = process.env;
  const flags = PLIANT_BROWSER_FLAGS ? PLIANT_BROWSER_FLAGS.split(' ') : BROWSER_FLAGS;
  const { address, close } = await serve();
  const browser = await chromium.launch({ executablePath, args: flags });
  const card = await measureCard(browser, address);
  console.log(
    `\nFrames: ${card.name}; shaders of triangles ${card['GFLOP/s']} GFLOP/s, ${card['Gpixel/s']} Gpixel/s.\n`,
  );
  const rows = [];
  for (const backend of BACKENDS)
    for (const scene of quick ? QUICK : SCENES) {
      const row = await measureFrames(browser, address, backend, scene).catch((error) => ({
        scene,
        drawn: `${backend}: ${error.message.split('\n')[0]}`,
      }));
      rows.push(row);
      // A browser that loses the card once loses it again.
      if (!row.p95) break;
    }
  console.log(
    `The studio at ${VIEWPORT.width} × ${VIEWPORT.height} while the scene runs. Median milliseconds until a frame is drawn at a level of quality (0 is the best), and p95 at level 0; shares of the frames that a display of 60 Hz shows in time, and the level that the studio chooses for it.\n`,
  );
  console.log(table(rows));
  await browser.close();
  close();
  return { card, rows };
}

/** Arithmetic and pixels a second that the card reaches in fragment shaders, by which it can be placed among others. */
async function measureCard(browser, address) {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.goto(`${address}thumbnails/`).catch(() => {});
  const found = await page.evaluate(() => {
    const [width, height] = [1440, 900];
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const gl = canvas.getContext('webgl2');
    if (!gl) return { name: 'no WebGL2', 'GFLOP/s': 0, 'Gpixel/s': 0 };
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const program = (body) => {
      const made = gl.createProgram();
      for (const [type, source] of [
        [
          gl.VERTEX_SHADER,
          'void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }',
        ],
        [gl.FRAGMENT_SHADER, `precision highp float; out vec4 colour; void main() { ${body} }`],
      ]) {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, `#version 300 es\n${source}`);
        gl.compileShader(shader);
        gl.attachShader(made, shader);
      }
      gl.linkProgram(made);
      gl.useProgram(made);
    };
    const one = new Uint8Array(4);
    /** Seconds for one triangle over the whole canvas: the least of some rounds of `count`. */
    const time = (count) => {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 6; round++) {
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, one);
        const began = performance.now();
        for (let k = 0; k < count; k++) gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, one);
        least = Math.min(least, performance.now() - began);
      }
      return least / 1000 / count;
    };
    // 256 rounds of four multiplications with additions of four numbers each: 8192 operations a pixel.
    program(
      'vec4 a = gl_FragCoord.xyxy * 1e-4, b = a + 0.1, c = a + 0.2, d = a + 0.3; for (int n = 0; n < 256; n++) { a = a * b + c; b = b * c + d; c = c * d + a; d = d * a + b; a = a * 0.0 + 0.1; } colour = a + b + c + d;',
    );
    time(1);
    const arithmetic = (width * height * 8192) / time(4);
    program('colour = vec4(0.01);');
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    time(10);
    const pixels = (width * height) / time(200);
    return {
      name: gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER),
      'GFLOP/s': Number((arithmetic / 1e9).toPrecision(3)),
      'Gpixel/s': Number((pixels / 1e9).toPrecision(3)),
    };
  });
  await page.close();
  return found;
}

async function measureFrames(browser, address, backend, scene) {
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.setDefaultTimeout(120_000);
  await page.goto(`${address}?renderer=${backend}&scene=${scene}`);
  await page.waitForFunction(() => globalThis.pliant?.graphics && globalThis.pliant.simulation.latest);
  const { times, intervals, level, drawn } = await page.evaluate(
    async ({ LEVELS, DRAWN, SHOWN, WARM, LONGEST }) => {
      const { pliant } = globalThis;
      const { stage } = pliant.graphics;
      const { backend } = stage.renderer;
      const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const pixel = new Uint8Array(4);
      /** Until all that was drawn is there. */
      const finish = async () => {
        if (stage.backend === 'WebGPU') return backend.device.queue.onSubmittedWorkDone();
        backend.gl.readPixels(0, 0, 1, 1, backend.gl.RGBA, backend.gl.UNSIGNED_BYTE, pixel);
      };
      pliant.run(true);
      await stage.loadOcclusion();
      for (let n = 0; n < 30; n++) await next();
      // While it is measured nothing else draws.
      const draw = stage.draw.bind(stage);
      stage.draw = () => {};
      const times = [];
      for (let k = 0; k < LEVELS; k++) {
        stage.quality.level = k;
        times.push([]);
        const until = performance.now() + LONGEST;
        for (let n = 0; n < DRAWN && (n < 6 || performance.now() < until); n++) {
          await next();
          await finish();
          const began = performance.now();
          stage.show(stage.quality.now);
          await finish();
          if (n > 3) times[k].push(performance.now() - began);
        }
      }
      stage.draw = draw;
      // From the level that a page begins with.
      stage.quality.level = 1;
      stage.restless = true;
      const intervals = [];
      const began = performance.now();
      for (let n = 0, last = began; n < WARM + SHOWN && last - began < 5 * LONGEST; n++) {
        await next();
        const now = performance.now();
        if (n >= WARM) intervals.push(now - last);
        last = now;
      }
      return { times, intervals, level: stage.quality.level, drawn: stage.backend };
    },
    { LEVELS, DRAWN, SHOWN, WARM, LONGEST },
  );
  await page.close();
  return {
    scene,
    drawn,
    ...Object.fromEntries(times.map((list, k) => [`level ${k}`, median(list).toFixed(1)])),
    p95: quantile(times[0], 0.95).toFixed(1),
    // A frame too late comes with the one after it.
    'in time %': ((100 * intervals.filter((took) => took < 1.5 * (1000 / 60)).length) / intervals.length).toFixed(1),
    chosen: level,
  };
}
