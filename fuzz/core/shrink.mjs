/**
 * Makes a case smaller as long as `fails` says that it still shows the same. A case is plain data, and becomes smaller by losing list entries, object entries and
 * characters, and by numbers that are simpler. `mayChange(path)` keeps what gives a case its form. Returns the smallest that was found before `isLate()`.
 */
export async function shrink(data, fails, { isLate = () => false, mayChange = () => true } = {}) {
  let best = data;
  for (let changed = true; changed && !isLate(); ) {
    changed = false;
    for (const path of pathsOf(best)) {
      if (isLate()) break;
      if (!mayChange(path) || !has(best, path)) continue;
      const smaller = await shrinkAt(best, path, fails, isLate);
      if (smaller !== undefined) {
        best = smaller;
        changed = true;
      }
    }
  }
  return best;
}

/** The case with the value at `path` made smaller, or undefined. */
async function shrinkAt(data, path, fails, isLate) {
  let best;
  const value = () => get(best ?? data, path);
  const attempt = async (candidate) => {
    const next = set(best ?? data, path, candidate);
    if (isLate() || !(await fails(next))) return false;
    best = next;
    return true;
  };
  if (Array.isArray(value()) || typeof value() === 'string') await removeRuns(value, attempt, isLate);
  else if (typeof value() === 'object' && value() !== null) {
    for (const key of Object.keys(value())) {
      const { [key]: _, ...rest } = value();
      if (key !== '$') await attempt(rest);
    }
  } else if (typeof value() === 'number') for (const simple of simplerThan(value())) if (await attempt(simple)) break;
  return best;
}

/** Delta debugging: runs of half the length go first, then of a quarter, down to single entries. */
async function removeRuns(value, attempt, isLate) {
  for (let run = value().length; run >= 1; run = run === 1 ? 0 : Math.ceil(run / 2))
    for (let from = value().length - run; from > -run; from -= run) {
      if (isLate()) return;
      const first = Math.max(0, from);
      const list = value();
      if (first + run > list.length) continue;
      const [head, tail] = [list.slice(0, first), list.slice(first + run)];
      await attempt(typeof list === 'string' ? head + tail : [...head, ...tail]);
    }
}

function simplerThan(x) {
  const tries = [0, 1, Math.trunc(x / 2), Math.round(x), Number(x.toPrecision(1)), Number(x.toPrecision(2))];
  const cost = (v) => String(v).length + (v < 0 ? 1 : 0) + (v === 0 ? -1 : 0);
  return [...new Set(tries)].filter(
    (v) => Number.isFinite(v) && (cost(v) < cost(x) || (Number.isInteger(v) && v >= 0 && v < x)),
  );
}

/** Of everything in a tree, from the outside in. */
function pathsOf(data) {
  const all = [];
  const queue = [[]];
  for (const path of queue) {
    all.push(path);
    const value = get(data, path);
    if (typeof value !== 'object' || value === null) continue;
    // Long lists (points, bytes) are shortened as a whole.
    if (Array.isArray(value) && value.length > 64) continue;
    for (const key of Object.keys(value)) if (key !== '$') queue.push([...path, key]);
  }
  return all;
}

const get = (data, path) => path.reduce((value, key) => value?.[key], data);
const has = (data, path) => get(data, path) !== undefined;

function set(data, path, value) {
  if (path.length === 0) return value;
  const [key, ...rest] = path;
  const copy = Array.isArray(data) ? [...data] : { ...data };
  copy[key] = set(data[key], rest, value);
  return copy;
}
