// ammo.js's cube: nodes, a link for every edge of the tetrahedra, the tetrahedra, and the surface as faces.
import { random } from 'pliant';
import { EDGE, MASS, makeCube } from './cube.mjs';
import { FALL, RATE } from './drop.mjs';
import { versionOf } from './versions.mjs';

/** Distance (m) at which soft bodies touch; the engine's default is 0.25 m. */
const MARGIN = 0.05;
/** Nodes meet rigid bodies by their distance functions, and other soft bodies' nodes meet faces. */
const COLLISIONS = 0x11;

/** A list in an order of chance, the same each time. The engine's helpers for meshes offer that for links: in the order of the cube, layers of a fine one pass through each other. */
function shuffled(list) {
  const next = random(1);
  const result = [...list];
  for (let k = result.length - 1; k > 0; k--) {
    const other = Math.floor(next() * (k + 1));
    [result[k], result[other]] = [result[other], result[k]];
  }
  return result;
}

export async function loadAmmo() {
  const { default: init } = await import('ammojs-typed/wasm');
  const Ammo = await init();
  return {
    name: 'ammo.js',
    version: `by ammojs-typed ${versionOf('ammojs-typed')}`,
    made: 'nodes with a link for every edge of six tetrahedra a cell (stiffness 1, in an order of chance, as its helpers for meshes offer); without its tetrahedra it moves the same; touches other soft bodies by nodes and faces; set up without contact with itself and with a margin of 0.05 m',
    create({ n, lifts = [0], iterations }) {
      const vector = (x, y, z) => new Ammo.btVector3(x, y, z);
      const down = vector(0, -9.81, 0);
      const configuration = new Ammo.btSoftBodyRigidBodyCollisionConfiguration();
      const dispatcher = new Ammo.btCollisionDispatcher(configuration);
      const broadphase = new Ammo.btDbvtBroadphase();
      const solver = new Ammo.btSequentialImpulseConstraintSolver();
      const softSolver = new Ammo.btDefaultSoftBodySolver();
      const world = new Ammo.btSoftRigidDynamicsWorld(dispatcher, broadphase, solver, configuration, softSolver);
      world.setGravity(down);
      world.getWorldInfo().set_m_gravity(down);
      const up = vector(0, 1, 0);
      const plane = new Ammo.btStaticPlaneShape(up, 0);
      const still = new Ammo.btDefaultMotionState();
      const floorInfo = new Ammo.btRigidBodyConstructionInfo(0, still, plane, up);
      const floor = new Ammo.btRigidBody(floorInfo);
      floor.setFriction(0.5);
      world.addRigidBody(floor);

      const cube = makeCube(n);
      const bodies = lifts.map((lift) => {
        const at = vector(0, 0, 0);
        const body = new Ammo.btSoftBody(world.getWorldInfo(), 0, at, []);
        const material = body.get_m_materials().at(0);
        for (let i = 0; i < cube.count; i++) {
          const [x, y, z] = cube.positions.subarray(3 * i, 3 * i + 3);
          at.setValue(x, y + EDGE / 2 + MARGIN + FALL + lift, z);
          body.appendNode(at, MASS / cube.count);
        }
        for (const [a, b] of shuffled(cube.edges)) body.appendLink(a, b, material, false);
        for (const [a, b, c, d] of cube.tetrahedra) body.appendTetra(a, b, c, d, material);
        for (const [a, b, c] of cube.triangles) body.appendFace(a, b, c, material);
        Ammo.destroy(at);
        body.setTotalMass(MASS, false);
        body.get_m_cfg().set_piterations(iterations);
        body.get_m_cfg().set_collisions(COLLISIONS);
        Ammo.castObject(body, Ammo.btCollisionObject).getCollisionShape().setMargin(MARGIN);
        world.addSoftBody(body, 1, -1);
        return body;
      });
      const nodes = bodies.map((body) => body.get_m_nodes());
      return {
        count: nodes[0].size(),
        mass: bodies[0].getTotalMass(),
        parts: { links: cube.edges.length, tetrahedra: cube.tetrahedra.length },
        step: () => world.stepSimulation(1 / RATE, 1, 1 / RATE),
        y: (i, which = 0) => nodes[which].at(i).get_m_x().y(),
        dispose() {
          for (const body of bodies) {
            world.removeSoftBody(body);
            Ammo.destroy(body);
          }
          world.removeRigidBody(floor);
          const made = [floor, floorInfo, still, plane, up, down, world, softSolver, solver, broadphase, dispatcher];
          for (const object of [...made, configuration]) Ammo.destroy(object);
        },
      };
    },
  };
}
