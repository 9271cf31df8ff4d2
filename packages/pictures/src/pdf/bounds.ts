import type { SvgElement } from './svg-tree.ts'

/** Left, top, width and height in the coordinates of the element. */
export type Bounds = [x: number, y: number, width: number, height: number]

/** Returns the bounds of a shape; curves count with their control points. Null without any point. */
export function findBounds({ name, attributes }: SvgElement): Bounds | null {
  const number = (key: string) => Number.parseFloat(attributes[key] ?? '0') || 0
  if (name === 'rect') return [number('x'), number('y'), number('width'), number('height')]
  if (name === 'circle' || name === 'ellipse') {
    const [rx, ry] = name === 'circle' ? [number('r'), number('r')] : [number('rx'), number('ry')]
    return [number('cx') - rx, number('cy') - ry, 2 * rx, 2 * ry]
  }
  if (name === 'path') return spanOf(pathPoints(attributes['d'] ?? ''))
  if (name === 'line') {
    return spanOf([
      [number('x1'), number('y1')],
      [number('x2'), number('y2')],
    ])
  }
  return spanOf(
    toPairs(
      (attributes['points'] ?? '')
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(Number),
    ),
  )
}

type Point = [x: number, y: number]

const toPairs = (numbers: readonly number[]): Point[] =>
  Array.from({ length: numbers.length >> 1 }, (_, index) => [numbers[2 * index]!, numbers[2 * index + 1]!])

function spanOf(points: readonly Point[]): Bounds | null {
  if (points.length === 0) return null
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top]
}

/** Number of arguments of each path command. */
const argumentCounts: Readonly<Record<string, number>> = { M: 2, L: 2, T: 2, H: 1, V: 1, S: 4, Q: 4, C: 6, A: 7, Z: 0 }

function pathPoints(d: string): Point[] {
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (const [, command = '', rest = ''] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const kind = command.toUpperCase()
    const numbers = (rest.match(/[-+]?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number)
    const size = argumentCounts[kind] ?? 0
    for (let from = 0; size > 0 && from + size <= numbers.length; from += size) {
      const [baseX, baseY] = command === kind ? [0, 0] : [x, y]
      const given = numbers.slice(from, from + size)
      const own: Point[] =
        kind === 'H'
          ? [[given[0]! + baseX, y]]
          : kind === 'V'
            ? [[x, given[0]! + baseY]]
            : toPairs(kind === 'A' ? given.slice(5) : given).map(([px, py]) => [px + baseX, py + baseY])
      points.push(...own)
      ;[x, y] = own.at(-1) ?? [x, y]
    }
  }
  return points
}
