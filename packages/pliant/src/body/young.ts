import { substepsFor } from '../material/elasticLaw.js';
import { checkAlive } from './access.js';
import type { Body } from './body.js';

/** Share of the modulus asked for below which a body reports that it is softer. */
const NOTICEABLE = 0.95;

/** Length of the shortest substep that the world allows (s). */
function shortestSubstep({ core: { state } }: Body): number {
  const { dt, substeps, maxSubsteps } = state.world!;
  return dt / (substeps === 'auto' ? maxSubsteps : substeps);
}

/** Mean of the modulus asked for (Pa). That of a part is taken over its own particles; copies count as the share of their ancestor that they are. */
function askedYoung({ core: { law, state, isPart }, rows: { particleStart, particleEnd } }: Body): number {
  if (!isPart) return law!.law.young;
  const { modulus, builtMass, builtVolume, x } = state.views;
  let [sum, volume] = [0, 0];
  for (let i = particleStart; i < particleEnd; i++) {
    sum += x[4 * i + 3] * modulus[i];
    volume += (x[4 * i + 3] / builtMass[i]) * builtVolume[i];
  }
  return volume > 0 ? sum / volume : law!.law.young;
}

export function maxYoungOf(body: Body): number | undefined {
  checkAlive(body);
  const { law, state } = body.core;
  if (!law) return undefined;
  law.look({ state }, body);
  if (isAllButRigid(body)) return Number.POSITIVE_INFINITY;
  const h = shortestSubstep(body);
  return law.stiffest > 0 ? askedYoung(body) / (law.stiffest * h * h) : Number.POSITIVE_INFINITY;
}

export function youngOf(body: Body): number | undefined {
  checkAlive(body);
  if (!body.core.law) return undefined;
  return askedYoung(body) * (isAllButRigid(body) ? 1 : reachedShare(body));
}

/** The share of its modulus that a body with an elastic law reaches in the shortest substep. */
function reachedShare(body: Body): number {
  const { law, state } = body.core;
  law!.look({ state }, body);
  return law!.reachedAt(state.views, body.rows, shortestSubstep(body));
}

/** Whether the body is moved as a rigid one, unless some of its particles are held. */
function isAllButRigid(body: Body): boolean {
  const { law, state, yields, breaks, levelCount } = body.core;
  if (!law || body.clusterCount !== 1 || yields || breaks || levelCount !== 1) return false;
  law.look({ state }, body);
  return law.isBeyond(shortestSubstep(body));
}

/** A warning for a body that is noticeably softer than its material asks for, with remedies. */
export function softerThanAsked(body: Body): string[] {
  const { law, state } = body.core;
  if (!law || body.core.removed || !state.world) return [];
  const asked = askedYoung(body);
  if (isAllButRigid(body)) {
    const reached = asked * reachedShare(body);
    return [
      `body.material.young is ${asked.toPrecision(3)} Pa, and one cluster over the whole body reaches ${reached.toPrecision(3)} Pa in substeps of ${shortestSubstep(body).toPrecision(3)} s: the body is rigid.`,
    ];
  }
  const young = youngOf(body)!;
  if (young >= NOTICEABLE * asked) return [];
  law.look({ state }, body);
  const { dt } = state.world;
  const wanted = substepsFor(law.stiffest, dt);
  const wider = (shortestSubstep(body) * wanted) / dt;
  return [
    `body.material.young is ${asked.toPrecision(3)} Pa, of which ${young.toPrecision(3)} Pa are reached: it takes ${wanted} substeps of ${dt} s, world.${state.world.substeps === 'auto' ? `maxSubsteps is ${state.world.maxSubsteps}` : `substeps is ${state.world.substeps}`}. More substeps help, and so do clusters ${wider.toFixed(1)} times as wide.`,
  ];
}
