import { refuse } from '../../check.js';
import type { Rows } from '../../state/rows.js';

interface Arrays {
  parentTies: Uint32Array;
  coarseLevel: Uint32Array;
  coarseChildTies: Uint32Array;
  coarseParentTies: Uint32Array;
  tieChild: Uint32Array;
  tieParent: Uint32Array;
  tiesByChild: Uint32Array;
}

/**
 * Checks the levels of a body (levels/hierarchy.ts): ties lie by holder in runs without gaps, hold clusters of the
 * level below, and are listed once by child.
 */
export function checkLevels(s: Arrays, rows: Rows, body: string): void {
  const { clusterStart, clusterEnd, coarseStart, coarseEnd, tieStart, tieEnd } = rows;
  const [clusters, coarse, ties] = [clusterEnd - clusterStart, coarseEnd - coarseStart, tieEnd - tieStart];
  let tie = 0;
  for (let c = coarseStart; c < coarseEnd; c++) {
    const level = s.coarseLevel[c];
    const before = c > coarseStart ? s.coarseLevel[c - 1] : 1;
    if (!(level >= before && level <= before + 1 && level >= 1))
      refuse(`snapshot.arrays.coarseLevel[${c}]`, level, `${before} or ${before + 1}`);
    tie = checkRun('coarseChildTies', s.coarseChildTies, c, tie, ties);
    for (let t = tieStart + s.coarseChildTies[2 * c]; t < tieStart + tie; t++) {
      if (s.tieParent[t] !== c - coarseStart)
        refuse(`snapshot.arrays.tieParent[${t}]`, s.tieParent[t], `${c - coarseStart}, whose run it is in`);
      const child = s.tieChild[t];
      const isBelow =
        level === 1 ? child < clusters : child < coarse && s.coarseLevel[coarseStart + child] === level - 1;
      if (!isBelow)
        refuse(`snapshot.arrays.tieChild[${t}]`, child, `what is one level below level ${level} of ${body}`);
    }
  }
  if (tie !== ties) refuse(`${body}.rows.tieEnd`, tieEnd, `${tieStart + tie}, what its coarse clusters hold`);
  let risen = 0;
  const listed = new Uint8Array(ties);
  // Bodies without levels have empty runs everywhere.
  for (let c = clusterStart; c < clusterEnd; c++)
    risen = checkParentTies('parentTies', s, s.parentTies, c, c - clusterStart, true, risen, listed, rows);
  for (let c = coarseStart; c < coarseEnd; c++)
    risen = checkParentTies('coarseParentTies', s, s.coarseParentTies, c, c - coarseStart, false, risen, listed, rows);
  if (risen !== ties) refuse(`${body}.rows.tieEnd`, tieEnd, `${tieStart + risen}, what is listed by what it holds`);
}

/** Checks the run of one row, which must begin at `from`. Returns its end. */
function checkRun(name: string, runs: Uint32Array, row: number, from: number, most: number): number {
  const [first, last] = [runs[2 * row], runs[2 * row + 1]];
  if (first !== from) refuse(`snapshot.arrays.${name}[${2 * row}]`, first, `${from}, where the run before it ends`);
  if (!(last >= first && last <= most))
    refuse(`snapshot.arrays.${name}[${2 * row + 1}]`, last, `in [${first}, ${most}]`);
  return last;
}

function checkParentTies(
  name: string,
  s: Arrays,
  runs: Uint32Array,
  row: number,
  held: number,
  isCluster: boolean,
  from: number,
  listed: Uint8Array,
  { coarseStart, tieStart }: Rows,
): number {
  const last = checkRun(name, runs, row, from, listed.length);
  for (let n = tieStart + from; n < tieStart + last; n++) {
    const t = s.tiesByChild[n];
    const isOwn =
      t < listed.length &&
      listed[t] === 0 &&
      s.tieChild[tieStart + t] === held &&
      (s.coarseLevel[coarseStart + s.tieParent[tieStart + t]] === 1) === isCluster;
    if (!isOwn)
      refuse(
        `snapshot.arrays.tiesByChild[${n}]`,
        t,
        `a tie of ${isCluster ? 'cluster' : 'coarse cluster'} ${held} that is not listed yet`,
      );
    listed[t] = 1;
  }
  return last;
}
