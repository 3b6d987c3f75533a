import { codeOf } from './calls.mjs';
import { makeForeign } from './foreign.mjs';
import { print } from './print.mjs';

/** A script that makes the same calls, and says after each whether all is sound. It needs the built engine and nothing else. */
export function printWorldScript(calls, finding) {
  const lines = calls.map((call) => {
    if (call[0] === 'create') return `let world = await World.create(${print(call[1] ?? {})});`;
    if (call[0] === 'step') return `for (let k = 0; k < ${print(call[1])}; k++) attempt(() => world.step());`;
    if (call[0] === 'addBodyAsync') return `await ${codeOf(call)}.catch((error) => console.log(error.message));`;
    return `attempt(() => (${codeOf(call)}));`;
  });
  const text = lines.join('\n');
  const used = Object.entries(HELPERS).filter(([name]) => new RegExp(`\\b${name}\\(`).test(text));
  return `${HEAD}
${used.map(([, code]) => code).join('\n')}
${text}
console.log('validate:', world.validate());
`.replace('/* shown */', finding.kind === 'hang' ? 'console.log(String(act).slice(6, 200));' : '');
}

const HEAD = `const pliant = await import(process.env.PLIANT ?? \`\${process.cwd()}/packages/pliant/dist/index.js\`);
const { World, PliantError } = pliant;
const snapshots = [];
function attempt(act) {
  /* shown */
  try {
    act();
  } catch (error) {
    // A function below may throw what it likes.
    if (!(error instanceof PliantError || error.message === 'mine')) throw error;
    console.log(error.message === 'mine' ? 'thrown:' : 'refused:', error.message);
  }
}`;

const HELPERS = {
  body: 'const body = (n) => world.bodies[n % world.bodies.length];',
  gone: 'const gone = () => { const body = world.addBody({ points: [9, 9, 9] }); world.removeBody(body); return body; };',
  handle: 'const handle = (n) => world.bodies[n % world.bodies.length].handle;',
  collider: 'const collider = (n) => world.colliders[n % world.colliders.length];',
  clamp: 'const clamp = (n) => world.clamps[n % world.clamps.length];',
  forceField: 'const forceField = (n) => world.forceFields[n % world.forceFields.length];',
  pick: 'const pick = (n) => world.picks[n % world.picks.length];',
  snapshot: 'const snapshot = (n) => snapshots[n % snapshots.length];',
  particle: 'const particle = (n) => n % world.bodies[0].particleCount;',
  middle: 'const middle = (body) => world.measure(body).com;',
  foreign: `${makeForeign}
const other = await makeForeign(World);
const foreign = (kind) => other[kind];`,
};
