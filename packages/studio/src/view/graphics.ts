import { Scene } from 'three/webgpu';
import type { App } from '../app.js';
import { mountKeys } from '../input/keys.js';
import { mountHands } from '../input/pointer.js';
import type { Simulation } from '../simulation.js';
import { part } from '../ui/dom.js';
import { watchFreeArea } from '../ui/freeArea.js';
import { isDark, onTheme } from '../ui/theme.js';
import { Scenery } from './scenery.js';
import { Stage } from './stage.js';

/** Starts drawing. Only this file uses both the app and three.js. */
export async function startGraphics(app: App): Promise<void> {
  const canvas = part('view') as HTMLCanvasElement;
  const query = new URLSearchParams(location.search);
  const forced = query.get('renderer') === 'webgl';
  let stage: Stage;
  try {
    stage = await Stage.create(canvas, forced, query.get('quality') === 'full');
  } catch {
    app.say('This browser shows neither WebGPU nor WebGL2: the scene runs, but cannot be drawn.', 'problem');
    return;
  }
  const scenery = new Scenery(app.simulation);
  let right: Scenery | undefined;
  stage.scene.add(scenery.group);
  app.graphics = {
    stage,
    scenery,
    beside: undefined,
    compare(second: Simulation | undefined) {
      right?.clear();
      app.graphics!.beside = right = second && new Scenery(second);
      const scene = right && new Scene();
      scene?.add(right!.group);
      stage.setBeside(scene);
      part('halves').hidden = !second;
      part('halves').classList.toggle('stacked', stage.isStacked);
    },
  };
  stage.setTheme(isDark());
  onTheme((dark) => stage.setTheme(dark));
  app.simulation.on('loaded', () => lookAtScene(app, stage));
  // If the worker was faster, it sends everything once more.
  if (app.simulation.scene) {
    lookAtScene(app, stage);
    app.simulation.send({ type: 'resend' });
  }
  watchFreeArea(stage);
  fitAtStart(app, stage, scenery);
  mountHands(app, stage);
  mountKeys(app, stage);
  let isSeen = false;
  const loop = (now: number) => {
    requestAnimationFrame(loop);
    for (const simulation of app.simulations) {
      simulation.isDrawn = true;
      simulation.giveBack();
    }
    const isChanged = scenery.update(now);
    const isRightChanged = right?.update(now) ?? false;
    stage.draw(isChanged || isRightChanged);
    if (!isSeen && app.simulation.latest) {
      isSeen = true;
      performance.mark('pliant: first moment');
    }
  };
  requestAnimationFrame(loop);
}

/** Zooms out where bodies begin outside the free area of the page. */
function fitAtStart(app: App, stage: Stage, scenery: Scenery): void {
  let path = '';
  const fit = () => {
    const { latest, scene } = app.simulation;
    if (!latest || !scene || scene.path === path || document.body.classList.contains('bare')) return;
    path = scene.path;
    stage.fitPoints(latest.arrays.particles, scenery.obstacleCorners(latest));
  };
  app.simulation.on('moment', fit);
  fit();
}

/** Moves to the scene's first camera. A scene that is built anew keeps the view. */
let lastPath = '';
function lookAtScene(app: App, stage: Stage): void {
  const { path, cameras } = app.simulation.scene!;
  if (path === lastPath) return;
  lastPath = path;
  stage.look(cameras[0] ?? { position: [3, 2.2, 4.5], target: [0, 0.6, 0], fov: 40 });
}
