import type { Collider, ColliderOptions } from 'pliant';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { type Group, Quaternion, Vector3 } from 'three';
import { useScene } from './context.js';

/** Properties of a SoftCollider: the options of a collider. */
export type SoftColliderProps = ColliderOptions & {
  /** Drawn as they are; with `follow`, the collider follows them. */
  children?: ReactNode;
  /** Whether the collider is led by the transform of the group around its children, as its parents move it. Default false. */
  follow?: boolean;
  /** Called with the collider when it is added, and with null when it is removed. */
  ref?: Ref<Collider>;
};

/**
 * An obstacle. Changed options make a new one, but for `position` and `rotation`, to which it is led.
 *
 * @example
 * <SoftCollider type="box" size={[4, 0.2, 4]} position={[0, -0.1, 0]} friction={0.8} />
 */
export function SoftCollider({ children, follow = false, ref, ...options }: SoftColliderProps) {
  const { world, before } = useScene('<SoftCollider>');
  const group = useRef<Group>(null);
  const collider = useRef<Collider>(undefined);
  const { position, rotation, ...fixed } = options as { position?: readonly number[]; rotation?: readonly number[] };
  const latest = useRef(options as ColliderOptions);
  latest.current = options as ColliderOptions;
  const shape = JSON.stringify(fixed);
  const pose = JSON.stringify([position, rotation]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for the options that make another collider.
  useEffect(() => {
    const made = world.addCollider(latest.current);
    collider.current = made;
    give(ref, made);
    return () => {
      collider.current = undefined;
      give(ref, null);
      if (world.colliders.includes(made)) world.removeCollider(made);
    };
  }, [world, shape]);
  const isFirst = useRef(pose);
  useEffect(() => {
    if (pose === isFirst.current) return;
    isFirst.current = pose;
    const [p, q] = JSON.parse(pose) as [[number, number, number] | null, [number, number, number, number] | null];
    if (p) collider.current?.moveTo(p, q ?? collider.current.rotation);
  }, [pose]);
  useEffect(() => {
    if (!follow) return;
    const lead = () => {
      if (!group.current || !collider.current) return;
      group.current.updateWorldMatrix(true, false);
      const p = new Vector3().setFromMatrixPosition(group.current.matrixWorld);
      const q = group.current.getWorldQuaternion(new Quaternion());
      collider.current.moveTo([p.x, p.y, p.z], [q.x, q.y, q.z, q.w]);
    };
    before.add(lead);
    return () => void before.delete(lead);
  }, [before, follow]);
  return children || follow ? <group ref={group}>{children}</group> : null;
}

function give(ref: Ref<Collider> | undefined, value: Collider | null): void {
  if (typeof ref === 'function') ref(value);
  else if (ref) ref.current = value;
}
