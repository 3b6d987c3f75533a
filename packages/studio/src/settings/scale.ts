/** Upper ends of a ramp of colours, within a factor of ten: numbers that read well. */
const ENDS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];
/** A scale of which less than this is used is too wide. */
const LEAST = 0.4;

/** Upper end for values of which the largest is `most`; the one that there is as long as it fits, so that colours keep their meaning. */
export function scaleFor(most: number, now: number | undefined): number | undefined {
  if (!(most > 0)) return undefined;
  if (now !== undefined && most <= now && most >= LEAST * now) return now;
  const power = 10 ** Math.floor(Math.log10(most));
  return Number(((ENDS.find((end) => end * power >= most * (1 - 1e-9)) ?? 10) * power).toPrecision(3));
}
