import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../packages/cli/src/main.js';
import { packText } from '../../packages/studio/src/saving/link.js';
import { RUN, Studio, unavailable } from './harness.js';

describe.skipIf(unavailable)('what the page may do, and what its server answers', RUN, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await Studio.start();
  });
  afterAll(() => studio?.close());

  /** The path as it stands: fetch would tidy it up first. */
  const ask = (path: string, method = 'GET') =>
    new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(studio.address);
      const asking = request({ hostname, port, path, method }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }));
      });
      asking.on('error', reject).end();
    });

  it.each([
    '/nothing',
    '/scenes/nothing.json',
    '/scenes',
    '/assets/',
    '/../package.json',
    '/scenes/../../package.json',
    '/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/scenes/..%5c..%5c..%5cpackage.json',
    '//etc/passwd',
    '/%00',
    '/%',
  ])('answers %s by 404', async (path) => {
    const { status, text, headers } = await ask(path);
    expect(status).toBe(404);
    expect(text).toBe('There is nothing here.\n');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('serves what was built by its type, with the policy, to GET and HEAD alone', async () => {
    const built = readFileSync(new URL('../../packages/studio/dist/index.html', import.meta.url), 'utf8');
    for (const path of ['/', '/index.html', '/?scene=clay'])
      expect(await ask(path)).toMatchObject({ status: 200, text: built });
    expect(await ask('/', 'HEAD')).toMatchObject({ status: 200, text: '' });
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect(await ask('/', method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(built)![1];
    for (const [path, type] of [
      ['/', 'text/html; charset=utf-8'],
      [script, 'text/javascript; charset=utf-8'],
      ['/scenes/clay.json', 'application/json; charset=utf-8'],
      ['/thumbnails/clay.webp', 'image/webp'],
    ]) {
      const { headers } = await ask(path, 'HEAD');
      expect(headers['content-type']).toBe(type);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; .*frame-ancestors 'none'$/,
      );
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
    }
  });

  it('asks nobody else for what a link names, says whom it would have asked, and shows its texts as text', async () => {
    const evil = '<img src=x onerror="globalThis.hurt=1"><script>globalThis.hurt=1</script>';
    const body = (file: string) => ({ name: evil, geometry: { type: 'mesh', file }, sampling: { count: 100 } });
    const requests: string[] = [];
    for (const file of ['https://elsewhere.example/m.obj', '//elsewhere.example/m.obj', 'meshes/../../../m.obj']) {
      const scene = { title: evil, description: evil, bodies: [body(file)] };
      const page = await studio.open({ scene: 'clay', hash: `#s=${await packText(JSON.stringify(scene))}` });
      page.on('request', (asked) => requests.push(asked.url()));
      const line = page.locator('#messages p.problem', { hasText: 'cannot read' });
      await line.waitFor();
      expect(await line.textContent()).toMatch(
        file.startsWith('https')
          ? /it is on elsewhere\.example, and this page fetches nothing/
          : /drop it here together/,
      );
    }
    const scene = { title: evil, description: evil, bodies: [body('meshes/ring.obj')] };
    const page = await studio.open({ hash: `#s=${await packText(JSON.stringify(scene))}` });
    page.on('request', (asked) => requests.push(asked.url()));
    await studio.until(1);
    expect(await page.textContent('#title h2')).toBe(evil);
    expect(await page.evaluate(() => 'hurt' in globalThis)).toBe(false);
    expect(requests.filter((url) => !url.startsWith(studio.address) && !/^(data|blob):/.test(url))).toEqual([]);
    expect(studio.complaints).toEqual([]);
  });

  it('a page that `pliant run` writes plays under its own policy, whatever the scene is called', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pliant-player-'));
    const [scene, page] = [join(folder, 'scene.json'), join(folder, 'run.html')];
    const title = '</script><script>globalThis.hurt=1</script>';
    const body = { geometry: { type: 'box', size: [1, 1, 1] }, sampling: { count: 60 } };
    writeFileSync(scene, JSON.stringify({ title, bodies: [body] }));
    const io = { out() {}, err() {}, tty: false };
    expect(await main(['node', 'pliant', 'run', scene, '--frames', '40', '--out', page], io)).toBe(0);
    await studio.open({ scene: 'falling-ball' });
    await studio.page.goto(`file://${page}`);
    await studio.page.waitForFunction(() => /frame [1-9]/.test(document.getElementById('clock')!.textContent!));
    expect(await studio.page.textContent('h1')).toBe(title);
    expect(await studio.page.evaluate(() => 'hurt' in globalThis)).toBe(false);
    expect(studio.complaints).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('holds by itself where the server says nothing', async () => {
    const page = await studio.open({ scene: 'falling-ball' });
    await page.route('**/*', async (route) => {
      const answer = await route.fetch();
      const { 'content-security-policy': _, ...headers } = answer.headers();
      await route.fulfill({ response: answer, headers });
    });
    await page.reload();
    await studio.until(1);
    expect(studio.complaints).toEqual([]);
    const tried = await page.evaluate(async () => {
      const violated: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => violated.push(event.effectiveDirective));
      await fetch('https://elsewhere.example/').catch(() => {});
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.hurt = 1' }));
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { violated, hurt: 'hurt' in globalThis };
    });
    // The page has complained of what was tried.
    studio.complaints.length = 0;
    expect(tried.hurt).toBe(false);
    expect(tried.violated).toEqual(expect.arrayContaining(['connect-src', 'script-src-elem']));
  });
});
