import type { Vec3 } from 'pliant';
import { TOUCH, type Vector3 } from 'three/webgpu';
import type { App } from '../app.js';
import type { Simulation } from '../simulation.js';
import { part } from '../ui/dom.js';
import type { Scenery } from '../view/scenery.js';
import type { Stage } from '../view/stage.js';
import { afterLongPress } from './longPress.js';

/** A point that a pointer holds. */
interface Hold {
  simulation: Simulation;
  id: number;
  /** The pointer moves in the plane through this point that faces the eye. */
  anchor: Vector3;
  hit: boolean;
  x: number;
  y: number;
  /** Ends the wait for a long press. */
  cancelPress: () => void;
  /** Whether a long press asked for a lock, before the worker said what is held. */
  locks: boolean;
}

/** A body or an obstacle that is being moved to where it shall begin. */
interface Moving {
  simulation: Simulation;
  scenery: Scenery;
  /** A body by its name, an obstacle by its place in the list; undefined until the worker has said what is there. */
  thing: string | number | undefined;
  from: Vector3;
  /** Where it was touched on the page. */
  start: { x: number; y: number };
  /** Where it was let go on the page. */
  to: { x: number; y: number } | undefined;
}

const tuple = ({ x, y, z }: Vector3): Vec3 => [x, y, z];

/**
 * Two fingers that touch within so many milliseconds control the view; a later second finger belongs to the action of
 * the first.
 */
const TOGETHER = 250;

/** A finger that stays within so many pixels of where it came down, for a long press, locks what it holds. */
const STILL = 10;

/**
 * The event for moves. 'pointerrawupdate' reports every move at once, without waiting for a frame, so that the worker
 * gets it however long drawing takes.
 */
const MOVES = 'onpointerrawupdate' in globalThis ? 'pointerrawupdate' : 'pointermove';

/** A drag of fewer pixels with the tool that moves is a choice. */
const CLICK = 4;

/** Share of the distance to a held point that one notch of the wheel adds or subtracts. */
const NOTCH = 0.06;

/**
 * Tools by mouse, pen and fingers. A drag that begins on a body (or with a tool that needs none) belongs to the tool.
 * Any other rotates the view, as do the right button and two fingers.
 */
export function mountHands(app: App, stage: Stage): void {
  const { canvas, controls } = stage;
  const holds = new Map<number, Hold>();
  const strokes = new Map<number, { x: number; y: number; line: SVGLineElement }>();
  const moves = new Map<number, Moving>();
  let ball: { pointer: number; anchor: Vector3 } | undefined;
  let ballSize = 0.06;
  /** Fingers and buttons that are down. */
  const down = new Set<number>();
  let begun = 0;

  const simulationAt = (x: number, y: number): Simulation =>
    app.second && stage.isBeside(x, y) ? app.second : app.simulation;

  const setTouches = () => {
    // With a tool one finger controls the tool, and two rotate the view. With 'look' one rotates and two move it.
    controls.touches = { ONE: TOUCH.ROTATE, TWO: app.tool === 'look' ? TOUCH.DOLLY_PAN : TOUCH.DOLLY_ROTATE };
  };
  setTouches();
  app.on('tool', setTouches);

  // Captures a second finger before the view handles it.
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      if (down.size !== 1 || controls.enabled) return;
      if (event.timeStamp - begun > TOGETHER) {
        for (const pointer of [...holds.keys()]) lock(pointer);
        for (const pointer of [...strokes.keys()]) endStroke(pointer, undefined);
        cancelMoves();
        return;
      }
      for (const pointer of [...holds.keys()]) endPick(pointer);
      for (const pointer of [...strokes.keys()]) endStroke(pointer, undefined);
      cancelMoves();
      if (ball) endPush();
      controls.enabled = true;
    },
    { capture: true },
  );
  canvas.addEventListener('pointerdown', (event) => {
    down.add(event.pointerId);
    if (event.button !== 0 || app.tool === 'look' || event.altKey || down.size > 1) return;
    // The time of the touch itself, not of its handling by a busy page.
    begun = event.timeStamp;
    if (app.tool === 'pick') beginPick(event);
    if (app.tool === 'push') beginPush(event);
    if (app.tool === 'cut') beginStroke(event);
    if (app.tool === 'move') void beginMove(event);
  });
  canvas.addEventListener(MOVES, (moved) => {
    const event = moved as PointerEvent;
    movePick(event);
    movePush(event);
    moveStroke(event);
    moveMove(event);
  });
  const end = (event: PointerEvent) => {
    down.delete(event.pointerId);
    endPick(event.pointerId);
    if (ball?.pointer === event.pointerId) endPush();
    endMove(event.pointerId, event.type === 'pointerup' ? event : undefined);
    endStroke(event.pointerId, event.type === 'pointerup' ? event : undefined);
    if (down.size === 0) controls.enabled = true;
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener(
    'wheel',
    (event) => {
      const notch = Math.sign(event.deltaY);
      for (const hold of holds.values()) {
        if (!hold.hit) continue;
        event.preventDefault();
        event.stopImmediatePropagation();
        const away = hold.anchor.clone().sub(stage.camera.position);
        hold.anchor.copy(stage.camera.position).addScaledVector(away, 1 - NOTCH * notch);
        aim(hold);
      }
      if (ball) {
        event.preventDefault();
        event.stopImmediatePropagation();
        ballSize = Math.min(0.3, Math.max(0.01, ballSize * (1 - 2 * NOTCH * notch)));
      }
    },
    { capture: true, passive: false },
  );
  window.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() === 'l') for (const pointer of [...holds.keys()]) lock(pointer);
  });

  function capture(event: PointerEvent): void {
    // The view must not rotate during the action of a tool.
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
  }

  async function beginPick(event: PointerEvent): Promise<void> {
    const simulation = simulationAt(event.clientX, event.clientY);
    const { origin, direction } = stage.rayAt(event.clientX, event.clientY);
    const hold: Hold = {
      simulation,
      id: 0,
      anchor: origin.clone(),
      hit: false,
      x: event.clientX,
      y: event.clientY,
      cancelPress: () => {},
      locks: false,
    };
    const { clientX, clientY, pointerId } = event;
    if (event.pointerType === 'touch')
      hold.cancelPress = afterLongPress(() => {
        const isStill = Math.hypot(hold.x - clientX, hold.y - clientY) <= STILL;
        if (!isStill || holds.get(pointerId) !== hold) return;
        hold.locks = true;
        lock(pointerId);
      });
    holds.set(event.pointerId, hold);
    // Until the worker has answered, the meaning of the drag is unknown: the view waits.
    capture(event);
    const { hit } = await simulation.ask<'picked'>((id) => {
      hold.id = id;
      return { type: 'pick', id, origin: tuple(origin), direction: tuple(direction) };
    });
    if (hit) {
      hold.hit = true;
      hold.anchor.set(...hit.point);
      if (holds.get(event.pointerId) !== hold) return simulation.send({ type: 'dropPick', id: hold.id });
      canvas.classList.add('holding');
      aim(hold);
      if (hold.locks) lock(event.pointerId);
    } else if (holds.get(event.pointerId) === hold) {
      // No body was hit: the drag rotates the view.
      holds.delete(event.pointerId);
      controls.enabled = true;
    }
  }

  function movePick(event: PointerEvent): void {
    const hold = holds.get(event.pointerId);
    if (!hold) return;
    hold.x = event.clientX;
    hold.y = event.clientY;
    if (hold.hit) aim(hold);
  }

  function aim({ simulation, id, anchor, x, y }: Hold): void {
    simulation.send({ type: 'movePick', id, target: tuple(stage.pointAt(x, y, anchor)) });
  }

  function lock(pointer: number): void {
    const hold = holds.get(pointer);
    if (!hold?.hit) return;
    hold.cancelPress();
    hold.simulation.send({ type: 'lockPick', id: hold.id });
    holds.delete(pointer);
    canvas.classList.remove('holding');
    navigator.vibrate?.(20);
    app.say('Locked in place. “Let go” (U) frees it.');
  }

  function endPick(pointer: number): void {
    const hold = holds.get(pointer);
    if (!hold) return;
    hold.cancelPress();
    holds.delete(pointer);
    canvas.classList.remove('holding');
    if (hold.hit) hold.simulation.send({ type: 'dropPick', id: hold.id });
  }

  function beginPush(event: PointerEvent): void {
    capture(event);
    // At the depth of the target of the view.
    ball = { pointer: event.pointerId, anchor: controls.target.clone() };
    movePush(event);
  }

  function movePush(event: PointerEvent): void {
    if (ball?.pointer !== event.pointerId) return;
    const centre = stage.pointAt(event.clientX, event.clientY, ball.anchor);
    const radius = ballSize * stage.camera.position.distanceTo(controls.target);
    app.graphics!.scenery.setBall({ centre: tuple(centre), radius });
    simulationAt(event.clientX, event.clientY).send({ type: 'push', ball: { centre: tuple(centre), radius } });
  }

  function endPush(): void {
    ball = undefined;
    app.graphics!.scenery.setBall(undefined);
    for (const simulation of app.simulations) simulation.send({ type: 'push', ball: undefined });
  }

  /** Asks which body is there, before or behind the obstacle that is drawn there; the line of a stroke shows the way. */
  async function beginMove(event: PointerEvent): Promise<void> {
    const simulation = simulationAt(event.clientX, event.clientY);
    const { origin, direction } = stage.rayAt(event.clientX, event.clientY);
    const { scenery: left, beside } = app.graphics!;
    const scenery = (simulation === app.second && beside) || left;
    beginStroke(event);
    const start = { x: event.clientX, y: event.clientY };
    const found: Moving = { simulation, scenery, thing: undefined, from: origin, start, to: undefined };
    moves.set(event.pointerId, found);
    const obstacle = scenery.obstacleAt(origin, direction);
    let pick = 0;
    const { hit } = await simulation.ask<'picked'>((id) => {
      pick = id;
      return { type: 'pick', id, origin: tuple(origin), direction: tuple(direction) };
    });
    simulation.send({ type: 'dropPick', id: pick });
    if (obstacle && obstacle.distance < (hit?.distance ?? Number.POSITIVE_INFINITY)) {
      found.thing = obstacle.at;
      found.from = obstacle.point;
    } else if (hit) {
      found.thing = hit.body;
      found.from = origin.clone().set(...hit.point);
    }
    if (found.thing !== undefined) {
      // It was let go before the worker answered.
      if (found.to) finishMove(found);
    } else if (moves.get(event.pointerId) === found) {
      endStroke(event.pointerId, undefined);
      moves.delete(event.pointerId);
      controls.enabled = true;
    }
  }

  /** An obstacle is drawn where it is dragged to. */
  function moveMove(event: PointerEvent): void {
    const found = moves.get(event.pointerId);
    if (typeof found?.thing !== 'number') return;
    found.scenery.dragObstacle(found.thing, stage.pointAt(event.clientX, event.clientY, found.from).sub(found.from));
  }

  function cancelMoves(): void {
    for (const { thing, scenery } of moves.values())
      if (typeof thing === 'number') scenery.dragObstacle(thing, undefined);
    moves.clear();
  }

  function endMove(pointer: number, event: PointerEvent | undefined): void {
    const found = moves.get(pointer);
    if (!found) return;
    if (!event) cancelMoves();
    moves.delete(pointer);
    endStroke(pointer, undefined);
    if (!event) return;
    found.to = { x: event.clientX, y: event.clientY };
    if (found.thing !== undefined) finishMove(found);
  }

  function finishMove({ simulation, scenery, thing, from, start, to }: Moving): void {
    const by = stage.pointAt(to!.x, to!.y, from).sub(from);
    if (app.second) app.edit(simulation === app.second ? 'right' : 'left');
    app.choose(thing!);
    if (Math.hypot(to!.x - start.x, to!.y - start.y) < CLICK) {
      if (typeof thing === 'number') scenery.dragObstacle(thing, undefined);
      return;
    }
    if (typeof thing === 'number') {
      scenery.dragObstacle(thing, by);
      app.moveObstacle(thing, tuple(by) as [number, number, number]);
    } else app.moveBody(thing!, tuple(by) as [number, number, number]);
  }

  function beginStroke(event: PointerEvent): void {
    capture(event);
    const box = canvas.getBoundingClientRect();
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    const [x, y] = [event.clientX, event.clientY];
    for (const end of ['1', '2']) {
      line.setAttribute(`x${end}`, String(x - box.left));
      line.setAttribute(`y${end}`, String(y - box.top));
    }
    part('strokes').append(line);
    strokes.set(event.pointerId, { x, y, line });
  }

  function moveStroke(event: PointerEvent): void {
    const stroke = strokes.get(event.pointerId);
    if (!stroke) return;
    const box = canvas.getBoundingClientRect();
    stroke.line.setAttribute('x2', String(event.clientX - box.left));
    stroke.line.setAttribute('y2', String(event.clientY - box.top));
  }

  function endStroke(pointer: number, event: PointerEvent | undefined): void {
    const stroke = strokes.get(pointer);
    if (!stroke) return;
    strokes.delete(pointer);
    stroke.line.remove();
    if (!event || Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) < 8) return;
    const from = stage.rayAt(stroke.x, stroke.y);
    const to = stage.rayAt(event.clientX, event.clientY);
    void simulationAt(stroke.x, stroke.y).ask<'cut'>((id) => ({
      type: 'cut',
      id,
      origin: tuple(from.origin),
      from: tuple(from.direction),
      to: tuple(to.direction),
    }));
  }
}
