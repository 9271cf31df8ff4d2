/**
 * Solves a symmetric, positive definite system by Cholesky factorization.
 * @param matrix size x size, row by row; it is overwritten
 */
export function createSolver(matrix: Float64Array, size: number) {
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j]!
      for (let k = 0; k < j; k++) sum -= matrix[i * size + k]! * matrix[j * size + k]!
      matrix[i * size + j] = i === j ? Math.sqrt(Math.max(sum, Number.EPSILON)) : sum / matrix[j * size + j]!
    }
  const forward = (right: Float64Array, out = new Float64Array(size)): Float64Array => {
    for (let i = 0; i < size; i++) {
      let sum = right[i]!
      for (let k = 0; k < i; k++) sum -= matrix[i * size + k]! * out[k]!
      out[i] = sum / matrix[i * size + i]!
    }
    return out
  }
  const scratch = new Float64Array(size)
  const squared = (right: Float64Array): number => {
    forward(right, scratch)
    let sum = 0
    for (let i = 0; i < size; i++) sum += scratch[i]! * scratch[i]!
    return sum
  }
  return {
    /** Solution for a right-hand side. */
    solve(right: Float64Array): Float64Array {
      const out = forward(right)
      for (let i = size - 1; i >= 0; i--) {
        let sum = out[i]!
        for (let k = i + 1; k < size; k++) sum -= matrix[k * size + i]! * out[k]!
        out[i] = sum / matrix[i * size + i]!
      }
      return out
    },
    /** `x' M⁻¹ x`. */
    form: squared,
    /** The diagonal of the inverse. */
    diagonal: (): Float64Array =>
      Float64Array.from({ length: size }, (_, index) => squared(new Float64Array(size).fill(1, index, index + 1))),
  }
}
