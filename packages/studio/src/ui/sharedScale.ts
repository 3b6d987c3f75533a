import type { App } from '../app.js';
import { scaleFor } from '../settings/scale.js';

/** Gives both halves of a comparison the same colour scale, by the larger of their values. */
export function shareScale(app: App): void {
  const update = () => {
    const most = Math.max(...app.simulations.map(({ latest }) => latest?.range?.most ?? 0));
    const scale = app.second ? scaleFor(most, app.show.scale) : undefined;
    if (scale !== app.show.scale) app.setShow({ scale });
  };
  app.simulation.on('moment', update);
  app.on('beside', () => {
    app.second?.on('moment', update);
    update();
  });
}
