// Makes the plots of docs/sweeps.md: node docs/plots/sweeps.mjs (after npm run build; a minute). They are those that the sweep itself writes.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'pliant-sweeps-'));
const args = [
  'sweep',
  'scenes/cantilever.json',
  ...['--vary', 'bodies[beam].material.young=5e5..2e7/8log'],
  ...['--vary', 'maxSubsteps=8,32'],
  ...['--measure', 'sag', '--measure', 'sag@all/2', '--measure', 'restTime'],
  ...['--out', out],
];
const { status } = spawnSync(process.execPath, [here('../../packages/cli/bin/pliant.mjs'), ...args], {
  cwd: here('../..'),
  stdio: 'inherit',
});
if (status === 0) {
  copyFileSync(join(out, 'plots/sag-over-bodies-beam-.material.young.svg'), here('sweep-cantilever.svg'));
  copyFileSync(join(out, 'runs.csv'), here('sweep-cantilever.csv'));
}
rmSync(out, { recursive: true });
process.exitCode = status;
