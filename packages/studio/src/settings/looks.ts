import { type BodyLook, bodyColours, PRESET_LOOKS } from '@pliant/scene';
import type { SceneJson } from '../sceneDocument.js';
import { materialOf } from './parts.js';

/** The colour that a body is drawn in, '#rrggbb': its own, or that of its look, which differs from body to body. */
export function drawnColour(json: SceneJson, body: number): string {
  let place = 0;
  const looks = json.bodies.flatMap((one, k) => {
    const copies = (one['copies'] ?? []) as Record<string, unknown>[];
    if (k < body) place += 1 + copies.length;
    const preset = materialOf(json, k)['preset'] as keyof typeof PRESET_LOOKS | undefined;
    return [one, ...copies].map((each) => {
      const { look = preset && PRESET_LOOKS[preset], colour } = { ...one, ...each };
      return { look: look ?? 'rubber', ...(colour ? { colour } : {}) } as BodyLook;
    });
  });
  return `#${bodyColours(looks)
    [place].outer.map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}
