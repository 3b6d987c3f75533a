import { InvalidArgumentError } from 'commander';

/** Parsers of numbers on the command line. Commander puts the option before these messages. */

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new InvalidArgumentError('Expected a whole number of at least 0.');
  return Number(text);
}

export function positiveNumber(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return value;
}

/** A number above or equal to 0; the engine knows the range. */
export function decimal(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a number.');
  return value;
}

export function positiveReal(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('Expected a number above 0.');
  return value;
}

/** "0,332,665" */
export function indexList(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  if (!parts.every((part) => /^\d+$/.test(part))) throw new InvalidArgumentError('Expected particle numbers: I,J,…');
  return parts.map(Number);
}

/** Seconds: a number above 0. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0) || !Number.isFinite(value))
    throw new InvalidArgumentError('Expected a number of seconds above 0.');
  return value;
}

/** "10": the seeds 1 to 10; "3,7,9": these. */
export function seedList(text: string): number[] {
  if (/^\d+$/.test(text)) return Array.from({ length: Math.min(positiveNumber(text), 10_000) }, (_, k) => k + 1);
  const seeds = text.split(',').map((part) => wholeNumber(part.trim()));
  if (new Set(seeds).size < seeds.length) throw new InvalidArgumentError('Expected every seed once.');
  return seeds;
}
