/** The program of the page, as text. It reads the data element and draws with SVG. */
export const SCRIPT = String.raw`
const $ = (id) => document.getElementById(id);
const data = JSON.parse($('data').textContent);
const SVG = 'http://www.w3.org/2000/svg';
const COLOURS = ['#30688e', '#35b779', '#fde725'];
const show = (value) => {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'number') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e6 || size < 1e-3) ? value.toExponential(3) : String(Number(value.toPrecision(5)));
};

// Columns: the varied paths, the measures, the status.
const columns = [
  { name: 'run', of: (run) => run.number },
  ...data.inputs.map(({ name, log }, k) => ({ name, log, input: true, of: (run) => run.inputs[k] })),
  ...data.measures.map((name, k) => ({ name, of: (run) => run.measures[k] })),
  { name: 'status', of: (run) => run.status },
  { name: 'reason', of: (run) => run.reason },
];
const byName = new Map(columns.map((column) => [column.name, column]));
const isNumeric = (column) => data.runs.some((run) => typeof column.of(run) === 'number');
for (const column of columns) column.numeric = isNumeric(column);
const axes = columns.filter((column) => (column.numeric || column.input) && column.name !== 'run' && column.name !== 'reason')
  .filter((column) => new Set(data.runs.map((run) => JSON.stringify(column.of(run)))).size > 1 || column.input);

const state = { chosen: undefined, sort: 'run', down: false, ranges: new Map(), filter: undefined };

function element(name, attributes, parent, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

// Scales: numbers by place, other values by their order of appearance.
function scaleOf(column, low, high, log) {
  const values = data.runs.map(column.of).filter((v) => v !== null && v !== undefined);
  if (!column.numeric) {
    const all = [...new Set(values.map(show))];
    const place = (v) => low + ((all.indexOf(show(v)) + 0.5) / all.length) * (high - low);
    return { place, ticks: all.map((name) => [name, low + ((all.indexOf(name) + 0.5) / all.length) * (high - low)]) };
  }
  const numbers = values.filter((v) => typeof v === 'number' && (!log || v > 0));
  const map = log ? Math.log10 : (v) => v;
  let [least, most] = [Math.min(...numbers.map(map)), Math.max(...numbers.map(map))];
  if (!(most > least)) [least, most] = [least - 0.5, most + 0.5];
  const place = (v) => low + ((map(v) - least) / (most - least)) * (high - low);
  const ticks = Array.from({ length: 5 }, (_, k) => {
    const at = least + (k / 4) * (most - least);
    return [show(Number((log ? 10 ** at : at).toPrecision(3))), low + (k / 4) * (high - low)];
  });
  return { place, ticks, back: (pixel) => { const at = least + ((pixel - low) / (high - low)) * (most - least); return log ? 10 ** at : at; } };
}

// Colours by the chosen column, from dark to light.
function mix(share) {
  const at = Math.min(0.9999, Math.max(0, share)) * (COLOURS.length - 1);
  const [a, b] = [COLOURS[Math.floor(at)], COLOURS[Math.floor(at) + 1]];
  const part = at - Math.floor(at);
  const channel = (k) => Math.round(parseInt(a.slice(k, k + 2), 16) * (1 - part) + parseInt(b.slice(k, k + 2), 16) * part);
  return 'rgb(' + channel(1) + ' ' + channel(3) + ' ' + Math.round(0.8 * channel(5)) + ')';
}
function colouring() {
  const column = byName.get($('colour').value) ?? columns[0];
  const scale = scaleOf(column, 0, 1, column.log);
  return (run) => { const v = column.of(run); return v === null || v === undefined ? '#999' : mix(scale.place(v)); };
}

// A filter is a word, or comparisons joined by && and ||: no code is run.
function parseFilter(text) {
  const words = text.trim();
  if (words === '') return () => true;
  if (!/[<>=]/.test(words)) {
    const wanted = words.toLowerCase();
    return (run) => columns.some((column) => show(column.of(run)).toLowerCase().includes(wanted));
  }
  const any = words.split('||').map((part) => part.split('&&').map((one) => {
    const found = /^\s*(.+?)\s*(<=|>=|!=|==?|<|>)\s*(.+?)\s*$/.exec(one);
    if (!found) throw new Error('no comparison: ' + one);
    const names = columns.filter(({ name }) => name === found[1] || name.endsWith('.' + found[1]));
    if (names.length === 0) throw new Error('no column ' + found[1]);
    const wanted = found[3].replace(/^"(.*)"$/, '$1');
    const number = Number(wanted);
    const compare = { '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b,
      '=': (a, b) => a === b, '==': (a, b) => a === b, '!=': (a, b) => a !== b }[found[2]];
    return (run) => names.some((column) => {
      const v = column.of(run);
      if (v === null || v === undefined) return false;
      return typeof v === 'number' && !Number.isNaN(number) ? compare(v, number) : compare(show(v), wanted);
    });
  }));
  return (run) => any.some((all) => all.every((test) => test(run)));
}

const inRanges = (run) => [...state.ranges].every(([name, [low, high]]) => {
  const column = byName.get(name);
  const v = column.of(run);
  if (v === null || v === undefined) return false;
  const at = column.numeric ? v : column.scale.place(v);
  return at >= low && at <= high;
});
const visible = () => data.runs.filter((run) => state.filter(run) && inRanges(run));

function drawParallel() {
  const svg = $('parallel');
  const width = Math.max(600, svg.clientWidth), height = 300, top = 40, bottom = 24;
  svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
  svg.replaceChildren();
  if (axes.length === 0) return;
  const kept = new Set(visible());
  const place = (k) => 60 + (axes.length > 1 ? (k / (axes.length - 1)) * (width - 120) : 0);
  const colour = colouring();
  for (const axis of axes) axis.scale = scaleOf(axis, height - bottom, top, axis.log);
  for (const run of [...data.runs].sort((a, b) => kept.has(a) - kept.has(b))) {
    let d = '', pen = 'M';
    axes.forEach((axis, k) => {
      const v = axis.of(run);
      if (v === null || v === undefined || (axis.log && !(v > 0))) { pen = 'M'; return; }
      d += pen + place(k).toFixed(1) + ' ' + axis.scale.place(v).toFixed(1);
      pen = 'L';
    });
    const line = element('path', { d, class: 'run' + (kept.has(run) ? '' : ' faded') + (run === state.chosen ? ' chosen' : ''), 'data-run': run.number }, svg);
    if (kept.has(run)) line.setAttribute('stroke', colour(run));
    line.addEventListener('click', () => choose(run));
  }
  axes.forEach((axis, k) => {
    const x = place(k);
    element('path', { d: 'M' + x + ' ' + top + 'V' + (height - bottom), class: 'axis' }, svg);
    const label = axis.name.length > 24 ? '…' + axis.name.slice(-23) : axis.name;
    element('title', {}, element('text', { x, y: 16 + 14 * (k % 2), 'text-anchor': 'middle', 'font-weight': 600 }, svg, label), axis.name);
    for (const [text, at] of axis.scale.ticks) element('text', { x: x + 5, y: at + 4 }, svg, text);
    const range = state.ranges.get(axis.name);
    if (range) {
      const ends = axis.numeric ? range.map(axis.scale.place) : range;
      element('rect', { x: x - 8, width: 16, y: Math.min(...ends), height: Math.max(2, Math.abs(ends[1] - ends[0])), class: 'brush' }, svg);
    }
    const grip = element('rect', { x: x - 14, width: 28, y: top, height: height - bottom - top, class: 'grip', 'data-axis': axis.name }, svg);
    grip.addEventListener('pointerdown', (down) => {
      const box = svg.getBoundingClientRect();
      // Near an end of the axis a range includes the end.
      const at = (event) => {
        const y = ((event.clientY - box.top) * height) / box.height;
        return y < top + 5 ? top - 2 : y > height - bottom - 5 ? height - bottom + 2 : y;
      };
      const from = at(down);
      const move = (event) => {
        const ends = [from, at(event)];
        if (Math.abs(ends[0] - ends[1]) < 4) state.ranges.delete(axis.name);
        else state.ranges.set(axis.name, (axis.numeric ? ends.map(axis.scale.back) : ends).sort((a, b) => a - b));
        draw();
      };
      const up = (event) => { move(event); window.removeEventListener('pointermove', move); window.removeEventListener('pointerup', up); };
      window.addEventListener('pointermove', move);
      window.addEventListener('pointerup', up);
    });
  });
}

function drawScatter() {
  const svg = $('scatter');
  const width = Math.max(400, svg.clientWidth), height = 320, left = 70, bottom = 40, top = 12, right = 16;
  svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
  svg.replaceChildren();
  const [cx, cy] = [byName.get($('x').value), byName.get($('y').value)];
  const [logx, logy] = [$('logx').checked && cx.numeric, $('logy').checked && cy.numeric];
  const sx = scaleOf(cx, left + 12, width - right - 12, logx), sy = scaleOf(cy, height - bottom - 12, top + 12, logy);
  for (const [text, at] of sx.ticks) element('text', { x: at, y: height - bottom + 16, 'text-anchor': 'middle' }, svg, text);
  for (const [text, at] of sy.ticks) {
    element('path', { d: 'M' + left + ' ' + at + 'H' + (width - right), class: 'grid' }, svg);
    element('text', { x: left - 6, y: at + 4, 'text-anchor': 'end' }, svg, text);
  }
  element('text', { x: (left + width) / 2, y: height - 6, 'text-anchor': 'middle' }, svg, cx.name);
  element('text', { transform: 'translate(12 ' + height / 2 + ') rotate(-90)', 'text-anchor': 'middle' }, svg, cy.name);
  const colour = colouring();
  for (const run of visible()) {
    const [x, y] = [cx.of(run), cy.of(run)];
    if (x === null || y === null || x === undefined || y === undefined || (logx && !(x > 0)) || (logy && !(y > 0))) continue;
    const dot = element('circle', { cx: sx.place(x).toFixed(1), cy: sy.place(y).toFixed(1), r: run === state.chosen ? 7 : 4.5, fill: colour(run), 'data-run': run.number }, svg);
    if (run === state.chosen) dot.classList.add('chosen');
    element('title', {}, dot, 'run ' + run.number + ': ' + show(x) + ', ' + show(y));
    dot.addEventListener('click', () => choose(run));
  }
}

const MOST_ROWS = 2000;
function drawTable() {
  const shown = visible();
  const column = byName.get(state.sort);
  const key = (run) => column.of(run) ?? (column.numeric ? Infinity : '\uffff');
  shown.sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : show(x) < show(y) ? -1 : show(x) > show(y) ? 1 : 0;
    return (state.down ? -order : order) || a.number - b.number;
  });
  $('head').replaceChildren(document.createElement('tr'));
  for (const { name } of columns) {
    const th = document.createElement('th');
    th.textContent = name + (state.sort === name ? (state.down ? ' ▼' : ' ▲') : '');
    th.addEventListener('click', () => {
      [state.sort, state.down] = [name, state.sort === name && !state.down];
      draw();
    });
    $('head').firstChild.append(th);
  }
  $('body').replaceChildren(...shown.slice(0, MOST_ROWS).map((run) => {
    const tr = document.createElement('tr');
    tr.dataset.run = run.number;
    if (run === state.chosen) tr.className = 'chosen';
    for (const column of columns) {
      const td = document.createElement('td');
      td.textContent = show(column.of(run));
      if (column.numeric) td.className = 'number';
      if (column.name === 'status' && run.status !== 'done') td.className = 'failed';
      tr.append(td);
    }
    tr.addEventListener('click', () => choose(run));
    return tr;
  }));
  const more = shown.length > MOST_ROWS ? ', the first ' + MOST_ROWS + ' listed' : '';
  $('shown').textContent = shown.length + ' of ' + data.runs.length + ' runs' + more;
}

function choose(run) {
  state.chosen = run;
  draw();
}

function drawDetail() {
  const run = state.chosen;
  $('detail-content').hidden = !run;
  $('detail-hint').hidden = !!run;
  if (!run) return;
  $('detail-title').textContent = 'Run ' + run.number;
  $('picture').hidden = !run.picture;
  if (run.picture) $('picture').src = 'data:image/png;base64,' + run.picture;
  $('facts').replaceChildren(...[...columns.filter(({ name }) => name !== 'run'), { name: 'id', of: ({ id }) => id }].flatMap((column) => {
    const value = show(column.of(run));
    if (value === '') return [];
    const [dt, dd] = [document.createElement('dt'), document.createElement('dd')];
    [dt.textContent, dd.textContent] = [column.name, value];
    return [dt, dd];
  }));
  const k = data.series.indexOf($('series').value);
  const [times, values] = run.series[k] ?? [[], []];
  const points = times.map((t, n) => [t, values[n]]).filter(([, v]) => v !== null);
  $('series-choice').hidden = data.series.length === 0;
  $('curve').toggleAttribute('hidden', points.length === 0);
  if (points.length > 0) drawCurve(points, data.series[k]);
}

function drawCurve(points, name) {
  const svg = $('curve');
  const width = 560, height = 220, left = 64, bottom = 34, top = 10, right = 10;
  svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
  svg.replaceChildren();
  const span = (values) => { const [a, b] = [Math.min(...values), Math.max(...values)]; return b > a ? [a, b] : [a - 0.5, b + 0.5]; };
  const [t0, t1] = span(points.map(([t]) => t)), [v0, v1] = span(points.map(([, v]) => v));
  const px = (t) => left + ((t - t0) / (t1 - t0)) * (width - left - right), py = (v) => height - bottom - ((v - v0) / (v1 - v0)) * (height - bottom - top);
  for (let k = 0; k <= 4; k++) {
    const [t, v] = [t0 + (k / 4) * (t1 - t0), v0 + (k / 4) * (v1 - v0)];
    element('path', { d: 'M' + left + ' ' + py(v) + 'H' + (width - right), class: 'grid' }, svg);
    element('text', { x: left - 6, y: py(v) + 4, 'text-anchor': 'end' }, svg, show(Number(v.toPrecision(4))));
    element('text', { x: px(t), y: height - bottom + 16, 'text-anchor': 'middle' }, svg, show(Number(t.toPrecision(3))));
  }
  element('text', { x: (left + width) / 2, y: height - 4, 'text-anchor': 'middle' }, svg, name + ' over time (s)');
  element('path', { d: 'M' + points.map(([t, v]) => px(t).toFixed(1) + ' ' + py(v).toFixed(1)).join('L'), fill: 'none', stroke: '#2f6fb0', 'stroke-width': 2 }, svg);
}

function draw() {
  drawParallel();
  drawScatter();
  drawTable();
  drawDetail();
}

for (const id of ['x', 'y', 'colour'])
  for (const { name } of columns.filter((column) => column.numeric || column.input || column.name === 'status')) $(id).append(new Option(name, name));
for (const name of data.series) $('series').append(new Option(name, name));
const measured = axes.filter((axis) => !axis.input && axis.numeric);
$('x').value = (axes.find((axis) => axis.input) ?? columns[0]).name;
$('y').value = (measured[0] ?? columns[0]).name;
$('colour').value = (axes.filter((axis) => axis.input)[1] ?? axes[0] ?? columns[0]).name;
$('logx').checked = byName.get($('x').value).log === true;
for (const id of ['x', 'y', 'colour', 'logx', 'logy', 'series']) $(id).addEventListener('change', draw);
$('filter').addEventListener('input', () => {
  try {
    state.filter = parseFilter($('filter').value);
    $('filter').classList.remove('wrong');
    $('filter').title = '';
  } catch (error) {
    $('filter').classList.add('wrong');
    $('filter').title = error.message;
    return;
  }
  draw();
});
$('reset').addEventListener('click', () => {
  state.ranges.clear();
  $('filter').value = '';
  state.filter = () => true;
  $('filter').classList.remove('wrong');
  draw();
});
window.addEventListener('resize', draw);
state.filter = () => true;
const failed = data.runs.filter((run) => run.status !== 'done').length;
$('summary').textContent = data.runs.length + ' runs' + (failed > 0 ? ', ' + failed + ' of them not done' : '') + '; ' +
  data.inputs.map(({ name }) => name).join(', ') + ' varied';
draw();
`;
