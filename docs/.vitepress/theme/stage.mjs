import * as THREE from 'three';

const COLOURS = [0xd6684a, 0x4a86ba, 0x78a45c, 0xdeaa4e, 0x9670b2, 0x5ca69e];

/** Draws a world of an example: bodies by their skins, obstacles as grey solids. The pointer grabs bodies. */
export class Stage {
  #canvas;
  #world;
  #meshes = new Map();
  #running = true;
  #pick;

  constructor(canvas) {
    this.#canvas = canvas;
  }

  /** Shows the world from now on. `each` is called before every step; `look` and `from` place the camera. */
  show(world, { each = () => {}, from = [2.2, 1.6, 3.4], look = [0, 0.6, 0] } = {}) {
    this.#world = world;
    const canvas = this.#canvas;
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    renderer.setSize(canvas.clientWidth, canvas.clientHeight, false);
    renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    renderer.shadowMap.enabled = true;
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0xeef1f4);
    const camera = new THREE.PerspectiveCamera(40, canvas.clientWidth / canvas.clientHeight, 0.05, 100);
    camera.position.set(...from);
    camera.lookAt(...look);
    const sun = new THREE.DirectionalLight(0xffffff, 2.4);
    sun.position.set(2, 5, 2);
    sun.castShadow = true;
    scene.add(new THREE.HemisphereLight(0xffffff, 0x889099, 1.6), sun);
    for (const collider of world.colliders) scene.add(this.#obstacle(collider));
    this.#grab(camera);
    let last = performance.now();
    renderer.setAnimationLoop((now) => {
      if (!this.#running) {
        renderer.setAnimationLoop(null);
        renderer.dispose();
        world.dispose();
        return;
      }
      const seconds = Math.min(0.1, (now - last) / 1000);
      last = now;
      each(world);
      world.advance(seconds, 2);
      for (const body of world.bodies) this.#draw(body, scene);
      for (const [body, mesh] of this.#meshes) if (!body.alive) scene.remove(mesh);
      renderer.render(scene, camera);
      canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
    });
  }

  stop() {
    this.#running = false;
  }

  #draw(body, scene) {
    const skin = body.getSkin();
    skin.update();
    let mesh = this.#meshes.get(body);
    if (!mesh) {
      const colour = new THREE.Color(COLOURS[this.#meshes.size % COLOURS.length]);
      const outer = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.55 });
      const inner = new THREE.MeshStandardMaterial({ color: colour.clone().multiplyScalar(0.6), roughness: 0.9 });
      mesh = new THREE.Mesh(new THREE.BufferGeometry(), [outer, inner]);
      mesh.castShadow = true;
      mesh.frustumCulled = false;
      this.#meshes.set(body, mesh);
      scene.add(mesh);
    }
    if (mesh.userData.version !== skin.version) {
      mesh.geometry.dispose();
      mesh.geometry = new THREE.BufferGeometry()
        .setIndex(new THREE.BufferAttribute(skin.indices, 1))
        .setAttribute('position', new THREE.BufferAttribute(skin.positions, 3))
        .setAttribute('normal', new THREE.BufferAttribute(skin.normals, 3));
      for (const { start, count, kind } of skin.groups) mesh.geometry.addGroup(start, count, kind === 'inner' ? 1 : 0);
      mesh.userData.version = skin.version;
    }
    mesh.geometry.attributes.position.needsUpdate = true;
    mesh.geometry.attributes.normal.needsUpdate = true;
  }

  #obstacle({ type, direction, position, radius, shape }) {
    const material = new THREE.MeshStandardMaterial({ color: 0xc8ced6, roughness: 1 });
    const geometry =
      type === 'plane'
        ? new THREE.PlaneGeometry(12, 12)
        : type === 'box'
          ? new THREE.BoxGeometry(...shape.size)
          : type === 'capsule'
            ? new THREE.CapsuleGeometry(radius, 2 * shape.half)
            : type === 'cylinder'
              ? new THREE.CylinderGeometry(radius, radius, 6)
              : // A little smaller: the flat triangles of a sheet on a ball lie below its surface.
                new THREE.SphereGeometry(0.985 * radius, 48, 32);
    const mesh = new THREE.Mesh(geometry, material);
    mesh.position.set(...position);
    const own = type === 'plane' ? [0, 0, 1] : [0, 1, 0];
    if (type !== 'box') mesh.quaternion.setFromUnitVectors(new THREE.Vector3(...own), new THREE.Vector3(...direction));
    mesh.receiveShadow = true;
    return mesh;
  }

  /** A pointer that is pressed on a body pulls it. */
  #grab(camera) {
    const canvas = this.#canvas;
    const ray = (event) => {
      const box = canvas.getBoundingClientRect();
      const point = new THREE.Vector3(
        (2 * (event.clientX - box.left)) / box.width - 1,
        1 - (2 * (event.clientY - box.top)) / box.height,
        0.5,
      ).unproject(camera);
      return { origin: camera.position.toArray(), direction: point.sub(camera.position).normalize().toArray() };
    };
    canvas.onpointerdown = (event) => {
      const { origin, direction } = ray(event);
      const hit = this.#world.castRay(origin, direction);
      if (!hit?.body) return;
      canvas.setPointerCapture(event.pointerId);
      this.#pick = { pick: this.#world.addPick({ body: hit.body, point: hit.point }), distance: hit.distance };
    };
    canvas.onpointermove = (event) => {
      if (!this.#pick) return;
      const { origin, direction } = ray(event);
      this.#pick.pick.moveTo(origin.map((value, a) => value + this.#pick.distance * direction[a]));
    };
    canvas.onpointerup = () => {
      if (this.#pick?.pick.body.alive) this.#world.removePick(this.#pick.pick);
      this.#pick = undefined;
    };
  }
}
