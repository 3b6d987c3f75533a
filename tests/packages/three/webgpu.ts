import { DebugDraw, SoftBodyInstances, SoftBodyMesh } from '@pliant/three';
import { World } from 'pliant';
import { Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, SphereGeometry, WebGPURenderer } from 'three/webgpu';

const renderer = new WebGPURenderer({
  canvas: document.querySelector('canvas')!,
  forceWebGL: location.search === '?webgl',
});
await renderer.init();
const camera = new PerspectiveCamera(50, 480 / 360);
camera.position.set(0, 1, 5);
const world = await World.create();
world.addCollider({ type: 'plane', normal: [0, 1, 0] });
const ball = new Mesh(new SphereGeometry(0.5).translate(-0.8, 1.2, 0), new MeshBasicMaterial({ color: 0xff2020 }));
const mesh = SoftBodyMesh.from(world, ball, 'jelly', {
  sampling: { count: 300 },
  inner: new MeshBasicMaterial({ color: 0x20ff20 }),
});
const bricks = [0, 1, 2].map((n) =>
  world.addBody({
    shape: { type: 'box', size: [0.6, 0.3, 0.3] },
    sampling: { method: 'grid', count: 64 },
    material: { young: 1e6, density: 200 },
    position: [0.8, 0.2 + 0.35 * n, 0],
  }),
);
const wall = new SoftBodyInstances(bricks, { outer: new MeshBasicMaterial({ color: 0x2020ff }), tolerance: 0.05 });
const debug = new DebugDraw(world, { colliders: false });
const scene = new Scene().add(mesh, wall, debug);
const parts = [mesh];
renderer.setAnimationLoop(() => {
  const { alpha } = world.advance(1 / 60);
  for (const part of parts) part.update(alpha);
  wall.update(alpha);
  debug.update();
  renderer.render(scene, camera);
});
const cut = () => {
  const { bodies } = world.cut(mesh.body, { point: mesh.body.centreOfMass, normal: [1, 0, 0.6] });
  parts.push(new SoftBodyMesh(bodies[1], { source: mesh.source, outer: mesh.material[0], inner: mesh.material[1] }));
  scene.add(parts[1]);
  return bodies.length;
};
Object.assign(globalThis, { page: { world, mesh, wall, cut, backend: renderer.backend.constructor.name } });
