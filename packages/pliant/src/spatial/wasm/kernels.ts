/** Functions of the module of assembly/building. Lists and grids are addresses in its memory. */
export interface BuildKernels {
  takeEvaluations(): number;
  boundPoints(points: number, count: number, out: number): void;
  sortPoints(grid: number, points: number, order: number, cellOf: number, next: number): void;
  listPlaces(grid: number, unit: number, bits: number, slots: number, rounded: number, first: number): number;
  assignAll(
    body: number,
    grid: number,
    order: number,
    owner: number,
    distance: number,
    beyond: number,
    guess: number,
  ): void;
  listUnsure(
    body: number,
    centre: number,
    centres: number,
    owner: number,
    distance: number,
    beyond: number,
    moved: number,
    margin: number,
    reach: number,
    unsure: number,
  ): number;
  listAround(
    grid: number,
    centre: number,
    centres: number,
    reach: number,
    start: number,
    end: number,
    index: number,
    apart: number,
    room: number,
    most: number,
  ): number;
  searchUnsure(
    body: number,
    grid: number,
    order: number,
    rank: number,
    owner: number,
    distance: number,
    beyond: number,
    unsure: number,
    searches: number,
    margin: number,
    reach: number,
    start: number,
    end: number,
    index: number,
    apart: number,
  ): number;
  sumOwners(body: number, mass: number, owner: number, sum: number, centres: number): void;
  sumNearest(body: number, grid: number, guess: number, most: number): number;
  markStale(centre: number, at: number, centres: number, free2: number, stale: number): number;
  listNear(
    grid: number,
    centre: number,
    centres: number,
    reach: number,
    start: number,
    index: number,
    room: number,
  ): number;
  writePlaces(grid: number, places: number): void;
  gatherWeighed(
    grid: number,
    places: number,
    centre: number,
    centres: number,
    stale: number,
    nearStart: number,
    near: number,
    radius: number,
    epsilon: number,
    start: number,
    index: number,
    weight: number,
    room: number,
  ): number;
  invertSums(places: number, mass: number, points: number, inverse: number, orphans: number): number;
  moveCentres(
    places: number,
    start: number,
    index: number,
    raw: number,
    sum: number,
    centre: number,
    centres: number,
    overshoot: number,
  ): number;
  normaliseWeights(index: number, members: number, inverse: number, raw: number, weight: number): void;
  meetClusters(
    start: number,
    clusters: number,
    particle: number,
    points: number,
    count: number,
    first: number,
    holder: number,
    boxes: number,
    table: number,
  ): void;
  weighClusters(
    start: number,
    clusters: number,
    particle: number,
    weight: number,
    points: number,
    masses: number,
    modulus: number,
    out: number,
  ): void;
  sameWords(a: number, b: number, words: number): number;
  sumAway(
    grid: number,
    x: number,
    y: number,
    z: number,
    radius: number,
    index: number,
    square: number,
    room: number,
    out: number,
  ): number;
  hasAhead(
    grid: number,
    x: number,
    y: number,
    z: number,
    nx: number,
    ny: number,
    nz: number,
    reach: number,
    cone: number,
    index: number,
    square: number,
    count: number,
  ): number;
  sumAlike(
    grid: number,
    order: number,
    raw: number,
    i: number,
    x: number,
    y: number,
    z: number,
    radius: number,
    index: number,
    room: number,
    out: number,
  ): number;
  nearestDistances(grid: number, distance: number, widest: number, extent: number, alike: number): void;
  nearestOthers(
    grid: number,
    points: number,
    count: number,
    stride: number,
    guess: number,
    extent: number,
    distance: number,
  ): void;
  sortMembers(
    order: number,
    particles: number,
    start: number,
    clusters: number,
    particle: number,
    weight: number,
    next: number,
    cluster: number,
    place: number,
    end: number,
    sorted: number,
    weights: number,
  ): void;
  curveKeys(start: number, clusters: number, particle: number, points: number, keys: number): void;
  fillMembers(
    start: number,
    clusters: number,
    particle: number,
    weight: number,
    keys: number,
    points: number,
    mass: number,
    normal: number,
    height: number,
    sorted: number,
    member: number,
    outward: number,
  ): void;
  layMembers(
    start: number,
    clusters: number,
    particle: number,
    member: number,
    outward: number,
    base: number,
    firstParticle: number,
    particles: number,
    members: number,
    outwards: number,
    surfaceEnd: number,
    sums: number,
  ): void;
  boundMembers(
    start: number,
    clusters: number,
    surfaceEnd: number,
    base: number,
    members: number,
    block: number,
    width: number,
    fewest: number,
    boxes: number,
  ): void;
  layLinks(
    start: number,
    clusters: number,
    particles: number,
    members: number,
    mass: number,
    count: number,
    block: number,
    base: number,
    firstParticle: number,
    firstCluster: number,
    counts: number,
    next: number,
    runs: number,
    order: number,
    rank: number,
    linkStart: number,
    links: number,
    linkCluster: number,
  ): void;
  growTree(boxes: number, clusters: number, list: number, middles: number, branch: number, bounds: number): void;
  listNeighbours(
    branch: number,
    boxes: number,
    clusters: number,
    table: number,
    start: number,
    particle: number,
    first: number,
    holder: number,
    leaf: number,
    seen: number,
    far: number,
    open: number,
    starts: number,
    out: number,
    most: number,
  ): number;
  shareBeyond(
    start: number,
    clusters: number,
    members: number,
    outwards: number,
    particles: number,
    firstParticle: number,
    volumes: number,
    sums: number,
    width: number,
    widest: number,
    room: number,
    out: number,
  ): void;
  shareVolumes(
    shape: number,
    size: number,
    values: number,
    places: number,
    inBall: number,
    step: number,
    positions: number,
    height: number,
    normal: number,
    count: number,
    outermost: number,
    limits: number,
    out: number,
  ): void;
  extentsAlong(start: number, clusters: number, members: number, axes: number, out: number): void;
  layParticles(
    positions: number,
    masses: number,
    normal: number,
    height: number,
    count: number,
    inner: number,
    out: number,
    flags: number,
  ): void;
  linkWithin(grid: number, radius: number, parent: number): number;
  linkNear(grid: number, spacing: number, median: number, link: number, extent: number, parent: number): void;
  beginNoise(
    box: number,
    size: number,
    steps: number,
    lists: number,
    table: number,
    bits: number,
    held: number,
    masks: number,
    end: number,
    seed: number,
    form: number,
  ): void;
  sampleCount(): number;
  searchBlock(i: number, j: number, k: number, size: number, full: number): void;
  fillBlocks(solid: number, shape: number, size: number, far: number, j: number, k: number, values: number): void;
  surfaceHeights(
    solid: number,
    positions: number,
    from: number,
    to: number,
    most: number,
    far: number,
    step: number,
    height: number,
    outermost: number,
    difference: number,
  ): number;
  beginVolume(seed: number): void;
  countBoxes(solid: number, box: number, n: number): number;
  disagreementCount(): number;
}

/** Questions that the kernels ask while they sample a solid. */
export interface Asked {
  isInside(x: number, y: number, z: number): boolean;
  classify(x: number, y: number, z: number, h: number): number;
  tick(samples: number): void;
}
