import type { Body } from './body/body.js';
import { collide } from './collide/collide.js';
import { drive, steerLoosely } from './drive/drive.js';
import { type IntegrateParameters, Match } from './kernels/kernels.js';
import { quarantine } from './quarantine.js';
import type { World } from './world.js';

/**
 * One time step. Positions at its start are xOld; every stage reads what the one before it wrote.
 *
 *   drive      clamps let go or set the velocity of what they hold
 *   match      every cluster fits a rotation and a centre to its particles
 *   integrate  particles blend their clusters' goals; v and x advance
 *   limit      particles farther than γ·width from a goal are drawn back, n sweeps
 *   settle     v = (x − xOld)/h
 *   collide    planes, spheres, cylinders
 */
export function step(world: World): void {
  const { kernels, profile, dt } = world;
  const { bodies } = world;
  profile.begin();

  quarantine(world);
  drive(world);
  profile.mark('drive');

  for (const body of bodies)
    if (body.enabled) kernels.matchClusters(body.rows.clusterStart, body.rows.clusterEnd, matchMode(body));
  profile.mark('match');

  steerLoosely(world);
  for (const body of bodies) if (body.enabled) integrate(world, body);
  profile.mark('integrate');

  for (const body of bodies) if (body.enabled) limit(world, body);
  profile.mark('limit');

  for (const body of bodies)
    if (body.enabled) kernels.settleParticles(body.rows.particleStart, body.rows.particleEnd, dt);
  profile.mark('settle');

  collide(world);
  quarantine(world);
  profile.mark('collide');
}

/** What the first fit of a step must bring for this body. */
function matchMode({ material: { rotation, inversion, damping, dampingMode, limit } }: Body): number {
  return (
    (rotation === 'covariance' ? Match.COVARIANCE : 0) |
    (inversion === 'mirror' ? Match.REFLECT : 0) |
    (damping > 0 ? (dampingMode === 'rigid' ? Match.RIGID_MOTION : Match.LINEAR_MOTION) : 0) |
    (limit.iterations > 0 && limit.mode === 'conserving' ? Match.INERTIA : 0)
  );
}

/** Filled in for one body after the other: a step allocates nothing. */
const parameters = { rigid: false, forces: false } as IntegrateParameters;

function integrate({ kernels, state, dt, gravity, maxSpeed }: World, body: Body): void {
  const { particleStart, particleEnd } = body.rows;
  parameters.h = dt;
  parameters.gravityX = gravity[0];
  parameters.gravityY = gravity[1];
  parameters.gravityZ = gravity[2];
  parameters.damping = body.material.damping;
  parameters.rigid = body.material.dampingMode === 'rigid';
  parameters.maxSpeed = maxSpeed;
  parameters.forces = body.hasForces;
  kernels.integrateParticles(particleStart, particleEnd, parameters);
  if (body.hasForces) state.views.force.fill(0, 4 * particleStart, 4 * particleEnd);
  body.hasForces = false;
}

/**
 * Share of a body's memberships beyond the limit above which sweeps look at every particle. Finding those concerned first
 * costs half a sweep, and saves most of one while they are few: usually none, or some per cent in a tear or under a blow.
 */
const DENSE = 0.15;

/** SPEC M8. A sweep concerns only clusters in which the one before moved something, and ends it all if nothing is left. */
function limit({ kernels, state }: World, { rows, material }: Body): void {
  const { clusterStart, clusterEnd, particleStart, particleEnd } = rows;
  const { memberStart } = state.views;
  const { mode, iterations, omega } = material.limit;
  const conserving = mode === 'conserving';
  const rotation = material.rotation === 'covariance' ? Match.COVARIANCE : 0;
  const many = DENSE * (memberStart[clusterEnd] - memberStart[clusterStart]);
  let dense = false;
  for (let sweep = 0; sweep < iterations; sweep++) {
    kernels.matchClusters(clusterStart, clusterEnd, rotation | (sweep > 0 ? Match.MOVED_ONLY : 0));
    if (conserving || !dense) {
      const asking = kernels.limitClusters(clusterStart, clusterEnd, conserving);
      if (asking === 0) break;
      dense = asking > many;
    }
    if (kernels.limitParticles(particleStart, particleEnd, omega, conserving, dense) === 0) break;
  }
}
