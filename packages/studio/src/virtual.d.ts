declare module 'virtual:scenes' {
  export type SceneGroup = 'touch' | 'dent' | 'break' | 'cut' | 'flow' | 'papers';
  /** The facts that the gallery knows of a scene without loading it. */
  export interface SceneCard {
    name: string;
    title: string;
    description: string;
    group: SceneGroup;
    /** A few words on things to try with it. */
    hint: string;
    /** Particles of its bodies when it is built. */
    particles: number | undefined;
    /** Names of materials and presets in it. */
    materials: string[];
    /** Names of its variants. */
    variants: readonly string[];
  }
  export const scenes: readonly SceneCard[];
}

declare module 'virtual:three-backends' {
  /** The part of three's renderer that draws by WebGPU or by WebGL2, for its option `Backend`; none while the page is developed, when three has both. */
  export function loadBackend(gpu: boolean): Promise<unknown>;
}
