/** A finger that stays still for so many milliseconds makes a long press. */
const LONG = 600;

/** A frame counts for at most so many of them. */
const FRAME = 50;

/**
 * Calls `act` after a long press. Returns a function that cancels it.
 *
 * The time is counted in frames, of which a slow one counts in part. A page that draws for a second sees the moves of a finger only afterwards; by
 * the clock it would take every drag for a long press.
 */
export function afterLongPress(act: () => void): () => void {
  let left = LONG;
  let last = performance.now();
  const count = (now: number) => {
    left -= Math.min(FRAME, Math.max(0, now - last));
    last = now;
    if (left > 0) frame = requestAnimationFrame(count);
    else act();
  };
  let frame = requestAnimationFrame(count);
  return () => cancelAnimationFrame(frame);
}
