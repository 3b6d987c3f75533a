import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { SceneJson } from './sceneDocument.js';

/** Accepts comments and trailing commas. Refuses anything but an object with bodies. */
export function parseScene(text: string, file: string): SceneJson {
  const errors: ParseError[] = [];
  let json: SceneJson;
  try {
    json = parse(text, errors, { allowTrailingComma: true });
  } catch {
    // Its only exception is a stack overflow.
    throw new Error(`${file} is not a scene: its brackets are nested too deeply.`);
  }
  if (errors.length > 0) {
    const line = text.slice(0, errors[0].offset).split('\n').length;
    throw new Error(`${file} is not a scene: line ${line}, ${printParseErrorCode(errors[0].error)}.`);
  }
  if (typeof json === 'object' && json !== null && ('particleFiles' in json || 'movingParticleFiles' in json))
    throw new Error(
      `${file} is a scene of the papers’ authors: its particles are in other files, which the page cannot look for. The command line runs it: npx pliant run ${file}`,
    );
  if (typeof json !== 'object' || json === null || !Array.isArray(json.bodies))
    throw new Error(`${file} is not a scene: it has no list of bodies.`);
  return json;
}
