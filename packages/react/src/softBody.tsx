import { addShared, type FromOptions, type MaterialName, materialOptions, SoftBodyMesh } from '@pliant/three';
import type { Body, BodyOptions, MaterialOptions } from 'pliant';
import { type ReactNode, type Ref, use, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { Group, Material, Object3D } from 'three';
import { type SoftScene, useScene } from './context.js';

/** Properties of a SoftBody. Its shape comes from `object`, from the meshes among its children, or from `shape`. */
export interface SoftBodyProps
  extends Omit<FromOptions, 'outer' | 'inner'>,
    Pick<BodyOptions, 'shape' | 'position' | 'rotation' | 'scale'> {
  /** A mesh with its material, which the body takes its shape and its look from. */
  children?: ReactNode;
  /** The same as an object, such as the scene of a loaded glTF file. */
  object?: Object3D;
  /** The body's material: a name of MATERIALS, such as "jelly" or "softRubber", or material options. May change; masses stay. */
  material?: MaterialName | MaterialOptions;
  /** Material of the outer surface. Default: the materials of the mesh. */
  outer?: Material | readonly Material[];
  /** Material of the faces that cuts and cracks lay open. Default: the outer material, darker. */
  inner?: Material;
  /** The mesh, once the body is built; its `body` is the engine's. */
  ref?: Ref<SoftBodyMesh<Body>>;
}

/**
 * A soft body. It suspends while the body is built, in a thread of its own: the nearest Suspense shows its fallback, and the page stays awake. Equal bodies of a SoftWorld are built once. Options of the body are those of the render after which it was built, but for `material`; give it another
 * `key` to build it anew.
 *
 * @example
 * <SoftBody material="softRubber" sampling={{ count: 2000 }}>
 *   <mesh position={[0, 2, 0]}>
 *     <icosahedronGeometry args={[0.5, 4]} />
 *     <meshStandardMaterial color="orange" />
 *   </mesh>
 * </SoftBody>
 */
export function SoftBody({ children, ref, ...props }: SoftBodyProps) {
  const scene = useScene('<SoftBody>');
  const source = useRef<Group>(null);
  const [building, setBuilding] = useState<Promise<SoftBodyMesh<Body>>>();
  const latest = useRef(props);
  latest.current = props;
  // The build begins after the first commit, so that its promise is kept in the state while a Suspense above shows its fallback. In strict mode the first of the two
  // runs of the effect is cancelled before it has built anything.
  useEffect(() => {
    let mesh: SoftBodyMesh<Body> | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const remove = (gone: SoftBodyMesh<Body>) => {
      scene.meshes.delete(gone);
      if (gone.body.alive) scene.world.removeBody(gone.body);
      gone.dispose();
    };
    setBuilding(
      new Promise((resolve, reject) => {
        // A task of its own: the first of the two runs of strict mode is over before.
        timer = setTimeout(async () => {
          try {
            const made = await build(scene, latest.current, source.current);
            if (isOver) return remove(made);
            mesh = made;
            scene.meshes.add(mesh);
            resolve(mesh);
          } catch (error) {
            // A world that was disposed of meanwhile takes no body.
            if (!isOver) reject(error);
          }
        }, 0);
      }),
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
      if (mesh) remove(mesh);
    };
  }, [scene]);
  return (
    <>
      <group ref={source} visible={false}>
        {children}
      </group>
      {building && <Built building={building} material={props.material} ref={ref} />}
    </>
  );
}

/** Waits for the body and draws it. */
function Built({
  building,
  material,
  ref,
}: Pick<SoftBodyProps, 'material'> & { building: Promise<SoftBodyMesh<Body>>; ref?: Ref<SoftBodyMesh<Body>> }) {
  const mesh = use(building);
  const wanted = JSON.stringify(material ?? {});
  const built = useRef(wanted);
  useImperativeHandle(ref, () => mesh, [mesh]);
  useEffect(() => {
    if (wanted === built.current || !mesh.body.alive) return;
    built.current = wanted;
    // Masses of a body do not change.
    const { density: _, mass: __, particleMass: ___, ...rest } = materialOptions(JSON.parse(wanted));
    mesh.body.setMaterial(rest);
  }, [mesh, wanted]);
  return <primitive object={mesh} />;
}

/** Number of particles where `sampling` does not say. */
const PARTICLES = 1000;

async function build(
  { world }: SoftScene,
  props: Omit<SoftBodyProps, 'ref' | 'children'>,
  children: Group | null,
): Promise<SoftBodyMesh<Body>> {
  const { object, material = {}, outer, inner, shape, position, rotation, scale, ...options } = props;
  const look = { ...(outer && { outer }), ...(inner && { inner }) };
  if (shape) {
    const pose = { ...(position && { position }), ...(rotation && { rotation }), ...(scale && { scale }) };
    const settings = {
      sampling: { count: PARTICLES },
      ...options,
      ...pose,
      shape,
      material: materialOptions(material),
    };
    return new SoftBodyMesh(await addShared(world, settings), look);
  }
  return SoftBodyMesh.fromAsync(world, object ?? children!, material, { ...options, ...look });
}
