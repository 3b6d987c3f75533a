/** The papers, by their year: [H07], [J15], [J16], [F17] and [K20] of docs/spec.md. */
export type Paper = '2007' | '2015' | '2016' | '2017' | '2020';

/** The papers with their titles, in the order of the report. */
export const PAPERS: Readonly<Record<Paper, string>> = {
  '2007':
    'Henriques and Wünsche: Improved meshless deformation techniques for real-time interactive collaborative environments',
  '2015': 'Jones et al.: Clustering and collision detection for clustered shape matching',
  '2016': 'Jones et al.: Ductile fracture for clustered shape matching',
  '2017': 'Falkenstein: Reclustering for large plasticity in clustered shape matching',
  '2020':
    'Kaliappan and Bargteil: Multi-resolution clustering for enhanced elastic behavior in clustered shape matching',
};

/** Conclusion about a claim: all of its checks hold, some do, or none does. */
export type Verdict = 'reproduced' | 'in part' | 'not reproduced';

/** A measured number: the median over the seeds, with the least and the largest value. */
export interface Quantity {
  name: string;
  value: number;
  unit?: string;
  spread?: readonly [number, number];
}

/** One condition of a claim. `what` has the measured numbers in it. */
export interface Check {
  what: string;
  holds: boolean;
}

/** Curves of y over x. */
export interface Plot {
  title: string;
  x: string;
  y: string;
  curves: Record<string, readonly (readonly [number, number])[]>;
  logarithmic?: boolean;
}

/** Particles to be drawn: x, y, z of each, and a number from 0 to 1 that becomes its colour. */
export interface Picture {
  title: string;
  points: ArrayLike<number>;
  shades?: ArrayLike<number>;
  /** Direction from which the particles are seen. Default [0.35, 0.3, 1]. */
  from?: readonly [number, number, number];
}

/** The result of an experiment. */
export interface Finding {
  quantities: Quantity[];
  checks: Check[];
  plots?: Plot[];
  pictures?: Picture[];
  /** Measured milliseconds a step beside those of the paper. */
  timings?: { name: string; ours: number; paper: number }[];
}

/** How much an experiment may take: `quick` uses fewer seeds and steps, and times nothing. */
export interface Effort {
  quick: boolean;
  /** Seeds of sampling and clustering. */
  seeds: readonly number[];
  /** The first of them. A claim that is `perSeed` runs once with each. */
  seed: number;
}

/** A statement of a paper, and the experiment that tries it. */
export interface Claim {
  /** Paper and subject: "2015.kernel-box". */
  id: string;
  paper: Paper;
  /** Where the paper says it. */
  where: string;
  /** The paper's statement, in our words. */
  statement: string;
  /** The bodies that are built and the numbers that are taken. */
  experiment: string;
  /** Where our finding differs from the paper, and why. */
  differs?: string;
  /** `run` measures with one seed: it is called with each, and its findings are joined. */
  perSeed?: boolean;
  /** Largest number of seeds, for a claim that takes minutes with one. Default: all. */
  mostSeeds?: number;
  /** The verdict rests on a measured time: left out of the quick run, which may share the machine with others. */
  timed?: boolean;
  /** Takes more than a few seconds: left out of the quick run. */
  long?: boolean;
  run(effort: Effort): Promise<Finding>;
}

/** The paper that the id of a claim begins with. */
export const paperOf = (id: string): Paper => id.slice(0, 4) as Paper;

/** The verdict that the checks of a finding come to. A finding without a check is none. */
export function verdictOf({ checks }: Finding): Verdict {
  const holding = checks.filter((check) => check.holds).length;
  if (checks.length === 0 || holding === 0) return 'not reproduced';
  return holding === checks.length ? 'reproduced' : 'in part';
}

/** The median of some values, with the least and the largest. */
export function quantity(name: string, values: readonly number[], unit?: string): Quantity {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const value = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { name, value, unit, ...(sorted.length > 1 && { spread: [sorted[0], sorted[sorted.length - 1]] as const }) };
}

/**
 * The findings of one claim with several seeds as one: quantities have their medians and spreads, and a check holds if it does with more than half of the seeds, of which its
 * text says how many. Texts, plots and pictures are those of the first seed with which as many checks hold as usual.
 */
export function joinFindings(findings: readonly Finding[]): Finding {
  const held = findings.map(({ checks }) => checks.filter(({ holds }) => holds).length);
  const usual = [...held].sort((a, b) => a - b)[held.length >> 1];
  const shown = findings[held.indexOf(usual)];
  if (findings.length === 1) return shown;
  return {
    ...shown,
    quantities: shown.quantities.map(({ name, unit }) =>
      quantity(
        name,
        findings.flatMap(({ quantities }) => quantities.find((entry) => entry.name === name)?.value ?? []),
        unit,
      ),
    ),
    checks: shown.checks.map(({ what }, k) => {
      const count = findings.filter(({ checks }) => checks[k]?.holds).length;
      return { what: `${what} (with ${count} of ${findings.length} seeds)`, holds: 2 * count > findings.length };
    }),
  };
}

/** Four digits, as the report shows numbers. */
export const digits = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(4))) : String(value);
