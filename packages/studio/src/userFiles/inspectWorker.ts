import { inspect } from './inspect.js';
import type { MeshAnswer } from './meshFacts.js';

self.onmessage = async ({ data: { name, bytes } }: MessageEvent<{ name: string; bytes: Uint8Array }>) => {
  const answer = await inspect(name, bytes).then(
    (facts): MeshAnswer => ({ facts }),
    (error): MeshAnswer => ({ problem: error instanceof Error ? error.message : String(error) }),
  );
  self.postMessage(answer);
};
