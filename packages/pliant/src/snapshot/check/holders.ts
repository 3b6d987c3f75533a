import { PliantError, refuse } from '../../check.js';
import type { ClampRecord } from '../../external/clamp.js';
import { checkBelow } from '../format/schema.js';
import type { Snapshot } from '../snapshot.js';
import { isClampRecord } from './records.js';

/** Checks that clamps, picks, contact pairs and force fields refer to existing bodies and particles. */
export function checkHolders({ bodies, pairs, actors, forceFields, picks }: Snapshot): void {
  const particles = new Map(bodies.map(({ handle, rows }) => [handle, rows.particleEnd - rows.particleStart]));
  const bodyOf = (path: string, handle: number): number =>
    particles.get(handle) ?? refuse(path, handle, 'the handle of a body of the snapshot');

  for (const [name, things] of Object.entries({ actors, forceFields, picks })) {
    const seen = new Set<number>();
    things.forEach(({ id }, k) => {
      if (seen.has(id)) refuse(`snapshot.${name}[${k}].id`, id, 'a number that no other has');
      seen.add(id);
    });
  }

  const met = new Set<string>();
  pairs.forEach(({ a, b }, k) => {
    const path = `snapshot.pairs[${k}]`;
    bodyOf(`${path}.a`, a);
    bodyOf(`${path}.b`, b);
    if (a === b || met.has(`${a} ${b}`)) refuse(`${path}.b`, b, 'another body, each pair once');
    met.add(`${a} ${b}`);
  });

  actors.forEach((actor, k) => {
    if (!isClampRecord(actor)) return;
    const held = new Set<number>();
    (actor as unknown as ClampRecord).grips.forEach(({ body, particles, anchors }, n) => {
      const path = `snapshot.actors[${k}].grips[${n}]`;
      checkHeld(path, particles, bodyOf(`${path}.body`, body));
      if (held.has(body)) refuse(`${path}.body`, body, 'a body that it does not hold already');
      held.add(body);
      if (anchors.length !== 3 * particles.length)
        throw new PliantError(
          `${path}.anchors`,
          `${path}.anchors has ${anchors.length} numbers; expected ${3 * particles.length}.`,
        );
    });
  });

  forceFields.forEach(({ bodies: some }, k) => {
    some?.forEach((handle, n) => {
      bodyOf(`snapshot.forceFields[${k}].bodies[${n}]`, handle);
    });
  });

  picks.forEach(({ body, particles, pickWeights }, k) => {
    const path = `snapshot.picks[${k}]`;
    checkHeld(path, particles, bodyOf(`${path}.body`, body));
    if (pickWeights.length !== particles.length)
      throw new PliantError(
        `${path}.pickWeights`,
        `${path}.pickWeights has ${pickWeights.length} numbers; expected ${particles.length}.`,
      );
    for (let n = 0; n < pickWeights.length; n++)
      if (!(pickWeights[n] > 0 && pickWeights[n] <= 1))
        refuse(`${path}.pickWeights[${n}]`, pickWeights[n], 'a number in (0, 1]');
  });
}

/** Checks the held particles of a body: at least one, none twice. */
function checkHeld(path: string, particles: Uint32Array, count: number): void {
  if (particles.length === 0) refuse(`${path}.particles`, particles, 'at least one particle');
  checkBelow(`${path}.particles`, particles, count);
  if (new Set(particles).size !== particles.length) refuse(`${path}.particles`, particles, 'no particle twice');
}
