export const STYLE = `
:root { color-scheme: light; font: 15px/1.45 system-ui, sans-serif; color: #26323d; }
* { box-sizing: border-box; }
body { margin: 0; height: 100vh; overflow: hidden; background: #dfe7ee; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; }
canvas:active { cursor: grabbing; }
header { position: absolute; top: 0; left: 0; max-width: 34rem; padding: 1.1rem 1.4rem; pointer-events: none; }
h1 { margin: 0; font-size: 1.35rem; font-weight: 650; letter-spacing: -0.01em; }
header p { margin: 0.2rem 0 0; color: #52626f; }
#problem { position: absolute; inset: 40% 10% auto; text-align: center; font-size: 1.1rem; }
footer { position: absolute; left: 50%; bottom: 1.2rem; transform: translateX(-50%); width: min(46rem, calc(100% - 2rem));
  display: flex; align-items: center; gap: 0.9rem; padding: 0.6rem 0.9rem; border-radius: 0.9rem;
  background: rgb(255 255 255 / 78%); box-shadow: 0 4px 18px rgb(38 50 61 / 14%); backdrop-filter: blur(8px); }
#play { flex: none; width: 2.2rem; height: 2.2rem; border: 0; border-radius: 50%; background: #2f6fb0; cursor: pointer;
  display: grid; place-items: center; }
#play:hover { background: #25598e; }
#play::before { content: ''; width: 0.8rem; height: 0.9rem; background: #fff; clip-path: polygon(15% 0, 100% 50%, 15% 100%); }
#play.playing::before { clip-path: polygon(0 0, 35% 0, 35% 100%, 65% 100%, 65% 0, 100% 0, 100% 100%, 0 100%); }
#scrub { flex: 1; min-width: 4rem; accent-color: #2f6fb0; }
#clock { flex: none; min-width: 8.5em; text-align: right; font-variant-numeric: tabular-nums; color: #52626f; }
#speed { border: 0; background: none; font: inherit; color: inherit; }
`;
