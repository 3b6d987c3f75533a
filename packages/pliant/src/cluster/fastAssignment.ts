import type { PointGrid } from '../spatial/grid.js';
import { nearestInto } from '../spatial/nearest.js';
import type { Workspace } from '../spatial/wasm/workspace.js';
import { type Assignment, MOST_AROUND, takeFarthest } from './assignment.js';

/** The form in WASM: the bits of PlainAssignment, also of the distances that are counted. */
export class FastAssignment implements Assignment {
  private readonly body: number;
  private readonly grid: number;
  private readonly mass: number;
  private readonly centre: number;
  private readonly owner: number;
  private readonly distance: number;
  private readonly beyond: number;
  private readonly unsure: number;
  private readonly order: number;
  private readonly rank: number;
  private readonly reach: number;
  private readonly start: number;
  private readonly end: number;
  private readonly sum: number;
  /** Lists of centres around centres: their numbers and distances, and how many there is room for. */
  private index = 0;
  private apart = 0;
  private room = 0;
  private counted = 0;

  constructor(
    private readonly space: Workspace,
    private readonly particles: PointGrid,
    mass: Float64Array,
    private readonly centres: number,
  ) {
    const { count } = particles;
    this.body = space.putGrid(particles);
    this.mass = space.putReals(mass);
    this.grid = space.takeGrid(centres, mostCells(centres));
    this.centre = space.takeReals(3 * centres);
    this.sum = space.takeReals(4 * centres);
    this.owner = space.takeWords(count);
    this.distance = space.takeReals(count);
    this.beyond = space.takeReals(count);
    this.unsure = space.takeWords(count);
    [this.order, this.rank] = [space.takeWords(centres), space.takeWords(centres)];
    [this.start, this.end] = [space.takeWords(centres), space.takeWords(centres)];
    this.reach = space.takeReals(centres);
    this.widen(32 * centres);
  }

  private widen(room: number): void {
    this.room = room;
    this.index = this.space.takeWords(room);
    this.apart = this.space.takeReals(room);
  }

  get evaluations(): number {
    return this.counted;
  }

  private putGrid(grid: PointGrid): void {
    this.space.setGrid(this.grid, grid);
    this.space.words(this.order, this.centres).set(grid.order);
  }

  assignAll(grid: PointGrid): void {
    const { space } = this;
    const { kernels } = space;
    const { x, y, z, count } = this.particles;
    this.putGrid(grid);
    const found = nearestInto({ index: -1, distance: 0, othersBeyond: 0 }, grid, x[0], y[0], z[0], -1);
    space.words(this.owner, count)[0] = grid.order[found.index];
    space.reals(this.distance, count)[0] = found.distance;
    space.reals(this.beyond, count)[0] = found.othersBeyond;
    kernels.takeEvaluations();
    kernels.assignAll(this.body, this.grid, this.order, this.owner, this.distance, this.beyond, found.index);
    this.counted += grid.evaluations + kernels.takeEvaluations();
  }

  reassign(grid: PointGrid, centre: Float64Array, moved: number, margin: number): boolean {
    const { space, centres, body, owner, distance, beyond, reach, unsure, start, end } = this;
    const { kernels } = space;
    this.putGrid(grid);
    space.reals(this.centre, centre.length).set(centre);
    kernels.takeEvaluations();
    const searches = kernels.listUnsure(
      ...([body, this.centre, centres, owner, distance, beyond, moved, margin, reach, unsure] as const),
    );
    this.counted += kernels.takeEvaluations();
    // The loop ends: no list is longer than all centres, and no more than MOST_AROUND of it are kept.
    for (;;) {
      const { index, apart, room } = this;
      const listed = kernels.listAround(
        ...([this.grid, this.centre, centres, reach, start, end, index, apart, room, MOST_AROUND] as const),
      );
      if (listed >= 0) break;
      kernels.takeEvaluations();
      this.widen(2 * room);
    }
    const { index, apart } = this;
    const changed = kernels.searchUnsure(
      ...([body, this.grid, this.order, this.rank, owner, distance, beyond, unsure, searches, margin] as const),
      ...([reach, start, end, index, apart] as const),
    );
    this.counted += kernels.takeEvaluations();
    return changed !== 0;
  }

  sums(): Float64Array {
    const { space, centres } = this;
    space.kernels.sumOwners(this.body, this.mass, this.owner, this.sum, centres);
    return space.reals(this.sum, 4 * centres);
  }

  takeFarthest(): number {
    return takeFarthest(this.space.reals(this.distance, this.particles.count));
  }
}

/** Largest number of cells of a grid of some points (spatial/grid.ts). */
const mostCells = (points: number) => Math.max(64, 4 * points);
