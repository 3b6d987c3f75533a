import type { SoftBodyMesh } from '@pliant/three';
import { type Body, PliantError, type World, type WorldEvent } from 'pliant';
import { createContext, useContext, useEffect, useRef } from 'react';

/** Things that the components of a SoftWorld share. */
export interface SoftScene {
  readonly world: World;
  /** Meshes that are updated once a frame. */
  readonly meshes: Set<SoftBodyMesh<Body>>;
  /** Called before the steps of a frame. */
  readonly before: Set<() => void>;
  /** Called with each event of the world. */
  readonly listeners: Set<(event: WorldEvent) => void>;
}

export const SoftContext = createContext<SoftScene | undefined>(undefined);

/** @internal */
export function useScene(name: string): SoftScene {
  const scene = useContext(SoftContext);
  if (!scene) throw new PliantError(name, `${name} is used outside of a world; expected it inside of <SoftWorld>.`);
  return scene;
}

/** The world of the SoftWorld around a component. */
export function useSoftWorld(): World {
  return useScene('useSoftWorld').world;
}

/** Calls a function before the steps of each frame: for forces, and for whatever leads colliders and clamps. */
export function useBeforeStep(act: () => void): void {
  const { before } = useScene('useBeforeStep');
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const call = () => latest.current();
    before.add(call);
    return () => void before.delete(call);
  }, [before]);
}

/** Calls a function with each event of the world: touch, part, fracture, cut and so on. */
export function useSoftEvents(hear: (event: WorldEvent) => void): void {
  const { listeners } = useScene('useSoftEvents');
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    const call = (event: WorldEvent) => latest.current(event);
    listeners.add(call);
    return () => void listeners.delete(call);
  }, [listeners]);
}
