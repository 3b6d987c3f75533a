import { isDataUri } from './dataUri.js';

/** Paths as texts with slashes, so that the same loader works for folders on a disk and addresses in a browser. */

/** Whether a path is absolute: from the root, with a drive letter, or with a scheme. */
export const isAbsolute = (path: string): boolean =>
  /^(?:[/\\]|[A-Za-z]:[/\\]|[A-Za-z][A-Za-z0-9+.-]*:\/\/)/.test(path);

/** Everything before the file's name, without the closing slash; '' for a name alone. */
export function folderOf(path: string): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  if (at < 0) return '';
  return at === 0 ? path[0] : path.slice(0, at);
}

/**
 * `path` relative to `folder`, with `.` and `..` resolved as far as the text allows. Data URIs are returned unchanged.
 */
export function resolvePath(folder: string, path: string): string {
  if (isDataUri(path)) return path;
  const joined = isAbsolute(path) || folder === '' ? path : `${folder.replace(/[/\\]$/, '')}/${path}`;
  const root = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*\/?|[A-Za-z]:[/\\]|[/\\])?/.exec(joined)?.[0] ?? '';
  const parts: string[] = [];
  for (const part of joined.slice(root.length).split(/[/\\]/)) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop();
    else if (part !== '..' || root === '') parts.push(part);
  }
  return root + parts.join('/') || '.';
}

/**
 * Whether a path lies in a folder, by their texts: `..`, other roots and other hosts lead outside; links are not
 * considered. `cwd` is the folder that relative paths are resolved against; without it an absolute path is in no
 * relative folder.
 */
export function isInside(folder: string, path: string, cwd = ''): boolean {
  if (isDataUri(path)) return true;
  const [base, target] = [resolvePath(cwd, folder), resolvePath(cwd, path)];
  const start = base === '.' ? '' : `${base.replace(/[/\\]$/, '')}/`;
  if (!target.startsWith(start) || (start === '' && isAbsolute(target))) return false;
  const rest = target.slice(start.length);
  return rest !== '' && rest !== '.' && rest.split('/')[0] !== '..';
}

/** A file's name without folder and ending: "blue_noise/heart-bn.txt" is "heart-bn". */
export const stemOf = (path: string): string =>
  path
    .slice(folderOf(path).length)
    .replace(/^[/\\]/, '')
    .replace(/\.[^.]*$/, '');
