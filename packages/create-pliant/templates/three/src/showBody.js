import { BufferAttribute, BufferGeometry, Mesh } from 'three';

/** Adds a mesh that shows a body. Call the function that it returns once a frame, after the steps. */
export function showBody(body, scene, material) {
  const skin = body.getSkin();
  const mesh = new Mesh(new BufferGeometry(), material);
  mesh.castShadow = true;
  mesh.frustumCulled = false;
  scene.add(mesh);
  let version = -1;
  return () => {
    skin.update();
    // The arrays are new ones after the body broke or was cut.
    if (version !== skin.version) {
      version = skin.version;
      mesh.geometry.dispose();
      mesh.geometry = new BufferGeometry()
        .setIndex(new BufferAttribute(skin.indices, 1))
        .setAttribute('position', new BufferAttribute(skin.positions, 3))
        .setAttribute('normal', new BufferAttribute(skin.normals, 3));
    }
    mesh.geometry.attributes.position.needsUpdate = true;
    mesh.geometry.attributes.normal.needsUpdate = true;
  };
}
