import type { State } from '../../state/state.js';
import type { Kernels } from '../kernels.js';
import { BINARY } from './binary.generated.js';

/** The module's exports. Only this file uses them; the rest of the engine sees Kernels and typed-array views. */
export interface Exports {
  matchClusters(start: number, end: number, mode: number): void;
  sumClusters(start: number, end: number): void;
  sumLevels(
    coarseStart: number,
    coarseEnd: number,
    clusterStart: number,
    clusterEnd: number,
    tieStart: number,
    mode: number,
  ): void;
  blendLevels(
    coarseStart: number,
    coarseEnd: number,
    clusterStart: number,
    clusterEnd: number,
    tieStart: number,
    mode: number,
    pull: number,
    drag: number,
  ): void;
  integrateParticles(
    start: number,
    end: number,
    h: number,
    gx: number,
    gy: number,
    gz: number,
    damping: number,
    rigid: boolean,
    maxSpeed: number,
    forces: boolean,
    bent?: boolean,
    lawful?: boolean,
  ): void;
  limitClusters(start: number, end: number, conserving: boolean, bent?: boolean): number;
  limitParticles(start: number, end: number, omega: number, conserving: boolean, all: boolean, bent?: boolean): number;
  updateVelocities(start: number, end: number, h: number): void;
  flowClusters(
    start: number,
    end: number,
    flowRate: number,
    hardening: number,
    dissipative: boolean,
    lawful: boolean,
  ): number;
  boundParticles(first: number, last: number): void;
  boundClusters(start: number, end: number, pad: number): void;
  placeProxy(cluster: number, h: number): void;
  touchAcross(
    first: number,
    last: number,
    start: number,
    margin: number,
    skip: number,
    quick: boolean,
    h: number,
    round: number,
    touched: number,
  ): number;
  touchWithin(
    start: number,
    end: number,
    margin: number,
    skip: number,
    quick: boolean,
    h: number,
    round: number,
    touched: number,
  ): number;
  measureTouches(count: number): number;
  describeContacts(count: number): void;
  solveVelocities(count: number, slow: number): number;
  solvePositions(count: number, h: number): void;
  bounceVelocities(count: number): void;
  keepMotion(count: number): number;
  listMovedClusters(count: number, clusters: number): number;
  strainParticles(count: number, before: boolean): void;
  weighMotion(count: number, h: number): void;
  countNonFinite(start: number, end: number): number;
  /** For tests: decompositions of matrices in memory (addresses of f64 values). */
  polar3(r: number, m: number, reflect: boolean): void;
  straighten(to: number, m: number): number;
  svd3(u: number, sigma: number, v: number, m: number): void;
  /** For tests: ∛x and x^γ. */
  cbrt(x: number): number;
  power(x: number, gamma: number): number;
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Instantiates the module over a memory. It is compiled once for all worlds. */
export async function instantiate(memory: WebAssembly.Memory): Promise<Exports> {
  compiled ??= WebAssembly.compile(Uint8Array.from(atob(BINARY), (c) => c.charCodeAt(0)));
  const instance = await WebAssembly.instantiate(await compiled, { env: { memory } });
  return instance.exports as unknown as Exports;
}

export async function createWasmKernels(state: State): Promise<Kernels> {
  const wasm = await instantiate(state.memory as WebAssembly.Memory);
  return {
    backend: 'wasm',
    matchClusters: wasm.matchClusters,
    sumClusters: wasm.sumClusters,
    sumLevels: ({ coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart }, mode) =>
      wasm.sumLevels(coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart, mode),
    blendLevels: ({ coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart }, mode, pull, drag) =>
      wasm.blendLevels(coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart, mode, pull, drag),
    integrateParticles: (start, end, p) =>
      wasm.integrateParticles(
        start,
        end,
        p.h,
        p.gravityX,
        p.gravityY,
        p.gravityZ,
        p.damping,
        p.rigid,
        p.maxSpeed,
        p.forces,
        p.bent,
        p.lawful,
      ),
    limitClusters: wasm.limitClusters,
    limitParticles: wasm.limitParticles,
    updateVelocities: wasm.updateVelocities,
    flowClusters: (start, end, flowRate, hardening, dissipative, lawful = false) =>
      wasm.flowClusters(start, end, flowRate, hardening, dissipative, lawful),
    boundParticles: wasm.boundParticles,
    boundClusters: wasm.boundClusters,
    placeProxy: wasm.placeProxy,
    touchAcross: wasm.touchAcross,
    touchWithin: wasm.touchWithin,
    measureTouches: wasm.measureTouches,
    describeContacts: wasm.describeContacts,
    solveVelocities: wasm.solveVelocities,
    solvePositions: wasm.solvePositions,
    bounceVelocities: wasm.bounceVelocities,
    keepMotion: wasm.keepMotion,
    listMovedClusters: wasm.listMovedClusters,
    strainParticles: wasm.strainParticles,
    weighMotion: wasm.weighMotion,
    countNonFinite: wasm.countNonFinite,
  };
}
