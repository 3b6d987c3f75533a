import { SoftBodyMesh } from '@pliant/three';
import { World } from 'pliant';
import { BoxGeometry, Mesh, MeshNormalMaterial, PerspectiveCamera, Scene, WebGLRenderer } from 'three';

const renderer = new WebGLRenderer({ canvas: document.querySelector('canvas')! });
const camera = new PerspectiveCamera(50, renderer.domElement.width / renderer.domElement.height);
camera.position.set(0, 1, 5);
const world = await World.create();
world.addCollider({ type: 'plane', normal: [0, 1, 0] });
const box = new Mesh(new BoxGeometry().translate(0, 1.5, 0), new MeshNormalMaterial());
const cube = SoftBodyMesh.from(world, box, 'jelly');
const scene = new Scene().add(cube);
renderer.setAnimationLoop(() => {
  cube.update(world.advance(1 / 60).alpha);
  renderer.render(scene, camera);
});
