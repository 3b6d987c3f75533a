import type { Body, ShapeOptions, Vec3, World } from 'pliant';
import { expect, test } from 'vitest';
import { loadOwn, runOwn, runScene } from './testing/gallery.js';
import { type Shares, sharesOf, showShares } from './testing/shares.js';
import { Twist } from './testing/twist.js';

test('twisted-bar-fracture: the bar is in two before the clamps let go', async () => {
  let held: Shares | undefined;
  const { world, bodies } = await runOwn('twisted-bar-fracture', 10, ({ bodies: [bar], clamps, time }) => {
    if (clamps.every((clamp) => clamp.active) && time > 7.9) held = sharesOf(bar);
  });
  console.log(`twisted bar, while it is held: ${showShares(held!)}; then ${showShares(sharesOf(bodies[0]))}`);
  for (const { pieces, splinters, debris } of [held!, sharesOf(bodies[0])]) {
    expect(pieces.length).toBeGreaterThanOrEqual(2);
    // Two halves, not a bar and a chip of it.
    expect(pieces[1]).toBeGreaterThan(0.3);
    expect(splinters + debris).toBeLessThan(0.05);
  }
  // What its cracks cost: 2.3 times the particles is what the papers' program comes to at worst.
  expect(bodies[0].particleCount).toBeLessThan(1.3 * 5317);
  expect(world.clamps.some((clamp) => clamp.active)).toBe(false);
});

test('twisted-bar-fracture without fracture: the bar keeps a twist when the clamps have let go', async () => {
  const left: number[] = [];
  for (const elastic of [false, true]) {
    const scene = await loadOwn('twisted-bar-fracture');
    const { toughness: _, yield: plastic, ...material } = scene.bodies[0].options.material!;
    scene.bodies[0].options.material = elastic ? material : { ...material, yield: plastic };
    const twist = new Twist();
    const { bodies } = await runScene(scene, 11, ({ bodies: [bar], frame }) => {
      if (frame % 6 === 0) twist.look(bar);
    });
    expect(bodies[0].pieces.count).toBe(1);
    expect(twist.most).toBeGreaterThan(9.5);
    left.push(twist.now);
  }
  // It hardens, and springs back by most of 9.6 rad; plastic-bar, which does not and sees more of a twist by its 200 clusters, keeps half.
  console.log(`tough bar: a twist of ${left[0].toFixed(2)} rad stays, of an elastic one ${left[1].toFixed(2)}`);
  expect(left[0]).toBeGreaterThan(1.2);
  expect(Math.abs(left[1])).toBeLessThan(0.1);
});

/** Of a plate that a ball has flown through: what it is in, how far it had bent when it first broke, how it is bent and has flowed since. */
async function shootThrough(name: string) {
  let bend = 0;
  const { world, bodies } = await runOwn(name, 2, ({ bodies: [plate] }, events) => {
    if (bend === 0 && events.some(({ type }) => type === 'fracture')) bend = farthest(plate, 2);
  });
  const [plate] = bodies;
  const shares = sharesOf(plate);
  console.log(
    `${name}: ${plate.pieces.count}: ${showShares(shares)}; bent by ${(1000 * bend).toFixed(0)} mm when it broke`,
  );
  expect(shares.debris).toBeLessThan(0.01);
  return { world, plate, bend, shares, count: plate.pieces.count };
}

/** Largest coordinate along an axis. */
const farthest = ({ positions: x }: Body, axis: number) =>
  x.reduce((most, value, k) => (k % 4 === axis ? Math.max(most, value) : most), -Infinity);

/** Mean plastic strain of those clusters whose centre at rest is between two distances from the axis of the ball. */
function meanFlow(
  { state: { views: s } }: World,
  { rows, restPositions: rest, plasticStrain }: Body,
  near: number,
  far: number,
) {
  let [sum, count] = [0, 0];
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    let [x, y] = [0, 0];
    const members = s.memberParticle.subarray(s.memberStart[c], s.memberStart[c + 1]);
    for (const i of members) {
      x += rest[3 * (i - rows.particleStart)] / members.length;
      y += rest[3 * (i - rows.particleStart) + 1] / members.length;
    }
    if (Math.hypot(x, y) < near || Math.hypot(x, y) > far) continue;
    sum += plasticStrain[c - rows.clusterStart];
    count++;
  }
  return sum / count;
}

test('plates under a projectile: many pieces, a few larger ones, or a hole in a bent plate', async () => {
  const weak = await shootThrough('plate-weak');
  const strong = await shootThrough('plate-strong');
  const ductile = await shootThrough('plate-ductile');
  // Ten and two times as many; with three other seeds 6 to 10 and 2.7 to 3.5 times.
  expect(weak.count).toBeGreaterThan(4 * strong.count);
  expect(strong.count).toBeGreaterThan(ductile.count);
  expect(ductile.count).toBeGreaterThan(1);
  // Larger: a gram of the weak plate is in a piece of a quarter of it, one of the strong in nearly all of it.
  const usual = (of: { shares: Shares }) => of.shares.pieces.reduce((sum, share) => sum + share * share, 0);
  expect(usual(weak)).toBeLessThan(0.5);
  expect(usual(strong)).toBeGreaterThan(0.75);
  // It bends first: the ball is 10 cm thick, the plate 7.
  expect(ductile.bend).toBeGreaterThan(1.5 * strong.bend);
  const [hole, rim] = [meanFlow(ductile.world, ductile.plate, 0, 0.2), meanFlow(ductile.world, ductile.plate, 0.35, 1)];
  console.log(`ductile plate: plastic strain ${hole.toFixed(2)} at the hole, ${rim.toFixed(3)} far off`);
  expect(hole).toBeGreaterThan(0.1);
  expect(rim).toBeLessThan(0.1 * hole);
});

test('hollow-ball: falls whole, breaks on the ground into shards and lies there', async () => {
  let landed = 0;
  let broke = 0;
  const { world, bodies } = await runOwn('hollow-ball', 2.2, ({ bodies: [ball], time }, events) => {
    if (!landed && ball.positions.some((y, k) => k % 4 === 1 && y < 0.01)) landed = time;
    if (!broke && events.some(({ type }) => type === 'fracture')) broke = time;
  });
  const shares = sharesOf(bodies[0]);
  console.log(`hollow ball, broken ${(1000 * (broke - landed)).toFixed(0)} ms after it landed: ${showShares(shares)}`);
  expect(landed).toBeGreaterThan(0.3);
  expect(broke).toBeGreaterThanOrEqual(landed);
  expect(shares.pieces.length).toBeGreaterThanOrEqual(3);
  expect(shares.pieces[0]).toBeLessThan(0.8);
  expect(shares.splinters + shares.debris).toBeLessThan(0.1);
  const { bboxMin, com } = world.measure();
  expect(bboxMin[1]).toBeGreaterThanOrEqual(0);
  // It was a ball of half a metre; the heap is lower than that.
  expect(com[1]).toBeLessThan(0.4);
});

test('broken-heart: tears in halves, from the notch down', async () => {
  const tears: Vec3[] = [];
  const { bodies } = await runOwn('broken-heart', 1.5, (_, events) => {
    for (const event of events)
      if (event.type === 'fracture') tears.push(...event.splits.map(({ position }) => position));
  });
  const shares = sharesOf(bodies[0]);
  console.log(`broken heart, first torn at ${tears[0].map((c) => c.toFixed(2))}: ${showShares(shares)}`);
  // The notch is at x = 0, y = 0.19 m; clusters have a radius of 9 cm.
  expect(Math.abs(tears[0][0])).toBeLessThan(0.09);
  expect(tears[0][1]).toBeGreaterThan(0.1);
  const height = (of: Vec3[]) => of.reduce((sum, [, y]) => sum + y / of.length, 0);
  const third = Math.floor(tears.length / 3);
  expect(height(tears.slice(-third))).toBeLessThan(height(tears.slice(0, third)) - 0.1);
  expect(shares.pieces[1]).toBeGreaterThan(0.35);
  expect(shares.splinters + shares.debris).toBeLessThan(0.05);
});

type Cut = Extract<ShapeOptions, { of: unknown }>;
type Ball = Extract<ShapeOptions, { radius: number }>;

test('swiss-cheese: tears begin at holes and go from hole to hole', async () => {
  const scene = await loadOwn('swiss-cheese');
  const { of } = scene.bodies[0].options.shape as Cut;
  const holes = of.slice(1) as Ball[];
  const tears: Vec3[] = [];
  const { bodies } = await runScene(scene, 0.7, (_, events) => {
    for (const event of events)
      if (event.type === 'fracture') tears.push(...event.splits.map(({ position }) => position));
  });
  const shares = sharesOf(bodies[0]);
  // Spheres that reach through the slice: distances in its plane.
  const toHole = (x: number, y: number) =>
    Math.min(...holes.map(({ position, radius }) => Math.hypot(x - position![0], y - position![1]) - radius));
  const off = tears.map(([x, y]) => toHole(x, y));
  const { restPositions: rest } = bodies[0];
  let near = 0;
  for (let k = 0; k < rest.length; k += 3) if (toHole(rest[k], rest[k + 1]) < 0.05) near += 3 / rest.length;
  console.log(
    `swiss cheese, torn ${off.map((d) => (100 * d).toFixed(0)).join(', ')} cm from holes (${(100 * near).toFixed(0)} % of it are within 5): ${showShares(shares)}`,
  );
  // Clusters reach 15 cm, and those split whose middle is the bridge beside a hole. That it is the holes that make them, the next test shows.
  expect(off[0]).toBeLessThan(0.03);
  for (const d of off) expect(d).toBeLessThan(0.05);
  expect(shares.pieces[1]).toBeGreaterThan(0.3);
  expect(shares.splinters + shares.debris).toBeLessThan(0.05);
});

test('swiss-cheese without holes is whole when the one with holes has long been torn', async () => {
  const scene = await loadOwn('swiss-cheese');
  const { options } = scene.bodies[0];
  options.shape = (options.shape as Cut).of[0];
  options.sampling = { count: 5000 };
  const { bodies } = await runScene(scene, 0.45);
  expect(bodies[0].topologyVersion).toBe(0);
});
