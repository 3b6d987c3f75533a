/**
 * The address of a file that a scene names, relative to the scene's own address. A page fetches only files beside its
 * own scenes: a link must not make a visitor's browser send requests elsewhere.
 */
export function addressBeside(name: string, scene: string): URL {
  const folder = new URL('.', scene);
  let url: URL;
  try {
    url = new URL(name, scene);
  } catch {
    throw new Error('its name is no address');
  }
  if (url.origin !== folder.origin)
    throw new Error(
      `it is on ${url.host || url.protocol}, and this page fetches nothing from elsewhere: download it, and drop it here together with the scene file`,
    );
  if (!url.href.startsWith(folder.href))
    throw new Error('it does not lie beside the scenes of this page: drop it here together with the scene file');
  return url;
}
