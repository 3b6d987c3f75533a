// A server for the built studio, or another built folder: the files that were built, and 404 for everything else.
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HEADERS } from './headers.mjs';

const BUILT = fileURLToPath(new URL('../packages/studio/dist', import.meta.url));

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.obj': 'model/obj',
  '.stl': 'model/stl',
  '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json',
};

/** Every file by its address. An address that is not in the list does not exist: no address is ever made into a path. */
function listFiles(folder) {
  const files = new Map();
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (statSync(path).isFile()) files.set(`/${name.replaceAll('\\', '/')}`, path);
  }
  files.set('/', files.get('/index.html'));
  return files;
}

/** Serves a folder, the studio by default, from the first free port from `port` on (0: any). Returns its address and what ends it. */
export async function serve({ port = 0, host = 'localhost', folder = BUILT, headers = HEADERS } = {}) {
  const files = listFiles(folder);
  const server = createServer((request, response) => answer(files, headers, request, response));
  await listen(server, port, host);
  const at = server.address();
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return { address: `http://${name}:${at.port}/`, close: () => server.close() };
}

function answer(files, headers, { method, url }, response) {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return refuse(response, 405, 'Only GET and HEAD are answered.');
  }
  const path = pathOf(url);
  const file = path === undefined ? undefined : files.get(path);
  if (file === undefined) return refuse(response, 404, 'There is nothing here.');
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return refuse(response, 404, 'It was there, and is gone: start the server again.');
  // Names in assets hold a hash of the content.
  const kept = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  response.writeHead(200, {
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Length': size,
    'Cache-Control': kept,
  });
  if (method === 'HEAD') return response.end();
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

/** The address without what is asked of it, decoded; undefined where it cannot be. */
function pathOf(url) {
  try {
    return decodeURIComponent(url.split(/[?#]/)[0]);
  } catch {
    return undefined;
  }
}

function refuse(response, status, text) {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

/** Ports that are tried where the first is taken. */
const TRIES = 20;

function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    let tries = 0;
    server.on('error', (error) => {
      if (error.code !== 'EADDRINUSE' || port === 0 || ++tries > TRIES) return reject(error);
      server.listen(port + tries, host);
    });
    server.on('listening', resolve);
    server.listen(port, host);
  });
}
