/** Things of another world, which a world refuses; its snapshot it may take, if it happens to have things of the same numbers and kinds. A script prints this function. */
export async function makeForeign(World) {
  const world = await World.create({ backend: 'ts' });
  const body = world.addBody({ points: [0, 0, 0, 1, 0, 0, 0, 1, 0] });
  return {
    body,
    collider: world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -5 }),
    clamp: world.addClamp({ region: { type: 'sphere', centre: [0, 0, 0], radius: 0.1 } }),
    forceField: world.addForceField({ type: 'drag', rate: 1 }),
    pick: world.addPick({ body, particle: 0 }),
    snapshot: world.snapshot(),
  };
}
