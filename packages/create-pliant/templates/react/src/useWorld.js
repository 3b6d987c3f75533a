import { World } from 'pliant';
import { useEffect, useState } from 'react';

/** A world with a floor, which goes with the component. Undefined until it is there. */
export function useWorld() {
  const [world, setWorld] = useState();
  useEffect(() => {
    let made;
    let left = false;
    World.create().then((created) => {
      if (left) return created.dispose();
      made = created;
      made.addCollider({ type: 'plane', normal: [0, 1, 0] });
      setWorld(made);
    });
    return () => {
      left = true;
      setWorld(undefined);
      made?.dispose();
    };
  }, []);
  return world;
}
