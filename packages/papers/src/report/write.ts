import { CLAIMS, claimOf } from '../catalogue.js';
import { type Claim, digits, PAPERS, type Paper, type Quantity } from '../claim.js';
import { EXAMPLES, type Example } from '../examples.js';
import type { Result } from '../runClaims.js';
import { pictureSvg } from './picture.js';
import { escaped, plotSvg } from './plot.js';

/** Facts about a run that stand at the head of its report. */
export interface ReportHead {
  /** Date of the run: 2026-11-17. */
  date: string;
  /** Version of Pliant, and the machine. */
  version: string;
  machine: string;
  quick: boolean;
}

const VERDICTS = ['reproduced', 'in part', 'not reproduced', 'failed'] as const;

/** "reproduced 40, in part 3, …", of the verdicts that occur. */
export function summary(results: readonly Result[]): string {
  return VERDICTS.flatMap((verdict) => {
    const count = results.filter((result) => result.verdict === verdict).length;
    return count > 0 ? [`${verdict} ${count}`] : [];
  }).join(', ');
}

const shownValue = ({ value, spread, unit }: Quantity): string =>
  `${digits(value)}${spread ? ` (${digits(spread[0])} to ${digits(spread[1])})` : ''}${unit ? ` ${unit}` : ''}`;

const byPaper = (results: readonly Result[]) =>
  (Object.keys(PAPERS) as Paper[])
    .map((paper) => ({ paper, results: results.filter(({ id }) => id.startsWith(paper)) }))
    .filter((entry) => entry.results.length > 0);

/** How numbers and verdicts are to be read. */
const READING =
  'Numbers are medians over seeds of sampling and clustering, with the least and the largest in brackets. A check holds if it does with more than half of the seeds. A claim is reproduced if all of its checks hold, in part if some do. The experiments are in packages/papers/src/claims. Settings and bounds of the checks were chosen by us, several of them after a first look at the numbers, so a verdict says that an effect can be shown, not that it holds for all settings. One claim of 2015, that lumped mass matters less with more particles, was tried, did not show, and was left out because the number of clusters changed with it.';

/** The seeds of a run, and the claims that took fewer. */
function seedsText(results: readonly Result[]): string {
  const most = Math.max(0, ...results.map(({ seeds }) => seeds?.length ?? 0));
  if (most < 2) return '';
  const fewer = results.filter(({ seeds }) => seeds && seeds.length < most);
  const counts = fewer.map(({ seeds }) => seeds!.length);
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  const of =
    fewer.length > 0
      ? `; ${fewer.map(({ id }) => id).join(', ')}, which take long, with ${low === high ? low : `${low} or ${high}`}`
      : '';
  return ` Claims were run with ${most} seeds${of}. Those without random sampling or clustering have no spread.`;
}

/** The claims that a report has no result of, with the reason. */
function missingText(results: readonly Result[]): string {
  const known = new Set(results.map(({ id }) => id));
  const missing = CLAIMS.filter(({ id }) => !known.has(id));
  const list = (some: readonly Claim[]) => some.map(({ id }) => id).join(', ');
  const [timed, others] = [missing.filter((claim) => claim.timed), missing.filter((claim) => !claim.timed)];
  return [
    ...(timed.length > 0
      ? [` Not in this run, because they rest on a time and want a quiet machine: ${list(timed)}.`]
      : []),
    ...(others.length > 0 ? [` Not in this run: ${list(others)}.`] : []),
  ].join('');
}

const differing = (results: readonly Result[]) =>
  results.flatMap(({ id }) => {
    const { differs } = claimOf(id)!;
    return differs ? [{ id, differs }] : [];
  });

const timingsOf = (results: readonly Result[]) =>
  results.flatMap(({ id, finding }) => (finding?.timings ?? []).map((row) => ({ id, ...row })));

const countText = (count: number | readonly [number, number]): string =>
  typeof count === 'number' ? String(count) : `${count[0]} to ${count[1]}`;

/** "4 × 4131" for bodies that are alike, else "5317 + 5098". */
function countsText(counts: readonly (number | readonly [number, number])[] | undefined): string {
  if (!counts) return '';
  const texts = counts.map(countText);
  return texts.length > 1 && texts.every((text) => text === texts[0])
    ? `${texts.length} × ${texts[0]}`
    : texts.join(' + ');
}

const exampleRow = ({ paper, what, scene, particles, clusters, levels }: Example): string[] => [
  paper,
  what,
  scene,
  countsText(particles),
  levels ? levels.join(' / ') : countsText(clusters),
];

const EXAMPLES_TEXT =
  "Every example is a scene of the gallery, or a variant of one: `npx pliant run scenes/twisted-bar.json#paper`, in the studio under Compare. Counts are the papers'; a test builds each and holds them within 2 %. Scenes without a variant were made with the paper's counts. Meshes that are not free are rebuilt by formula. Settings are those of the authors' published scenes where there is one; the scene files say which are ours.";

const EXAMPLES_HEAD = ['paper', 'example', 'scene', 'particles', 'clusters'];

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The report as Markdown; plots and pictures are only in the HTML. */
export function markdownReport(results: readonly Result[], head: ReportHead): string {
  const timings = timingsOf(results);
  const lines = [
    '# The papers, run again',
    '',
    `Made by \`npx pliant reproduce${head.quick ? ' --quick' : ''}\` on ${head.date}, Pliant ${head.version}, ${head.machine}. ${results.length} claims: ${summary(results)}.`,
    '',
    `${READING}${seedsText(results)}${missingText(results)} The same command writes a page with plots and pictures, which this one has not.`,
    '',
    '## All claims',
    '',
    row(['claim', 'verdict', 'the paper says']),
    row(['---', '---', '---']),
    ...results.map(({ id, verdict }) => row([id, verdict, claimOf(id)!.statement])),
    '',
    '## Where we differ from the papers',
    '',
    ...differing(results).map(({ id, differs }) => `- **${id}.** ${differs}`),
    '',
    '## The examples',
    '',
    EXAMPLES_TEXT,
    '',
    row(EXAMPLES_HEAD),
    row(EXAMPLES_HEAD.map(() => '---')),
    ...EXAMPLES.map((example) => row(exampleRow(example).map((cell, k) => (k === 2 ? `\`${cell}\`` : cell)))),
  ];
  if (timings.length > 0)
    lines.push(
      '',
      "## Times beside the papers'",
      '',
      `Milliseconds a step in one thread, ours on ${head.machine}; the papers' on laptops of 2015 to 2020. They tell what runs in real time, not which program is better.`,
      '',
      row(['claim', 'example', 'Pliant', 'paper']),
      row(['---', '---', '---', '---']),
      ...timings.map(({ id, name, ours, paper }) => row([id, name, digits(ours), digits(paper)])),
    );
  for (const { paper, results: own } of byPaper(results)) {
    lines.push('', `## ${paper}: ${PAPERS[paper]}`);
    for (const { id, verdict, finding, error } of own) {
      const claim = claimOf(id)!;
      lines.push(
        '',
        `### ${id}: ${verdict}`,
        '',
        `**Claim** (${claim.where}). ${claim.statement}`,
        '',
        `**Experiment.** ${claim.experiment}`,
        '',
      );
      if (error) lines.push(`**Failed.** ${error}`, '');
      for (const check of finding?.checks ?? [])
        lines.push(`- ${check.holds ? 'holds' : 'does not hold'}: ${check.what}`);
      if (finding && finding.quantities.length > 0) {
        lines.push('', '| measured | |', '|---|---|');
        for (const entry of finding.quantities) lines.push(`| ${entry.name} | ${shownValue(entry)} |`);
      }
      if (finding?.timings) {
        lines.push('', '| ms a step | Pliant | paper |', '|---|---|---|');
        for (const { name, ours, paper: theirs } of finding.timings)
          lines.push(`| ${name} | ${digits(ours)} | ${digits(theirs)} |`);
      }
      if (claim.differs) lines.push('', `**Where we differ.** ${claim.differs}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h2{margin-top:3rem;border-bottom:2px solid #ddd}section{margin:2rem 0;padding:1rem 1.2rem;border:1px solid #ddd;border-left:6px solid #888;border-radius:4px}
section.reproduced{border-left-color:#3a7d44}section.in-part{border-left-color:#c98a1b}section.not-reproduced,section.failed{border-left-color:#b3402a}
.verdict{float:right;font-weight:600}table{border-collapse:collapse;margin:.8rem 0}td,th{border-bottom:1px solid #ddd;padding:.15rem .8rem .15rem 0;text-align:left}
.figures{display:flex;flex-wrap:wrap;gap:1rem}.figures svg{max-width:100%;height:auto}.figures .picture{width:260px}.figures .plot{width:560px}
li.no{color:#b3402a}nav a{margin-right:1rem}.differs{background:#f6f4ef;padding:.5rem .8rem}
@media (prefers-color-scheme:dark){body{background:#1b1b1b;color:#ddd}section{border-color:#444}td,th,h2{border-color:#444}.differs{background:#2a2825}a{color:#8ab4f8}}`;

const htmlTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;

/** The report as one self-contained page, with plots and pictures. */
export function htmlReport(results: readonly Result[], head: ReportHead): string {
  const parts = [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>The papers, run again</title>',
    `<style>${STYLE}</style><h1>The papers, run again</h1>`,
    `<p>Pliant ${escaped(head.version)}, ${escaped(head.date)}, ${escaped(head.machine)}${head.quick ? ', quick run' : ''}. ${results.length} claims: ${summary(results)}.</p>`,
    `<p>${escaped(READING + seedsText(results) + missingText(results))}</p>`,
    `<nav>${byPaper(results)
      .map(({ paper }) => `<a href="#p${paper}">${paper}</a>`)
      .join('')}<a href="#differ">Where we differ</a><a href="#examples">The examples</a></nav>`,
    htmlTable(
      ['claim', 'verdict', 'the paper says'],
      results.map(({ id, verdict }) => [
        `<a href="#${id}">${escaped(id)}</a>`,
        verdict,
        escaped(claimOf(id)!.statement),
      ]),
    ),
    '<h2 id="differ">Where we differ from the papers</h2><ul>',
    ...differing(results).map(({ id, differs }) => `<li><a href="#${id}">${escaped(id)}</a>. ${escaped(differs)}</li>`),
    `</ul><h2 id="examples">The examples</h2><p>${escaped(EXAMPLES_TEXT)}</p>`,
    htmlTable(
      EXAMPLES_HEAD,
      EXAMPLES.map((example) => exampleRow(example).map(escaped)),
    ),
  ];
  const timings = timingsOf(results);
  if (timings.length > 0)
    parts.push(
      `<h2>Times beside the papers'</h2><p>Milliseconds a step in one thread, ours on ${escaped(head.machine)}; the papers' on laptops of 2015 to 2020. They tell what runs in real time, not which program is better.</p>`,
      htmlTable(
        ['claim', 'example', 'Pliant', 'paper'],
        timings.map(({ id, name, ours, paper }) => [escaped(id), escaped(name), digits(ours), digits(paper)]),
      ),
    );
  for (const { paper, results: own } of byPaper(results)) {
    parts.push(`<h2 id="p${paper}">${paper}: ${escaped(PAPERS[paper])}</h2>`);
    for (const { id, verdict, finding, error } of own) {
      const claim = claimOf(id)!;
      parts.push(
        `<section id="${id}" class="${verdict.replaceAll(' ', '-')}"><span class="verdict">${verdict}</span><h3>${escaped(id)}</h3>`,
      );
      parts.push(
        `<p><b>Claim</b> (${escaped(claim.where)}). ${escaped(claim.statement)}</p><p><b>Experiment.</b> ${escaped(claim.experiment)}</p>`,
      );
      if (error) parts.push(`<p><b>Failed.</b> ${escaped(error)}</p>`);
      if (finding) {
        parts.push(
          `<ul>${finding.checks.map(({ what, holds }) => `<li class="${holds ? 'yes' : 'no'}">${holds ? 'Holds' : 'Does not hold'}: ${escaped(what)}</li>`).join('')}</ul>`,
        );
        if (finding.quantities.length > 0)
          parts.push(
            `<table><tr><th>measured</th><th></th></tr>${finding.quantities.map((entry) => `<tr><td>${escaped(entry.name)}</td><td>${escaped(shownValue(entry))}</td></tr>`).join('')}</table>`,
          );
        if (finding.timings)
          parts.push(
            `<table><tr><th>ms a step</th><th>Pliant</th><th>paper</th></tr>${finding.timings.map((row) => `<tr><td>${escaped(row.name)}</td><td>${digits(row.ours)}</td><td>${digits(row.paper)}</td></tr>`).join('')}</table>`,
          );
        const figures = [
          ...(finding.plots ?? []).map((plot) => `<div class="plot">${plotSvg(plot)}</div>`),
          ...(finding.pictures ?? []).map((picture) => `<div class="picture">${pictureSvg(picture)}</div>`),
        ];
        if (figures.length > 0) parts.push(`<div class="figures">${figures.join('')}</div>`);
      }
      if (claim.differs) parts.push(`<p class="differs"><b>Where we differ.</b> ${escaped(claim.differs)}</p>`);
      parts.push('</section>');
    }
  }
  return `${parts.join('\n')}\n`;
}
