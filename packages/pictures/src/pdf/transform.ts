export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
]

/** Parses a `transform` attribute into one matrix; null without an attribute. */
export function parseTransform(text: string | undefined): Matrix | null {
  if (!text) return null
  let matrix = identity
  for (const [, name, args = ''] of text.matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    const [first = 0, second, ...rest] = args
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number)
    matrix = multiply(matrix, toMatrix(name ?? '', first, second, rest))
  }
  return matrix
}

function toMatrix(name: string, first: number, second: number | undefined, rest: readonly number[]): Matrix {
  if (name === 'translate') return [1, 0, 0, 1, first, second ?? 0]
  if (name === 'scale') return [first, 0, 0, second ?? first, 0, 0]
  if (name === 'matrix') return [first, second ?? 0, rest[0] ?? 0, rest[1] ?? 1, rest[2] ?? 0, rest[3] ?? 0]
  if (name === 'rotate') {
    const angle = (first * Math.PI) / 180
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
    const rotation: Matrix = [cos, sin, -sin, cos, 0, 0]
    const [x, y] = [second ?? 0, rest[0] ?? 0]
    return multiply(multiply([1, 0, 0, 1, x, y], rotation), [1, 0, 0, 1, -x, -y])
  }
  throw new Error(`Unknown transform ${name}.`)
}
