// Rapier's cube: its own generator of cuboids filled with tetrahedra.
import { EDGE, MASS } from './cube.mjs';
import { FALL, RATE } from './drop.mjs';
import { versionOf } from './versions.mjs';

export async function loadRapier() {
  const { default: rapier } = await import('@dimforge/rapier3d-compat');
  await rapier.init();
  const { ColliderDesc, SoftBodyCellModel, SoftBodyDesc, SoftBodyMaterial, World } = rapier;
  return {
    name: 'Rapier',
    version: versionOf('@dimforge/rapier3d-compat'),
    made: 'its generator of cuboids; by default edges and volumes as springs of 30 Hz, with Young’s modulus corotational tetrahedra (damping ratio 0.1) by its solver of constraints; contact with itself is off, as by default; particles are half a spacing thick',
    create({ n, lifts = [0], young }) {
      const world = new World({ x: 0, y: -9.81, z: 0 });
      world.timestep = 1 / RATE;
      world.createCollider(ColliderDesc.cuboid(10, 1, 10).setTranslation(0, -1, 0).setFriction(0.5));
      // Particles are half a spacing thick and touch by that.
      const radius = EDGE / (n - 1) / 2;
      const half = EDGE / 2;
      const bodies = lifts.map((lift) => {
        const centre = { x: 0, y: half + radius + FALL + lift, z: 0 };
        const desc = SoftBodyDesc.cuboid(centre, { x: half, y: half, z: half }, n, n, n).setMass(MASS);
        desc.setSurfaceCollider(ColliderDesc.ball(radius).setFriction(0.5));
        if (young !== undefined) {
          const material = new SoftBodyMaterial();
          Object.assign(material, { youngModulus: young, poissonRatio: 0.3, elasticDampingRatio: 0.1 });
          desc.setMaterial(material).setCellModel(SoftBodyCellModel.Corotational);
        }
        return world.createSoftBody(desc);
      });
      const [body] = bodies;
      if (Math.abs(body.particleRadius() - radius) > 1e-4 * radius)
        throw new Error(`Rapier's particles have a radius of ${body.particleRadius()} m; expected ${radius}`);
      const target = { x: 0, y: 0, z: 0 };
      return {
        count: body.numParticles(),
        mass: body.mass(),
        parts: { edges: body.numEdges(), tetrahedra: body.numCells() },
        step: () => world.step(),
        y: (i, which = 0) => bodies[which].particlePosition(i, target).y,
        dispose: () => world.free(),
      };
    },
  };
}
