/**
 * A fault that a fuzzer found: `kind` in a word or two, `message` what was seen, `at` the function that threw or did not return, `where` the call (or file, or
 * command) at which it was seen, `call` that call's number in the case.
 */
export class Finding extends Error {
  constructor(kind, message, { at = '', where = '', call, stack } = {}) {
    super(message);
    Object.assign(this, { kind, at, where, call });
    if (stack) this.stack = stack;
  }

  toJSON() {
    const { kind, message, at, where, call, stack } = this;
    return { kind, message, at, where, call, stack };
  }
}

/** Something other than a refusal was thrown. */
export function thrown(error, where) {
  const stack = String(error?.stack ?? error);
  const name = error instanceof Error ? error.name : typeof error;
  const message = error instanceof Error ? error.message : String(error);
  return new Finding('internal error', `${name}: ${message}`, { at: topFrame(stack), where, stack });
}

/** The functions of the packages in a stack, innermost first: "cutBody (pliant/cut/cut.js)". */
function framesOf(stack) {
  return stack.split('\n').flatMap((line) => {
    const match = /at (?:(?:async |new )?([\w.<>#[\] ]+?) \()?[^()]*packages\/(\w+)\/dist\/([\w/.-]+?\.js)/.exec(line);
    return match ? [`${match[1] ?? 'module'} (${match[2]}/${match[3]})`] : [];
  });
}

export const topFrame = (stack) => framesOf(stack)[0] ?? '';

/** Where a loop is that does not end, innermost functions change from look to look: the outer ones tell. */
export const outerFrames = (stack) => framesOf(stack).reverse().slice(0, 6).join(' > ');

/** The message without its numbers, names and lengths: the same defect with another body reads the same. */
export function shapeOf(message) {
  return message
    .replace(/ \(and \d+ more\)$/, '')
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|-?Infinity|NaN/g, '#')
    .replace(/#(?:[,\s]+#)+/g, '#')
    .slice(0, 120);
}

/** Findings of the same signature are taken for one defect. */
export function signatureOf({ kind, message, at, where }) {
  return at ? `${kind} in ${at}` : `${kind} at ${where}: ${shapeOf(message)}`;
}

/** Whether a smaller case still shows what was found. A call that does not end is not interrupted at the same place twice, so its place is not compared. */
export function isSame(a, b) {
  return isEndless(a) ? a.kind === b.kind && a.where === b.where : signatureOf(a) === signatureOf(b);
}

export const isEndless = ({ kind }) => kind === 'hang' || kind === 'memory';
