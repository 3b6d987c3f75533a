import { boxBlur } from 'three/addons/tsl/display/boxBlur.js';
import { ao } from 'three/addons/tsl/display/GTAONode.js';
import { float, mix, pass, vec4 } from 'three/tsl';
import { type Node, type PerspectiveCamera, RenderPipeline, type Scene, type WebGPURenderer } from 'three/webgpu';

/** Share of the light that occlusion keeps back at most. */
const STRENGTH = 0.8;

/** Draws a scene with ambient occlusion: creases and places between bodies are darker. */
export class Occlusion {
  private readonly pipeline: RenderPipeline;
  private readonly node: ReturnType<typeof ao>;

  constructor(renderer: WebGPURenderer, scene: Scene, camera: PerspectiveCamera) {
    const picture = pass(scene, camera, { samples: renderer.samples });
    const colour = picture.getTextureNode('output');
    const depth = picture.getTextureNode('depth');
    // Normals are found from depths: a second picture of them would cost more.
    this.node = ao(depth, null as unknown as Node, camera);
    this.node.resolutionScale = 0.5;
    this.node.samples.value = 12;
    const smooth = boxBlur(this.node.getTextureNode(), { size: float(2) as never, separation: float(1) as never });
    const open = mix(float(1), (smooth as unknown as Node<'vec4'>).r, STRENGTH);
    this.pipeline = new RenderPipeline(renderer);
    this.pipeline.outputNode = vec4(colour.rgb.mul(open), 1);
  }

  /** Distance (m) within which surfaces occlude each other. */
  set radius(metres: number) {
    this.node.radius.value = metres;
    this.node.thickness.value = metres;
  }

  render(): void {
    this.pipeline.render();
  }
}
