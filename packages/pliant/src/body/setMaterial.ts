import { checkNumber, refuse } from '../check.js';
import { clearLevels } from '../levels/flow.js';
import { LawState, YOUNG_RANGE } from '../material/elasticLaw.js';
import { evaluateField } from '../material/field.js';
import { type MaterialOptions, resolveMaterial } from '../material/material.js';
import { STIFFNESS_RANGE } from '../material/raw.js';
import { setSoftness } from '../material/softness.js';
import { canBreak, setClusterToughness } from '../material/toughness.js';
import { canYield, clearFlow, setClusterYield } from '../material/yield.js';
import { checkAlive } from './access.js';
import type { Body } from './body.js';
import { checkLasting } from './levels.js';

/** Changes material settings of a body; settings that are not given stay. */
export function setMaterial(body: Body, options: MaterialOptions): void {
  checkAlive(body);
  const { core, rows } = body;
  if (typeof options !== 'object' || options === null) refuse('material', options, 'an object');
  for (const key of ['density', 'mass', 'particleMass'] as const)
    if (options[key] !== undefined)
      refuse(`material.${key}`, options[key], 'nothing: masses are fixed once a body is built');
  for (const key of ['stiffness', 'damping'] as const)
    if (options.raw?.[key] !== undefined && core.levelStrengths?.[key] !== undefined)
      refuse(`material.raw.${key}`, options.raw[key], `nothing while levels.${key} gives it for each level`);
  const next = resolveMaterial('material', options, core.current);
  const { views } = core.state;
  const { particleStart, clusterStart, clusterEnd } = rows;
  const fields = [
    ['raw.stiffness', options.raw?.stiffness, 'stiffness', STIFFNESS_RANGE],
    ['young', options.young, 'modulus', YOUNG_RANGE],
    ['yield', options.yield, 'yieldLimit', { min: 0 }],
    ['toughness', options.toughness, 'toughness', { min: 0 }],
  ] as const;
  const paint =
    core.fromVertices && ((painted: ArrayLike<number>, name: string) => paintParticles(body, painted, name));
  const values = fields.map(([key, field, , range]) =>
    field === undefined ? undefined : evaluateField(`material.${key}`, field, body.restPositions, range, paint),
  );
  if (core.ownLevels)
    fields.forEach(([key, field], k) => {
      if ((key === 'yield' || key === 'toughness') && values[k]) checkLasting(`material.${key}`, field, values[k]);
    });
  const young = values[1] && setModulus(body, values[1]);
  fields.forEach(([, , array], k) => {
    if (values[k] && array !== 'modulus') views[array].set(values[k], particleStart);
  });
  setClusterYield(views, rows);
  core.ductile = canYield(views, rows);
  setClusterToughness(views, rows);
  core.brittle = canBreak(views, rows);
  for (let c = clusterStart; c < clusterEnd; c++) views.limit[c] = next.limit.gamma * views.width[c];
  setSoftness(views, rows, next);
  core.state.revision++;
  core.current = young === undefined || !next.law ? next : { ...next, law: { ...next.law, young } };
  core.law = core.current.law && new LawState(core.current.law);
  body.wake();
}

/** Writes E/ρ of the particles, and returns the mean of E (Pa). A particle keeps the density that it was built with. */
function setModulus({ core, rows: { particleStart } }: Body, young: Float64Array): number {
  const { modulus, builtVolume, builtMass } = core.state.views;
  let sum = 0;
  for (let i = 0; i < young.length; i++) {
    const row = particleStart + i;
    modulus[row] = (young[i] * builtVolume[row]) / builtMass[row];
    sum += young[i];
  }
  return sum / young.length;
}

/**
 * Values painted on the vertices of a body's mesh, interpolated to its particles. Copies have the values of their
 * originals.
 */
function paintParticles({ core, rows }: Body, values: ArrayLike<number>, name: string): Float64Array {
  const built = core.fromVertices!(values, name);
  const { ancestor } = core.state.views;
  const { particleStart, particleEnd } = rows;
  return Float64Array.from(ancestor.subarray(particleStart, particleEnd), (i) => built[i]);
}

/** Multiplies the toughness of each cluster of a body by a factor. */
export function scaleToughness(body: Body, factors: ArrayLike<number>): void {
  checkAlive(body);
  const { core, rows, clusterCount } = body;
  if (factors?.length !== clusterCount) refuse('factors', factors?.length, `${clusterCount} numbers`);
  for (let c = 0; c < factors.length; c++) checkNumber(`factors[${c}]`, factors[c], { min: 1e-6, max: 1e6 });
  core.state.views.toughnessFactor.set(Array.from(factors), rows.clusterStart);
  setClusterToughness(core.state.views, rows);
  core.state.revision++;
  core.brittle = canBreak(core.state.views, rows);
  body.wake();
}

/** Restores the rest shapes that the clusters of a body were made with. */
export function resetPlasticity(body: Body): void {
  const { core, rows } = body;
  body.wake();
  clearFlow(core.state.views, rows);
  clearLevels(core.state.views, rows, body.restPositions);
  core.state.revision++;
  core.history.forgetFlow();
}
