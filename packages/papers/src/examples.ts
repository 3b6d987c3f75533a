import type { Paper } from './claim.js';

/** An example of a paper: the scene of the gallery that shows it, or a variant, and the counts that the paper gives. */
export interface Example {
  paper: Paper;
  /** The example in a few words. */
  what: string;
  /** "twisted-bar", "twisted-bar#paper". */
  scene: string;
  /** Particles of each body. */
  particles?: readonly number[];
  /** Clusters of each body, of levels the finest first; a pair is a range. */
  clusters?: readonly (number | readonly [number, number])[];
  levels?: readonly number[];
}

const cube = (scene: string, clusters: number | readonly [number, number]): Example => ({
  paper: '2015',
  what: `cube stretched to twice its length, ${scene}`,
  scene: scene === 'ten clusters' ? 'stretched-cube' : `stretched-cube#${scene}`,
  particles: [1331],
  clusters: [clusters],
});

/** All examples of the papers, in the order of 2015, 2016, 2017, 2020 and 2007. */
export const EXAMPLES: readonly Example[] = [
  cube('ten clusters', 10),
  cube('clusters-1', 1),
  cube('clusters-25', 25),
  cube('clusters-50', 50),
  cube('radius-small', 10),
  cube('radius-large', 10),
  cube('radius-larger', 10),
  cube('kmeans', 10),
  cube('random', [8, 14]),
  cube('box', 10),
  cube('poly6', 10),
  cube('blend', 10),
  cube('fcm', 10),
  { paper: '2015', what: 'sphere on thin sheet', scene: 'sphere-on-sheet#paper', particles: [5000, 5000] },
  {
    paper: '2015',
    what: 'four bunnies in zero gravity',
    scene: 'four-bunnies#paper',
    particles: [4131, 4131, 4131, 4131],
    clusters: [
      [206, 235],
      [206, 235],
      [206, 235],
      [206, 235],
    ],
  },
  { paper: '2015', what: 'sphere falls on beam, which breaks', scene: 'sphere-on-beam#paper', particles: [5317, 5098] },
  {
    paper: '2016',
    what: 'armadillo torn by the arms under fire',
    scene: 'torn-creature#paper',
    particles: [20115],
    clusters: [157],
  },
  { paper: '2016', what: 'twisted bar', scene: 'twisted-bar#paper', particles: [5317], clusters: [50] },
  {
    paper: '2016',
    what: 'twisted bar with fracture',
    scene: 'twisted-bar-fracture#paper',
    particles: [5317],
    clusters: [50],
  },
  {
    paper: '2016',
    what: 'projectile through weak brittle plate',
    scene: 'plate-weak#paper',
    particles: [5325],
    clusters: [63],
  },
  {
    paper: '2016',
    what: 'projectile through strong brittle plate',
    scene: 'plate-strong#paper',
    particles: [5325],
    clusters: [63],
  },
  {
    paper: '2016',
    what: 'projectile through ductile plate',
    scene: 'plate-ductile#paper',
    particles: [5325],
    clusters: [63],
  },
  { paper: '2016', what: 'broken heart', scene: 'broken-heart#paper', particles: [20132], clusters: [100] },
  { paper: '2016', what: 'swiss cheese torn', scene: 'swiss-cheese#paper', particles: [25032], clusters: [63] },
  {
    paper: '2016',
    what: 'hollow ball dropped, breaks',
    scene: 'hollow-ball#paper',
    particles: [5098],
    clusters: [30],
  },
  { paper: '2017', what: 'beam compressed, λ = 0', scene: 'compressed-putty', particles: [5317], clusters: [200] },
  {
    paper: '2017',
    what: 'beam compressed, λ = 0, no reclustering',
    scene: 'compressed-putty#no-reclustering',
    particles: [5317],
    clusters: [200],
  },
  { paper: '2017', what: 'beam compressed, λ = 0.1', scene: 'compressed-beam', particles: [5317], clusters: [200] },
  {
    paper: '2017',
    what: 'beam compressed, λ = 0.1, in world space',
    scene: 'compressed-beam#world-space',
    particles: [5317],
    clusters: [200],
  },
  ...[1, 7, 31, 125, 500, 1000].map(
    (count): Example => ({
      paper: '2017',
      what: `convergence bar, ${count} ${count === 1 ? 'cluster' : 'clusters'}`,
      scene: count === 125 ? 'convergence-bar' : `convergence-bar#clusters-${count}`,
      particles: [1000],
      clusters: [count],
    }),
  ),
  { paper: '2017', what: 'twisted plastic beam', scene: 'plastic-bar#paper', particles: [5317], clusters: [200] },
  {
    paper: '2017',
    what: 'cube stretched between turning planes',
    scene: 'turning-planes',
    particles: [5317],
    clusters: [200],
  },
  { paper: '2020', what: 'falling ball', scene: 'falling-ball', particles: [5098], levels: [101, 12, 1] },
  ...[101, 12, 1].map(
    (count): Example => ({
      paper: '2020',
      what: `falling ball, ${count} alone`,
      scene: `falling-ball#clusters-${count}`,
      particles: [5098],
      clusters: [count],
    }),
  ),
  ...['polynomial-coarse', 'gaussian-coarse', 'linear-coarse', 'middle', 'gaussian-fine'].map(
    (name): Example => ({
      paper: '2020',
      what: `falling ball, weights ${name}`,
      scene: `falling-ball#${name}`,
      particles: [5098],
      levels: [101, 12, 1],
    }),
  ),
  { paper: '2020', what: 'hovering cube', scene: 'hovering-cube', particles: [1331], levels: [66, 8, 1] },
  {
    paper: '2020',
    what: 'bunny into a cavity of three planes',
    scene: 'falling-bunny#paper',
    particles: [16510],
    levels: [330, 41, 5, 1],
  },
  { paper: '2020', what: 'ball into wall', scene: 'ball-into-wall#paper', particles: [1000, 1000], levels: [66, 8, 1] },
  {
    paper: '2020',
    what: 'three bunnies collide',
    scene: 'three-bunnies#paper',
    particles: [4131, 4131, 4131],
    levels: [206, 25, 3, 1],
  },
  { paper: '2020', what: 'plinko', scene: 'plinko#paper', particles: [5098], levels: [101, 12, 1] },
  {
    paper: '2020',
    what: 'armadillo on cylinders',
    scene: 'creature-on-cylinders',
    particles: [124631],
    levels: [8192, 1024, 128, 16, 2, 1],
  },
  { paper: '2007', what: 'trout held by two locked picks', scene: 'trout' },
  { paper: '2007', what: 'cutting', scene: 'cut' },
  { paper: '2007', what: '5 × 5-cluster skin patch', scene: 'skin-patch', clusters: [25] },
  { paper: '2007', what: 'dozens of small bodies', scene: 'pile' },
  { paper: '2007', what: 'face-like head', scene: 'head' },
];
