import { Canvas } from '@react-three/fiber';
import { MATERIALS } from 'pliant';
import { SoftBody } from './SoftBody.jsx';
import { useWorld } from './useWorld.js';

const CUBE = {
  shape: { type: 'box', size: [0.8, 0.8, 0.8] },
  sampling: { count: 800 },
  material: MATERIALS.jelly.material,
  position: [0, 1.5, 0],
};

export function App() {
  const world = useWorld();
  return (
    <Canvas shadows camera={{ position: [2, 1.6, 3.2], fov: 40 }}>
      <color attach="background" args={['#eef1f4']} />
      <hemisphereLight intensity={1.5} />
      <directionalLight position={[2, 4, 2]} intensity={2.5} castShadow />
      <mesh rotation-x={-Math.PI / 2} receiveShadow>
        <circleGeometry args={[4, 64]} />
        <meshStandardMaterial color="#d5dae0" />
      </mesh>
      {world && (
        <SoftBody world={world} options={CUBE}>
          <meshStandardMaterial color="#d6684a" roughness={0.4} />
        </SoftBody>
      )}
    </Canvas>
  );
}
