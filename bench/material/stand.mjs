// Bricks that are all but rigid: a stack of five and a wall of fifty, at 60 Hz.
import { MATERIALS, World } from 'pliant';

/** Length, height and depth of a brick, and the air around it when it is laid (m). */
const BRICK = [0.2, 0.1, 0.1];
const GAP = 0.001;
const ROWS = 5;

const rowAt = (row) => GAP + BRICK[1] / 2 + row * (BRICK[1] + GAP);

/** Running bond: every other row has half bricks at its ends. */
function places(columns) {
  const pitch = BRICK[0] + GAP;
  const found = [];
  for (let row = 0; row < ROWS; row++) {
    const isShort = columns > 1 && row % 2 === 1;
    const bricks = columns - (isShort ? 1 : 0);
    for (let k = 0; k < bricks; k++) found.push({ x: (k - (bricks - 1) / 2) * pitch, y: rowAt(row), length: BRICK[0] });
    if (isShort)
      for (const side of [-1, 1])
        found.push({ x: (side * (columns * pitch - BRICK[0] / 2)) / 2, y: rowAt(row), length: BRICK[0] / 2 - GAP });
  }
  return found;
}

/** Bricks of a preset are laid and left alone: the height at the end beside that of five bricks, the seconds until all sleep, the largest way of a brick (m). */
export async function stand({ columns, preset, hz = 60, count = 60, seconds = 8 }) {
  const world = await World.create({ dt: 1 / hz });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.8 });
  for (const { x, y, length } of places(columns))
    world.addBody({
      shape: { type: 'box', size: [length, BRICK[1], BRICK[2]] },
      sampling: { count: Math.round((count * length) / BRICK[0]) },
      material: MATERIALS[preset].material,
      position: [x, y, 0],
    });
  const before = world.bodies.map((body) => Array.from(body.centreOfMass));
  let asleep = Number.NaN;
  for (let k = 1; k <= seconds * hz; k++) {
    world.step();
    if (Number.isNaN(asleep) && world.bodies.every((body) => body.asleep)) asleep = k / hz;
  }
  let [top, moved] = [0, 0];
  world.bodies.forEach((body, k) => {
    const skin = body.getSkin();
    skin.update();
    for (let o = 1; o < skin.positions.length; o += 3) top = Math.max(top, skin.positions[o]);
    moved = Math.max(moved, Math.hypot(...body.centreOfMass.map((value, a) => value - before[k][a])));
  });
  const result = { ratio: top / (ROWS * BRICK[1]), asleep, moved, bricks: world.bodies.length };
  world.dispose();
  return result;
}
