import type { JsonSchema } from './schema.js';

let schema: Promise<JsonSchema> | undefined;

/** The schema of the scene file, from the server, once. */
export function loadSchema(): Promise<JsonSchema> {
  schema ??= fetch(new URL('scenes/scene.schema.json', document.baseURI)).then((answer) => {
    if (!answer.ok) throw new Error(`The server has no description of the settings (it answered ${answer.status}).`);
    return answer.json();
  });
  // A page that was offline may try again.
  schema.catch(() => {
    schema = undefined;
  });
  return schema;
}
