import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicNodeMaterial, LineSegments } from 'three/webgpu';
import type { Moment } from '../simulation.js';

/** Half the length of a tick, in drawn radii of a particle. */
const TICK = 0.25;

/** Lines from every particle to its goal, with a tick at the goal: at rest, when lines have no length, ticks are left. */
export class Goals {
  readonly lines = new LineSegments(
    new BufferGeometry(),
    new LineBasicNodeMaterial({ color: 0xe0218a, transparent: true, depthTest: false, depthWrite: false }),
  );
  private ends: BufferAttribute | undefined;

  constructor() {
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    // Over the surface, inside which most of them are.
    this.lines.renderOrder = 2;
  }

  write({ counts: { goals }, arrays }: Moment): void {
    this.lines.visible = goals > 0;
    if (goals === 0) return;
    if (!this.ends || this.ends.count < 4 * goals) {
      this.lines.geometry.dispose();
      this.ends = new BufferAttribute(new Float32Array(12 * Math.ceil(1.2 * goals)), 3).setUsage(DynamicDrawUsage);
      this.lines.geometry.setAttribute('position', this.ends);
    }
    const { array } = this.ends;
    for (let i = 0; i < goals; i++) {
      const tick = TICK * arrays.particles[4 * i + 3];
      for (let a = 0; a < 3; a++) {
        array[12 * i + a] = arrays.particles[4 * i + a];
        const goal = arrays.goals[3 * i + a];
        array[12 * i + 3 + a] = goal;
        array[12 * i + 6 + a] = goal - tick;
        array[12 * i + 9 + a] = goal + tick;
      }
    }
    this.ends.needsUpdate = true;
    this.lines.geometry.setDrawRange(0, 4 * goals);
  }
}
