import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { signatureOf } from './finding.mjs';

const FOUND = fileURLToPath(new URL('../found/', import.meta.url));

/** Writes a script that repeats a finding; returns its path. The name is the defect's, so that finding it again writes the same file. */
export function writeScript(fuzzer, finding, data, { seed, index }, folder = FOUND) {
  mkdirSync(folder, { recursive: true });
  const name = createHash('sha256')
    .update(`${fuzzer.name} ${signatureOf(finding)}`)
    .digest('hex')
    .slice(0, 10);
  const path = `${folder}/${fuzzer.name}-${name}.mjs`.replace('//', '/');
  const comment = [
    `${finding.kind}${finding.at ? ` in ${finding.at}` : ''} (call: ${finding.where}): ${finding.message}`,
    `Found by: npm run fuzz -- ${fuzzer.name} --seed ${seed} --case ${index}`,
    'Run from the root of the project after a build.',
    ...String(finding.stack ?? '')
      .split('\n')
      .slice(0, 12),
  ];
  const lines = comment.flatMap((text) => text.split('\n')).map((line) => `// ${line.slice(0, 300)}`.trimEnd());
  writeFileSync(path, `${lines.join('\n')}\n${fuzzer.script(data, finding)}`);
  return path;
}
