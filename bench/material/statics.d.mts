/** For tests of the engine in TypeScript. `ratio` is measured over theory, `nu` lateral over axial strain. */
interface Case {
  shape?: 'cube' | 'bar';
  n: number;
  method?: 'grid' | 'blue-noise';
  material: { young: number; poisson: number };
  clustering?: { count: number };
  sampling?: { method: 'blue-noise'; count: number; seed: number };
}

type Probe = (options: Case) => Promise<{ ratio: number; particles: number; clusters: number }>;
export const hang: Probe;
export const sag: Probe;
export const mode: Probe;
export const cantilever: Probe;
export const torsion: Probe;
export const dent: (options: Case & { radius: number }) => ReturnType<Probe>;
