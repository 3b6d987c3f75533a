import { type Body, NO_PIECE, type Vec3, type World } from 'pliant';

/** A piece lighter than this share of the body is a splinter. */
const SPLINTER = 0.02;

/** Shares of the mass: of the pieces above 2 %, the largest first, of all splinters, and of particles in no cluster. */
export function massShares(body: Body): { pieces: number[]; splinters: number; debris: number } {
  const { ofParticle, count } = body.pieces;
  const masses = new Float64Array(count);
  let debris = 0;
  for (let i = 0; i < body.particleCount; i++) {
    const share = body.positions[4 * i + 3] / body.mass;
    if (ofParticle[i] === NO_PIECE) debris += share;
    else masses[ofParticle[i]] += share;
  }
  const sorted = [...masses].sort((a, b) => b - a);
  const pieces = sorted.filter((mass) => mass >= SPLINTER);
  return { pieces, splinters: sorted.slice(pieces.length).reduce((a, b) => a + b, 0), debris };
}

/** Runs a world and collects its splits in their order, with places and normals. */
export function watchSplits(world: World, steps: number, each: (n: number) => void = () => {}) {
  const splits: { position: Vec3; normal: Vec3; time: number }[] = [];
  for (let n = 0; n < steps; n++) {
    world.step();
    for (const event of world.drainEvents())
      if (event.type === 'fracture')
        for (const { position, normal } of event.splits) splits.push({ position, normal, time: event.time });
    each(n);
  }
  return splits;
}
