import { createHash } from 'node:crypto';
import { oneLine } from '../printable.js';
import type { PlayerData } from './record.js';
import { SCRIPT } from './script.js';
import { BALL_FRAGMENT, BALL_VERTEX, SURFACE_FRAGMENT, SURFACE_VERTEX } from './shaders.js';
import { STYLE } from './style.js';

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** JSON for a script element, escaped so that no "</script>" can end it early. */
const embed = (data: unknown) => JSON.stringify(data).replaceAll('<', '\\u003c');

/** Hash of an inline script or style for the content security policy. */
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy allows the page's own script and nothing else, whatever the data contain, and no requests. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A self-contained page. */
export function page(given: PlayerData): string {
  const data = { ...given, title: oneLine(given.title), description: oneLine(given.description) };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(data.title)} · Pliant</title>
<style>${STYLE}</style>
</head>
<body>
<canvas id="view"></canvas>
<header>
  <h1>${escapeHtml(data.title)}</h1>
  <p>${escapeHtml(data.description)}</p>
</header>
<p id="problem" hidden></p>
<footer>
  <button id="play" title="Play or pause (space)" aria-label="Play or pause"></button>
  <input id="scrub" type="range" min="0" max="${data.frames - 1}" value="0" step="1" aria-label="Frame">
  <output id="clock"></output>
  <select id="speed" aria-label="Speed">
    <option value="0.25">¼×</option><option value="0.5">½×</option><option value="1" selected>1×</option><option value="2">2×</option>
  </select>
</footer>
<script type="x-shader" id="ball-vertex">${BALL_VERTEX}</script>
<script type="x-shader" id="ball-fragment">${BALL_FRAGMENT}</script>
<script type="x-shader" id="surface-vertex">${SURFACE_VERTEX}</script>
<script type="x-shader" id="surface-fragment">${SURFACE_FRAGMENT}</script>
<script type="application/json" id="data">${embed(data)}</script>
<script type="module">${SCRIPT}</script>
</body>
</html>
`;
}
