import type { SourceMaterials } from '@pliant/scene';
import type { Images } from '../images.js';
import type { Surface } from '../looks.js';
import { number } from './text.js';

type Json = Record<string, unknown>;

/** glTF's numbers of a sampler's wrapping as the words of UsdUVTexture. */
const WRAP: Record<number, string> = { 33071: 'clamp', 33648: 'mirror', 10497: 'repeat' };

const list = (value: unknown, fallback: readonly number[]): number[] =>
  Array.isArray(value) && value.length >= fallback.length && value.every(Number.isFinite) ? value : [...fallback];
const scalar = (value: unknown, fallback: number): number => (Number.isFinite(value) ? (value as number) : fallback);
const tuple = (values: readonly number[]) => `(${values.map(number).join(', ')})`;

/** A material as UsdPreviewSurface: the part of glTF's materials that it knows, with their textures. */
export class UsdMaterial {
  private readonly inputs: string[] = [];
  private readonly shaders: string[] = [];
  private readsCoordinates = false;

  private constructor(
    private readonly path: string,
    private readonly surface: Surface,
    private readonly images: Images,
    private readonly warnings: string[],
  ) {}

  /** The prim, to be put below `parent`. */
  static describe(
    surface: Surface,
    name: string,
    parent: string,
    coloured: boolean,
    images: Images,
    warnings: string[],
  ): string {
    const made = new UsdMaterial(`${parent}/${name}`, surface, images, warnings);
    made.collect(coloured && surface.kind === 'outer');
    return made.text(name);
  }

  private collect(coloured: boolean): void {
    const { surface } = this;
    const from = surface.source?.from;
    const material = surface.source ? from!.materials[surface.source.index] : {};
    const pbr = (material.pbrMetallicRoughness ?? {}) as Json;
    const [r, g, b, a] = surface.source ? list(pbr.baseColorFactor, [1, 1, 1, 1]) : [...surface.colour, 1];
    const base = this.texture('baseColor', pbr.baseColorTexture, from, 'sRGB', [r, g, b, a]);
    if (base) this.inputs.push(`color3f inputs:diffuseColor.connect = <${base}.outputs:rgb>`);
    else if (coloured) this.readColours();
    else this.inputs.push(`color3f inputs:diffuseColor = ${tuple([r, g, b])}`);
    const metallic = surface.source ? scalar(pbr.metallicFactor, 1) : 0;
    const roughness = surface.source ? scalar(pbr.roughnessFactor, 1) : surface.roughness;
    const both = this.texture('metallicRoughness', pbr.metallicRoughnessTexture, from, 'raw', [
      1,
      roughness,
      metallic,
      1,
    ]);
    if (both)
      this.inputs.push(
        `float inputs:roughness.connect = <${both}.outputs:g>`,
        `float inputs:metallic.connect = <${both}.outputs:b>`,
      );
    else
      this.inputs.push(`float inputs:roughness = ${number(roughness)}`, `float inputs:metallic = ${number(metallic)}`);
    this.collectRest(material, from, base, a);
  }

  private collectRest(material: Json, from: SourceMaterials | undefined, base: string | undefined, alpha: number) {
    const mode = material.alphaMode ?? 'OPAQUE';
    if (mode !== 'OPAQUE')
      this.inputs.push(
        base ? `float inputs:opacity.connect = <${base}.outputs:a>` : `float inputs:opacity = ${number(alpha)}`,
      );
    if (mode === 'MASK')
      this.inputs.push(`float inputs:opacityThreshold = ${number(scalar(material.alphaCutoff, 0.5))}`);
    // A normal map has values from 0 to 1 for directions from −1 to 1.
    const normal = this.texture('normal', material.normalTexture, from, 'raw', [2, 2, 2, 1], [-1, -1, -1, 0]);
    if (normal) this.inputs.push(`normal3f inputs:normal.connect = <${normal}.outputs:rgb>`);
    const occlusion = this.texture('occlusion', material.occlusionTexture, from, 'raw', [1, 1, 1, 1]);
    if (occlusion) this.inputs.push(`float inputs:occlusion.connect = <${occlusion}.outputs:r>`);
    const emissive = list(material.emissiveFactor, [0, 0, 0]);
    const glow = this.texture('emissive', material.emissiveTexture, from, 'sRGB', [...emissive, 1]);
    if (glow) this.inputs.push(`color3f inputs:emissiveColor.connect = <${glow}.outputs:rgb>`);
    else if (emissive.some((value) => value > 0)) this.inputs.push(`color3f inputs:emissiveColor = ${tuple(emissive)}`);
    const extensions = Object.keys((material.extensions ?? {}) as Json);
    if (extensions.length > 0)
      this.warn(`${extensions.join(', ')} of the material has no place in UsdPreviewSurface; left out.`);
  }

  /** Adds the shader that reads a texture; returns its path. */
  private texture(
    name: string,
    use: unknown,
    from: SourceMaterials | undefined,
    space: string,
    scale: readonly number[],
    bias?: readonly number[],
  ): string | undefined {
    const { index, texCoord = 0, extensions } = (use ?? {}) as { index?: number; texCoord?: number; extensions?: Json };
    if (index === undefined || !from) return undefined;
    if (texCoord !== 0) {
      this.warn(
        `its ${name} texture needs a second set of texture coordinates, which the mesh has not kept; left out.`,
      );
      return undefined;
    }
    if (extensions?.KHR_texture_transform) this.warn(`the transform of its ${name} texture is left out.`);
    const file = this.images.fileOf(from, index);
    if (!file) return undefined;
    const sampler = from.samplers[from.textures[index].sampler as number] ?? {};
    this.readsCoordinates = true;
    this.shaders.push(
      [
        `            def Shader "${name}"`,
        '            {',
        '                uniform token info:id = "UsdUVTexture"',
        `                asset inputs:file = @${file}@`,
        `                float2 inputs:st.connect = <${this.path}/coordinates.outputs:result>`,
        `                token inputs:wrapS = "${WRAP[scalar(sampler.wrapS, 10497)] ?? 'repeat'}"`,
        `                token inputs:wrapT = "${WRAP[scalar(sampler.wrapT, 10497)] ?? 'repeat'}"`,
        `                token inputs:sourceColorSpace = "${space}"`,
        `                float4 inputs:scale = ${tuple(scale)}`,
        ...(bias ? [`                float4 inputs:bias = ${tuple(bias)}`] : []),
        '                float outputs:r',
        '                float outputs:g',
        '                float outputs:b',
        '                float outputs:a',
        '                float3 outputs:rgb',
        '            }',
      ].join('\n'),
    );
    return `${this.path}/${name}`;
  }

  private readColours(): void {
    this.inputs.push(`color3f inputs:diffuseColor.connect = <${this.path}/colours.outputs:result>`);
    this.shaders.push(reader('colours', 'UsdPrimvarReader_float3', 'displayColor', 'float3'));
  }

  private warn(line: string): void {
    const whole = `${this.surface.name}: ${line}`;
    if (!this.warnings.includes(whole)) this.warnings.push(whole);
  }

  private text(name: string): string {
    const { path, inputs } = this;
    const shaders = this.readsCoordinates
      ? [reader('coordinates', 'UsdPrimvarReader_float2', 'st', 'float2'), ...this.shaders]
      : this.shaders;
    return [
      `        def Material "${name}"`,
      '        {',
      `            token outputs:surface.connect = <${path}/surface.outputs:surface>`,
      '            def Shader "surface"',
      '            {',
      '                uniform token info:id = "UsdPreviewSurface"',
      ...inputs.map((line) => `                ${line}`),
      '                token outputs:surface',
      '            }',
      ...shaders,
      '        }',
      '',
    ].join('\n');
  }
}

function reader(name: string, id: string, primvar: string, type: string): string {
  return [
    `            def Shader "${name}"`,
    '            {',
    `                uniform token info:id = "${id}"`,
    `                string inputs:varname = "${primvar}"`,
    `                ${type} outputs:result`,
    '            }',
  ].join('\n');
}
