import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeVersion, type Outcome, runJobs } from '@pliant/sweep';
import { PliantError } from 'pliant';
import { CLAIMS } from './catalogue.js';
import { type Claim, type Finding, joinFindings, type Verdict, verdictOf } from './claim.js';

/** How claims are run. */
export interface RunOptions {
  /** Fewer seeds, and no claims that are long or rest on a time. */
  quick?: boolean;
  /** Seeds of sampling and clustering. Default 2, 3, 4, 5, 6; in a quick run 2. */
  seeds?: readonly number[];
  /** Folder in which results are kept as they come, so that a run that was stopped goes on. Default: none are kept. */
  folder?: string;
  /** Processes at the same time. Default: one for each core. Claims that rest on a time run one by one after the others. */
  processes?: number;
  /** Address of a Redis: claims are handed to all `pliant worker` there, but those that rest on a time. */
  redis?: string;
  /** Claims that are run; of the others, results that are kept in `folder` are taken, whichever build made them. Default: all. */
  only?(claim: Claim): boolean;
  /** Told before the first claim and after each. */
  onProgress?(done: number, all: number, result?: Result): void;
  /** Stops after the claims that are running. */
  signal?: AbortSignal;
}

/** The result of one claim. */
export interface Result {
  id: string;
  verdict: Verdict | 'failed';
  finding?: Finding;
  /** Why there is no finding. */
  error?: string;
  seconds: number;
  /** The seeds that it was run with. */
  seeds?: readonly number[];
}

/** The claims of a run: those that the filters name, without those that a quick run leaves out. */
export function chooseClaims({
  papers,
  ids,
  quick,
}: {
  papers?: readonly string[];
  ids?: readonly string[];
  quick?: boolean;
}): Claim[] {
  for (const id of ids ?? [])
    if (!CLAIMS.some((claim) => claim.id === id))
      throw new PliantError(
        'claim',
        `there is no claim ${id}; expected one of ${CLAIMS.map((claim) => claim.id).join(', ')}.`,
      );
  return CLAIMS.filter(
    (claim) =>
      (!papers?.length || papers.includes(claim.paper)) &&
      (!ids?.length || ids.includes(claim.id)) &&
      !(quick && !ids?.length && (claim.long || claim.timed)),
  );
}

/** The task 'claim' of the queue, for `runJobs` and for workers. */
export const CLAIM_TASKS = { claim: new URL('../dist/claimTask.js', import.meta.url).href };

/** The input of the task 'claim'. */
export interface ClaimInput {
  id: string;
  quick: boolean;
  seeds: readonly number[];
}

/** The seeds that a claim is run with. */
const seedsOf = (claim: Claim, seeds: readonly number[]): readonly number[] => seeds.slice(0, claim.mostSeeds);

/** The name of a job in the queue. */
const jobOf = (id: string, quick: boolean, seeds: readonly number[]) =>
  `claim-${id.replaceAll('.', '-')}-${quick ? 'quick' : 'full'}-${seeds.join('-')}`;

const resultOf = (id: string, outcome: Outcome): Result =>
  outcome.status === 'done'
    ? (outcome.value as Result)
    : { id, verdict: 'failed', error: `${outcome.status}: ${outcome.reason}`, seconds: 0 };

/**
 * Runs claims by the queue of `pliant sweep`, in processes on all cores or by Redis on many machines; those that rest on a time come last, one by one. Results come back in the order of the claims.
 * A claim that throws, or whose process dies, is a result with its reason.
 */
export async function runClaims(claims: readonly Claim[], options: RunOptions = {}): Promise<Result[]> {
  const { quick = false, folder, signal, onProgress, only = () => true } = options;
  const seeds = options.seeds ?? (quick ? [2] : [2, 3, 4, 5, 6]);
  const results = new Map<string, Result>();
  if (folder) {
    await mkdir(folder, { recursive: true });
    for (const claim of claims) {
      const kept = only(claim)
        ? await readKept(fileOf(folder, claim.id, quick, seedsOf(claim, seeds)), claim.id)
        : await readAny(folder, claim.id, quick);
      if (kept) results.set(claim.id, kept);
    }
  }
  const left = claims.filter((claim) => only(claim) && !results.has(claim.id));
  const all = results.size + left.length;
  onProgress?.(results.size, all);
  const run = (some: readonly Claim[], where: { processes?: number; redis?: string }) =>
    runJobs(
      some.map((claim) => {
        const [id, own] = [claim.id, seedsOf(claim, seeds)];
        return { id: jobOf(id, quick, own), task: 'claim', input: { id, quick, seeds: own } };
      }),
      {
        ...where,
        tasks: CLAIM_TASKS,
        signal,
        async onOutcome(job, outcome) {
          const { id, seeds: own } = job.input as ClaimInput;
          const result = { ...resultOf(id, outcome), seeds: own };
          results.set(id, result);
          if (folder && result.verdict !== 'failed') await keep(folder, result, quick, own);
          onProgress?.(results.size, all, result);
        },
      },
    );
  const [free, timed] = [left.filter((claim) => !claim.timed), left.filter((claim) => claim.timed)];
  if (free.length > 0) await run(free, { processes: options.processes, redis: options.redis });
  if (timed.length > 0 && !signal?.aborted) await run(timed, { processes: 1 });
  return claims.flatMap(({ id }) => results.get(id) ?? []);
}

/** Runs one claim in this process. */
export async function runClaim(id: string, quick: boolean, seeds: readonly number[]): Promise<Result> {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  try {
    const claim = CLAIMS.find((entry) => entry.id === id)!;
    const findings: Finding[] = [];
    for (const some of claim.perSeed ? seeds.map((seed) => [seed]) : [seeds])
      findings.push(await claim.run({ quick, seeds: some, seed: some[0] }));
    const finding = joinFindings(findings);
    return { id, verdict: verdictOf(finding), finding: plain(finding), seconds: seconds() };
  } catch (error) {
    return { id, verdict: 'failed', error: error instanceof Error ? error.message : String(error), seconds: seconds() };
  }
}

/** Points as plain lists of four digits, so that a finding can be kept as JSON. */
function plain(finding: Finding): Finding {
  const short = (values: ArrayLike<number>) => Array.from(values, (value) => Number(value.toPrecision(4)));
  return {
    ...finding,
    pictures: finding.pictures?.map((picture) => ({
      ...picture,
      points: short(picture.points),
      ...(picture.shades && { shades: short(picture.shades) }),
    })),
    plots: finding.plots?.map((plot) => ({
      ...plot,
      curves: Object.fromEntries(
        Object.entries(plot.curves).map(([name, curve]) => [
          name,
          curve.map(([x, y]) => [Number(x.toPrecision(6)), Number(y.toPrecision(6))] as const),
        ]),
      ),
    })),
  };
}

/** The name of a kept result: of the claim, its effort and the program that ran it. */
function fileOf(folder: string, id: string, quick: boolean, seeds: readonly number[]): string {
  const claim = CLAIMS.find((entry) => entry.id === id)!;
  const key = JSON.stringify([codeVersion(), claim.run.toString(), claim.statement, quick, seeds]);
  return join(folder, `${id}-${createHash('sha256').update(key).digest('hex').slice(0, 12)}.json`);
}

/** A kept result with the effort it was made with. */
type Kept = Result & { quick: boolean; seeds: readonly number[] };

async function readKept(path: string, id: string): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse(await readFile(path, 'utf8')) as Kept;
    return kept.id === id && kept.finding ? kept : undefined;
  } catch {
    // There is none, or the disk was full while it was written: it is run again.
    return undefined;
  }
}

/** The newest kept result of a claim, of any build and of any seeds. */
async function readAny(folder: string, id: string, quick: boolean): Promise<Kept | undefined> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${id}-`) && name.endsWith('.json'));
  const found: { kept: Kept; time: number }[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const kept = await readKept(path, id);
    if (kept?.quick === quick) found.push({ kept, time: (await stat(path)).mtimeMs });
  }
  return found.sort((a, b) => b.time - a.time)[0]?.kept;
}

async function keep(folder: string, result: Result, quick: boolean, seeds: readonly number[]): Promise<void> {
  const path = fileOf(folder, result.id, quick, seeds);
  await writeFile(`${path}.part`, JSON.stringify({ ...result, quick, seeds } satisfies Kept));
  await rename(`${path}.part`, path);
}
