import type { Body } from '../body/body.js';
import { BodySpin } from '../contact/bodySpin.js';
import { meetsByMiddle } from '../contact/byMiddle.js';
import { Scratch } from '../scratch.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import { Candidates } from './candidates.js';
import { buildFoldMesh, type FoldMesh } from './foldMesh.js';
import { FoldRow, FoldRows } from './foldRows.js';

/**
 * Contact of sheets and cords with themselves, in place of the proxies of their clusters: a sheet folds within the width of a cluster, and clusters that share particles do not collide.
 * Nodes are kept off triangles and edges off edges of the middle surface (foldMesh.ts), after the obstacles have moved particles: of two layers that fall on a floor the lower one could be put
 * back through the upper one otherwise.
 *
 * Contacts are impulses that end an approach, with friction and without restitution: no energy is won. They change v by Δv and x by h Δv. Positions that are too near all the same are put
 * right without velocity. Both keep the momentum; the body as a whole is turned so that it keeps its angular momentum (contact/bodySpin.ts).
 */
export function meetFolds(world: World): void {
  for (const body of world.bodies) if (body.active && meetsByMiddle(body)) solveFolds(world, body);
}

/** Keeps the positions of sheets and cords before obstacles move particles: those that they moved are supported. */
export function beforeObstacles(world: World): void {
  const { views: s } = world.state;
  for (const body of world.bodies) {
    if (!body.active || !meetsByMiddle(body)) continue;
    const [start, end] = [4 * body.rows.particleStart, 4 * body.rows.particleEnd];
    foldsOf(s, body).before.set(s.x.subarray(start, end));
  }
}

/** The folds of a body, made anew if its topology has changed. */
function foldsOf(s: Views, body: Body): Folds {
  const { core, topologyVersion, rows } = body;
  if (core.folds?.version !== topologyVersion)
    core.folds = new Folds(topologyVersion, buildFoldMesh(s, body, core.thin!), rows.particleEnd - rows.particleStart);
  return core.folds;
}

/** The mesh of a body and the candidates for its contacts. Both follow from the state. */
export class Folds {
  readonly candidates: Candidates | undefined;
  /** Positions before obstacles moved particles, as in x. */
  readonly before: Float32Array;

  constructor(
    readonly version: number,
    readonly mesh: FoldMesh | undefined,
    particles: number,
  ) {
    this.before = new Float32Array(4 * particles);
    this.candidates = mesh && new Candidates(mesh);
  }
}

/** Largest numbers of sweeps over velocities and over positions. A sweep is the last if it changes less than the share CONVERGED of the sum. */
const SWEEPS = 6;
const POSITION_SWEEPS = 4;
const CONVERGED = 0.01;

/** Share of the distance that parts lack which a substep puts right, beyond what they came nearer in it. */
const PARTING = 0.2;

const { NODE, WEIGHT, NORMAL, BEFORE, APART, MOBILITY, ALONG, ACROSS, SHIFT, LENGTH } = FoldRow;

const contacts = new FoldRows();
const whole = new BodySpin();
const [startRoom, endRoom, speedRoom, massRoom, supportRoom, changeRoom, shiftRoom] = Array.from(
  { length: 7 },
  () => new Scratch(Float64Array),
);
/** Velocities of nodes (m/s), their changes, and their displacements (m): three numbers each; and 1/m (1/kg), 0 for held ones. Of the current body. */
let [speed, change, shift, inverseMass] = Array.from({ length: 4 }, () => new Float64Array(0));
/** Direction in which an obstacle has displaced each node in this substep, of length 1, or 0: contacts displace it no more against that, as the obstacle would put it back. */
let support = new Float64Array(0);

function solveFolds(world: World, body: Body): void {
  const { core, rows } = body;
  const { views: s } = world.state;
  const { mesh, candidates, before } = foldsOf(s, body);
  if (!mesh || !candidates) return;
  const [start, end] = [startRoom.take(3 * mesh.nodes), endRoom.take(3 * mesh.nodes)];
  placeNodes(mesh, s.xOld, s.x, rows.particleStart, start);
  placeNodes(mesh, s.x, s.x, rows.particleStart, end);
  candidates.update(start, end);
  if (candidates.faces.count + candidates.edges.count === 0) return;
  speed = speedRoom.take(3 * mesh.nodes);
  inverseMass = massRoom.take(mesh.nodes);
  support = supportRoom.take(3 * mesh.nodes);
  weighNodes(mesh, s, rows.particleStart, before);
  contacts.list(mesh, candidates, start, end, inverseMass);
  if (contacts.count === 0) return;
  placeNodes(mesh, s.v, s.x, rows.particleStart, speed);
  change = changeRoom.takeZeros(3 * mesh.nodes);
  shift = shiftRoom.take(3 * mesh.nodes);
  whole.measure(world.kernels, rows);
  stopApproaches(world.h, body.material.friction);
  advance(world.h);
  part(end, core.contact.settings.gamma);
  move(mesh, s, rows.particleStart);
  whole.restore(world.kernels, rows);
}

/** out := means of the particles of nodes in an array of four numbers a particle, by the masses that `x` has. */
function placeNodes(
  { per, nodes, particles }: FoldMesh,
  from: Float32Array,
  x: Float32Array,
  first: number,
  out: Float64Array,
): void {
  if (per === 1) {
    for (let n = 0, o = 4 * first; n < 3 * nodes; n += 3, o += 4) {
      out[n] = from[o];
      out[n + 1] = from[o + 1];
      out[n + 2] = from[o + 2];
    }
    return;
  }
  for (let n = 0; n < nodes; n++) {
    let sx = 0;
    let sy = 0;
    let sz = 0;
    let mass = 0;
    for (let k = per * n; k < per * (n + 1); k++) {
      const o = 4 * (first + particles[k]);
      const m = x[o + 3];
      sx += m * from[o];
      sy += m * from[o + 1];
      sz += m * from[o + 2];
      mass += m;
    }
    out[3 * n] = sx / mass;
    out[3 * n + 1] = sy / mass;
    out[3 * n + 2] = sz / mass;
  }
}

function weighNodes(
  { per, nodes, particles }: FoldMesh,
  { x, flags }: Views,
  first: number,
  before: Float32Array,
): void {
  for (let n = 0; n < nodes; n++) {
    let mass = 0;
    let held = 0;
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let k = per * n; k < per * (n + 1); k++) {
      const i = first + particles[k];
      mass += x[4 * i + 3];
      held |= flags[i] & Flag.HELD;
      const o = 4 * particles[k];
      sx += x[4 * i] - before[o];
      sy += x[4 * i + 1] - before[o + 1];
      sz += x[4 * i + 2] - before[o + 2];
    }
    inverseMass[n] = held ? 0 : 1 / mass;
    const square = sx * sx + sy * sy + sz * sz;
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    support[3 * n] = scale * sx;
    support[3 * n + 1] = scale * sy;
    support[3 * n + 2] = scale * sz;
  }
}

/** Ends approaches, with friction: parts come no nearer than they may in this substep, and not at all if they are too near already. */
function stopApproaches(h: number, friction: number): void {
  const { rows, count } = contacts;
  for (let n = 0; n < SWEEPS; n++) {
    let [given, total] = [0, 0];
    for (let o = 0; o < LENGTH * count; o += LENGTH) {
      given += push(o, h, friction);
      total += rows[o + ALONG];
    }
    if (given <= CONVERGED * total) return;
  }
}

/** Changes the impulses of the row at o. Returns by how much along the normal (N s). */
function push(o: number, h: number, friction: number): number {
  const { rows } = contacts;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let p = 0; p < 4; p++) {
    const w = rows[o + WEIGHT + p];
    const k = 3 * rows[o + NODE + p];
    x += w * (speed[k] + change[k]);
    y += w * (speed[k + 1] + change[k + 1]);
    z += w * (speed[k + 2] + change[k + 2]);
  }
  const nx = rows[o + NORMAL];
  const ny = rows[o + NORMAL + 1];
  const nz = rows[o + NORMAL + 2];
  const out = x * nx + y * ny + z * nz;
  const goal = Math.min(0, rows[o + APART] - rows[o + BEFORE]) / h;
  const along = Math.max(0, rows[o + ALONG] + (goal - out) / rows[o + MOBILITY]);
  const j = along - rows[o + ALONG];
  if (along === 0 && j === 0) return 0;
  rows[o + ALONG] = along;
  let jx = j * nx;
  let jy = j * ny;
  let jz = j * nz;
  if (friction > 0) {
    // The impulse that ends the sliding, as far as friction goes.
    const fx = rows[o + ACROSS] - (x - out * nx) / rows[o + MOBILITY];
    const fy = rows[o + ACROSS + 1] - (y - out * ny) / rows[o + MOBILITY];
    const fz = rows[o + ACROSS + 2] - (z - out * nz) / rows[o + MOBILITY];
    const size = Math.sqrt(fx * fx + fy * fy + fz * fz);
    const shorter = size > friction * along ? (friction * along) / size : 1;
    jx += shorter * fx - rows[o + ACROSS];
    jy += shorter * fy - rows[o + ACROSS + 1];
    jz += shorter * fz - rows[o + ACROSS + 2];
    rows[o + ACROSS] = shorter * fx;
    rows[o + ACROSS + 1] = shorter * fy;
    rows[o + ACROSS + 2] = shorter * fz;
  }
  for (let p = 0; p < 4; p++) {
    const node = rows[o + NODE + p];
    const f = rows[o + WEIGHT + p] * inverseMass[node];
    change[3 * node] += f * jx;
    change[3 * node + 1] += f * jy;
    change[3 * node + 2] += f * jz;
  }
  return Math.abs(j);
}

/** Displaces parts that would be nearer at `end` than they may: all that they came nearer in the substep, and a part of what they lacked before. */
function part(end: Float64Array, gamma: number): void {
  const { rows, count } = contacts;
  for (let n = 0; n < POSITION_SWEEPS; n++) {
    let [given, total] = [0, 0];
    for (let o = 0; o < LENGTH * count; o += LENGTH) {
      given += displace(o, end, gamma);
      total += rows[o + SHIFT];
    }
    if (given <= CONVERGED * total) return;
  }
}

/** Changes the displacement of the row at o.  Returns by how much (kg m). */
function displace(o: number, end: Float64Array, gamma: number): number {
  const { rows } = contacts;
  const nx = rows[o + NORMAL];
  const ny = rows[o + NORMAL + 1];
  const nz = rows[o + NORMAL + 2];
  let distance = 0;
  let mobility = 0;
  for (let p = 0; p < 4; p++) {
    const w = rows[o + WEIGHT + p];
    const node = rows[o + NODE + p];
    const k = 3 * node;
    const x = end[k] + shift[k];
    const y = end[k + 1] + shift[k + 1];
    const z = end[k + 2] + shift[k + 2];
    distance += w * (nx * x + ny * y + nz * z);
    const up = nx * support[k] + ny * support[k + 1] + nz * support[k + 2];
    mobility += w * w * inverseMass[node] * (w * up < 0 ? 1 - up * up : 1);
  }
  if (!(mobility > 0)) return 0;
  const before = Math.min(rows[o + BEFORE], rows[o + APART]);
  const goal = before + gamma * PARTING * (rows[o + APART] - before);
  const along = Math.max(0, rows[o + SHIFT] + (goal - distance) / mobility);
  const by = along - rows[o + SHIFT];
  if (by === 0) return 0;
  rows[o + SHIFT] = along;
  for (let p = 0; p < 4; p++) {
    const w = rows[o + WEIGHT + p];
    const node = rows[o + NODE + p];
    const k = 3 * node;
    const f = w * inverseMass[node] * by;
    const up = nx * support[k] + ny * support[k + 1] + nz * support[k + 2];
    const less = w * up < 0 ? up : 0;
    shift[k] += f * (nx - less * support[k]);
    shift[k + 1] += f * (ny - less * support[k + 1]);
    shift[k + 2] += f * (nz - less * support[k + 2]);
  }
  return Math.abs(by);
}

/** Displaces nodes by h times the changes of their velocities, but not against an obstacle, which ends such a motion in the next substep. */
function advance(h: number): void {
  for (let k = 0; k < change.length; k += 3) {
    const up = Math.min(0, change[k] * support[k] + change[k + 1] * support[k + 1] + change[k + 2] * support[k + 2]);
    for (let a = 0; a < 3; a++) shift[k + a] = h * (change[k + a] - up * support[k + a]);
  }
}

function move({ per, nodes, particles }: FoldMesh, { x, v }: Views, first: number): void {
  for (let n = 0; n < nodes; n++) {
    const k = 3 * n;
    if (isZero(change, k) && isZero(shift, k)) continue;
    for (let m = per * n; m < per * (n + 1); m++) {
      const o = 4 * (first + particles[m]);
      for (let a = 0; a < 3; a++) {
        v[o + a] += change[k + a];
        x[o + a] += shift[k + a];
      }
    }
  }
}

const isZero = (list: Float64Array, k: number) => list[k] === 0 && list[k + 1] === 0 && list[k + 2] === 0;
