import { DebugDraw, SoftBodyMesh } from '@pliant/three';
import { useFrame } from '@react-three/fiber';
import { type Body, type DebugDrawOptions, World, type WorldEvent, type WorldOptions } from 'pliant';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Group } from 'three';
import { SoftContext, type SoftScene } from './context.js';

/** Properties of a SoftWorld: the options of a world, and how it runs. */
export interface SoftWorldProps extends WorldOptions {
  children?: ReactNode;
  /** Whether time stands still. Default false. */
  paused?: boolean;
  /** Most steps in a frame; a slower machine shows slow motion. Default 4. */
  maxSteps?: number;
  /** Lines for debugging: true, or what they show. Default false. */
  debug?: boolean | DebugDrawOptions;
  /** Called with each event of the world. */
  onEvent?: (event: WorldEvent) => void;
}

/**
 * A world of soft bodies, which advances with the frames of the Canvas around it. Its children are rendered once the engine is compiled. Options of the world are those of the first
 * render, but for `gravity`, which may change.
 *
 * @example
 * <Canvas>
 *   <SoftWorld>
 *     <SoftCollider type="plane" normal={[0, 1, 0]} />
 *     <SoftBody material="jelly"><mesh position={[0, 1, 0]}><boxGeometry /><meshStandardMaterial /></mesh></SoftBody>
 *   </SoftWorld>
 * </Canvas>
 */
export function SoftWorld({
  children,
  paused = false,
  maxSteps = 4,
  debug = false,
  onEvent,
  ...options
}: SoftWorldProps) {
  const [scene, setScene] = useState<SoftScene>();
  const first = useRef(options);
  // An effect, not the render: in strict mode effects run twice, and the world of the first run is disposed of.
  useEffect(() => {
    let isOver = false;
    let world: World | undefined;
    void World.create(first.current).then((made) => {
      if (isOver) return made.dispose();
      world = made;
      setScene({ world, meshes: new Set(), before: new Set(), listeners: new Set() });
    });
    return () => {
      isOver = true;
      world?.dispose();
      setScene(undefined);
    };
  }, []);
  const gravity = options.gravity?.join();
  useEffect(() => {
    if (scene && gravity) scene.world.gravity = gravity.split(',').map(Number) as [number, number, number];
  }, [scene, gravity]);
  if (!scene) return null;
  return (
    <SoftContext value={scene}>
      {children}
      <Runner scene={scene} paused={paused} maxSteps={maxSteps} onEvent={onEvent} debug={debug} />
    </SoftContext>
  );
}

/** Advances the world and moves the meshes. Frame callbacks run in the order of their effects, so it is the last child. */
function Runner({
  scene,
  paused,
  maxSteps,
  onEvent,
  debug,
}: Required<Pick<SoftWorldProps, 'paused' | 'maxSteps' | 'debug'>> &
  Pick<SoftWorldProps, 'onEvent'> & { scene: SoftScene }) {
  const parts = useRef<Group>(null);
  const lines = useRef<DebugDraw>(undefined);
  const { world } = scene;
  useEffect(() => {
    if (!debug || !parts.current) return;
    const draw = new DebugDraw(world, debug === true ? {} : debug);
    lines.current = draw;
    parts.current.add(draw);
    return () => {
      lines.current = undefined;
      draw.dispose();
    };
  }, [world, debug]);
  useFrame((_, delta) => {
    for (const act of scene.before) act();
    const { alpha } = paused ? { alpha: 1 } : world.advance(Math.max(0, delta), maxSteps);
    for (const event of world.drainEvents()) {
      if (event.type === 'cut' && parts.current) showParts(scene, event.body, event.bodies, parts.current);
      for (const hear of scene.listeners) hear(event);
      onEvent?.(event);
    }
    for (const mesh of scene.meshes) mesh.update(alpha);
    lines.current?.update();
  });
  useEffect(() => {
    const group = parts.current;
    return () => {
      // Meshes of parts that were cut off have no component of their own.
      for (const mesh of scene.meshes) if (group && mesh.parent === group) mesh.dispose();
    };
  }, [scene]);
  return <group ref={parts} />;
}

/** Parts that were cut off a body are drawn as the body is. */
function showParts({ meshes }: SoftScene, body: Body, bodies: readonly Body[], group: Group): void {
  const whole = [...meshes].find((mesh) => mesh.body === body);
  if (!whole) return;
  for (const part of bodies) {
    if (part === body || !part.alive || [...meshes].some((mesh) => mesh.body === part)) continue;
    const mesh = new SoftBodyMesh(part, {
      ...{ outer: whole.material.slice(0, -1), inner: whole.material.at(-1)! },
      ...(whole.source && { source: whole.source }),
    });
    meshes.add(mesh);
    group.add(mesh);
  }
}
