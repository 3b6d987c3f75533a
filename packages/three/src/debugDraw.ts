import type { DebugDrawOptions, DebugLines, World } from 'pliant';
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three';

/**
 * Lines that show a world for debugging: bounding boxes, colliders, clamps, picks and contacts, and what `options` ask for beyond. Call `update()` once a frame.
 *
 * @example
 * const debug = new DebugDraw(world, { clusters: true });
 * scene.add(debug);
 * debug.update();
 */
export class DebugDraw extends LineSegments<BufferGeometry, LineBasicMaterial> {
  private readonly lines: DebugLines = { positions: new Float32Array(0), colours: new Float32Array(0), count: 0 };

  constructor(
    /** The world that it shows. */
    readonly world: World,
    /** Which things are shown, see `world.debugDraw`. May be changed at any time. */
    public options: DebugDrawOptions = {},
  ) {
    super(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, toneMapped: false }));
    this.frustumCulled = false;
    this.update();
  }

  /** Writes the lines of the present state. */
  update(): void {
    const { world, lines, options } = this;
    const [positions, colours] = [lines.positions, lines.colours];
    world.debugDraw(lines, options);
    if (lines.positions !== positions || lines.colours !== colours || !this.geometry.getAttribute('position'))
      this.renew();
    this.geometry.setDrawRange(0, lines.count);
    for (const name of ['position', 'color']) this.geometry.getAttribute(name).needsUpdate = true;
  }

  /** Frees the GPU's buffers. */
  override dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
    this.removeFromParent();
  }

  private renew(): void {
    this.geometry.dispose();
    this.geometry = new BufferGeometry();
    const dynamic = (array: Float32Array) => new BufferAttribute(array, 3).setUsage(DynamicDrawUsage);
    this.geometry.setAttribute('position', dynamic(this.lines.positions));
    this.geometry.setAttribute('color', dynamic(this.lines.colours));
  }
}
