import { hostWorld, type Port } from './host.js';

// The whole of a worker that serves one world. `self` is the worker's global scope, whose types are not those of a page.
hostWorld(globalThis as unknown as Port);
