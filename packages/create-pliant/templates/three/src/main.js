import { Grab, SoftBodyMesh } from '@pliant/three';
import { World } from 'pliant';
import * as THREE from 'three';

const canvas = document.getElementById('view');
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
renderer.shadowMap.enabled = true;
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xeef1f4);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(2, 1.6, 3.2);
camera.lookAt(0, 0.5, 0);
const sun = new THREE.DirectionalLight(0xffffff, 2.5);
sun.position.set(2, 4, 2);
sun.castShadow = true;
scene.add(sun, new THREE.HemisphereLight(0xffffff, 0x889099, 1.5));
const floor = new THREE.Mesh(new THREE.CircleGeometry(4, 64), new THREE.MeshStandardMaterial({ color: 0xd5dae0 }));
floor.rotation.x = -Math.PI / 2;
floor.receiveShadow = true;
scene.add(floor);

const world = await World.create();
world.addCollider({ type: 'plane', normal: [0, 1, 0] });

// Any closed mesh will do, also one of a glTF file.
const box = new THREE.Mesh(
  new THREE.BoxGeometry(0.8, 0.8, 0.8),
  new THREE.MeshStandardMaterial({ color: 0xd6684a, roughness: 0.4 }),
);
box.position.y = 1.5;
const cube = SoftBodyMesh.from(world, box, 'jelly', { sampling: { count: 800 } });
cube.castShadow = true;
scene.add(cube);

// The pointer pulls at bodies.
new Grab(world, camera, canvas);

let last = performance.now();
renderer.setAnimationLoop((now) => {
  const { clientWidth, clientHeight } = canvas;
  renderer.setSize(clientWidth, clientHeight, false);
  camera.aspect = clientWidth / clientHeight;
  camera.updateProjectionMatrix();
  const { alpha } = world.advance((now - last) / 1000);
  last = now;
  cube.update(alpha);
  renderer.render(scene, camera);
});
