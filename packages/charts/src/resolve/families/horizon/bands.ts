import type { ChartTheme } from '../../theme.ts'

/** Band colors from zero outwards, with even steps and with sides that are distinguishable for every type of color vision. */
const colors: Record<ChartTheme['name'], Record<'above' | 'below', readonly string[]>> = {
  light: {
    above: ['#a9c1e8', '#6792db', '#3f6bc2', '#1a42a8'],
    below: ['#e9c59f', '#e09a4d', '#b76f33', '#8d481a'],
  },
  dark: {
    above: ['#3f5683', '#4f7cd9', '#77a5ef', '#a9cdff'],
    below: ['#6d4b2f', '#ab6829', '#d49145', '#fdbd63'],
  },
}

/** Number of bands on each side of zero. */
export const bandCount = 4

export const bandColors = (side: 'above' | 'below', theme: ChartTheme): readonly string[] => colors[theme.name][side]

interface Point {
  x: number
  value: number
}

/** Splits a series at its gaps; a number between two gaps becomes as wide as a line. */
export function splitAtGaps(xs: readonly number[], values: readonly (number | null)[]): Point[][] {
  const found: Point[][] = []
  let current: Point[] = []
  for (const [at, value] of values.entries()) {
    if (value !== null) current.push({ x: xs[at] ?? 0, value })
    if (value !== null && at < values.length - 1) continue
    if (current.length > 0) found.push(current)
    current = []
  }
  return found.map((points) => {
    const [only, second] = points
    return only && !second
      ? [
          { ...only, x: only.x - 1 },
          { ...only, x: only.x + 1 },
        ]
      : points
  })
}

/**
 * Outline of one band as path data: the series on one side of zero, four rows high and shifted down by the bands below, so that
 * the row clips it to its own band.
 * @param band 0 is next to zero
 */
export function bandPath(
  points: readonly Point[],
  {
    top,
    height,
    reach,
    band,
    side,
  }: { top: number; height: number; reach: number; band: number; side: 'above' | 'below' },
): string {
  const sign = side === 'above' ? 1 : -1
  const ground = top + height * (band + 1)
  const place = ({ x, value }: Point) =>
    `${tenth(x)} ${tenth(ground - sign * (value / (reach || 1)) * bandCount * height)}`
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return ''
  return `M${tenth(first.x)} ${tenth(ground)}L${points.map(place).join('L')}L${tenth(last.x)} ${tenth(ground)}Z`
}

const tenth = (pixels: number) => Math.round(pixels * 10) / 10
