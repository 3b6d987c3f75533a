import type { Vec3 } from 'pliant';
import type { Vector3 } from 'three/webgpu';
import type { App } from '../app.js';
import type { Simulation } from '../simulation.js';
import { make, part } from '../ui/dom.js';
import type { Stage } from '../view/stage.js';

const tuple = ({ x, y, z }: Vector3): Vec3 => [x, y, z];

/**
 * Amounts per key press: rotation (radians), share of the distance when zooming, and displacement of a held point in
 * distances of the eye.
 */
const TURN = 0.1;
const STEP = 0.1;
const WAY = 0.03;
/** Radius of the ball that pushes, in distances of the eye. */
const BALL = 0.06;

/** Directions of the arrow keys: right and up. */
const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** A point that arrows move, and the update after a move. */
interface Held {
  at: Vector3;
  follow(): void;
  lock?(): void;
  letGo(): void;
}

/**
 * All tools by keyboard, while the scene has the focus. Arrows rotate the view (with Shift: move it), + and − zoom.
 * Enter grabs the body in the middle of the view, or puts the ball there: arrows, + and − then move it, Enter releases
 * it. With the knife, V and H cut through the middle.
 */
export function mountKeys(app: App, stage: Stage): void {
  const { canvas, controls } = stage;
  part('stage').append(make('div', { id: 'aim', 'aria-hidden': 'true' }));
  let held: Held | undefined;
  let asking = false;

  const letGo = () => {
    held?.letGo();
    held = undefined;
  };

  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!act(event.key, event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  canvas.addEventListener('blur', letGo);
  app.on('tool', letGo);
  app.on('document', letGo);

  /** Handles a key; returns whether it has a meaning here. */
  function act(key: string, shift: boolean): boolean {
    const arrow = ARROWS[key];
    if (arrow && held) move(stage.across(...scaled(arrow)));
    else if (arrow && shift) stage.shift(WAY * arrow[0], WAY * arrow[1]);
    else if (arrow) stage.turn(-TURN * arrow[0], -TURN * arrow[1]);
    else if (key === '+' || key === '=') nearer(1);
    else if (key === '-' || key === '−') nearer(-1);
    else if (key === 'Enter') enter();
    else if (key === 'Escape' && held) letGo();
    else if (key.toLowerCase() === 'l' && held?.lock) {
      held.lock();
      held = undefined;
    } else if (app.tool === 'cut' && key.toLowerCase() === 'v') cut(0, 1);
    else if (app.tool === 'cut' && key.toLowerCase() === 'h') cut(1, 0);
    else return false;
    return true;
  }

  function scaled([right, up]: readonly [number, number]): [number, number] {
    const far = WAY * stage.camera.position.distanceTo(controls.target);
    return [far * right, far * up];
  }

  function move(by: Vector3): void {
    held!.at.add(by);
    held!.follow();
  }

  /** Moves the view, or the held point, nearer or farther. */
  function nearer(sign: number): void {
    if (!held) {
      stage.approach(1 - STEP * sign);
      return;
    }
    const away = held.at.clone().sub(stage.camera.position);
    move(away.multiplyScalar(-WAY * sign));
  }

  function enter(): void {
    if (held) letGo();
    else if (app.tool === 'pick') void pick();
    else if (app.tool === 'push') push();
    else if (app.tool === 'cut') cut(0, 1);
  }

  async function pick(): Promise<void> {
    if (asking) return;
    asking = true;
    const { simulation } = app;
    let pick = 0;
    const take = async (x: number, y: number) => {
      const { origin, direction } = stage.rayAt(x, y);
      const { hit } = await simulation.ask<'picked'>((id) => {
        pick = id;
        return { type: 'pick', id, origin: tuple(origin), direction: tuple(direction) };
      });
      return hit;
    };
    const { middle } = stage;
    let hit = await take(middle.x, middle.y);
    if (!hit) {
      const near = nearestOnPage(simulation, stage);
      hit = near && (await take(near.x, near.y));
    }
    asking = false;
    if (!hit) return app.say('There is no body in view: turn it with the arrow keys.');
    const at = stage.camera.position.clone().set(...hit.point);
    held = {
      at,
      follow: () => simulation.send({ type: 'movePick', id: pick, target: tuple(at) }),
      lock: () => {
        simulation.send({ type: 'lockPick', id: pick });
        app.say('Locked in place. “Let go” (U) frees it.');
      },
      letGo: () => simulation.send({ type: 'dropPick', id: pick }),
    };
    held.follow();
    app.say(`You hold ${hit.body}: arrows, + and − move it, L locks it, Enter lets go.`);
  }

  function push(): void {
    const { simulation } = app;
    const radius = BALL * stage.camera.position.distanceTo(controls.target);
    const at = controls.target.clone();
    const show = (ball: { centre: Vec3; radius: number } | undefined) => {
      app.graphics?.scenery.setBall(ball);
      simulation.send({ type: 'push', ball });
    };
    held = { at, follow: () => show({ centre: tuple(at), radius }), letGo: () => show(undefined) };
    // The ball starts in front of the bodies, not inside them.
    nearer(8);
    app.say('Arrows, + and − move the ball, Enter takes it away.');
  }

  /** Cuts along a line through the middle, from one edge of the view to the other. */
  function cut(right: number, up: number): void {
    const { x, y } = stage.middle;
    const reach = [0.49 * stage.width * right, 0.49 * stage.height * up];
    const from = stage.rayAt(x - reach[0], y - reach[1]);
    const to = stage.rayAt(x + reach[0], y + reach[1]);
    void app.simulation.ask<'cut'>((id) => ({
      type: 'cut',
      id,
      origin: tuple(from.origin),
      from: tuple(from.direction),
      to: tuple(to.direction),
    }));
  }
}

/** The place on the page of the particle that is nearest to the middle of the view. */
function nearestOnPage({ latest }: Simulation, stage: Stage): { x: number; y: number } | undefined {
  if (!latest) return undefined;
  const { camera, canvas, middle } = stage;
  const box = canvas.getBoundingClientRect();
  const at = camera.position.clone();
  let [best, least] = [undefined as { x: number; y: number } | undefined, Number.POSITIVE_INFINITY];
  for (let o = 0; o < 4 * latest.counts.particles; o += 4) {
    const { particles } = latest.arrays;
    at.set(particles[o], particles[o + 1], particles[o + 2]).project(camera);
    if (at.z > 1 || Math.abs(at.x) > 1 || Math.abs(at.y) > 1) continue;
    const [x, y] = [box.left + (0.5 + 0.5 * at.x) * stage.width, box.top + (0.5 - 0.5 * at.y) * stage.height];
    const far = Math.hypot(x - middle.x, y - middle.y);
    if (far < least) [best, least] = [{ x, y }, far];
  }
  return best;
}
