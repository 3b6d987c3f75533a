import { squared } from '../math/elementary.js';
import type { PointGrid } from '../spatial/grid.js';
import type { Workspace } from '../spatial/wasm/workspace.js';
import type { FuzzySettings } from './fuzzy.js';
import { type Gathered, type Gathering, hasEmpty, SKIN } from './gathering.js';
import { ASTRAY, FREE } from './nearby.js';

/** Memberships for each particle that there is room for at first. */
const ROOM = 6;

/** Addresses of lists of members. */
interface Lists {
  start: number;
  index: number;
}

/** The form in WASM, for the kernel 'invsq' without slack: the bits of PlainGathering, also of the distances that are counted. */
export class FastGathering implements Gathering {
  private readonly places: number;
  private readonly points: number;
  private readonly mass: number;
  private readonly inverse: number;
  private readonly orphans: number;
  private readonly centre: number;
  private readonly sum: number;
  /** Centres when the lists of near points were made; infinite at first. */
  private readonly at: number;
  private readonly stale: number;
  private near: Lists;
  private nearRoom: number;
  private sets: Lists;
  private before: Lists;
  private weight: number;
  private room: number;

  constructor(
    private readonly space: Workspace,
    private readonly grid: PointGrid,
    mass: Float64Array,
    private readonly settings: FuzzySettings,
    private readonly clusters: number,
  ) {
    const { count } = grid;
    this.points = space.putGrid(grid);
    this.mass = space.putReals(mass);
    this.places = space.takeReals(4 * count);
    this.inverse = space.takeReals(count);
    this.orphans = space.takeWords(count);
    this.centre = space.takeReals(3 * clusters);
    this.sum = space.takeReals(4 * clusters);
    this.at = space.takeReals(3 * clusters);
    this.stale = space.takeWords(clusters);
    this.room = this.nearRoom = ROOM * count + 64;
    this.near = this.newLists(this.nearRoom);
    this.sets = this.newLists(this.room);
    this.before = this.newLists(this.room);
    this.weight = space.takeReals(this.room);
    for (const lists of [this.sets, this.before]) space.words(lists.start, clusters + 1).fill(0);
    space.reals(this.at, 3 * clusters).fill(Number.POSITIVE_INFINITY);
    space.kernels.writePlaces(this.points, this.places);
  }

  private newLists(room: number): Lists {
    return { start: this.space.takeWords(this.clusters + 1), index: this.space.takeWords(room) };
  }

  gather(centre: Float64Array): number[] {
    const { space, grid } = this;
    const { kernels } = space;
    space.reals(this.centre, centre.length).set(centre);
    this.remember();
    [this.sets, this.before] = [this.before, this.sets];
    while (this.find() < 0) this.widen();
    grid.evaluations += kernels.takeEvaluations();
    const orphans = kernels.invertSums(this.places, this.mass, grid.count, this.inverse, this.orphans);
    return Array.from(space.words(this.orphans, orphans));
  }

  /** Lists the points near every centre anew, where too many centres have left the place of their lists. */
  private remember(): void {
    const { space, clusters, near } = this;
    const { kernels } = space;
    const { radius } = this.settings;
    const margin = SKIN * radius;
    kernels.takeEvaluations();
    const astray = kernels.markStale(this.centre, this.at, clusters, squared(FREE * margin), this.stale);
    if (astray <= ASTRAY * clusters) return;
    while (
      kernels.listNear(this.points, this.centre, clusters, radius + margin, near.start, near.index, this.nearRoom) < 0
    ) {
      kernels.takeEvaluations();
      this.nearRoom *= 2;
      near.index = space.takeWords(this.nearRoom);
    }
    space.reals(this.at, 3 * clusters).set(space.reals(this.centre, 3 * clusters));
    space.words(this.stale, clusters).fill(0);
    this.grid.evaluations += kernels.takeEvaluations();
  }

  private find(): number {
    const { settings, near, sets } = this;
    this.space.kernels.takeEvaluations();
    return this.space.kernels.gatherWeighed(
      ...([this.points, this.places, this.centre, this.clusters, this.stale, near.start, near.index] as const),
      ...([settings.radius, settings.epsilon, sets.start, sets.index, this.weight, this.room] as const),
    );
  }

  /** Doubles the room for memberships. Those of before are kept. */
  private widen(): void {
    const { space, before, clusters } = this;
    this.room *= 2;
    this.sets.index = space.takeWords(this.room);
    const index = space.takeWords(this.room);
    const members = space.words(before.start, clusters + 1)[clusters];
    space.words(index, members).set(space.words(before.index, members));
    before.index = index;
    this.weight = space.takeReals(this.room);
  }

  move(centre: Float64Array, sum: Float64Array, overshoot: number): number {
    const { space, sets, clusters } = this;
    space.reals(this.centre, centre.length).set(centre);
    space.reals(this.sum, sum.length).set(sum);
    const moved2 = space.kernels.moveCentres(
      ...([this.places, sets.start, sets.index, this.weight, this.sum, this.centre, clusters, overshoot] as const),
    );
    centre.set(space.reals(this.centre, centre.length));
    return Math.sqrt(moved2);
  }

  isSame(): boolean {
    const { sets, before, clusters } = this;
    const { kernels } = this.space;
    if (!kernels.sameWords(sets.start, before.start, clusters + 1)) return false;
    return kernels.sameWords(sets.index, before.index, this.members()) !== 0;
  }

  private members(): number {
    return this.space.words(this.sets.start, this.clusters + 1)[this.clusters];
  }

  hasEmpty(): boolean {
    return hasEmpty(this.space.words(this.sets.start, this.clusters + 1));
  }

  take(): Gathered {
    const { space, clusters } = this;
    const members = this.members();
    const { start, index } = this.sets;
    const weight = space.takeReals(members);
    space.kernels.normaliseWeights(index, members, this.inverse, this.weight, weight);
    return {
      start: space.words(start, clusters + 1).slice(),
      particle: space.words(index, members).slice(),
      weight: space.reals(weight, members).slice(),
    };
  }
}
