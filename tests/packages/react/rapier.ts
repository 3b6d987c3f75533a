import RAPIER from '@dimforge/rapier3d-compat';
import { RapierCoupling } from '@pliant/rigid/rapier';
import { SoftBodyMesh } from '@pliant/three';
import { World } from 'pliant';
import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, SphereGeometry, WebGLRenderer } from 'three';

await RAPIER.init();
const renderer = new WebGLRenderer({ canvas: document.querySelector('canvas')! });
const camera = new PerspectiveCamera(50, 480 / 360);
camera.position.set(0, 1, 3);
const world = await World.create();
world.addCollider({ type: 'plane', normal: [0, 1, 0] });
const rapier = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
const coupling = new RapierCoupling(world, rapier);
const bed = SoftBodyMesh.from(
  world,
  new Mesh(new BoxGeometry(1.2, 0.4, 1.2).translate(0, 0.2, 0), new MeshBasicMaterial({ color: 0x2020ff })),
  { density: 100, young: 2e4, dampingRatio: 0.6 },
  { sampling: { method: 'grid', count: 400 } },
);
const body = rapier.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 1, 0));
rapier.createCollider(RAPIER.ColliderDesc.ball(0.2).setMass(15), body);
coupling.addBody(body);
const ball = new Mesh(new SphereGeometry(0.2), new MeshBasicMaterial({ color: 0xff2020 }));
const scene = new Scene().add(bed, ball);
renderer.setAnimationLoop(() => {
  bed.update(coupling.advance(1 / 60).alpha);
  const { x, y, z } = body.translation();
  ball.position.set(x, y, z);
  renderer.render(scene, camera);
});
Object.assign(globalThis, { page: { world, body, coupling } });
