import { useFrame } from '@react-three/fiber';
import { useEffect, useRef, useState } from 'react';
import { BufferAttribute, BufferGeometry } from 'three';

/** A body of the world, shown with the material that is its child. */
export function SoftBody({ world, options, children }) {
  const mesh = useRef();
  const [body, setBody] = useState();
  useEffect(() => {
    const made = world.addBody(options);
    setBody(made);
    return () => {
      if (made.alive) world.removeBody(made);
    };
  }, [world, options]);
  useFrame((_, seconds) => {
    if (!body?.alive || !mesh.current) return;
    world.advance(Math.min(0.1, seconds));
    const skin = body.getSkin();
    skin.update();
    const { geometry, userData } = mesh.current;
    // The arrays are new ones after the body broke or was cut.
    if (userData.version !== skin.version) {
      userData.version = skin.version;
      geometry.dispose();
      mesh.current.geometry = new BufferGeometry()
        .setIndex(new BufferAttribute(skin.indices, 1))
        .setAttribute('position', new BufferAttribute(skin.positions, 3))
        .setAttribute('normal', new BufferAttribute(skin.normals, 3));
    }
    mesh.current.geometry.attributes.position.needsUpdate = true;
    mesh.current.geometry.attributes.normal.needsUpdate = true;
  });
  return (
    <mesh ref={mesh} castShadow frustumCulled={false}>
      {children}
    </mesh>
  );
}
