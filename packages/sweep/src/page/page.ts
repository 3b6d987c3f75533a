import { createHash } from 'node:crypto';
import { columnsOf } from '../measure/request.js';
import type { Plan } from '../plan.js';
import type { StoredRun } from '../store.js';
import { seriesRequests, valueRequests } from '../tables/tables.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** JSON for a script element, escaped so that no "</script>" can end it early. */
const embed = (data: unknown) => JSON.stringify(data).replaceAll('<', '\\u003c');

/** Hash of an inline script or style for the content security policy. */
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy allows the page's own script, and pictures that are in it; no requests. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Largest number of points of a series in the page. */
const MOST_POINTS = 300;

/** A self-contained page to explore a sweep: a table to sort and filter, parallel coordinates, a scatter plot, and the series and picture of a run. `pictures` are PNGs in base64 by the id of their run. */
export function explorePage(plan: Plan, runs: readonly StoredRun[], pictures: ReadonlyMap<string, string>): string {
  const measures = valueRequests(plan.requests).flatMap(columnsOf);
  const data = {
    title: plan.title,
    inputs: [
      ...plan.paths.map(({ path, scale }) => ({ name: path, log: scale === 'log' })),
      ...(plan.seeded ? [{ name: 'seed', log: false }] : []),
    ],
    measures,
    series: seriesRequests(plan.requests).flatMap(columnsOf),
    runs: plan.runs.map(({ number, values, seed }, k) => {
      const { status, reason, result, id } = runs[k];
      return {
        number,
        id,
        inputs: [...values, ...(plan.seeded ? [seed] : [])],
        measures: measures.map((name) => result?.values[name] ?? null),
        status,
        reason: reason ?? '',
        series: seriesRequests(plan.requests)
          .flatMap(columnsOf)
          .map((name) => thinned(result?.series[name])),
        picture: pictures.get(id) ?? null,
      };
    }),
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(plan.title)} · sweep · Pliant</title>
<style>${STYLE}</style>
</head>
<body>
<header>
  <h1>${escapeHtml(plan.title)}</h1>
  <p id="summary"></p>
</header>
<main>
<section>
  <h2>Parallel coordinates</h2>
  <p class="hint">Drag along an axis to choose a range; click on the axis to drop it. Each line is a run.</p>
  <svg id="parallel" role="img" aria-label="Parallel coordinates"></svg>
</section>
<section>
  <h2>Scatter</h2>
  <p class="controls">
    <label>x <select id="x"></select></label> <label>y <select id="y"></select></label> <label>colour <select id="colour"></select></label>
    <label><input type="checkbox" id="logx"> log x</label> <label><input type="checkbox" id="logy"> log y</label>
  </p>
  <svg id="scatter" role="img" aria-label="Scatter plot"></svg>
</section>
<section id="detail">
  <h2 id="detail-title">A run</h2>
  <p class="hint" id="detail-hint">Click on a row, a line or a point.</p>
  <div id="detail-content" hidden>
    <img id="picture" alt="Last state of the run" hidden>
    <dl id="facts"></dl>
    <p class="controls" id="series-choice" hidden><label>series <select id="series"></select></label></p>
    <svg id="curve" role="img" aria-label="Series over time" hidden></svg>
  </div>
</section>
<section>
  <h2>Runs</h2>
  <p class="controls">
    <label>filter <input id="filter" type="search" placeholder="height > 0.5 &amp;&amp; dt < 0.01, or a word"></label>
    <output id="shown"></output> <button id="reset" type="button">Show all</button>
  </p>
  <div id="rows"><table><thead id="head"></thead><tbody id="body"></tbody></table></div>
</section>
</main>
<script type="application/json" id="data">${embed(data)}</script>
<script type="module">${SCRIPT}</script>
</body>
</html>
`;
}

/** A series with few enough points for a page, as [times, values]; six digits are more than a screen shows. */
function thinned(series: { times: number[]; values: unknown[] } | undefined): [number[], (number | null)[]] {
  if (!series) return [[], []];
  const every = Math.ceil(series.times.length / MOST_POINTS);
  const kept = [...series.times.keys()].filter((k) => k % every === 0 || k === series.times.length - 1);
  const round = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(6)) : null);
  return [kept.map((k) => round(series.times[k])!), kept.map((k) => round(series.values[k]))];
}
