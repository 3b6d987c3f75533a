// Runs jobs of golden hashes in a host: Node, Chromium or Firefox. All run the same bundle, which asks a small server here for jobs.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from '../browser.mjs';
import { bundleLane } from './bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const findFirefox = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => ['firefox-esr', 'firefox'].map((name) => join(folder, name)))
    .find((path) => existsSync(path));

/** How each host is started: what program with which arguments, by the address of the server, a folder of its own and the lane's file. */
const HOSTS = {
  node: { find: () => process.execPath, args: (address, _, lane) => [lane, address] },
  chromium: {
    find: findBrowser,
    args: (address, folder) => [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      `--user-data-dir=${folder}`,
      address,
    ],
  },
  firefox: {
    find: findFirefox,
    args: (address, folder) => ['--headless', '--no-remote', '--profile', folder, address],
  },
};

export const HOST_NAMES = Object.keys(HOSTS);

/** Whether there is such a host on this machine. */
export const hasHost = (host) => HOSTS[host].find() !== undefined;

/**
 * Runs all jobs, in `lanes` at a time, the first ones first; `each` is told of every result as it comes. A job that throws is an error,
 * and so is a host that ends or falls silent before all are done.
 */
export async function runJobs(host, jobs, { lanes = 1, each = () => {} } = {}) {
  const program = HOSTS[host].find();
  if (!program) throw new Error(`There is no ${host} on this machine.`);
  const bundle = await bundleLane();
  const folders = [bundle];
  const children = [];
  const waiting = [...jobs];
  const results = [];
  let server;
  let silence;
  try {
    await new Promise((resolve, reject) => {
      const heard = () => {
        clearTimeout(silence);
        silence = setTimeout(
          () => reject(new Error(`${host} has not been heard of for ${SILENCE / 60_000} minutes.`)),
          SILENCE,
        );
      };
      const done = (result) => {
        if (result.error) reject(new Error(`${result.job.scene} (${result.job.backend}) in ${host}: ${result.error}`));
        results.push(result);
        each(result);
        if (results.length === jobs.length) resolve();
      };
      server = createServer((request, response) => {
        heard();
        answer(request, response, { bundle, lanes, done, next: () => waiting.shift() ?? null }).catch(reject);
      }).listen(0, '127.0.0.1', () => {
        const address = `http://127.0.0.1:${server.address().port}`;
        heard();
        // A browser is one process with a worker for each lane.
        for (let n = 0; n < (host === 'node' ? lanes : 1); n++) {
          folders.push(mkdtempSync(join(tmpdir(), `pliant-${host}-`)));
          const child = spawn(program, HOSTS[host].args(address, folders.at(-1), join(bundle, 'lane.mjs')), {
            stdio: ['ignore', 'ignore', 'pipe'],
          });
          let complaint = '';
          child.stderr.on('data', (text) => {
            complaint = (complaint + text).slice(-2000);
          });
          child.on('error', reject);
          child.on('exit', (code) => {
            if (results.length < jobs.length && (code !== 0 || waiting.length > 0))
              reject(new Error(`${host} ended with ${code} before all was done.\n${complaint}`));
          });
          children.push(child);
        }
      });
    });
  } finally {
    // Lanes ask for another job after the last one, which starts the clock once more.
    clearTimeout(silence);
    await Promise.all(children.map(end));
    clearTimeout(silence);
    server?.closeAllConnections();
    server?.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  return results;
}

/** The longest that any scene takes on a machine that others use too. */
const SILENCE = 1_800_000;

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await gone;
}

/** A worker for each lane; one that cannot start is told of. */
const page = (lanes) => `<!doctype html><title>Golden hashes</title><script>
  for (let n = 0; n < ${lanes}; n++)
    new Worker('/lane.mjs', { type: 'module' }).onerror = ({ message = 'a worker did not start' }) =>
      fetch('/done', { method: 'POST', body: JSON.stringify({ job: {}, error: message }) });
</script>`;

/** The page with its workers, the bundle, the scenes' files, and jobs. */
async function answer(request, response, { bundle, lanes, done, next }) {
  // A lane is silent for as long as a scene takes, and a connection that was kept would have been closed by then.
  response.setHeader('Connection', 'close');
  // The page is cross-origin isolated: worlds may have threads.
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
  const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname)).slice(1);
  if (request.method === 'POST') {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(path === 'next' ? next() : null));
    if (path === 'done') done(body);
    return;
  }
  if (path === '') {
    response.setHeader('Content-Type', 'text/html');
    response.end(page(lanes));
    return;
  }
  const file = path.startsWith(`scenes${sep}`) ? join(root, path) : join(bundle, path);
  if (!existsSync(file)) {
    response.statusCode = 404;
    response.end();
    return;
  }
  if (/\.m?js$/.test(file)) response.setHeader('Content-Type', 'text/javascript');
  response.end(readFileSync(file));
}
