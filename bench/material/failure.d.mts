/** For tests of the engine in TypeScript. `kept` is a share of the length or height at first, `first` and `parted` are strains of the bar, or seconds for the plate. */
interface Case {
  n: number;
  hz: number;
  method?: 'grid' | 'blue-noise';
  material: Record<string, number>;
  fracture?: object;
  world?: object;
}

export function keepStretch(options: Case & { stretch?: number }): Promise<{ kept: number; middle: number }>;
export function keepHeight(options: Case): Promise<{ kept: number }>;
interface Broken {
  first: number;
  splits: number;
  large: number;
  largest: number;
  pieces: number;
}
export function tear(options: Case & { notch?: boolean; rate?: number }): Promise<Broken & { parted: number }>;
export function shatter(
  options: Omit<Case, 'n'> & { count: number; thick?: number; seconds?: number },
): Promise<Broken & { work: number }>;
/** `scatter` is the standard deviation as a share of the mean `first` (s). */
export function firstSplits(
  options: Omit<Case, 'n'> & { count: number; seeds: number; thick?: number | undefined },
): Promise<{ first: number; scatter: number; earliest: number; latest: number; substeps: number }>;
