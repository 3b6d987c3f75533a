import { materialColor, vec4 } from 'three/tsl';
import {
  DoubleSide,
  FrontSide,
  LinearSRGBColorSpace,
  MeshStandardNodeMaterial,
  type Node,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
} from 'three/webgpu';
import type { FileMaterials } from '../protocol.js';
import { paintedColour } from './colour.js';

interface TextureUse {
  index?: number;
  texCoord?: number;
  scale?: number;
  strength?: number;
}

/** The parts of a glTF material that are drawn. */
interface GltfMaterial {
  pbrMetallicRoughness?: {
    baseColorFactor?: number[];
    baseColorTexture?: TextureUse;
    metallicFactor?: number;
    roughnessFactor?: number;
    metallicRoughnessTexture?: TextureUse;
  };
  normalTexture?: TextureUse;
  occlusionTexture?: TextureUse;
  emissiveFactor?: number[];
  emissiveTexture?: TextureUse;
  alphaMode?: string;
  alphaCutoff?: number;
  doubleSided?: boolean;
}

const made = new WeakMap<FileMaterials, Map<string, MeshStandardNodeMaterial | undefined>>();
const textures = new WeakMap<FileMaterials, Map<string, Texture>>();
let keys = 0;
const numbers = new WeakMap<Node, number>();

/**
 * A material of a body's own file, with its textures, which come when they are decoded: `redraw` is called then.
 * Undefined where the surface has none.
 */
export function fileMaterial(
  file: FileMaterials,
  surface: number,
  hasCoordinates: boolean,
  place: Node<'vec4'>,
  redraw: () => void,
): MeshStandardNodeMaterial | undefined {
  const number = file.surfaces[surface] ?? -1;
  if (number < 0) return undefined;
  const known = made.get(file) ?? new Map<string, MeshStandardNodeMaterial | undefined>();
  made.set(file, known);
  if (!numbers.has(place)) numbers.set(place, ++keys);
  const key = `${number} ${hasCoordinates} ${numbers.get(place)}`;
  if (!known.has(key)) known.set(key, make(file, number, hasCoordinates, place, redraw));
  return known.get(key);
}

function make(
  file: FileMaterials,
  number: number,
  hasCoordinates: boolean,
  place: Node<'vec4'>,
  redraw: () => void,
): MeshStandardNodeMaterial {
  const source = file.from.materials[number] as GltfMaterial;
  const { baseColorFactor = [1, 1, 1, 1], metallicFactor = 1, roughnessFactor = 1 } = source.pbrMetallicRoughness ?? {};
  const pbr = source.pbrMetallicRoughness ?? {};
  const material = new MeshStandardNodeMaterial({ roughness: roughnessFactor, metalness: metallicFactor });
  material.color.setRGB(baseColorFactor[0], baseColorFactor[1], baseColorFactor[2], LinearSRGBColorSpace);
  // A torn body is seen from within, whatever the file says.
  material.side = source.alphaMode === 'BLEND' && !source.doubleSided ? FrontSide : DoubleSide;
  material.positionNode = place.xyz;
  if (source.alphaMode === 'BLEND') {
    material.transparent = true;
    material.opacity = baseColorFactor[3] ?? 1;
  } else if (source.alphaMode === 'MASK') material.alphaTest = source.alphaCutoff ?? 0.5;
  const [r = 0, g = 0, b = 0] = source.emissiveFactor ?? [];
  material.emissive.setRGB(r, g, b, LinearSRGBColorSpace);
  // Colours of vertices, which are white where the mesh has none.
  if (!material.transparent && !material.alphaTest)
    material.colorNode = vec4(materialColor.rgb.mul(paintedColour()), 1);
  const put = (use: TextureUse | undefined, isColour: boolean, set: (texture: Texture) => void) => {
    if (typeof use?.index !== 'number' || !hasCoordinates || (use.texCoord ?? 0) !== 0) return;
    void textureOf(file, use.index, isColour).then((texture) => {
      if (!texture) return;
      set(texture);
      material.needsUpdate = true;
      redraw();
    });
  };
  put(pbr.baseColorTexture, true, (texture) => {
    material.map = texture;
  });
  put(pbr.metallicRoughnessTexture, false, (texture) => {
    material.roughnessMap = material.metalnessMap = texture;
  });
  put(source.normalTexture, false, (texture) => {
    material.normalMap = texture;
    material.normalScale.setScalar(source.normalTexture?.scale ?? 1);
  });
  put(source.occlusionTexture, false, (texture) => {
    material.aoMap = texture;
    material.aoMapIntensity = source.occlusionTexture?.strength ?? 1;
  });
  put(source.emissiveTexture, true, (texture) => {
    material.emissiveMap = texture;
  });
  return material;
}

/** glTF's numbers for how coordinates beyond the image are taken. */
const WRAPPING: Record<number, typeof Texture.prototype.wrapS> = { 33071: 1001, 33648: 1002, 10497: RepeatWrapping };

async function textureOf(file: FileMaterials, number: number, isColour: boolean): Promise<Texture | undefined> {
  const known = textures.get(file) ?? new Map<string, Texture>();
  textures.set(file, known);
  const key = `${number} ${isColour}`;
  const old = known.get(key);
  if (old) return old;
  const { source, sampler, extensions } = (file.from.textures[number] ?? {}) as {
    source?: number;
    sampler?: number;
    extensions?: Record<string, { source?: number }>;
  };
  const at = source ?? Object.values(extensions ?? {}).find((one) => typeof one?.source === 'number')?.source;
  const image = at === undefined ? undefined : file.from.images[at];
  if (!image) return undefined;
  const blob = new Blob([image.bytes as Uint8Array<ArrayBuffer>], { type: image.mimeType });
  let picture: ImageBitmap;
  try {
    // Our v increases upwards: the picture's first row is its last.
    picture = await createImageBitmap(blob, {
      ...{ imageOrientation: 'flipY', premultiplyAlpha: 'none', colorSpaceConversion: 'none' },
    } as ImageBitmapOptions);
  } catch {
    return undefined;
  }
  const texture = new Texture(picture);
  texture.flipY = false;
  texture.colorSpace = isColour ? SRGBColorSpace : LinearSRGBColorSpace;
  const { wrapS = 10497, wrapT = 10497 } = (file.from.samplers[sampler ?? -1] ?? {}) as Record<string, number>;
  texture.wrapS = WRAPPING[wrapS] ?? RepeatWrapping;
  texture.wrapT = WRAPPING[wrapT] ?? RepeatWrapping;
  texture.anisotropy = 4;
  texture.needsUpdate = true;
  known.set(key, texture);
  return texture;
}
