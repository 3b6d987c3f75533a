// The figures of the reference that tests/trajectories.long.test.ts compares with, from ../shared/reference, where that is:
//     node scripts/referenceFigures.mjs && npm run fix        writes tests/data/reference.json, and formats it
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const results = new URL('../../shared/reference/results/', import.meta.url);
const file = new URL('../tests/data/reference.json', import.meta.url);

/** Scenes that our own formulas can set up: a cube of 11³ particles on a grid, stretched to twice its width; a bar held at one end. */
export const SCENES = [
  'CubeComparisons-blend',
  'CubeComparisons-box',
  'CubeComparisons-default',
  'CubeComparisons-kmeans',
  'CubeComparisons-moreclusters',
  'CubeComparisons-poly6',
  'nClusters-cubeClusterTest_001',
  'nClusters-cubeClusterTest_025',
  'nClusters-cubeClusterTest_100',
  'convergenceTest_1',
  'convergenceTest_7',
  'convergenceTest_31',
  'convergenceTest_125',
  'convergenceTest_500',
];

const FRAMES = [0, 10, 20, 50];
/** With one cluster all is determined: single particles are compared too, by their numbers in the grid. */
const PROBED = 'nClusters-cubeClusterTest_001';

/** To nine significant digits; −0 and what rounding leaves of 0 are 0. */
const short = (value) => (Math.abs(value) < 1e-12 ? 0 : Number(value.toPrecision(9)));

/** The figures that are kept of a scene: counts, and at a few steps the centre of mass, the extent and the rms distance from the centre (m). */
export function figuresOf(scene) {
  const result = JSON.parse(readFileSync(new URL(`${scene}.json`, results), 'utf8'));
  const frames = FRAMES.map((wanted) => {
    const { com, bboxMin, bboxMax, rms, probe } = result.frames.find(({ frame }) => frame === wanted);
    const kept = { com: com.map(short), low: bboxMin.map(short), high: bboxMax.map(short), rms: short(rms) };
    if (scene === PROBED) kept.particles = Object.fromEntries(probe.map(([i, place]) => [i, place.map(short)]));
    return [wanted, kept];
  });
  return {
    // Year and month of the commit that ran.
    code: result.code.slice(0, 7),
    particles: result.particles,
    clusters: result.clusters,
    radius: result.neighborRadiusFinal,
    memberships: result.memberships,
    frames: Object.fromEntries(frames),
  };
}

const ABOUT = [
  'Measured, not copied: what the research code of the papers (benjones/strainLimitingForClusteredShapeMatching; Bargteil and Jones 2014,',
  'commits e53fde1 of 2016-05 and e85ca9c of 2017-07) does with its scenes of these names, run headless in double precision.',
  'Written by scripts/referenceFigures.mjs; tests/trajectories.reference.test.ts checks it where ../shared/reference is there.',
].join(' ');

export const readFigures = () => JSON.parse(readFileSync(file, 'utf8')).scenes;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const scenes = Object.fromEntries(SCENES.map((scene) => [scene, figuresOf(scene)]));
  writeFileSync(file, JSON.stringify({ about: ABOUT, scenes }, null, 2));
}
