import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { scenes } from './scenes.js';

const source = (name: string) => fileURLToPath(new URL(`../${name}/src/index.ts`, import.meta.url));

// Cross-origin isolated pages may share memory with their workers.
export const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [scenes()],
  worker: { format: 'es' },
  resolve: {
    alias: [
      { find: /^pliant$/, replacement: source('pliant') },
      { find: /^@pliant\/scene$/, replacement: source('scene') },
    ],
  },
  server: { headers },
  preview: { headers },
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, chunkSizeWarningLimit: 1200 },
});
