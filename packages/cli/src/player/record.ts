import { resolve } from 'node:path';
import type { SceneDescription } from '@pliant/scene';
import type { World } from 'pliant';
import { particleColours } from '../colours.js';
import { ResultFile } from '../resultFile.js';
import { Balls } from './balls.js';
import { type Obstacle, ObstacleRecord } from './obstacles.js';
import { pack, type Quantised, quantise } from './pack.js';
import { page } from './page.js';

/** Data of the page as JSON: the large parts are packed (pack.ts). */
export interface PlayerData extends Quantised {
  title: string;
  description: string;
  /** Seconds and steps between two recorded frames. */
  interval: number;
  stride: number;
  /** Radius of a particle's ball (m). */
  radius: number;
  camera: { position: readonly number[]; target: readonly number[]; fov: number };
  obstacles: Obstacle[];
  /** Three bytes a particle, packed. */
  colours: string;
}

/** Largest product of particles and frames in one page: six bytes each are 21 MB, as text 28 MB, before compression. */
const MAX_SAMPLES = 3_500_000;

/** Records a run and writes it as one self-contained page that plays it. */
export class HtmlOutput {
  private world!: World;
  private scene!: SceneDescription;
  private obstacles!: ObstacleRecord;
  private stride = 1;
  /** Every n-th particle is shown; n is above 1 only if a single frame would already exceed the limit. */
  private thinning = 1;
  private balls!: Balls;

  private readonly result: ResultFile;

  constructor(
    readonly file: string,
    private readonly every: number,
  ) {
    this.result = new ResultFile(file, '--out');
  }

  open = () => this.result.open();
  discard = () => this.result.discard();

  begin(world: World, scene: SceneDescription, frames: number): void {
    this.world = world;
    this.scene = scene;
    this.obstacles = new ObstacleRecord(world);
    this.thinning = Math.ceil((2 * world.particleCount) / MAX_SAMPLES);
    this.balls = new Balls(world, this.thinning);
    const shown = Math.ceil(world.particleCount / this.thinning);
    const atMost = Math.max(2, Math.floor(MAX_SAMPLES / shown));
    this.stride = Math.max(this.every, Math.ceil((frames + 1) / atMost));
  }

  async frame(frame: number): Promise<void> {
    if (frame % this.stride !== 0) return;
    this.balls.frame();
    this.obstacles.frame();
  }

  async finish(): Promise<string[]> {
    const { world, scene } = this;
    const recorded = this.balls.finish();
    const all = particleColours(world);
    const colours = new Uint8Array(recorded[0].length);
    this.balls.find().forEach((ball, row) => {
      if (ball >= 0) colours.set(all.subarray(3 * row, 3 * row + 3), 3 * ball);
    });
    const quantised = quantise(recorded);
    const data: PlayerData = {
      title: scene.title,
      description: scene.description,
      interval: world.dt * this.stride,
      stride: this.stride,
      radius: ballRadius(recorded[0]),
      camera: scene.cameras[0] ?? cameraFor(recorded),
      obstacles: this.obstacles.obstacles,
      colours: pack(colours),
      ...quantised,
    };
    const html = page(data);
    await this.result.write(html);
    const size = (html.length / 1e6).toFixed(1);
    return [
      `wrote ${this.file} (${recorded.length} frames, ${size} MB): open file://${resolve(this.file)} in a browser`,
    ];
  }
}

/** A little more than half the typical distance to the nearest neighbour, so that a body looks filled. */
function ballRadius(positions: Float32Array): number {
  const count = positions.length / 3;
  const distances: number[] = [];
  // 64 particles spread over the list are a sufficient sample.
  for (let s = 0; s < Math.min(64, count); s++) {
    const i = Math.floor((s * count) / 64) % count;
    let nearest = Number.POSITIVE_INFINITY;
    for (let j = 0; j < count; j++) {
      if (j === i) continue;
      const d = [0, 1, 2].reduce((sum, a) => sum + (positions[3 * i + a] - positions[3 * j + a]) ** 2, 0);
      if (d > 0 && d < nearest) nearest = d;
    }
    distances.push(Math.sqrt(nearest));
  }
  const median = distances.sort((a, b) => a - b)[distances.length >> 1];
  return Number.isFinite(median) ? 0.62 * median : 0.05;
}

/** A camera in front of the bodies, slightly above, at a distance that shows their initial positions. */
function cameraFor(recorded: readonly Float32Array[]): PlayerData['camera'] {
  const { min, scale } = quantise(recorded.slice(0, Math.max(1, Math.ceil(recorded.length / 4))));
  const target = min.map((low, a) => low + 32767.5 * scale[a]);
  const size = Math.hypot(...scale.map((s) => 65535 * s));
  return { position: [target[0] + 0.5 * size, target[1] + 0.35 * size, target[2] + 1.25 * size], target, fov: 40 };
}
