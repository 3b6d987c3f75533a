import { expect, test } from 'vitest';
import { addressBeside } from './ownServer.js';

const SCENE = 'https://x.org/studio/scenes/shared.json';

test.each([
  ['meshes/bunny.obj', 'meshes/bunny.obj'],
  ['./m/../meshes/bunny.obj', 'meshes/bunny.obj'],
  ['https://x.org/studio/scenes/meshes/häschen 2.obj', 'meshes/h%C3%A4schen%202.obj'],
])('%s is fetched from beside the scenes', (name, address) => {
  expect(addressBeside(name, SCENE).href).toBe(`https://x.org/studio/scenes/${address}`);
});

test.each([
  ['https://evil.org/m.obj', /it is on evil\.org, and this page fetches nothing from elsewhere/],
  ['http://x.org/studio/scenes/m.obj', /it is on x\.org/],
  ['//evil.org/m.obj', /it is on evil\.org/],
  ['\\\\evil.org\\m.obj', /it is on evil\.org/],
  ['ht\ntps://evil.org/m.obj', /it is on evil\.org/],
  ['https://x.org@evil.org/studio/scenes/m.obj', /it is on evil\.org/],
  ['https://x.org.evil.org/studio/scenes/m.obj', /it is on x\.org\.evil\.org/],
  ['ftp://x.org/m.obj', /it is on x\.org/],
  ['javascript:alert(1)', /it is on javascript:/],
  ['file:///etc/passwd', /it is on file:/],
  ['../secret.obj', /does not lie beside the scenes/],
  ['%2e%2e/secret.obj', /does not lie beside the scenes/],
  ['/secret.obj', /does not lie beside the scenes/],
  ['blob:https://x.org/studio/scenes/m.obj', /does not lie beside the scenes/],
  ['https://', /no address/],
])('%j is not fetched', (name, message) => {
  expect(() => addressBeside(name, SCENE)).toThrow(message);
});
