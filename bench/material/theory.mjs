// The values that the theory of elasticity gives for the probes, in SI units. ρ is the density, E Young's modulus, ν Poisson's ratio, g the acceleration.

/** Elongation (m) from the held end to a depth z of a rod of length L that hangs. */
export const hanging = ({ rho, g, E, L }, z) => (rho * g * (L * z - (z * z) / 2)) / E;

/** How much nearer to the ground (m) a point at height z of a column of length L comes under its own weight. */
export const sagging = ({ rho, g, E, L }, z) => (rho * g * (L * z - (z * z) / 2)) / E;

/** First stretching mode (Hz) of a free rod. */
export const stretchMode = ({ rho, E, L }) => Math.sqrt(E / rho) / (2 * L);

/** Sag (m) at x from the clamp of a cantilever of square section a under its own weight: Euler–Bernoulli, and Timoshenko's shear with the factor 5/6. */
export function cantilever({ rho, g, E, nu, L, a }, x) {
  const load = rho * g * a * a;
  const bend = (load * x * x * (6 * L * L - 4 * L * x + x * x)) / ((24 * E * a ** 4) / 12);
  const shear = (load * (L * x - (x * x) / 2)) / ((5 / 6) * (E / (2 * (1 + nu))) * a * a);
  return bend + shear;
}

/** First torsional mode (Hz) of a rod of square section that is held at one end: Saint-Venant's J = 0.1406 a⁴, polar moment a⁴/6. */
export const twistMode = ({ rho, E, nu, L }) => Math.sqrt((E / (2 * (1 + nu)) / rho) * (0.1406 * 6)) / (4 * L);

/** Height (m) at which a column of square section a buckles under its own weight (Greenhill). */
export const selfBuckling = ({ rho, g, E, a }) => Math.cbrt((7.84 * E * a * a) / 12 / (rho * g));

/** Mean way (m) of a disc of this area on a half-space under an even load of 1 N (Boussinesq): 16 p a (1 − ν²)/(3π E). */
export const dent = ({ E, nu }, area) => (16 * Math.sqrt(area / Math.PI) * (1 - nu * nu)) / (3 * Math.PI * E * area);
