import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { App } from '../../packages/studio/src/app.js';
// @ts-expect-error: a plain script, shared with `npm test`'s set-up.
import { BROWSER_FLAGS, findBrowser } from '../../scripts/browser.mjs';
// @ts-expect-error: the server of `npm start`.
import { serve } from '../../scripts/serve.mjs';

declare global {
  var pliant: App;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STUDIO = `${ROOT}packages/studio`;

/** Why the studio cannot be driven here; undefined where it can. */
export const unavailable: string | undefined = !findBrowser()
  ? 'no Chromium on this machine'
  : !existsSync(`${STUDIO}/dist/index.html`)
    ? 'the studio is not built (npm run build)'
    : undefined;

/** For whatever is waited for: machines that draw by software, with others at work beside, are slow. */
export const PATIENCE = { timeout: 110_000, interval: 200 };

/** Options of all tests in the browser. None is tried twice: a fault that shows now and then is a fault. */
export const RUN = { timeout: 300_000 };

export const SCENES = readdirSync(`${ROOT}scenes`)
  .filter((file) => file.endsWith('.json') && file !== 'scene.schema.json')
  .map((file) => file.slice(0, -'.json'.length));

/** A message of the software driver about its own queues, on a busy machine: no fault of the page. */
const DRIVER = /Running out of reserved \w*RenderPass queueSerial/i;

/** The built page on a server of its own, in a browser of its own. */
export class Studio {
  /** Errors and warnings of the page. */
  readonly complaints: string[] = [];
  page!: Page;

  private constructor(
    private readonly browser: Browser,
    readonly address: string,
    private readonly stop: () => void,
  ) {}

  static async start(): Promise<Studio> {
    const { address, close } = await serve();
    const browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS });
    return new Studio(browser, address, close);
  }

  /** A fresh page. WebGL2 unless the query says otherwise. */
  async open(
    query: Record<string, string> = {},
    options: Parameters<Browser['newPage']>[0] = {},
    before: (page: Page) => unknown = () => {},
  ): Promise<Page> {
    await this.page?.context().close();
    const page = await this.browser.newPage({ viewport: { width: 900, height: 600 }, ...options });
    page.on('console', (message) => {
      if (DRIVER.test(message.text())) return;
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.setDefaultTimeout(PATIENCE.timeout);
    await before(page);
    this.page = page;
    const { hash = '', ...search } = query;
    await page.goto(`${this.address}?${new URLSearchParams({ renderer: 'webgl', ...search })}${hash}`);
    await page.waitForFunction(() => globalThis.pliant !== undefined);
    return page;
  }

  /**
   * Processor time (ms) from now on of what draws: the main thread of a page and the process of the graphics card, which is
   * a program here. The worker builds beside them. An idle machine with two cores takes hardly longer than that.
   */
  async watchWork(page: Page): Promise<() => Promise<number>> {
    const [own, all] = [await page.context().newCDPSession(page), await this.browser.newBrowserCDPSession()];
    await own.send('Performance.enable', { timeDomain: 'threadTicks' });
    const sum = async () => {
      const { metrics } = await own.send('Performance.getMetrics');
      const { processInfo } = await all.send('SystemInfo.getProcessInfo');
      const graphics = processInfo.find(({ type }) => type === 'GPU')?.cpuTime ?? 0;
      return 1000 * (graphics + metrics.find(({ name }) => name === 'TaskDuration')!.value);
    };
    const before = await sum();
    return async () => (await sum()) - before;
  }

  /** Another scene, or the same from its start, in the open page: most of what a fresh one costs is three.js. */
  async show(scene: string): Promise<Page> {
    if (!this.page) return this.open({ scene });
    await this.page.evaluate(async (scene) => {
      for (const dismiss of document.querySelectorAll<HTMLElement>('#messages button')) dismiss.click();
      (document.activeElement as HTMLElement | null)?.blur();
      pliant.setTool('pick');
      pliant.setSpeed(1);
      pliant.endComparison();
      await pliant.openScene(scene);
    }, scene);
    return this.page;
  }

  /** Waits until the scene has come to a step. */
  async until(step: number): Promise<void> {
    await this.page.waitForFunction(
      (wanted) => (pliant.simulation.latest?.step ?? -1) >= wanted && pliant.graphics !== undefined,
      step,
    );
  }

  /** Goes to a step as fast as the worker steps, without drawing between, and runs on from there. */
  async stepTo(step: number, running = true): Promise<void> {
    await this.page.waitForFunction(() => pliant.simulation.latest !== undefined && pliant.graphics !== undefined);
    await this.page.evaluate((step) => {
      pliant.run(false);
      const steps = step - pliant.simulation.latest!.step;
      // Those that were under way before it paused come on top: it stops a few steps later.
      if (steps > 0) for (const one of pliant.simulations) one.send({ type: 'step', steps });
    }, step);
    await this.until(step);
    if (running) await this.page.evaluate(() => pliant.run(true));
  }

  /**
   * Does something `count` times, each time followed by two steps of the world, which then runs on. Ends early where that says true. The world does not
   * run meanwhile: on a busy machine it would make hundreds of steps between two moves, or none.
   */
  async paced(count: number, act: (n: number) => Promise<unknown>): Promise<void> {
    await this.pause();
    for (let n = 1; n <= count; n++) {
      if ((await act(n)) === true) break;
      await this.stepTo((await this.step()) + 2, false);
    }
    await this.page.evaluate(() => pliant.run(true));
  }

  async step(): Promise<number> {
    return await this.page.evaluate(() => pliant.simulation.latest!.step);
  }

  /** Opens the panel, if it is closed. */
  async openPanel(): Promise<void> {
    if (!(await this.page.isVisible('#panel'))) await this.page.click('#open-panel');
  }

  /** Unfolds a section of the panel. */
  async unfold(section: string): Promise<void> {
    await this.openPanel();
    // Sections of all settings are inside another.
    if (section !== 'advanced' && (await this.page.locator(`#section-advanced #section-${section}`).count()) > 0)
      await this.unfold('advanced');
    const details = this.page.locator(`#section-${section}`);
    if ((await details.getAttribute('open')) === null) await details.locator('> summary').click();
  }

  /** Fingers on the page, from then on: where each is. */
  async fingers() {
    const client = await this.page.context().newCDPSession(this.page);
    return (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(({ x, y }, id) => ({ x: Math.round(x), y: Math.round(y), id })),
      });
  }

  /** Where a body's centre is on the page, and how wide its box is there (CSS pixels); and in the world. */
  async body(name: string) {
    return await this.page.evaluate((wanted) => {
      const { bodies, arrays } = pliant.simulation.latest!;
      const { camera, canvas } = pliant.graphics!.stage;
      let first = 0;
      for (const { name, particles } of bodies) {
        if (name === wanted) {
          const centre = [0, 0, 0];
          for (let i = first; i < first + particles; i++)
            for (let a = 0; a < 3; a++) centre[a] += arrays.particles[4 * i + a] / particles;
          const box = canvas.getBoundingClientRect();
          let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
          const onPage = (x: number, y: number, z: number) => {
            const at = camera.position.clone().set(x, y, z).project(camera);
            return [box.left + (0.5 + 0.5 * at.x) * box.width, box.top + (0.5 - 0.5 * at.y) * box.height];
          };
          for (let i = first; i < first + particles; i++) {
            const [px, py] = onPage(arrays.particles[4 * i], arrays.particles[4 * i + 1], arrays.particles[4 * i + 2]);
            left = Math.min(left, px);
            right = Math.max(right, px);
            top = Math.min(top, py);
            bottom = Math.max(bottom, py);
          }
          const [x, y] = onPage(centre[0], centre[1], centre[2]);
          return { centre, x, y, left, right, top, bottom };
        }
        first += particles;
      }
      throw new Error(`no body ${wanted}`);
    }, name);
  }

  /** Where the particle of a body that is nearest to the eye, of those that no part of the page covers, is on the page: a place to take hold of the body. */
  async grip(name: string): Promise<{ x: number; y: number }> {
    return await this.page.evaluate((wanted) => {
      const { bodies, arrays } = pliant.simulation.latest!;
      const { camera, canvas } = pliant.graphics!.stage;
      const box = canvas.getBoundingClientRect();
      let [first, nearest, best] = [0, Infinity, { x: 0, y: 0 }];
      for (const { name, particles } of bodies) {
        if (name === wanted)
          for (let i = first; i < first + particles; i++) {
            const at = camera.position.clone().fromArray(arrays.particles, 4 * i);
            const away = at.distanceTo(camera.position);
            if (away >= nearest) continue;
            at.project(camera);
            const x = box.left + (0.5 + 0.5 * at.x) * box.width;
            const y = box.top + (0.5 - 0.5 * at.y) * box.height;
            if (document.elementFromPoint(x, y) === canvas) [nearest, best] = [away, { x, y }];
          }
        first += particles;
      }
      if (nearest === Infinity) throw new Error(`no particle of ${wanted} is to be seen`);
      return best;
    }, name);
  }

  /** Parts of the page that lie over a body, by their ids. */
  async partsOver(name: string): Promise<string[]> {
    const { left, right, top, bottom } = await this.body(name);
    return await this.page.evaluate(
      ([left, right, top, bottom]) =>
        ['top', 'tools', 'controls', 'panel', 'legend'].filter((id) => {
          const box = document.getElementById(id)!.getBoundingClientRect();
          return box.width > 0 && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
        }),
      [left, right, top, bottom],
    );
  }

  async height(name: string): Promise<number> {
    return (await this.body(name)).centre[1];
  }

  async pause(running = false): Promise<void> {
    await this.page.evaluate((running) => pliant.simulation.send({ type: 'run', running }), running);
    await this.page.waitForFunction((running) => pliant.simulation.latest?.running === running, running);
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.stop();
  }
}
