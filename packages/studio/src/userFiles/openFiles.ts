import type { App } from '../app.js';
import { selfContained } from '../saving/gltfFiles.js';
import { openSceneFile } from '../saving/sceneFile.js';
import { addressOf } from '../sceneDocument.js';
import { inspectMesh } from './meshFacts.js';
import { type OwnMesh, ownScene, withOwnMesh } from './ownScene.js';
import { roomAtStart } from './room.js';

const MESHES = /\.(obj|ply|stl|gltf|glb)$/i;
const SCENES = /\.jsonc?$/i;

/** Size of a file (bytes) beyond which a page runs out of memory. */
const LARGEST = 400e6;

/** Opens files that were dropped or chosen: a scene with its files, or meshes, each as a body. Reports problems. */
export async function openFiles(
  app: App,
  files: readonly File[],
  options: { add: boolean; keepSize: boolean },
): Promise<void> {
  if (files.length === 0) return;
  try {
    const scene = files.find(({ name }) => SCENES.test(name));
    if (scene) await openScene(app, scene, files);
    else await openMeshes(app, files, options);
  } catch (error) {
    const { message } = error as Error;
    app.say(/[.!?]$/.test(message) ? message : `${message}.`, 'problem');
  }
}

async function openScene(app: App, scene: File, files: readonly File[]): Promise<void> {
  const others = files.filter((file) => file !== scene);
  const bytes = await Promise.all(others.map(bytesOf));
  const text = new TextDecoder().decode(await bytesOf(scene));
  openSceneFile(app, scene.name, text, Object.fromEntries(others.map(({ name }, k) => [name, bytes[k]])));
}

async function openMeshes(
  app: App,
  files: readonly File[],
  { add, keepSize }: { add: boolean; keepSize: boolean },
): Promise<void> {
  const meshes = files.filter(({ name }) => MESHES.test(name));
  if (meshes.length === 0)
    throw new Error(
      `${files[0].name} is neither a mesh nor a scene: drop a .obj, .ply, .stl, .gltf or .glb, or a scene’s .json.`,
    );
  app.say(`Reading ${meshes.map(({ name }) => name).join(', ')} …`);
  let document = add ? app.document : undefined;
  let room = document && roomAtStart();
  for (const file of meshes) {
    const mesh = await readOwn(app, file, files);
    if (document && room) {
      document = withOwnMesh(document, mesh, { keepSize }, room);
      // The next body is placed above this one.
      room = { min: room.min, max: [room.max[0], room.max[1] + 1.3, room.max[2]] };
    } else {
      const made = ownScene(mesh, { keepSize });
      document = { ...made, path: addressOf(`your ${file.name}.json`) };
      room = { min: [-0.5, 0, -0.5], max: [0.5, 1.8, 0.5] };
    }
  }
  app.open(document!);
}

async function readOwn(app: App, file: File, files: readonly File[]): Promise<OwnMesh> {
  const own = await bytesOf(file);
  const beside = async (name: string) => {
    const found = files.find((other) => other.name === name.split('/').at(-1));
    if (!found) throw new Error('not there');
    return bytesOf(found);
  };
  const bytes = /\.gltf$/i.test(file.name) ? await selfContained(own, file.name, beside) : own;
  const facts = await inspectMesh(file.name, bytes);
  for (const warning of facts.warnings) app.say(warning);
  return { file: file.name, bytes, facts };
}

async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > LARGEST)
    throw new Error(
      `${file.name} has ${Math.round(file.size / 1e6).toLocaleString('en')} MB; up to ${LARGEST / 1e6} MB can be opened here.`,
    );
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} could not be read: is it a folder, or was it moved?`);
  }
}
