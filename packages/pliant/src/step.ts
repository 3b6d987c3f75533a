import type { Body } from './body/body.js';
import { contact, endContact } from './contact/contact.js';
import { drive, pull, steerLoosely } from './external/drive.js';
import { beforeObstacles, meetFolds } from './folds/folds.js';
import { fracture } from './fracture/fracture.js';
import { levels } from './levels/levels.js';
import { dampBody } from './match/bodyDamping.js';
import { endForces, integrate } from './match/integrate.js';
import { applyLaw, match } from './match/match.js';
import { collide } from './obstacles/collide.js';
import { flow } from './plasticity/flow.js';
import { quarantine } from './quarantine.js';
import { recluster } from './recluster/recluster.js';
import { solveRigid } from './rigid/rigid.js';
import { fallAsleep, wakeNearColliders } from './sleep/sleep.js';
import { limit } from './strainLimit/limit.js';
import type { World } from './world.js';

/**
 * One substep of h seconds (world/time.ts divides a step into one or several). xOld holds the positions at its start.
 * Every stage reads the results of the stages before it.
 *
 *   external    force fields add up their forces; clamps let go or set the velocity of what they hold
 *   match       every cluster fits a rotation and a centre to its particles
 *   levels      coarser levels, if a body has any, are fitted from its clusters and blend their goals into theirs
 *   integrate   particles blend their clusters' goals; v and x advance; picks pull at what they hold
 *   strainLimit particles farther than γ·width from a goal are drawn back, n sweeps
 *   velocity    v = (x − xOld)/h
 *   fracture    clusters stretched beyond their toughness split, and their particles with them
 *   plasticity  clusters beyond their yield take on a new rest shape, for the next step
 *   recluster   clusters that have flowed too far give way to new ones
 *   contact     bodies against each other and themselves
 *   obstacles   bodies against obstacles; sheets and cords against themselves
 *   sleep       bodies that have come to rest are left alone until something wakes them
 */
export function step(world: World): void {
  const { bodies, kernels, profile, h } = world;
  wakeNearColliders(world);
  drive(world);
  profile.mark('external');

  for (const body of bodies) {
    if (body.active) applyLaw(world, body);
    // Goals pull at no particle of a rigid body, and its particles have no motion of their own to damp.
    if (isMatched(body) && !body.core.law) dampBody(world, body);
  }
  kernels.open();
  for (const body of bodies) if (isMatched(body)) match(world, body);
  kernels.close();
  for (const body of bodies) if (isMatched(body) && body.core.law) dampBody(world, body);
  profile.mark('match');

  for (const body of bodies) if (body.active) levels(world, body);
  profile.mark('levels');

  steerLoosely(world);
  kernels.open();
  for (const body of bodies) if (body.active) integrate(world, body);
  kernels.close();
  for (const body of bodies) if (body.active) endForces(world, body);
  pull(world);
  profile.mark('integrate');

  for (const body of bodies) if (body.active) limit(world, body);
  profile.mark('strainLimit');

  // Not for bodies with an elastic law, which have no strain limit: their v already is the displacement per time, to
  // more digits.
  kernels.open();
  for (const body of bodies)
    if (body.active && !body.core.law) kernels.updateVelocities(body.rows.particleStart, body.rows.particleEnd, h);
  kernels.close();
  profile.mark('velocity');

  for (const body of bodies) if (body.active) fracture(world, body);
  profile.mark('fracture');

  for (const body of bodies) if (body.active) flow(world, body);
  profile.mark('plasticity');

  if (world.core.substepsLeft === 1) for (const body of bodies) if (body.active) recluster(world, body);
  profile.mark('recluster');

  contact(world);
  profile.mark('contact');

  beforeObstacles(world);
  collide(world);
  meetFolds(world);
  solveRigid(world);
  endContact(world);
  quarantine(world);
  profile.mark('obstacles');

  fallAsleep(world);
  profile.mark('sleep');
}

const isMatched = ({ active, core }: Body) => active && !core.law?.rigid;
