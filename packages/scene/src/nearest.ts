/** The known name that is nearest to a misspelt one; undefined if none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = allowed(name) + 1;
  for (const candidate of known) {
    // The difference of the lengths is a lower bound of the changes.
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const changes = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (changes < least) [best, least] = [candidate, changes];
  }
  return best;
}

/**
 * Largest number of changes between two names that count as a misspelling: none for a single letter, one in three
 * letters, at most three.
 */
const allowed = (name: string): number => Math.min(3, name.length > 2 ? Math.ceil(name.length / 3) : name.length - 1);

/**
 * Number of letters to insert, remove, replace or swap with their neighbour (restricted Damerau–Levenshtein distance),
 * row by row.
 */
function editDistance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, k) => k)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let k = 1; k <= b.length; k++) {
      const same = a[i - 1] === b[k - 1] ? 0 : 1;
      row[k] = Math.min(row[k - 1] + 1, last[k] + 1, last[k - 1] + same);
      if (i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1])
        row[k] = Math.min(row[k], before[k - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}
