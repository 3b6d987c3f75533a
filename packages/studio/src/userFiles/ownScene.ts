import { baseName, filesNamed } from '../saving/files.js';
import type { SceneDocument, SceneJson } from '../sceneDocument.js';
import type { MeshFacts } from './meshFacts.js';

type Triple = [number, number, number];
export interface Box {
  min: Triple;
  max: Triple;
}

/** A mesh of the user. */
export interface OwnMesh {
  /** Name of its file, which determines the reader. */
  file: string;
  bytes: Uint8Array;
  facts: Pick<MeshFacts, 'min' | 'max' | 'triangles'>;
}

export interface OwnOptions {
  /** True: the file is in metres. False: the mesh is scaled to a largest extent of about a metre. */
  keepSize: boolean;
}

/** Largest extent of a mesh that does not keep its size (m). */
const SIZE = 1;
const PARTICLES = 4000;
/** Height of free fall below a body, relative to its size. */
const FALL = 0.6;

/** Enough digits for a scene file that people read. */
const round = (value: number) => Number(value.toPrecision(6));

/** A scene in which the mesh falls to the ground. */
export function ownScene({ file, bytes, facts }: OwnMesh, { keepSize }: OwnOptions): Omit<SceneDocument, 'path'> {
  const name = safeName(file);
  const turned = standing(name, facts);
  const size = keepSize ? extentOf(turned) : SIZE;
  const height = (size / extentOf(turned)) * (turned.max[1] - turned.min[1]);
  const top = FALL * size + height;
  const json: SceneJson = {
    title: stemOf(name),
    description: `Your mesh of ${facts.triangles.toLocaleString('en')} triangles falls to the ground.`,
    dt: 1 / 120,
    frames: 480,
    bodies: [ownBody(name, stemOf(name), facts, size, [0, FALL * size, 0])],
    colliders: [{ name: 'ground', type: 'plane', normal: [0, 1, 0], friction: 0.5, restitution: 0.1 }],
    cameras: [cameraFor(size, top)],
  };
  return { name: undefined, json, files: { [name]: bytes } };
}

/** The open scene with the mesh above all initial bodies. */
export function withOwnMesh(
  document: SceneDocument,
  { file, bytes, facts }: OwnMesh,
  { keepSize }: OwnOptions,
  room: Box,
): SceneDocument {
  const { json, files } = document;
  const name = freeName(safeName(file), [...Object.keys(files), ...[...filesNamed(json)].map(baseName)]);
  const turned = standing(name, facts);
  // A metre, unless the scene has a very different size.
  const around = extentOf(room);
  const usual = around > 5 * SIZE || around < 0.5 * SIZE ? 0.5 * around : SIZE;
  const size = keepSize ? extentOf(turned) : usual;
  const place: Triple = [
    (room.min[0] + room.max[0]) / 2,
    Math.max(0, room.max[1]) + 0.15 * size,
    (room.min[2] + room.max[2]) / 2,
  ];
  const title = freeName(stemOf(name), namesOf(json));
  const body = ownBody(name, title, facts, size, place);
  return { ...document, json: { ...json, bodies: [...json.bodies, body] }, files: { ...files, [name]: bytes } };
}

/** A body that sags by 5 % under its weight, whose lowest point is at `place` and whose middle is above it. */
function ownBody(file: string, name: string, facts: Box, size: number, place: Triple): Record<string, unknown> {
  const turned = standing(file, facts);
  const scale = size / extentOf(turned);
  const middle = (axis: 0 | 2) => (scale * (turned.min[axis] + turned.max[axis])) / 2;
  return {
    name,
    geometry: { type: 'mesh', file },
    sampling: { count: PARTICLES },
    material: { density: 1000 },
    ...(scale === 1 ? {} : { scale: round(scale) }),
    ...(isPrinted(file) ? { rotation: { axis: [1, 0, 0], degrees: -90 } } : {}),
    position: [place[0] - middle(0), place[1] - scale * turned.min[1], place[2] - middle(2)].map(round),
  };
}

/** STL files are made for printers, with z up; all other formats have y up. */
const isPrinted = (file: string) => /\.stl$/i.test(file);

/** The box of a mesh with y up. */
function standing(file: string, { min, max }: Box): Box {
  if (!isPrinted(file)) return { min, max };
  return { min: [min[0], min[2], -max[1]], max: [max[0], max[2], -min[1]] };
}

/** A camera that shows a body of this size from the ground up to its initial height. */
function cameraFor(size: number, top: number) {
  const far = Math.max(1.9 * top, 2.6 * size);
  return {
    name: 'front',
    position: [0.42 * far, 0.3 * top + 0.32 * far, 0.85 * far].map(round),
    target: [0, 0.42 * top, 0].map(round),
    fov: 40,
  };
}

const extentOf = ({ min, max }: Box) => Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
const stemOf = (file: string) => file.replace(/\.[^.]*$/, '') || file;

/** The name without characters that have a meaning in addresses and paths. */
const safeName = (file: string) => baseName(file).replace(/[:?#%*"<>|]/g, '_');

/** Names of bodies and of their copies. */
export const namesOf = ({ bodies }: SceneJson) =>
  bodies.flatMap(({ name, copies }, k) => {
    const own = String(name ?? `body ${k + 1}`);
    return [own, ...((copies as { name?: string }[]) ?? []).map((copy, c) => copy.name ?? `${own} ${c + 2}`)];
  });

/** The name, with a number if it is taken: "bunny 2.obj". */
export function freeName(name: string, taken: readonly string[]): string {
  const [, stem, ending] = /^(.*?)(\.[^.]*)?$/s.exec(name)!;
  let free = name;
  for (let n = 2; taken.includes(free); n++) free = `${stem} ${n}${ending ?? ''}`;
  return free;
}
