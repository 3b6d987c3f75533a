/** Numbers in a row of `softness`. */
export const Soft = {
  /** 0: rigid goals, 1: linear, 2: quadratic (SPEC M5). */
  ORDER: 0,
  BETA: 1,
  /** 0: A may have any volume; 1: the nearest matrix of determinant 1; 2: scaled to determinant 1. */
  VOLUME: 2,
  /** 0: no area limit; 1 by row, 2 exact, 3 by norm (SPEC M6). */
  CLAMP: 3,
  /** m and c of the cap, in mean square stretch ‖A‖²/3. */
  MAX: 4,
  FROM: 5,
  /** 1: the cluster pulls by the elastic law of its material (`elasticity`); 0: by the share `stiffness`. */
  LAW: 6,
  /** By the elastic law: β of the material. BETA is 0 for clusters that are too thin to hold their volume. */
  ASKED: 7,
} as const;
