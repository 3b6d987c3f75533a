import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterLongPress } from './longPress.js';

describe('a long press', () => {
  let frames = new Map<number, (now: number) => void>();
  let now = 0;

  /** Draws one frame that took so many milliseconds. */
  const draw = (took: number) => {
    now += took;
    const waiting = frames;
    frames = new Map();
    for (const hear of waiting.values()) hear(now);
  };

  beforeEach(() => {
    frames = new Map();
    now = 1000;
    let id = 0;
    vi.stubGlobal('performance', { now: () => now });
    vi.stubGlobal('requestAnimationFrame', (hear: (now: number) => void) => {
      frames.set(++id, hear);
      return id;
    });
    vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id));
  });
  afterEach(() => vi.unstubAllGlobals());

  it('takes 600 ms where frames are quick', () => {
    const act = vi.fn();
    afterLongPress(act);
    for (let n = 0; n < 37; n++) draw(16);
    expect(act).not.toHaveBeenCalled();
    draw(16);
    expect(act).toHaveBeenCalledOnce();
    draw(16);
    expect(act).toHaveBeenCalledOnce();
  });

  it('takes twelve frames where each takes a second', () => {
    const act = vi.fn();
    afterLongPress(act);
    for (let n = 0; n < 11; n++) draw(1000);
    expect(act).not.toHaveBeenCalled();
    draw(1000);
    expect(act).toHaveBeenCalledOnce();
  });

  it('can be cancelled', () => {
    const act = vi.fn();
    const cancel = afterLongPress(act);
    for (let n = 0; n < 20; n++) draw(16);
    cancel();
    for (let n = 0; n < 60; n++) draw(16);
    expect(act).not.toHaveBeenCalled();
  });
});
