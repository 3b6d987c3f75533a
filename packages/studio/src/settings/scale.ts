/** Upper ends of a colour ramp within a factor of ten: round numbers. */
const ENDS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];
/** Share of a scale below which the largest value makes it too wide. */
const LEAST = 0.4;

/**
 * Upper end for values of which the largest is `most`. The present one is kept as long as it fits, so that colours keep
 * their meaning.
 */
export function scaleFor(most: number, now: number | undefined): number | undefined {
  if (!(most > 0)) return undefined;
  if (now !== undefined && most <= now && most >= LEAST * now) return now;
  const power = 10 ** Math.floor(Math.log10(most));
  return Number(((ENDS.find((end) => end * power >= most * (1 - 1e-9)) ?? 10) * power).toPrecision(3));
}
