/**
 * Sag (m) of a beam of 2 × 0.5 × 0.5 m at a gravity of 0.5 m/s², held at one end. The beam is stopped whenever it begins to slow down, until
 * stopping changes nothing `still` times in a row. `World` is the class to use: the built one, or that of the sources.
 */
export async function sag(World, particles, levels, { steps = 1500, still = 10 } = {}) {
  const world = await World.create({ threads: 1, dt: 1 / 200, gravity: [0, -0.5, 0], sleepSpeed: 0 });
  const body = world.addBody({
    shape: { type: 'box', size: [2, 0.5, 0.5] },
    sampling: { count: particles },
    // Clusters of 15 particles reach 2.4 spacings of a cubic grid: enough for them to overlap.
    clustering: { count: Math.floor(particles / 15), radius: 2.4 * Math.cbrt(0.5 / particles) },
    levels,
    contact: { mode: 'none' },
    material: { raw: { stiffness: 0.9, damping: 0, rotation: 'covariance' } },
  });
  world.addClamp({ region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.8 } });
  let [energy, last, unchanged] = [0, 0, 0];
  for (let n = 0; n < steps && unchanged < still; n++) {
    world.step();
    const now = world.measure().kineticEnergy;
    if (now < energy) {
      body.velocities.fill(0);
      const sunk = tipOf(body);
      unchanged = Math.abs(sunk - last) < 2e-3 * sunk ? unchanged + 1 : 0;
      last = sunk;
    }
    energy = now < energy ? 0 : now;
  }
  const found = tipOf(body);
  world.dispose();
  return found;
}

/** How far the free end has sunk (m). */
function tipOf({ restPositions: rest, positions, particleCount }) {
  let [sum, count] = [0, 0];
  for (let i = 0; i < particleCount; i++)
    if (rest[3 * i] > 0.85) {
      sum += rest[3 * i + 1] - positions[4 * i + 1];
      count++;
    }
  return sum / count;
}
