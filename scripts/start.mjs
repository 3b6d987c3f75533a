// Serves the studio and says where. `npm start` installs and builds first (scripts/setup.mjs).
import { say } from './run.mjs';
import { serve } from './serve.mjs';

const { PORT, HOST } = process.env;
const { address } = await serve({ port: Number(PORT ?? 4173), host: HOST });
say(`serving the studio at ${address}`);
console.log(`
Drag a body to pick it up; 2 pushes, 3 cuts; ? lists the keys. The gallery has every scene of scenes/.
Without a page: npx pliant run scenes/drop.json --out out/drop.html
Ctrl C ends it.`);
