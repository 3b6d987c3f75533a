import { type Exports, instantiate } from '../../kernels/wasm/index.js';
import { polarInto } from '../polar.js';
import { svdInto } from '../svd.js';

export type Decompose = (m: Float64Array) => { u: Float64Array; sigma: Float64Array; v: Float64Array; r: Float64Array };

/** Both implementations under one signature; the WASM one uses its own memory. */
export const decompositions: Record<'ts' | 'wasm', Decompose> = {
  ts(m) {
    const [u, sigma, v, r] = [9, 3, 9, 9].map((n) => new Float64Array(n));
    svdInto(u, sigma, v, m);
    polarInto(r, m);
    return { u, sigma, v, r };
  },
  wasm(m) {
    memory.set(m, 0);
    wasm.svd3(AT + 128, AT + 256, AT + 384, AT);
    wasm.polar3(AT + 512, AT, false);
    const take = (offset: number, n: number) => memory.slice(offset / 8, offset / 8 + n);
    return { u: take(128, 9), sigma: take(256, 3), v: take(384, 9), r: take(512, 9) };
  },
};
export const AT = 65536;
export let wasm: Exports;
export let memory: Float64Array;

/** Must be called before the WASM implementation is used. */
export async function startWasm(): Promise<void> {
  const shared = new WebAssembly.Memory({ initial: 2 });
  wasm = await instantiate(shared);
  memory = new Float64Array(shared.buffer, AT, 128);
}
