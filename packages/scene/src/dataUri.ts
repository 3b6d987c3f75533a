import { PliantError } from 'pliant';

/**
 * A file inside the text that refers to it: `data:model/obj;name=bunny.obj;base64,…`. Its name determines the reader.
 */
export const isDataUri = (path: string): boolean => /^data:/i.test(path);

/** Name of a data URI in messages: the data themselves may be megabytes. */
export function nameOfDataUri(uri: string): string {
  const name = /^data:[^,]*;name=([^;,]+)/i.exec(uri)?.[1];
  if (name === undefined) return 'data:';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The bytes of a data URI, which must be base64. */
export function decodeDataUri(uri: string): Uint8Array {
  const comma = uri.indexOf(',');
  if (comma < 0 || !/;base64$/i.test(uri.slice(0, comma)))
    throw new PliantError(nameOfDataUri(uri), 'the data are not base64; expected data:…;name=FILE;base64,…');
  let text: string;
  try {
    text = atob(uri.slice(comma + 1));
  } catch {
    throw new PliantError(nameOfDataUri(uri), 'the data are not base64');
  }
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

/** A file as a data URI that is read back by its name. */
export function encodeDataUri(name: string, bytes: Uint8Array): string {
  let text = '';
  // A call takes a limited number of arguments.
  for (let k = 0; k < bytes.length; k += 0x4000) text += String.fromCharCode(...bytes.subarray(k, k + 0x4000));
  return `data:application/octet-stream;name=${encodeURIComponent(name)};base64,${btoa(text)}`;
}
