import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicNodeMaterial,
  LineSegments,
  Mesh,
  MeshStandardNodeMaterial,
  SphereGeometry,
  type Vector3,
} from 'three/webgpu';
import type { LoadedScene } from '../protocol.js';
import type { Moment, Simulation } from '../simulation.js';
import { Clusters } from './clusters.js';
import { Goals } from './goals.js';
import { Ground } from './ground.js';
import { Holds } from './holds.js';
import { isLevel, Obstacles } from './obstacles.js';
import { Particles } from './particles.js';
import { Surfaces } from './surfaces.js';

/** Everything drawn of one simulation. */
export class Scenery {
  readonly group = new Group();
  readonly surfaces = new Surfaces(() => {
    this.isShown = false;
  });
  readonly ground = new Ground();
  readonly holds = new Holds();
  private readonly particles = new Particles();
  private readonly clusters = new Clusters();
  private readonly goals = new Goals();
  private readonly obstacles = new Obstacles();
  private readonly threads = new LineSegments(threadGeometry(), new LineBasicNodeMaterial({ color: 0xd94f2b }));
  private readonly grips = new Group();
  private readonly ball = new Mesh(
    new SphereGeometry(1, 32, 24),
    new MeshStandardNodeMaterial({ color: 0x4f8fd9, transparent: true, opacity: 0.35 }),
  );
  private written: Moment | undefined;
  private topology = -1;
  /** Whether the drawing is up to date, apart from new moments. */
  private isShown = false;
  private blended = -1;
  private shownAs: unknown;
  /** Radius of the marks of picks (m). */
  private gripSize = GRIP_SIZE;

  constructor(private readonly simulation: Simulation) {
    this.threads.frustumCulled = this.threads.visible = false;
    this.ball.visible = false;
    this.group.add(
      this.surfaces.group,
      this.particles.mesh,
      this.clusters.group,
      this.goals.lines,
      this.obstacles.group,
      this.ground.mesh,
      this.holds.group,
      this.threads,
      this.grips,
      this.ball,
    );
    simulation.on('loaded', (scene) => this.setScene(scene));
    if (simulation.scene) this.setScene(simulation.scene);
    simulation.on('surfaces', (surfaces) => this.surfaces.learn(surfaces));
    simulation.on('obstacles', (obstacles) => {
      this.obstacles.learn(obstacles);
      this.ground.isFloor = obstacles.some(isLevel);
    });
  }

  private setScene({ materials, clamps, fields, ground, weightless, middle, extent }: LoadedScene): void {
    this.surfaces.setFiles(materials);
    this.holds.learn(clamps, fields);
    this.obstacles.setSize(extent);
    this.gripSize = GRIP_SIZE * extent;
    this.ground.place(ground, middle[0], middle[2], extent, weightless);
    this.isShown = false;
  }

  /** Removes everything before another scene is loaded. */
  clear(): void {
    this.surfaces.clear();
    this.obstacles.learn([]);
    this.ground.isFloor = false;
    this.holds.clear();
    this.ground.clear();
    this.particles.mesh.visible = false;
    this.clusters.group.visible = false;
    this.goals.lines.visible = false;
    this.written = undefined;
    this.isShown = false;
  }

  /** The first obstacle of the scene that a ray hits, by its place in the list. */
  obstacleAt(origin: Vector3, direction: Vector3): { at: number; point: Vector3; distance: number } | undefined {
    return this.obstacles.hit(origin, direction);
  }

  /** Corners of the boxes around the obstacles at a moment: x y z and an unused number each. */
  obstacleCorners({ poses }: Moment): Float32Array {
    this.obstacles.place(poses);
    return this.obstacles.corners();
  }

  /** Shows an obstacle elsewhere, or again where it is. */
  dragObstacle(at: number, by: Vector3 | undefined): void {
    this.obstacles.drag(at, by);
    this.isShown = false;
  }

  /** Shows the ball that pushes, or hides it. */
  setBall(ball: { centre: readonly number[]; radius: number } | undefined): void {
    this.isShown = false;
    this.ball.visible = ball !== undefined;
    if (!ball) return;
    this.ball.position.set(ball.centre[0], ball.centre[1], ball.centre[2]);
    this.ball.scale.setScalar(ball.radius);
  }

  /** Updates the drawing to the page's clock `now` (ms). Returns whether anything changed. */
  update(now: number): boolean {
    const { latest, previous, show } = this.simulation;
    const wasShown = this.isShown && show === this.shownAs;
    this.isShown = true;
    this.shownAs = show;
    if (!latest) return !wasShown;
    const isNew = latest !== this.written;
    if (isNew) this.write(latest);
    const pause = previous ? latest.came - previous.came : 0;
    // Moments farther apart than this (ms) are not interpolated.
    const t = pause > 0 && pause < 250 && latest.running ? Math.min(1, (now - latest.came) / pause) : 1;
    this.particles.blend(t);
    this.surfaces.blend(t);
    this.surfaces.setPlain(show.colouring !== 'material');
    this.particles.mesh.visible = show.particles;
    this.surfaces.group.visible = show.surface;
    this.clusters.group.visible = show.clusters || show.proxies;
    const isMoving = t !== this.blended;
    this.blended = t;
    return isNew || isMoving || !wasShown;
  }

  private write(moment: Moment): void {
    const jump = moment.jump || moment.topology !== this.topology || !this.written;
    this.topology = moment.topology;
    this.written = moment;
    const shown = { ...moment, jump };
    if (this.simulation.show.particles) this.particles.write(shown);
    if (moment.counts.vertices > 0) this.surfaces.write(shown);
    this.clusters.write(moment);
    this.goals.write(moment);
    this.obstacles.place(moment.poses);
    this.holds.place(moment.time);
    this.ground.show(moment.arrays.particles, moment.counts.particles);
    this.writePicks(moment);
  }

  private writePicks({ picks }: Moment): void {
    const count = Math.min(picks.length, MOST_THREADS);
    const ends = this.threads.geometry.getAttribute('position') as BufferAttribute;
    for (let k = 0; k < count; k++) {
      ends.setXYZ(2 * k, ...picks[k].from);
      ends.setXYZ(2 * k + 1, ...picks[k].to);
    }
    ends.needsUpdate = count > 0;
    this.threads.geometry.setDrawRange(0, 2 * count);
    this.threads.visible = count > 0;
    while (this.grips.children.length < picks.length) this.grips.add(new Group().add(new Mesh(GRIP), new Mesh(GRIP)));
    this.grips.children.forEach((grip, k) => {
      grip.visible = k < picks.length;
      if (!grip.visible) return;
      grip.position.set(...picks[k].to);
      grip.scale.setScalar(this.gripSize);
      const materials = picks[k].locked ? LOCKED : FREE;
      grip.children.forEach((mesh, n) => {
        (mesh as Mesh).material = materials[n];
      });
    });
  }
}

/** Largest number of lines from held points to their targets. */
const MOST_THREADS = 64;
function threadGeometry(): BufferGeometry {
  const ends = new BufferAttribute(new Float32Array(6 * MOST_THREADS), 3).setUsage(DynamicDrawUsage);
  return new BufferGeometry().setAttribute('position', ends);
}

/** Radius of a grip relative to the size of the scene. */
const GRIP_SIZE = 0.012;
const GRIP = new SphereGeometry(1, 16, 12);
/** Materials of a grip where it is in sight, and where a body hides it. */
const gripMaterials = (color: number) => [
  new MeshStandardNodeMaterial({ color }),
  new MeshStandardNodeMaterial({ color, transparent: true, opacity: 0.4, depthTest: false, depthWrite: false }),
];
const FREE = gripMaterials(0xd94f2b);
const LOCKED = gripMaterials(0x7a4fd9);
