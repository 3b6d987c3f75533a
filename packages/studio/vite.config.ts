import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
// @ts-expect-error: a plain script, shared with the server.
import { HEADERS, POLICY } from '../../scripts/headers.mjs';
import { scenes } from './scenes.js';

const source = (name: string) => fileURLToPath(new URL(`../${name}/src/index.ts`, import.meta.url));

/** The page says itself what it may do: it may lie on any server. While it is developed, Vite needs more than that. */
const policy: Plugin = {
  name: 'pliant-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
      injectTo: 'head-prepend',
    },
  ],
};

const { 'Content-Security-Policy': _, ...relaxed } = HEADERS;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [scenes(), policy],
  // Not 'spa': what is not there is answered by 404.
  appType: 'mpa',
  worker: { format: 'es' },
  resolve: {
    alias: [
      { find: /^pliant$/, replacement: source('pliant') },
      { find: /^@pliant\/scene$/, replacement: source('scene') },
    ],
  },
  server: { headers: relaxed },
  preview: { headers: HEADERS },
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, chunkSizeWarningLimit: 1200 },
});
