/** For tests of the engine in TypeScript. `ratio` is measured over theory, `nu` lateral over axial strain, `least` and `rest` shares of the height at rest. */
interface Case {
  shape?: 'cube' | 'sphere' | 'bar' | 'bunny' | 'earless';
  n: number;
  hz: number;
  method?: 'grid' | 'blue-noise';
  material: { young: number; poisson: number };
}

export function law(options: Case): Promise<{ ratio: number; nu: number }>;
export function hang(options: Case): Promise<{ ratio: number }>;
export function sag(options: Case): Promise<{ ratio: number }>;
export function mode(options: Case): Promise<{ ratio: number }>;
export function cantilever(options: Case): Promise<{ ratio: number }>;
export function torsion(options: Case): Promise<{ ratio: number }>;
export function bulge(options: Case & { strain?: number }): Promise<{ nu: number }>;
export function drop(
  options: Case & { seconds?: number },
): Promise<{ least: number; pressed: number; byParticles: number; rest: number; asleep: number }>;
