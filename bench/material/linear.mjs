// The elastic law of a body as built, for small displacements from its rest shape: the linear operator of its forces, statics by conjugate gradients, vibrations by Lanczos' method.
// It asks what a body of these clusters is, apart from steps, damping and contact, and takes seconds where motion takes hours.

// Scratch: matrices of one cluster by columns.
const [A, D, G, T] = [1, 2, 3, 4].map(() => new Float64Array(9));

/** The forces of a body's clusters, linear in displacements (3 numbers a particle). Reads the engine's own rows: `body` is of a world, awake or not, and as it was built. */
export class LinearBody {
  constructor(body) {
    const { views: s } = body.core.state;
    const { particleStart, particleEnd, clusterStart, clusterEnd } = body.rows;
    this.count = particleEnd - particleStart;
    this.rest = Float64Array.from(body.restPositions);
    this.mass = Float64Array.from({ length: this.count }, (_, i) => s.x[4 * (particleStart + i) + 3]);
    const first = s.memberStart[clusterStart];
    const last = s.memberStart[clusterEnd];
    this.start = Uint32Array.from(s.memberStart.subarray(clusterStart, clusterEnd + 1), (k) => k - first);
    this.particle = Uint32Array.from(s.memberParticle.subarray(first, last), (i) => i - particleStart);
    this.member = Float64Array.from(s.member.subarray(4 * first, 4 * last));
    this.clusters = Array.from({ length: clusterEnd - clusterStart }, (_, k) =>
      this.#clusterOf(s, clusterStart + k, k),
    );
    this.diagonal = this.#diagonalOf();
  }

  #clusterOf(s, row, k) {
    const { start, member } = this;
    // Offsets from the weighted centre, without the rounding of f32.
    let mass = 0;
    const mean = [0, 0, 0];
    for (let m = start[k]; m < start[k + 1]; m++) {
      mass += member[4 * m + 3];
      for (let a = 0; a < 3; a++) mean[a] += member[4 * m + 3] * member[4 * m + a];
    }
    for (let m = start[k]; m < start[k + 1]; m++) for (let a = 0; a < 3; a++) member[4 * m + a] -= mean[a] / mass;
    const inverse = Float64Array.from(s.restInverse.subarray(9 * row, 9 * row + 9));
    const S = Float64Array.from(s.elasticity.subarray(12 * row, 12 * row + 9));
    const [xx, yy, zz, xy, xz, yz] = s.restMoment.subarray(6 * row, 6 * row + 6);
    const metric = multiply(S, Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz));
    return {
      mass,
      inverse,
      S,
      rate: s.elasticity[12 * row + 9],
      beta: s.softness[8 * row] === 1 ? s.softness[8 * row + 1] : 0,
      fit: fitOf(metric),
    };
  }

  /** Estimate of the diagonal, for preconditioning: what holds a particle while all others stand still. */
  #diagonalOf() {
    const out = new Float64Array(this.count);
    this.clusters.forEach(({ rate, S }, c) => {
      const gain = Math.max(1, (S[0] + S[4] + S[8]) / 3);
      for (let m = this.start[c]; m < this.start[c + 1]; m++)
        out[this.particle[m]] += rate * gain * this.member[4 * m + 3];
    });
    return out;
  }

  /** out := K u, the forces that hold the body in the displacement u (N). */
  apply(out, u) {
    const { start, particle, member, clusters } = this;
    out.fill(0);
    for (let c = 0; c < clusters.length; c++) {
      const cluster = clusters[c];
      if (!(cluster.rate > 0)) continue;
      const [first, last] = [start[c], start[c + 1]];
      A.fill(0);
      let cx = 0;
      let cy = 0;
      let cz = 0;
      for (let m = first; m < last; m++) {
        const i = 3 * particle[m];
        const o = 4 * m;
        const mw = member[o + 3];
        const x = mw * u[i];
        const y = mw * u[i + 1];
        const z = mw * u[i + 2];
        cx += x;
        cy += y;
        cz += z;
        for (let j = 0; j < 3; j++) {
          A[3 * j] += x * member[o + j];
          A[3 * j + 1] += y * member[o + j];
          A[3 * j + 2] += z * member[o + j];
        }
      }
      cx /= cluster.mass;
      cy /= cluster.mass;
      cz /= cluster.mass;
      multiplyInto(G, A, cluster.inverse);
      cluster.fit(D, G, cluster.beta);
      // The goal is x̄ + (G + (T − G) S) p.
      multiplyInto(T, D, cluster.S);
      for (let k = 0; k < 9; k++) T[k] += G[k];
      for (let m = first; m < last; m++) {
        const i = 3 * particle[m];
        const o = 4 * m;
        const k = cluster.rate * member[o + 3];
        const px = member[o];
        const py = member[o + 1];
        const pz = member[o + 2];
        out[i] += k * (u[i] - cx - T[0] * px - T[3] * py - T[6] * pz);
        out[i + 1] += k * (u[i + 1] - cy - T[1] * px - T[4] * py - T[7] * pz);
        out[i + 2] += k * (u[i + 2] - cz - T[2] * px - T[5] * py - T[8] * pz);
      }
    }
  }

  /** Displacements under the forces f where those with `held[k]` stand still: conjugate gradients, to `tolerance` of the forces. */
  solve(f, held, tolerance = 1e-5) {
    const size = 3 * this.count;
    const [u, r, z, p, q] = [0, 0, 0, 0, 0].map(() => new Float64Array(size));
    let [norm, rz] = [0, 0];
    for (let k = 0; k < size; k++) {
      r[k] = held[k] ? 0 : f[k];
      z[k] = r[k] / this.diagonal[Math.floor(k / 3)];
      p[k] = z[k];
      norm += r[k] * z[k];
    }
    rz = norm;
    let round = 0;
    for (; round < 20_000 && rz > tolerance * tolerance * norm; round++) {
      this.apply(q, p);
      let pq = 0;
      for (let k = 0; k < size; k++) {
        if (held[k]) q[k] = 0;
        pq += p[k] * q[k];
      }
      const alpha = rz / pq;
      let next = 0;
      for (let k = 0; k < size; k++) {
        u[k] += alpha * p[k];
        r[k] -= alpha * q[k];
        z[k] = r[k] / this.diagonal[Math.floor(k / 3)];
        next += r[k] * z[k];
      }
      for (let k = 0; k < size; k++) p[k] = z[k] + (next / rz) * p[k];
      rz = next;
    }
    this.rounds = round;
    return u;
  }

  /**
   * Angular frequency (rad/s) of the vibration that is most like `shape`, by Lanczos' method on K⁻¹ M from it. Without held particles, what is rigid is taken
   * out.
   */
  vibration(shape, held, rounds = 14) {
    const size = 3 * this.count;
    const m = (k) => this.mass[Math.floor(k / 3)];
    const dot = (a, b) => {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += m(k) * a[k] * b[k];
      return sum;
    };
    const free = !held.some(Boolean);
    const rigid = free ? this.#rigidMotions(dot) : [];
    const clean = (v, basis) => {
      for (const b of basis) {
        const along = dot(v, b);
        for (let k = 0; k < size; k++) v[k] -= along * b[k];
      }
    };
    const basis = [];
    const [alpha, beta] = [[], []];
    let found = { omega: Number.NaN, likeness: 0 };
    let v = Float64Array.from(shape, (value, k) => (held[k] ? 0 : value));
    for (let j = 0; j < rounds; j++) {
      clean(v, [...rigid, ...basis, ...basis]);
      const norm = Math.sqrt(dot(v, v));
      if (j > 0) beta.push(norm);
      if (j > 0 && !(norm > 1e-9 * alpha[0])) break;
      for (let k = 0; k < size; k++) v[k] /= norm;
      basis.push(v);
      const next = this.solve(
        v.map((value, k) => m(k) * value),
        held,
        1e-4,
      );
      alpha.push(dot(next, v));
      v = next;
      const { values, vectors } = tridiagonalEigen(alpha, beta);
      let best = 0;
      for (let k = 1; k < values.length; k++) if (Math.abs(vectors[k][0]) > Math.abs(vectors[best][0])) best = k;
      const last = found.omega;
      found = { omega: 1 / Math.sqrt(values[best]), likeness: vectors[best][0] ** 2 };
      if (j > 1 && Math.abs(found.omega / last - 1) < 2e-4) break;
    }
    return found;
  }

  #rigidMotions(dot) {
    const { rest, count } = this;
    const motions = [];
    for (let k = 0; k < 6; k++) {
      const v = new Float64Array(3 * count);
      for (let i = 0; i < count; i++) {
        if (k < 3) v[3 * i + k] = 1;
        else {
          const [a, b] = [(k + 1) % 3, (k + 2) % 3];
          v[3 * i + a] = -rest[3 * i + b];
          v[3 * i + b] = rest[3 * i + a];
        }
      }
      for (const b of motions) {
        const along = dot(v, b);
        for (let n = 0; n < v.length; n++) v[n] -= along * b[n];
      }
      const norm = Math.sqrt(dot(v, v));
      motions.push(v.map((value) => value / norm));
    }
    return motions;
  }
}

/**
 * The linear form of T − F for a cluster of this metric M = S A_rr: β (A − F) + (1 − β) (R − F), where A − F = −tr G M⁻¹/tr M⁻¹, and R − F = W − G with the skew W for which (G − W) M is
 * symmetric.
 */
function fitOf(M) {
  const mean = (M[0] + M[4] + M[8]) / 3;
  const inverse = inverseOf(M);
  const trace = inverse[0] + inverse[4] + inverse[8];
  // W M + M W of a skew W with the axis w is skew with the axis (tr M − M) w.
  const turn = inverseOf(M.map((value, k) => (k % 4 === 0 ? 3 * mean : 0) - value));
  const P = new Float64Array(9);
  return (out, G, beta) => {
    multiplyInto(P, G, M);
    const x = P[5] - P[7];
    const y = P[6] - P[2];
    const z = P[1] - P[3];
    const wx = turn[0] * x + turn[3] * y + turn[6] * z;
    const wy = turn[1] * x + turn[4] * y + turn[7] * z;
    const wz = turn[2] * x + turn[5] * y + turn[8] * z;
    const volume = (beta * (G[0] + G[4] + G[8])) / trace;
    for (let k = 0; k < 9; k++) out[k] = -(1 - beta) * G[k] - volume * inverse[k];
    out[1] += (1 - beta) * wz;
    out[3] -= (1 - beta) * wz;
    out[5] += (1 - beta) * wx;
    out[7] -= (1 - beta) * wx;
    out[6] += (1 - beta) * wy;
    out[2] -= (1 - beta) * wy;
  };
}

/** Products and inverses of 3×3 matrices by columns. */
function multiplyInto(out, A, B) {
  for (let j = 0; j < 9; j += 3)
    for (let i = 0; i < 3; i++) out[j + i] = A[i] * B[j] + A[3 + i] * B[j + 1] + A[6 + i] * B[j + 2];
}
function multiply(A, B) {
  const out = new Float64Array(9);
  multiplyInto(out, A, B);
  return out;
}
function inverseOf([a, b, c, d, e, f, g, h, i]) {
  const cofactors = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  const det = a * cofactors[0] + d * cofactors[1] + g * cofactors[2];
  return Float64Array.from(cofactors, (value) => value / det);
}

/** Those of a tridiagonal matrix. */
const tridiagonalEigen = (diagonal, beside) =>
  jacobi(
    diagonal.map((value, i) =>
      diagonal.map((_, j) => (i === j ? value : Math.abs(i - j) === 1 ? beside[Math.min(i, j)] : 0)),
    ),
  );

/** Eigenvalues and eigenvectors (rows) of a small symmetric matrix, which is overwritten, by Jacobi's rotations. */
function jacobi(A) {
  const n = A.length;
  const V = A.map((_, i) => A.map((__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 60; sweep++)
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        if (A[p][q] === 0) continue;
        const theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < n; k++) [A[k][p], A[k][q]] = [c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q]];
        for (let k = 0; k < n; k++) [A[p][k], A[q][k]] = [c * A[p][k] - s * A[q][k], s * A[p][k] + c * A[q][k]];
        for (let k = 0; k < n; k++) [V[p][k], V[q][k]] = [c * V[p][k] - s * V[q][k], s * V[p][k] + c * V[q][k]];
      }
  return { values: A.map((row, k) => row[k]), vectors: V };
}
