/** The little dense linear algebra that latent semantic analysis needs; matrices are row-major arrays. */

/** Reproducible random signs: +1 and -1 sketch a matrix as well as normal deviates do. */
export function randomSigns(length: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) & 1 ? 1 : -1;
  });
}

/** Replaces the columns by an orthonormal basis of their span; columns beyond the rank become null. */
export function orthonormalise(matrix: Float32Array, rows: number, width: number): void {
  matrix.set(principalAxes(matrix, rows, width, width));
}

/** The first `count` left singular vectors of the matrix, as the columns of a matrix of `rows` rows. */
export function principalAxes(matrix: Float32Array, rows: number, width: number, count: number): Float32Array {
  const { values, vectors } = eigen(gram(matrix, rows, width), width);
  return rotate(matrix, rows, width, whitening(values, vectors, width, count), count);
}

/** Eigenvectors, largest first, each divided by the root of its eigenvalue; negligible ones are null. */
function whitening(values: Float64Array, vectors: Float64Array, width: number, count: number): Float64Array {
  const order = [...values.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0)).slice(0, count);
  const floor = (values[order[0] ?? 0] ?? 0) * 1e-10;
  const map = new Float64Array(width * count);
  order.forEach((from, to) => {
    const value = values[from] ?? 0;
    if (value <= floor || value <= 0) return;
    for (let i = 0; i < width; i++) map[i * count + to] = (vectors[i * width + from] ?? 0) / Math.sqrt(value);
  });
  return map;
}

function gram(matrix: Float32Array, rows: number, width: number): Float64Array {
  const product = new Float64Array(width * width);
  for (let r = 0; r < rows; r++) {
    const at = r * width;
    for (let i = 0; i < width; i++) {
      const value = matrix[at + i] ?? 0;
      if (value === 0) continue;
      for (let j = i, to = i * width + i; j < width; j++, to++)
        product[to] = (product[to] ?? 0) + value * (matrix[at + j] ?? 0);
    }
  }
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) product[i * width + j] = product[j * width + i] ?? 0;
  return product;
}

function rotate(matrix: Float32Array, rows: number, width: number, map: Float64Array, count: number): Float32Array {
  const product = new Float32Array(rows * count);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < width; i++) {
      const value = matrix[r * width + i] ?? 0;
      if (value === 0) continue;
      for (let j = 0, to = r * count, from = i * count; j < count; j++, to++, from++)
        product[to] = (product[to] ?? 0) + value * (map[from] ?? 0);
    }
  }
  return product;
}

/** Eigenvalues and eigenvectors (columns) of a symmetric matrix, by Jacobi's rotations. */
function eigen(symmetric: Float64Array, width: number): { values: Float64Array; vectors: Float64Array } {
  const a = Float64Array.from(symmetric);
  const vectors = new Float64Array(width * width);
  for (let i = 0; i < width; i++) vectors[i * width + i] = 1;
  const get = (m: Float64Array, i: number, j: number) => m[i * width + j] ?? 0;
  // It converges in a few sweeps; the bound is for matrices with NaN.
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    let all = 0;
    for (let i = 0; i < width; i++) {
      for (let j = 0; j < width; j++) {
        const square = get(a, i, j) ** 2;
        all += square;
        if (i !== j) off += square;
      }
    }
    if (off <= all * 1e-18) break;
    for (let p = 0; p < width; p++) {
      for (let q = p + 1; q < width; q++) {
        const apq = get(a, p, q);
        if (Math.abs(apq) < 1e-300) continue;
        const theta = (get(a, q, q) - get(a, p, p)) / (2 * apq);
        const tangent = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const cosine = 1 / Math.sqrt(tangent * tangent + 1);
        const sine = tangent * cosine;
        for (let k = 0; k < width; k++) {
          const kp = get(a, k, p);
          const kq = get(a, k, q);
          a[k * width + p] = cosine * kp - sine * kq;
          a[k * width + q] = sine * kp + cosine * kq;
        }
        for (let k = 0; k < width; k++) {
          const pk = get(a, p, k);
          const qk = get(a, q, k);
          a[p * width + k] = cosine * pk - sine * qk;
          a[q * width + k] = sine * pk + cosine * qk;
          const vp = get(vectors, k, p);
          const vq = get(vectors, k, q);
          vectors[k * width + p] = cosine * vp - sine * vq;
          vectors[k * width + q] = sine * vp + cosine * vq;
        }
      }
    }
  }
  return { values: Float64Array.from({ length: width }, (_, i) => get(a, i, i)), vectors };
}
