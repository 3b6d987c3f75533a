// Serves the studio and says where. `npm start` installs and builds first (scripts/setup.mjs).
import { preview } from 'vite';

const root = new URL('../packages/studio', import.meta.url).pathname;
const { PORT } = process.env;
const server = await preview({
  root,
  preview: { port: Number(PORT ?? 4173), host: process.env.HOST },
  logLevel: 'warn',
});
const [address] = server.resolvedUrls.local;
console.log(`
Pliant's studio: ${address}

Drag a body to pick it up; 2 pushes, 3 cuts; ? lists the keys. The gallery has every scene of scenes/.
Without a page: npx pliant run scenes/drop.json --out out/drop.html
Ctrl C ends it.`);
