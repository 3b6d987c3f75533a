import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicNodeMaterial, LineSegments } from 'three/webgpu';
import type { Moment } from '../simulation.js';

/** Lines from every particle to its goal. */
export class Goals {
  readonly lines = new LineSegments(new BufferGeometry(), new LineBasicNodeMaterial({ color: 0xc23b8f }));
  private ends: BufferAttribute | undefined;

  constructor() {
    this.lines.frustumCulled = false;
    this.lines.visible = false;
  }

  write({ counts: { goals }, arrays }: Moment): void {
    this.lines.visible = goals > 0;
    if (goals === 0) return;
    if (!this.ends || this.ends.count < 2 * goals) {
      this.lines.geometry.dispose();
      this.ends = new BufferAttribute(new Float32Array(6 * Math.ceil(1.2 * goals)), 3).setUsage(DynamicDrawUsage);
      this.lines.geometry.setAttribute('position', this.ends);
    }
    const { array } = this.ends;
    for (let i = 0; i < goals; i++)
      for (let a = 0; a < 3; a++) {
        array[6 * i + a] = arrays.particles[4 * i + a];
        array[6 * i + 3 + a] = arrays.goals[3 * i + a];
      }
    this.ends.needsUpdate = true;
    this.lines.geometry.setDrawRange(0, 2 * goals);
  }
}
