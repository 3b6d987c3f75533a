import { type InnerLook, LOOKS, type Look, type LookName, type Pattern } from '@pliant/scene';
import {
  attribute,
  cameraPosition,
  dFdx,
  dFdy,
  dot,
  Fn,
  faceDirection,
  float,
  frontFacing,
  fwidth,
  If,
  length,
  mix,
  normalView,
  normalViewGeometry,
  normalWorld,
  positionView,
  positionWorld,
  sin,
  smoothstep,
  uniform,
  vec3,
  vec4,
} from 'three/tsl';
import { DoubleSide, FrontSide, MeshPhysicalNodeMaterial, MeshStandardNodeMaterial, type Node } from 'three/webgpu';
import { paintedColour } from './colour.js';
import { radiance, SUN } from './environment.js';
import { noise, rough } from './noise.js';

type Vec = Node<'vec3'>;
type Float = Node<'float'>;

/** Whether patterns are drawn: 0 on slow machines. */
export const detail = uniform(1);

/** Value of a pattern at a rest position: 0 leaves the colour, 1 is where it is strongest. */
function patternAt(pattern: Pattern, rest: Vec): Float {
  const at = (times: number) => rest.mul(times) as unknown as Vec;
  switch (pattern) {
    case 'speckle':
      return smoothstep(float(0.45), float(0.8), rough(at(55))) as unknown as Float;
    case 'pores':
      return smoothstep(float(0.6), float(0.78), rough(at(38))) as unknown as Float;
    case 'crumb':
      // Large bubbles among small ones.
      return smoothstep(float(0.52), float(0.72), noise(at(16)))
        .mul(0.75)
        .add(smoothstep(float(0.5), float(0.75), noise(at(42))).mul(0.45)) as unknown as Float;
    case 'marbling':
      return smoothstep(
        float(0.56),
        float(0.66),
        rough(vec3(rest.x.mul(5), rest.y.mul(14), rest.z.mul(14)) as unknown as Vec),
      ) as unknown as Float;
    case 'fibres':
      return rough(vec3(rest.x.mul(6), rest.y.mul(70), rest.z.mul(70)) as unknown as Vec);
    case 'grain': {
      // Year rings about an axis beside the body, wavy along it: smooth, as a jump would glitter.
      const wave = noise(at(3)).mul(0.12);
      const ring = length(vec3(0, rest.y.add(0.6), rest.z.add(0.35)))
        .add(wave)
        .mul(2 * Math.PI * 15);
      const late = smoothstep(float(0.35), float(1), sin(ring).mul(0.5).add(0.5));
      return late
        .mul(0.75)
        .add(
          noise(vec3(rest.x.mul(4), rest.y.mul(60), rest.z.mul(60)) as unknown as Vec).mul(0.25),
        ) as unknown as Float;
    }
    default:
      return float(0) as unknown as Float;
  }
}

/** Colours of the places where a pattern is strongest, as a factor on the colour. */
const SHADE: Record<Pattern, readonly [number, number, number]> = {
  none: [1, 1, 1],
  speckle: [0.62, 0.6, 0.58],
  pores: [0.5, 0.46, 0.42],
  crumb: [0.62, 0.5, 0.36],
  marbling: [1.9, 2.9, 2.6],
  fibres: [0.66, 0.56, 0.46],
  grain: [0.58, 0.44, 0.34],
};

/** The pattern at this pixel, 0 where patterns are switched off. */
const patternNode = (pattern: Pattern, strength: number): Float =>
  Fn(() => {
    const value = float(0).toVar();
    If(detail.greaterThan(0), () => {
      const rest = attribute('rest', 'vec4').xyz as unknown as Vec;
      // Gone where a pixel is as wide as its features: it would flicker.
      const near = smoothstep(float(0.03), float(0.008), length(fwidth(rest)));
      value.assign(patternAt(pattern, rest).mul(strength).mul(near));
    });
    return value;
  })() as unknown as Float;

/** A normal in the eye's space, tilted by the slope of a height (m), by how the height changes from pixel to pixel. */
function bumped(height: Float): Vec {
  const [px, py] = [dFdx(positionView), dFdy(positionView)];
  const n = normalViewGeometry.mul(faceDirection);
  const [r1, r2] = [py.cross(n), n.cross(px)];
  const det = dot(px, r1);
  const slope = r1
    .mul(dFdx(height))
    .add(r2.mul(dFdy(height)))
    .mul(det.sign());
  return n.mul(det.abs()).sub(slope).normalize() as unknown as Vec;
}

/**
 * Light that comes through: from behind where the sun is behind, and all around where the body is thin towards the
 * eye.
 */
function throughLight(colour: Vec, share: number, sun: Node<'float'>): Vec {
  const toEye = cameraPosition.sub(positionWorld).normalize();
  const light = vec3(SUN.x, SUN.y, SUN.z);
  const wrapped = dot(normalWorld, light).mul(0.5).add(0.5);
  const behind = dot(toEye, light.add(normalWorld.mul(0.35)).normalize().negate())
    .max(0)
    .pow(3);
  const rim = float(1).sub(dot(normalWorld, toEye).abs()).pow(2);
  const from = radiance(normalWorld.negate() as unknown as Vec, float(1) as unknown as Float);
  return colour
    .mul(from.mul(0.22).add(behind.mul(sun).mul(0.35)).add(wrapped.mul(sun).mul(0.06)).add(rim.mul(0.06)))
    .mul(share) as unknown as Vec;
}

/** Strength of the sun, for light that comes through. */
export const sunshine = uniform(1);

export interface BodyMaterials {
  outer: MeshStandardNodeMaterial;
  inner: MeshStandardNodeMaterial;
}

const made = new Map<string, BodyMaterials>();

/** The materials of a look, outside and within; `place` is the drawn position. All bodies of a look share them. */
export function materialsOf(look: LookName | 'plain', place: Node<'vec4'>, key: number): BodyMaterials {
  const name = `${look} ${key}`;
  let materials = made.get(name);
  if (!materials) {
    materials =
      look === 'plain' ? plain(place) : { outer: outside(LOOKS[look], place), inner: within(LOOKS[look].inner, place) };
    made.set(name, materials);
  }
  return materials;
}

/** Matt, for colours that mean numbers. */
function plain(place: Node<'vec4'>): BodyMaterials {
  const [outer, inner] = [0.6, 0.8].map((roughness) => {
    const material = new MeshStandardNodeMaterial({ roughness, metalness: 0, side: DoubleSide });
    material.positionNode = place.xyz;
    material.colorNode = vec4(paintedColour(), 1);
    return material;
  });
  return { outer, inner };
}

function outside(look: Look, place: Node<'vec4'>): MeshStandardNodeMaterial {
  const { roughness, coat, translucency, opacity, pattern, strength } = look;
  const options = { roughness, metalness: 0, side: opacity < 1 ? FrontSide : DoubleSide };
  const material =
    coat > 0
      ? new MeshPhysicalNodeMaterial({ ...options, clearcoat: coat, clearcoatRoughness: 0.06 })
      : new MeshStandardNodeMaterial(options);
  material.positionNode = place.xyz;
  const painted = paintedColour();
  // Back faces are the inside of a torn body: darker.
  const lit = opacity < 1 ? painted : (frontFacing.select(painted, painted.mul(0.45)) as unknown as Vec);
  finish(material, lit, pattern, strength, roughness);
  if (translucency > 0) material.emissiveNode = throughLight(lit, translucency, sunshine);
  if (opacity < 1) {
    material.transparent = true;
    const facing = dot(normalView, vec3(0, 0, 1))
      .abs()
      .min(1);
    material.opacityNode = mix(float(1), float(opacity), facing.pow(0.7));
  }
  return material;
}

function within(look: InnerLook, place: Node<'vec4'>): MeshStandardNodeMaterial {
  const { roughness, pattern, strength } = look;
  const material = new MeshStandardNodeMaterial({ roughness, metalness: 0, side: DoubleSide });
  material.positionNode = place.xyz;
  finish(material, paintedColour(), pattern, strength, roughness);
  return material;
}

/** Depth (share of the body's size) of the relief of a pattern of strength 1. */
const RELIEF = 0.004;

function finish(
  material: MeshStandardNodeMaterial,
  colour: Vec,
  pattern: Pattern,
  strength: number,
  roughness: number,
): void {
  if (pattern === 'none' || strength === 0) {
    material.colorNode = vec4(colour, 1);
    return;
  }
  const value = patternNode(pattern, strength).toVar();
  material.colorNode = vec4(mix(colour, colour.mul(vec3(...SHADE[pattern])), value.min(1)), 1);
  material.roughnessNode = float(roughness).add(value.mul(0.15)).min(1);
  material.normalNode = bumped(value.mul(attribute('rest', 'vec4').w).mul(-RELIEF) as unknown as Float);
}
