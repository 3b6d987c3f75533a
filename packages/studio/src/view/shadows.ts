import {
  add,
  Fn,
  float,
  If,
  int,
  interleavedGradientNoise,
  screenCoordinate,
  texture,
  uniform,
  vec2,
  vogelDiskSample,
} from 'three/tsl';
import {
  type DepthTexture,
  DirectionalLight,
  type DirectionalLightShadow,
  type Node,
  type Vector3,
} from 'three/webgpu';
import { SUN } from './environment.js';

/** 0: no shadows, 1: one sample, 2: soft. Uniform, so that no shader is compiled when it changes. */
export const softness = uniform(2);

/** Samples of a soft shadow, and radius (texels) that they are spread over. */
const SAMPLES = 12;
const RADIUS = 7;
const MAP = 1536;

interface Inputs {
  depthTexture: DepthTexture;
  shadowCoord: Node<'vec3'>;
}

/** Share of the sun that reaches a point: samples on a disc, turned from pixel to pixel so that no bands are seen. */
const filter = Fn((inputs) => {
  const { depthTexture, shadowCoord } = inputs as unknown as Inputs;
  const lit = float(1).toVar();
  const at = (offset: Node<'vec2'>) =>
    texture(depthTexture, shadowCoord.xy.add(offset)).compare(shadowCoord.z) as unknown as Node<'float'>;
  If(softness.greaterThan(1.5), () => {
    const turn = interleavedGradientNoise(screenCoordinate.xy).mul(2 * Math.PI);
    const samples = Array.from({ length: SAMPLES }, (_, k) =>
      at(vogelDiskSample(int(k), int(SAMPLES), turn).mul(RADIUS / MAP) as unknown as Node<'vec2'>),
    );
    lit.assign(samples.reduce((sum, one) => add(sum, one) as unknown as Node<'float'>).div(SAMPLES));
  }).ElseIf(softness.greaterThan(0.5), () => {
    lit.assign(at(vec2(0, 0) as unknown as Node<'vec2'>));
  });
  return lit;
});

export function makeSun(): DirectionalLight {
  const sun = new DirectionalLight(0xffffff, 1.9);
  sun.castShadow = true;
  sun.shadow.mapSize.set(MAP, MAP);
  (sun.shadow as DirectionalLightShadow & { filterNode: unknown }).filterNode = filter;
  return sun;
}

/** Directs the sun at the surroundings of a point, up to `size`. */
export function aimSun(sun: DirectionalLight, centre: Vector3, size: number): void {
  sun.position.copy(centre).addScaledVector(SUN, 2.6 * size);
  sun.target.position.copy(centre);
  const { camera } = sun.shadow;
  camera.left = camera.bottom = -1.3 * size;
  camera.right = camera.top = 1.3 * size;
  camera.near = 0.1 * size;
  camera.far = 6 * size;
  camera.updateProjectionMatrix();
  sun.shadow.normalBias = 0.012 * size;
  sun.shadow.bias = -0.0012;
}
