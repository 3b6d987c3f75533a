// Tables from the data of a run: the one that the bench prints, and the README's.

/** Two significant digits, more where there are more before the point. */
export const short = (ms) => (ms >= 10 ? ms.toFixed(0) : ms.toPrecision(2));

/** Rows of one size as the bench prints them; the first is Pliant's. */
export function printedRows(rows) {
  const range = (figure) => (figure ? `${short(figure.median)} (${short(figure.least)}–${short(figure.most)})` : '');
  const [{ all: own }] = rows;
  return rows.map((row) => ({
    engine: `${row.engine}, ${row.variant}`,
    iterations: row.iterations === undefined ? '' : `${row.iterations}${row.isReached === false ? ', too few' : ''}`,
    drops: row.isDefault ? 'see default' : row.drops,
    'ms a step': range(row.all),
    'times Pliant': row.all ? (row.all.median / own.median).toFixed(1) : '',
    flight: range(row.flight),
    impact: range(row.impact),
    rest: range(row.rest),
    'build ms': range(row.build),
    'height at impact': row.leastHeight ?? '',
    'at the end': row.lastHeight ?? '',
    'm/s': row.lastSpeed ?? '',
    parts: Object.entries(row.parts ?? {})
      .map(([name, count]) => `${Math.round(count)} ${name}`)
      .join(', '),
  }));
}

/** Distance of the middles (m) below which one cube has gone through the other: cubes that only are pressed flat stay further apart. */
const THROUGH = 0.25;

const spaced = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');

function cell(rows, k) {
  const { all, flight, impact, rest, iterations, isReached, isDefault } = rows[k];
  if (isDefault)
    return rows[k - 1].leastHeight > 1.1 * rows[0].leastHeight ? 'its default is stiffer' : 'its default is as stiff';
  const phases = [flight, impact, rest].map(({ median }) => short(median)).join(' / ');
  const note =
    isReached === undefined ? '' : isReached ? `; ${iterations} iterations` : `; not by ${iterations} iterations`;
  return `**${short(all.median)}** (${phases})${note}`;
}

/** The README's section on other engines, from what `npm run bench -- peers --save` kept. */
export function peersSection({ machine, peers: { engines, sizes, date, commit, young } }) {
  const [{ rows: first }] = sizes;
  const lines = first.map(({ engine, variant }, k) => {
    const heights = sizes.map(
      ({ rows }) => rows[rows[k].isDefault ? k - 1 : k].leastHeight?.toFixed(2) ?? 'not finite',
    );
    const cells = sizes.map(({ rows }) => cell(rows, k));
    return `| ${engine}, ${variant} | ${cells.join(' | ')} | ${heights.join(' / ')} |`;
  });
  const through = engines.filter(({ stackDistance }) => stackDistance < THROUGH).map(({ name }) => name);
  const used = engines.map(({ name, version }) => `${name} ${version}`).join(', ');
  const runs = sizes.flatMap(({ rows }) => rows.filter(({ drops }) => drops).map(({ drops }) => drops));
  return [
    'Milliseconds a step in one thread for the same cube in each engine: 1 m, 1000 kg, dropped from 30 cm onto a plane, two seconds at 60 Hz (in brackets: flight / first impact / rest):',
    '',
    `| | ${sizes.map(({ particles }) => `${spaced(particles)} particles`).join(' | ')} | height kept in the impact |`,
    `|---|${'---|'.repeat(sizes.length + 1)}`,
    ...lines,
    '',
    `Medians of ${[...new Set([Math.min(...runs), Math.max(...runs)])].join(' to ')} drops of each, in turns in one process, by \`npm run bench -- peers --save\` on ${machine} (${date}, ${commit}); ${used}. Pliant and one of Rapier's cubes have a Young's modulus of ${young / 1000} kPa.`,
    '"As stiff as Pliant" has the fewest iterations that keep 90 % of the height that Pliant keeps; 100 at most.' +
      (through.length > 0
        ? ` Two soft cubes dropped onto one another pass through each other in ${through.join(' and ')}.`
        : ''),
  ].join('\n');
}

const [OPEN, CLOSE] = ['<!-- peers: made by node bench/readme.mjs -->', '<!-- /peers -->'];

/** The text between the marks of a README. */
export function sectionIn(readme) {
  const [from, to] = [readme.indexOf(OPEN), readme.indexOf(CLOSE)];
  if (from < 0 || to < from) throw new Error(`README.md has no section from "${OPEN}" to "${CLOSE}"`);
  return readme.slice(from + OPEN.length, to).trim();
}

/** The README with another section between its marks. */
export const withSection = (readme, section) => {
  sectionIn(readme);
  const [before] = readme.split(OPEN);
  const [, after] = readme.split(CLOSE);
  return `${before}${OPEN}\n${section}\n${CLOSE}${after}`;
};

/** Of the saved results (contents of the files in bench/results) those with the latest measurement of other engines, if any. */
export const latestPeers = (results) =>
  results
    .filter(({ peers }) => peers)
    .sort((a, b) => ((a.peers.at ?? a.peers.date) < (b.peers.at ?? b.peers.date) ? -1 : 1))
    .at(-1);
