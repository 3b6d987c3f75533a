import type { Body } from '../body/body.js';
import type { Bounds } from '../body/rigid.js';
import { checkNumber } from '../check.js';
import { Scratch } from '../scratch.js';
import type { Rows } from '../state/rows.js';
import type { State } from '../state/state.js';
import { NO_PIECE } from '../topology/pieces.js';
import { type Before, type Binding, bindInParts, bindKnots, type Wanted } from './bind.js';
import { findNear, type Near, onceEach } from './blend.js';
import { fitFrames, fitFramesApart } from './frames.js';
import { type Frozen, freeze, moveFrozen, stillHas } from './frozen.js';
import { openFaces } from './kerf.js';
import { copiesOf, type Knots, wholeKnots } from './knots.js';
import { OuterLayer } from './outerLayer.js';
import { type Parts, Spread } from './parts.js';
import { placeKnots } from './place.js';
import { NO_KNOT, type Shading, shadeMesh } from './shade.js';
import type { Torn } from './sides.js';
import { type SkinMesh, someNear, someTriangles, takeTriangles } from './skinMesh.js';
import { findSurroundings, type Surroundings } from './surroundings.js';
import { Tearing } from './tear.js';

/** A run of `indices` of one kind, as three.js's geometry groups: give outer and inner faces different materials. */
export interface SkinGroup {
  /** First index of the run. */
  readonly start: number;
  /** Number of indices: three a triangle. */
  readonly count: number;
  /** 'outer': the surface as it was built. 'inner': faces that cuts and cracks laid open. */
  readonly kind: 'outer' | 'inner';
}

/**
 * Where the triangles of a skin lie in the mesh that the body was built from. A corner of the skin lies in a triangle of that mesh, also after edges were halved
 * and faces were cut: any attribute of the mesh has there the mean of its values at the triangle's three vertices, by the corner's weights.
 */
export interface SkinSource {
  /** For each triangle of the skin: the number of a triangle of the mesh, or NO_SOURCE for faces that are not of it, such as inner ones. */
  readonly triangles: Uint32Array;
  /** For each corner, in the order of the skin's `indices`: weights of the first, second and third vertex of that triangle. They sum to 1; all are 0 at faces without source. */
  readonly weights: Float32Array;
}

/** In `SkinSource.triangles`: a face that is not of the mesh. */
export const NO_SOURCE = 0xffffffff;

/** The triangle mesh that shows a body. `update()` writes into its arrays, which stay the same objects until `version` rises. */
export interface RenderSkin {
  /** Rises whenever the arrays are replaced, because the body broke or was cut: make the GPU buffers again then. */
  readonly version: number;
  /** Number of vertices. */
  readonly vertexCount: number;
  /** x, y, z of each vertex (m), as of the last `update()`. */
  readonly positions: Float32Array;
  /** Normal of each vertex, x, y, z, of length 1. Vertices are split where the surface has a crease. */
  readonly normals: Float32Array;
  /** Three vertices a triangle, counter-clockwise seen from outside. */
  readonly indices: Uint32Array;
  /** Runs of `indices`: the outer faces, then the inner ones if there are any. */
  readonly groups: readonly SkinGroup[];
  /** u, v of each vertex, if the mesh had them; v runs upwards. */
  readonly uvs: Float32Array | undefined;
  /** r, g, b of each vertex in [0, 1], if the mesh had them. */
  readonly colours: Float32Array | undefined;
  /** x, y, z of each vertex at rest (m), as the body was built: coordinates for textures of inner faces, which have no texture coordinates. */
  readonly rest: Float32Array;
  /** For each vertex, the particle of the body that is nearest to it at rest: for colours by cluster or stress. */
  readonly particle: Uint32Array;
  /** For each vertex, the number of its place: vertices that creases and texture seams split have the same number and the same position. */
  readonly welded: Uint32Array;
  /** Where the triangles lie in the mesh that the body was built from, if that has `source: true`; else undefined. Computed on the first access after `version` rose. */
  readonly source: SkinSource | undefined;
  /** The axis-aligned box around the vertices (m), as of the last `update()`. The same object and arrays in every update. */
  readonly bounds: Bounds;
  /** The whole surface at rest. */
  readonly restMesh: SkinMesh;
  /**
   * Distance (m) at which `update` draws both faces of a cut from each other, so that a cut is seen although nothing draws it open yet. Only what is drawn
   * changes, not the body. Cracks open by themselves and are not drawn apart. Default 0.
   */
  kerf: number;
  /**
   * Whether the work that a break of the body makes is spread over the following updates. Each of them does a share for every step since the one before, which grows with the number
   * of triangles. Until all is done, 4 to 6 steps after a break in bodies that fall into many pieces, the mesh is the one before the break: closed, and drawn out over the crack.
   * How much an update does depends on counts and not on a clock, unless `took` is called. Default false: an update shows the body as it is.
   */
  spread: boolean;
  /**
   * Tells how many milliseconds the last update took, for work that is spread: the following shares are smaller where one took more than 10 ms for 5000 triangles, as on slow machines and while code is not
   * compiled yet, and grow again. Breaks are then shown later.
   */
  took(milliseconds: number): void;
  /**
   * Moves the vertices to where the body is now, and computes the normals. Call it once after the steps of a frame. It allocates nothing unless the
   * topology of the body has changed; then it binds the mesh anew, which takes longer.
   *
   * With `alpha` from `world.advance`, the vertices are moved to where the body was that share of the way from the start of the last step to its end: motion then is
   * smooth on displays that do not keep time with the steps. Default 1: the end of the step.
   */
  update(alpha?: number): void;
  /**
   * Positions and normals of the vertices when the body is at rest and undeformed, x, y, z each: new arrays. For renderers that express vectors of their own, such as tangents,
   * relative to the surface.
   */
  atRest(): { positions: Float32Array; normals: Float32Array };
  /** @internal Replaces the mesh. `partial`: whether it shows more than the body. */
  replace(mesh: SkinMesh, partial: boolean): void;
}

/**
 * Work (see Parts) that an update does at most for each triangle of the rest mesh and each step since the one before, if it is spread, and the least number of triangles to count: a box of a few
 * triangles may have a large inside. A part that is larger by itself, as shading is for bodies that are all crack, is done alone.
 */
const SHARE = 1.3;
const FEWEST = 2500;
/**
 * Milliseconds that a share may take for a mesh of TRIANGLES, or of fewer. A share that took longer makes the next ones smaller in proportion, down to LEAST of SHARE; one that took less than half of it makes them
 * larger by GROWTH.
 */
const TIME = { MOST: 10, TRIANGLES: 5000, LEAST: 0.1, GROWTH: 1.3 } as const;
/** Cost (see Parts) of a corner that is shaded. */
const COST = 0.032;

/** Updates without a step after which the world stands still. */
const PATIENCE = 3;

/** A mesh torn and bound at one topology, not shown yet. `shading`: none if the mesh is as it is laid out. */
interface Bond {
  readonly topologyVersion: number;
  readonly shown: SkinMesh;
  readonly knots: Knots;
  readonly shading: Shading | undefined;
  readonly binding: Binding;
}

type Triple = [number, number, number];

/** How the vertices of a mesh to be cut are bound: the knot of each; without `knots` they are the knots. */
export interface Bound {
  readonly binding: Binding;
  readonly knots?: Uint32Array;
}

/** @internal The parts of a body that its skin uses. */
export type SkinnedBody = Pick<
  Body,
  | 'rows'
  | 'builtPositions'
  | 'size'
  | 'topologyVersion'
  | 'core'
  | 'pieces'
  | 'clustering'
  | 'spacing'
  | 'fracture'
  | 'asleep'
>;

/** @internal */
export class BodySkin implements RenderSkin {
  version = 0;
  kerf = 0;
  positions: Float32Array = new Float32Array(0);
  normals: Float32Array = new Float32Array(0);
  rest: Float32Array = new Float32Array(0);
  particle: Uint32Array = new Uint32Array(0);
  groups: readonly SkinGroup[] = [];
  readonly bounds = { min: [0, 0, 0] as Triple, max: [0, 0, 0] as Triple };
  private sourceNow: SkinSource | undefined;
  /** Positions of the knots, and normals of the shades. */
  private places = new Float32Array(0);
  private shades = new Float32Array(0);
  /** Positions of the knots with cuts drawn apart. */
  private opened = new Float32Array(0);
  /** The particles around each vertex of the rest mesh. */
  near: Near;
  /** The mesh that is shown: the rest mesh, and behind it the inner faces of a body that has come apart. */
  private shown: SkinMesh;
  /** Its rest positions when the arrays were made. */
  private laidOut: Float64Array = new Float64Array(0);
  private knots!: Knots;
  private shading!: Shading;
  private binding!: Binding;
  /** For a body with an elastic law whose clusters are as built. */
  private layer: OuterLayer | undefined;
  /** Topology version for which the binding was made, and whether clusters were fading then. */
  private boundTopology = -1;
  private boundFading = false;
  /** Since the body has come apart. */
  private tearing: Tearing | undefined;
  spread = false;
  /** If work is spread: the body at the topology to which the mesh is bound, and work under way for a later one. */
  private frozen: Frozen | undefined;
  private job: { at: Frozen; work: Spread<Bond> } | undefined;
  /** Factor on the share of an update, by the time that shares took. */
  private pace = 1;
  /** Number of the world's last step when an update last did a share. */
  private frame = -1;
  /** Updates since then in which the world had made no step. */
  private idle = 0;
  /** For benches and tests: the work that the last update did of what is spread. */
  readonly spent = { cost: 0, parts: 0 };

  constructor(
    private readonly state: State,
    private readonly body: SkinnedBody,
    public restMesh: SkinMesh,
    /** Whether the mesh shows a body of which this one is only a part. */
    private partial = false,
    /** Moves places of knots (x y z each) out of the obstacles that the body meets. */
    private readonly press: (places: Float32Array) => void = () => {},
    /** After a cut: positions of the vertices, and how they were bound. */
    now?: Float64Array,
    before?: Before,
  ) {
    this.near = restMesh.near ?? findNear(restMesh.positions, body.builtPositions);
    this.shown = restMesh;
    if (now) this.bindAt(now, before);
    else this.update();
    if (!now && body.core.breaks) this.prepareTearing();
  }

  /** Divides the inside into cells when the skin is made, so that the first break does not wait for it. */
  private prepareTearing(): void {
    if (this.tearing) return;
    const { body, near, restMesh, partial } = this;
    const copies = copiesOf(this.state.views, body.rows, body.builtPositions.length / 3);
    const isPartial = partial || body.core.history.lost;
    this.tearing = new Tearing(restMesh, findSurroundings(restMesh, near, body, copies, isPartial));
  }

  /** For benches and tests: forgets what is kept from break to break. */
  forgetTorn(): void {
    if (!this.tearing) return;
    this.job = undefined;
    this.tearing = new Tearing(this.restMesh, this.tearing.surroundings);
    this.boundTopology = -1;
  }

  get vertexCount(): number {
    return this.shading.vertexCount;
  }
  get indices(): Uint32Array {
    return this.shading.indices;
  }
  get uvs(): Float32Array | undefined {
    return this.shading.uvs;
  }
  get colours(): Float32Array | undefined {
    return this.shading.colours;
  }
  get welded(): Uint32Array {
    return this.shading.knot;
  }

  replace(mesh: SkinMesh, partial: boolean, now?: Float64Array, before?: Before): void {
    this.restMesh = mesh;
    this.partial = partial;
    this.tearing = this.job = this.frozen = undefined;
    this.near = mesh.near ?? findNear(mesh.positions, this.body.builtPositions);
    this.boundTopology = -1;
    if (now) this.bindAt(now, before);
    else this.update();
  }

  get source(): SkinSource | undefined {
    const { source } = this.shading;
    if (source) this.sourceNow ??= decodeSource(source);
    return this.sourceNow;
  }

  update(alpha = 1): void {
    if (alpha !== 1) checkNumber('alpha', alpha, { min: 0, max: 1 });
    if (this.kerf !== 0) checkNumber('skin.kerf', this.kerf, { min: 0 });
    if (alpha === 1) this.moveKnots();
    else atShare(this.state, this.body.rows, alpha, () => this.moveKnots());
    this.press(this.places);
    const { places, shading } = this;
    // Places are those of the body: cuts take the mesh as it lies there.
    if (this.kerf > 0 && shading.outer < shading.indices.length && this.shown === this.restMesh) {
      if (this.opened.length !== places.length) this.opened = new Float32Array(places.length);
      openFaces(this.opened, places, shading, this.kerf);
      this.places = this.opened;
    }
    this.fitBounds();
    this.shadeNormals();
    this.draw();
    this.places = places;
  }

  atRest(): { positions: Float32Array; normals: Float32Array } {
    const { places, positions, normals, knots, shown } = this;
    // The arrays of the present are set aside, so that the drawing of the rest shape does not change them.
    this.places = new Float32Array(places.length);
    for (let n = 0; n < knots.vertex.length; n++)
      for (let a = 0; a < 3; a++) this.places[3 * n + a] = shown.positions[3 * knots.vertex[n] + a];
    const rest = { positions: new Float32Array(positions.length), normals: normals.slice() };
    Object.assign(this, rest);
    this.shadeNormals();
    this.draw();
    Object.assign(this, { places, positions, normals });
    return rest;
  }

  private fitBounds(): void {
    const { places, bounds } = this;
    for (let a = 0; a < 3; a++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let o = a; o < places.length; o += 3) {
        if (places[o] < low) low = places[o];
        if (places[o] > high) high = places[o];
      }
      bounds.min[a] = low;
      bounds.max[a] = high;
    }
  }

  private moveKnots(): void {
    const { body, state } = this;
    if (this.spread) this.bindByShares();
    else this.settle();
    if (this.boundTopology !== body.topologyVersion) {
      this.moveBehind();
      return;
    }
    fitFrames(this.binding.frames, state, body.rows.clusterStart, this.binding.bindingClusters);
    this.layer?.fit(state.views, body.rows, this.binding.frames.frames);
    placeKnots(this.binding, this.places, state.views, body.rows.clusterStart);
    this.layer?.addTo(this.places);
  }

  /** Binds the mesh to the present body, if it is not. */
  private settle(): void {
    const { body } = this;
    if (this.job) {
      this.take(this.job.work.finish());
      this.job = undefined;
      this.frozen = undefined;
    }
    // Clusters that fade change the weights of their members in every step.
    if (this.boundTopology !== body.topologyVersion || this.boundFading || body.core.history.fading) this.bind();
  }

  /**
   * Does a share of the work of tearing and binding the mesh as the body is now, or was when the work began. Until it
   * is done, the skin is that of the topology before it. Work that cannot be spread is done at once.
   */
  private bindByShares(): void {
    const { body, state } = this;
    // Where updates are rarer than steps, a mesh is not later for that. Where there are more of them, they cost no more, unless the world stands still.
    const { frame = 0 } = state.world ?? {};
    this.idle = frame === this.frame ? this.idle + 1 : 0;
    const steps = this.idle === 0 ? Math.max(1, frame - this.frame) : this.idle < PATIENCE ? 0 : 1;
    this.frame = frame;
    const { fading } = body.core.history;
    this.spent.cost = this.spent.parts = 0;
    const isBehind = this.boundTopology !== body.topologyVersion;
    // A body that sleeps may not be updated again.
    if (fading || this.boundFading || (isBehind && (body.asleep || !this.canFollow()))) {
      this.settle();
      this.frozen = undefined;
    } else if (isBehind && steps > 0) {
      if (!this.job) {
        const at = freeze(state.views, body.rows, body.topologyVersion, body.pieces);
        this.job = { at, work: new Spread(this.bindInParts(at)) };
      }
      const { done, value } = this.job.work.advance(steps * this.pace * this.share);
      Object.assign(this.spent, this.job.work.spent);
      if (done) {
        this.frozen = this.job.at;
        this.job = undefined;
        this.take(value!);
      }
    }
    const isBound = this.boundTopology === body.topologyVersion;
    if (isBound && this.frozen?.topologyVersion !== this.boundTopology && body.core.breaks && !fading)
      this.frozen = freeze(state.views, body.rows, body.topologyVersion, body.pieces);
  }

  took(milliseconds: number): void {
    checkNumber('milliseconds', milliseconds, { min: 0 });
    if (!this.spread || this.spent.parts === 0) return;
    const most = TIME.MOST * Math.max(1, this.restMesh.indices.length / 3 / TIME.TRIANGLES);
    if (milliseconds > most) this.pace = Math.max(TIME.LEAST, (this.pace * most) / milliseconds);
    else if (milliseconds < most / 2) this.pace = Math.min(1, TIME.GROWTH * this.pace);
  }

  /** Work that an update may do for a step. */
  get share(): number {
    return SHARE * Math.max(FEWEST, this.restMesh.indices.length / 3);
  }

  /** Whether the skin, as it is bound, can follow the body as it is now. */
  private canFollow(): boolean {
    const { body, frozen } = this;
    if (!this.tearing || frozen?.topologyVersion !== this.boundTopology || this.isWhole()) return false;
    return stillHas(this.state.views, body.rows, frozen);
  }

  /** Moves the knots by the clusters of the topology to which they are bound, which the body no longer has. */
  private moveBehind(): void {
    const { binding, body, state } = this;
    const frozen = this.frozen!;
    moveFrozen(frozen, state.views, body.rows);
    fitFramesApart(binding.frames, frozen.s, binding.bindingClusters);
    placeKnots(binding, this.places, frozen.s, 0);
  }

  /**
   * Binds a mesh after a cut so that its vertices are at `now` (x y z). Nothing jumps, whatever clusters they are now
   * bound to.
   */
  private bindAt(now: Float64Array, before?: Before): void {
    this.bind(before, { now, size: this.body.size, state: this.state });
    const { shown, restMesh } = this;
    // Cells must be those of the moved mesh, so they are found again.
    this.tearing = undefined;
    if (shown !== restMesh) {
      restMesh.positions.set(shown.positions.subarray(0, restMesh.positions.length));
      this.boundTopology = -1;
    }
    this.update();
  }

  /**
   * For cuts: the shown mesh with one vertex for each knot, the particles that these follow, their binding, and their
   * present positions, x y z each.
   */
  asParted(): { mesh: SkinMesh; near: Near; now: Float64Array; bound: Bound } {
    const { version } = this;
    this.settle();
    this.moveKnots();
    // Arrays that were replaced must be filled: the cut may meet nothing, and they stay in use.
    if (this.version !== version) this.update();
    const { knots, restMesh, places, binding } = this;
    if (knots.corner === restMesh.indices)
      return { mesh: restMesh, near: this.near, now: new Float64Array(places), bound: { binding } };
    const shown: number[] = [];
    for (let t = 0; t < knots.corner.length / 3; t++) if (knots.corner[3 * t] !== NO_KNOT) shown.push(t);
    const parted = this.partedMesh();
    const { some, used } = takeTriangles(parted, shown);
    const now = new Float64Array(3 * used.length);
    for (let n = 0; n < used.length; n++) for (let a = 0; a < 3; a++) now[3 * n + a] = places[3 * used[n] + a];
    return { mesh: some, near: someNear(parted.near!, used), now, bound: { binding, knots: used } };
  }

  private bind(before?: Before, wanted?: Wanted): void {
    const { body, state } = this;
    if (this.boundTopology !== body.topologyVersion) {
      const knots = this.findKnots();
      const isNew = this.isNew(this.shown, knots);
      this.knots = knots;
      if (isNew) this.layOut(shadeMesh(this.shown, knots.corner));
      this.nameParticles();
      this.boundTopology = body.topologyVersion;
    }
    const { restMesh, shown } = this;
    const knots = (body.core.history.fading && this.knots.full?.()) || this.knots;
    // If the mesh was torn again, its vertices are not the knots, and the old binding does not apply.
    const known = knots.corner === restMesh.indices ? before : undefined;
    this.binding = bindKnots(state.views, body.rows, body.builtPositions, shown.positions, knots, known, wanted);
    // Weights that are kept are those of the state in which the mesh was torn.
    if (knots.kept) this.knots = { ...knots, kept: undefined };
    this.boundFading = body.core.history.fading;
    const isWhole =
      body.core.law &&
      !body.core.isPart &&
      !this.partial &&
      !body.core.history.lost &&
      !body.core.history.broken &&
      3 * (body.rows.particleEnd - body.rows.particleStart) === body.builtPositions.length &&
      knots.corner === restMesh.indices;
    this.layer = isWhole ? new OuterLayer(state.views, body.rows, knots) : undefined;
  }

  /** Whether a mesh and its knots are other than those that are laid out. */
  private isNew(shown: SkinMesh, knots: Knots): boolean {
    return (
      this.boundTopology < 0 ||
      !sameNumbers(knots.corner, this.knots.corner) ||
      !sameNumbers(shown.positions, this.laidOut)
    );
  }

  /** Tears and binds the mesh as the body was when it was frozen. Changes nothing that is shown. */
  private *bindInParts(at: Frozen): Parts<Bond> {
    const { mesh, knots } = yield* this.tearing!.tearInParts(this.describeTorn(at, this.tearing!.surroundings));
    yield COST * knots.corner.length;
    const shading = this.isNew(mesh, knots) ? shadeMesh(mesh, knots.corner) : undefined;
    const binding = yield* bindInParts(at.s, at.rows, this.body.builtPositions, mesh.positions, knots);
    return { topologyVersion: at.topologyVersion, shown: mesh, knots: { ...knots, kept: undefined }, shading, binding };
  }

  /** Shows what bindInParts found. */
  private take({ topologyVersion, shown, knots, shading, binding }: Bond): void {
    this.shown = shown;
    this.knots = knots;
    if (shading) this.layOut(shading);
    this.nameParticles();
    this.binding = binding;
    this.layer = undefined;
    this.boundTopology = topologyVersion;
  }

  /** Whether the body has not come apart, and the mesh shows no more than the body. */
  private isWhole(): boolean {
    const { pieces, core } = this.body;
    const isOne = pieces.count === 1 && !core.history.broken && !this.partial && !core.history.lost;
    return isOne && !pieces.ofParticle.includes(NO_PIECE);
  }

  private findKnots(): Knots {
    const { body, restMesh: mesh, near } = this;
    const { rows, builtPositions: built, pieces } = body;
    const s = this.state.views;
    this.shown = mesh;
    if (this.isWhole()) return wholeKnots(mesh.indices, near, s, rows, built.length / 3);
    this.prepareTearing();
    const { surroundings } = this.tearing!;
    const torn = this.tearing!.tear(this.describeTorn({ s, rows, pieces }, surroundings));
    this.shown = torn.mesh;
    return torn.knots;
  }

  private describeTorn({ s, rows, pieces }: Pick<Frozen, 's' | 'rows' | 'pieces'>, surroundings: Surroundings): Torn {
    const { roughness = 0, grain = 'none' } = this.body.fracture;
    return {
      s,
      rows,
      copies: copiesOf(s, rows, this.body.builtPositions.length / 3),
      surroundings,
      pieceOf: pieces.ofParticle,
      pieces: pieces.count,
      partial: this.partial || this.body.core.history.lost,
      roughness,
      grain,
    };
  }

  /** The mesh of each of the body's pieces, as it is torn now, for bodies of their own. */
  divide(): SkinMesh[] {
    if (this.job || this.boundTopology !== this.body.topologyVersion) this.settle();
    const { knots } = this;
    const { count, ofParticle } = this.body.pieces;
    const parted = this.partedMesh();
    const triangles = Array.from({ length: count }, (): number[] => []);
    for (let k = 0; k < knots.corner.length; k += 3)
      if (knots.corner[k] !== NO_KNOT)
        triangles[ofParticle[knots.own[knots.particle[knots.start[knots.corner[k]]]]]].push(k / 3);
    return triangles.map((some) => someTriangles(parted, some));
  }

  /** The shown mesh with the knots as vertices. */
  private partedMesh(): SkinMesh {
    const { knots, shown } = this;
    const positions = new Float64Array(3 * knots.vertex.length);
    for (let n = 0; n < knots.vertex.length; n++)
      positions.set(shown.positions.subarray(3 * knots.vertex[n], 3 * knots.vertex[n] + 3), 3 * n);
    return { ...shown, positions, indices: knots.corner, near: this.knotsNear() };
  }

  /** Particles that the knots follow, by ancestor: several copies of a particle become one entry. */
  private knotsNear(): Near {
    const { body, state } = this;
    const knots = this.knots.full?.() ?? this.knots;
    const { particleStart } = body.rows;
    const count = knots.vertex.length;
    const start = new Uint32Array(count + 1);
    for (let n = 0; n < count; n++) start[n + 1] = start[n] + knots.end[n] - knots.start[n];
    const particle = new Uint32Array(start[count]);
    const kernel = new Float32Array(particle.length);
    for (let n = 0, at = 0; n < count; n++)
      for (let e = knots.start[n]; e < knots.end[n]; e++, at++) {
        particle[at] = state.views.ancestor[particleStart + knots.own[knots.particle[e]]];
        kernel[at] = knots.kernel[e];
      }
    return onceEach({ start, particle, kernel }, body.builtPositions.length / 3);
  }

  /** Allocates the arrays for the shown mesh. */
  private layOut(shading: Shading): void {
    this.laidOut = this.shown.positions;
    this.shading = shading;
    const { vertexCount, shadeCount, outer, indices } = shading;
    this.positions = new Float32Array(3 * vertexCount);
    this.normals = new Float32Array(3 * vertexCount);
    for (let o = 1; o < this.normals.length; o += 3) this.normals[o] = 1;
    this.particle = new Uint32Array(vertexCount);
    this.rest = this.restPlaces();
    this.places = new Float32Array(3 * this.knots.vertex.length);
    this.shades = new Float32Array(3 * shadeCount);
    const groups: SkinGroup[] = [{ start: 0, count: outer, kind: 'outer' }];
    if (outer < indices.length) groups.push({ start: outer, count: indices.length - outer, kind: 'inner' });
    this.groups = groups;
    this.sourceNow = undefined;
    this.version++;
  }

  /** Rest positions of the drawn vertices. */
  private restPlaces(): Float32Array {
    const { knot } = this.shading;
    const { positions } = this.shown;
    const rest = new Float32Array(3 * knot.length);
    for (let r = 0; r < knot.length; r++) {
      const v = 3 * this.knots.vertex[knot[r]];
      for (let a = 0; a < 3; a++) rest[3 * r + a] = positions[v + a];
    }
    return rest;
  }

  private nameParticles(): void {
    const { start, particle, own } = this.knots;
    const { knot } = this.shading;
    for (let r = 0; r < knot.length; r++) this.particle[r] = own[particle[start[knot[r]]]];
  }

  /** Computes the normals of the shades as sums of face normals; see describeFaces. */
  private shadeNormals(): void {
    const { places: p, shades } = this;
    const { cornerKnot, cornerShade, cornerWeight } = this.shading;
    shades.fill(0);
    for (let k = 0; k < cornerKnot.length; k += 3) {
      const a = 3 * cornerKnot[k];
      const b = 3 * cornerKnot[k + 1];
      const c = 3 * cornerKnot[k + 2];
      const ux = p[b] - p[a];
      const uy = p[b + 1] - p[a + 1];
      const uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a];
      const vy = p[c + 1] - p[a + 1];
      const vz = p[c + 2] - p[a + 2];
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      // Written out: a loop over the corners takes a third longer.
      const d = 3 * cornerShade[k];
      const e = 3 * cornerShade[k + 1];
      const f = 3 * cornerShade[k + 2];
      const wd = cornerWeight[k];
      const we = cornerWeight[k + 1];
      const wf = cornerWeight[k + 2];
      shades[d] += wd * nx;
      shades[d + 1] += wd * ny;
      shades[d + 2] += wd * nz;
      shades[e] += we * nx;
      shades[e + 1] += we * ny;
      shades[e + 2] += we * nz;
      shades[f] += wf * nx;
      shades[f + 1] += wf * ny;
      shades[f + 2] += wf * nz;
    }
    for (let o = 0; o < shades.length; o += 3) {
      const x = shades[o];
      const y = shades[o + 1];
      const z = shades[o + 2];
      const scale = 1 / Math.sqrt(x * x + y * y + z * z);
      shades[o] = x * scale;
      shades[o + 1] = y * scale;
      shades[o + 2] = z * scale;
    }
  }

  private draw(): void {
    const { positions, normals, places, shades } = this;
    const { knot, shade } = this.shading;
    for (let r = 0; r < knot.length; r++) {
      const o = 3 * r;
      const n = 3 * knot[r];
      const m = 3 * shade[r];
      positions[o] = places[n];
      positions[o + 1] = places[n + 1];
      positions[o + 2] = places[n + 2];
      const x = shades[m];
      const y = shades[m + 1];
      const z = shades[m + 2];
      // Where all faces around have vanished, the normal stays as it was.
      if (x * x + y * y + z * z > 0.5) {
        normals[o] = x;
        normals[o + 1] = y;
        normals[o + 2] = z;
      }
    }
  }
}

const room = new Scratch(Float32Array);

/** Does something while the body's particles are at a share of the way from the start of the last step to its end, and puts them back. */
function atShare(
  { views: { x, xOld } }: State,
  { particleStart, particleEnd }: Rows,
  share: number,
  act: () => void,
): void {
  const [start, end] = [4 * particleStart, 4 * particleEnd];
  const now = room.take(end - start);
  now.set(x.subarray(start, end));
  for (let o = start; o < end; o += 4) for (let a = o; a < o + 3; a++) x[a] = xOld[a] + share * (x[a] - xOld[a]);
  try {
    act();
  } finally {
    x.set(now, start);
  }
}

function decodeSource(rows: Float32Array): SkinSource {
  const triangles = new Uint32Array(rows.length / 9);
  const weights = new Float32Array(rows.length);
  for (let k = 0; k < rows.length; k += 3) {
    // Rows of 0 are those of faces without a source.
    if (rows[k] === 0) {
      triangles[Math.floor(k / 9)] = NO_SOURCE;
      continue;
    }
    triangles[Math.floor(k / 9)] = rows[k] - 1;
    weights[k + 1] = rows[k + 1];
    weights[k + 2] = rows[k + 2];
    weights[k] = 1 - rows[k + 1] - rows[k + 2];
  }
  return { triangles, weights };
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
