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
