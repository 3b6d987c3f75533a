import { type Body, NO_PIECE } from 'pliant';

/** Share of a body's mass below which a piece is a splinter. */
const SPLINTER = 0.01;

export interface Shares {
  /** Shares of the mass that pieces have, the largest first, without splinters. */
  pieces: number[];
  /** Share that is in pieces too small to count. */
  splinters: number;
  /** Share that is in no cluster. */
  debris: number;
}

/** The mass shares of a body's pieces. */
export function sharesOf({ pieces: { count, ofParticle }, positions: x }: Body): Shares {
  const masses = new Float64Array(count);
  let [whole, debris] = [0, 0];
  for (let i = 0; i < ofParticle.length; i++) {
    const mass = x[4 * i + 3];
    whole += mass;
    if (ofParticle[i] === NO_PIECE) debris += mass;
    else masses[ofParticle[i]] += mass;
  }
  const shares = Array.from(masses, (mass) => mass / whole).sort((a, b) => b - a);
  const pieces = shares.filter((share) => share >= SPLINTER);
  return {
    pieces,
    splinters: shares.slice(pieces.length).reduce((a, b) => a + b, 0),
    debris: debris / whole,
  };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

export const showShares = ({ pieces, splinters, debris }: Shares): string =>
  `${pieces.length} pieces (${pieces.map((p) => (100 * p).toFixed(0)).join(', ')} %), splinters ${percent(splinters)}, debris ${percent(debris)}`;
