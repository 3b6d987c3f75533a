import { SoftBody, SoftCollider, SoftWorld, useGrab } from '@pliant/react';
import { Canvas } from '@react-three/fiber';
import { Suspense } from 'react';

export function App() {
  return (
    <Canvas shadows camera={{ position: [2, 1.6, 3.2], fov: 40 }}>
      <color attach="background" args={['#eef1f4']} />
      <hemisphereLight intensity={1.5} />
      <directionalLight position={[2, 4, 2]} intensity={2.5} castShadow />
      <mesh rotation-x={-Math.PI / 2} receiveShadow>
        <circleGeometry args={[4, 64]} />
        <meshStandardMaterial color="#d5dae0" />
      </mesh>
      <SoftWorld>
        <Hands />
        <SoftCollider type="plane" normal={[0, 1, 0]} />
        <Suspense fallback={null}>
          <SoftBody material="jelly" sampling={{ count: 800 }}>
            <mesh position={[0, 1.5, 0]}>
              <boxGeometry args={[0.8, 0.8, 0.8]} />
              <meshStandardMaterial color="#d6684a" roughness={0.4} />
            </mesh>
          </SoftBody>
        </Suspense>
      </SoftWorld>
    </Canvas>
  );
}

/** The pointer pulls at bodies. */
function Hands() {
  useGrab();
  return null;
}
