import { Cutter, Grab, SoftBodyMesh, WorkerWorld } from '@pliant/three';
import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, WebGLRenderer } from 'three';

const renderer = new WebGLRenderer({ canvas: document.querySelector('canvas')! });
const camera = new PerspectiveCamera(50, 480 / 360);
camera.position.set(0, 1, 5);
const world = await WorkerWorld.create();
await world.addCollider({ type: 'plane', normal: [0, 1, 0] });
const box = new Mesh(new BoxGeometry().translate(0, 1.5, 0), new MeshBasicMaterial({ color: 0xff2020 }));
const inner = new MeshBasicMaterial({ color: 0x20ff20 });
const cube = await SoftBodyMesh.from(world, box, 'jelly', { sampling: { count: 300 }, inner });
const meshes: SoftBodyMesh[] = [cube];
const scene = new Scene().add(cube);
const grab = new Grab(world, camera, renderer.domElement);
const cutter = new Cutter(world, camera, renderer.domElement);
cutter.enabled = false;
scene.add(cutter.line);
cutter.addEventListener('cut', async ({ bodies }) => {
  for (const body of bodies) {
    if (meshes.some((mesh) => mesh.body === body) || !('show' in body)) continue;
    await body.show();
    const mesh = new SoftBodyMesh(body, { outer: box.material, inner });
    meshes.push(mesh);
    scene.add(mesh);
  }
});
renderer.setAnimationLoop(() => {
  const { alpha } = world.advance();
  for (const mesh of meshes) mesh.update(alpha);
  renderer.render(scene, camera);
});
Object.assign(globalThis, { page: { world, cube, meshes, grab, cutter } });
