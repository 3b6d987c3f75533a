import { Cutter, type CutterOptions, Grab, type GrabOptions } from '@pliant/three';
import { useFrame, useThree } from '@react-three/fiber';
import { useEffect, useRef } from 'react';
import { useSoftWorld } from './context.js';

type Controls = { enabled: boolean } | null;

/** Lets people grab bodies by mouse, touch, pen and XR controllers; see Grab. Controls of the camera that are the default ones (`makeDefault` of drei) rest meanwhile. */
export function useGrab(options: GrabOptions & { enabled?: boolean } = {}): void {
  const world = useSoftWorld();
  const { gl, camera, controls } = useThree();
  const grab = useRef<Grab>(undefined);
  const latest = useRef(options);
  latest.current = options;
  const { enabled = true } = options;
  useEffect(() => {
    const found = (controls as Controls) ?? undefined;
    const made = new Grab(world, camera, gl.domElement, { ...(found && { controls: found }), ...latest.current });
    for (const n of [0, 1]) made.addController(gl.xr.getController(n));
    grab.current = made;
    return () => {
      grab.current = undefined;
      // A world that is gone has no picks.
      made.dispose();
    };
  }, [world, gl, camera, controls]);
  useEffect(() => {
    if (grab.current) grab.current.enabled = enabled;
  }, [enabled]);
  useFrame(() => grab.current?.update());
}

/** Lets people cut bodies by strokes; see Cutter. Parts that come off are drawn by the SoftWorld. */
export function useCutter(options: CutterOptions & { enabled?: boolean } = {}): void {
  const world = useSoftWorld();
  const { gl, camera, controls, scene } = useThree();
  const cutter = useRef<Cutter>(undefined);
  const latest = useRef(options);
  latest.current = options;
  const { enabled = true } = options;
  useEffect(() => {
    const found = (controls as Controls) ?? undefined;
    const made = new Cutter(world, camera, gl.domElement, { ...(found && { controls: found }), ...latest.current });
    scene.add(made.line);
    cutter.current = made;
    return () => {
      cutter.current = undefined;
      made.dispose();
    };
  }, [world, gl, camera, controls, scene]);
  useEffect(() => {
    if (cutter.current) cutter.current.enabled = enabled;
  }, [enabled]);
}
