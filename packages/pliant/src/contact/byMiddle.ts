import type { Body } from '../body/body.js';

/** Whether a body meets itself by its middle surface or line (folds/folds.ts), and not by the proxies of its clusters: sheets and cords do. */
export function meetsByMiddle({ core }: Body): boolean {
  const { self, mode } = core.contact.settings;
  return core.thin !== undefined && self && mode === 'proxies' && !core.law?.rigid;
}
