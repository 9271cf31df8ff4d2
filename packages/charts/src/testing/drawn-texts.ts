import { textWidth } from '../shared/text-width.ts'

/** Text of an SVG with its estimated bounds, in pixels. Rotated texts are left out. */
export interface DrawnText {
  text: string
  left: number
  right: number
  top: number
  bottom: number
}

export function readDrawnTexts(svg: string): DrawnText[] {
  return [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].flatMap(([, attributes = '', content = '']) => {
    if (attributes.includes('rotate')) return []
    const number = (name: string) => Number(new RegExp(` ${name}="(-?[\\d.]+)"`).exec(attributes)?.[1] ?? 0)
    const moved = /translate\((-?[\d.]+) (-?[\d.]+)\)/.exec(attributes)
    const x = number('x') + Number(moved?.[1] ?? 0)
    const y = number('y') + Number(moved?.[2] ?? 0)
    const size = Number(/([\d.]+)px/.exec(attributes)?.[1] ?? 12)
    const text = content.trim()
    const width = textWidth(text, size)
    const start = attributes.includes('"middle"') ? 0.5 : attributes.includes('"end"') ? 1 : 0
    return [{ text, left: x - start * width, right: x + (1 - start) * width, top: y - size / 2, bottom: y + size / 2 }]
  })
}

/** Pairs of texts that cover each other. */
export const findOverlaps = (texts: readonly DrawnText[]): [string, string][] =>
  texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter(
        (other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom,
      )
      .map(({ text }): [string, string] => [one.text, text]),
  )
