import { SoftBody, SoftCollider, SoftWorld, useGrab, useSoftEvents, useSoftWorld } from '@pliant/react';
import { Canvas } from '@react-three/fiber';
import { StrictMode, Suspense, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const seen = { fallbacks: 0, events: [] as string[] };

function Fallback() {
  useEffect(() => {
    seen.fallbacks++;
  }, []);
  return null;
}

function Inside() {
  const world = useSoftWorld();
  useGrab();
  useSoftEvents(({ type }) => seen.events.push(type));
  useEffect(() => {
    Object.assign(globalThis, { page: { world, seen } });
  }, [world]);
  return null;
}

function App() {
  const [count, setCount] = useState(2);
  Object.assign(globalThis, { setCount });
  return (
    <Canvas camera={{ position: [0, 1, 5], fov: 50 }} flat>
      <SoftWorld>
        <Inside />
        <SoftCollider type="plane" normal={[0, 1, 0]} />
        <Suspense fallback={<Fallback />}>
          {Array.from({ length: count }, (_, n) => (
            <SoftBody key={n} name={`box ${n}`} material="rubber" sampling={{ count: 150 }}>
              <mesh position={[2 * n - 1, 1.2, 0]}>
                <boxGeometry />
                <meshBasicMaterial color={n === 0 ? '#ff2020' : '#2020ff'} />
              </mesh>
            </SoftBody>
          ))}
        </Suspense>
      </SoftWorld>
    </Canvas>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
