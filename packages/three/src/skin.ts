import type { RenderSkin } from 'pliant';

/** The parts of a skin that drawing uses: those of a body here, and of one whose world is in a worker. */
export type Skin = Pick<
  RenderSkin,
  | 'version'
  | 'vertexCount'
  | 'positions'
  | 'normals'
  | 'indices'
  | 'groups'
  | 'uvs'
  | 'colours'
  | 'source'
  | 'bounds'
  | 'update'
  | 'atRest'
> &
  Partial<Pick<RenderSkin, 'took'>>;

/** A body that can be drawn: one of a `World` or of a `WorkerWorld`. */
export interface DrawableBody {
  /** Its name. */
  readonly name: string;
  /** Whether it is still in its world. */
  readonly alive: boolean;
  /** Whether it sleeps, and so is where it was. */
  readonly asleep: boolean;
  /** The mesh that shows it. */
  getSkin(): Skin;
}
