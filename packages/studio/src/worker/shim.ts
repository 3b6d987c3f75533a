import { World } from 'pliant';

const p = World.prototype as any;
p.snapshot ??= () => ({ byteLength: 0 });
p.restore ??= () => {};
if (!('picks' in p)) Object.defineProperty(p, 'picks', { value: [] });
