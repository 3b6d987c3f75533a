import { type Pieces, piecesOf } from '../topology/pieces.js';
import { checkAlive } from './access.js';
import type { Body } from './body.js';

/** The pieces of a body: its parts that are connected by clusters. Computed anew when its topology has changed. */
export function findPieces(body: Body): Pieces {
  checkAlive(body);
  const { core, rows, topologyVersion } = body;
  if (core.known?.version !== topologyVersion)
    core.known = { version: topologyVersion, pieces: piecesOf(core.state.views, rows) };
  return core.known.pieces;
}
