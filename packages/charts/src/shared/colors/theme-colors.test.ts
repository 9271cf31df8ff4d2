import { describe, expect, it } from 'vitest'
import { toThemeColor } from '../../resolve/paint.ts'
import { themes } from '../../resolve/theme.ts'
import { contrast, parseColor } from './color.ts'
import { schemes } from './schemes.ts'

/** Coordinates in OKLab, in which equal distances look equally different. @see https://bottosson.github.io/posts/oklab/ */
function toOklab(color: string): [number, number, number] {
  const [r, g, b] = (parseColor(color) ?? [0, 0, 0]).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}
const distance = (one: string, other: string): number => {
  const [a, b] = [toOklab(one), toOklab(other)]
  return Math.hypot(...a.map((value, index) => value - b[index]!))
}
/** About three times the difference that is just noticeable between two areas. */
const leastDistance = 0.07

describe.each(['light', 'dark'] as const)('in the %s theme', (name) => {
  const theme = themes[name]
  it.each(schemes.map(({ id }) => id))('regression: all colors of %s can be seen and told apart', (id) => {
    const scheme = schemes.find((each) => each.id === id)!
    const colors = [...new Set(scheme.colors)].map((color) => toThemeColor(color, theme))
    for (const color of colors) expect(contrast(color, theme.surface), color).toBeGreaterThanOrEqual(3)
    for (const [at, color] of colors.entries())
      for (const other of colors.slice(at + 1))
        expect(distance(color, other), `${color} ${other}`).toBeGreaterThanOrEqual(leastDistance)
  })
})

it('a legible color stays as it is stored, as do colors of no scheme', () => {
  expect(toThemeColor('#1F77B4', themes.light).toLowerCase()).toBe('#1f77b4')
  expect(toThemeColor('#ff7f44', themes.dark)).toBe('#ff7f44')
  expect(toThemeColor('#fefefe', themes.light)).toBe('#fefefe')
})
