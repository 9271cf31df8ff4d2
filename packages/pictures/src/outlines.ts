import type { Fonts, TextRun } from './fonts.ts'
import { parseSvg } from './pdf/svg-tree.ts'
import { baselineOffset, fontSizeOf, fontWeightOf } from './text-attributes.ts'

/** Latin, Greek, Cyrillic and their punctuation, which Inter supports. */
const plain = /^[\u0020-\u024F\u0370-\u052F\u2010-\u2044]*$/

/**
 * Converts texts with letters that Inter lacks to outlines. resvg chooses other fonts on its own, and draws nothing of a line
 * whose letters join differently in them.
 */
export const outlineText = (svg: string, fonts: Fonts): string =>
  svg.replaceAll(/<text\b[^>]*>[^<]*<\/text>/g, (element) => {
    const { attributes, text } = parseSvg(element)
    if (plain.test(text)) return element
    const chosen = fonts.splitRuns(text, fontWeightOf(attributes))
    if (chosen.every(({ face }) => face.isInter) && !fonts.lacksGlyphs(element)) return element
    const size = fontSizeOf(attributes)
    const runs = chosen.map((run) => shapeRun(run, size))
    const whole = runs.reduce((sum, { width }) => sum + width, 0)
    const anchor = attributes['text-anchor']
    let x = Number(attributes['x'] ?? 0) - (anchor === 'middle' ? whole / 2 : anchor === 'end' ? whole : 0)
    const y = Number(attributes['y'] ?? 0) + baselineOffset(attributes)
    const paths = runs.flatMap(({ glyphs, width, scale }) => {
      const left = x
      x += width
      return glyphs.map((glyph) => {
        const at = [left + glyph.x * scale, y - glyph.y * scale].map((each) => each.toFixed(2))
        return `<path d="${glyph.path}" transform="translate(${at.join(' ')}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})"/>`
      })
    })
    const kept = ['fill', 'fill-opacity', 'opacity', 'transform', 'clip-path'].flatMap((name) =>
      attributes[name] === undefined ? [] : [`${name}="${attributes[name]}"`],
    )
    return `<g ${kept.join(' ')}>${paths.join('')}</g>`
  })

interface ShapedRun {
  glyphs: { path: string; x: number; y: number }[]
  /** In pixels; values in `glyphs` are in font units. */
  width: number
  scale: number
}

function shapeRun({ text, face: { font } }: TextRun, size: number): ShapedRun {
  const { glyphs, positions, advanceWidth } = font.layout(text)
  const scale = size / font.unitsPerEm
  let x = 0
  const placed = glyphs.map((glyph, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
    const left = x + xOffset
    x += xAdvance
    return { path: glyph.path.toSVG(), x: left, y: yOffset }
  })
  return { glyphs: placed.filter(({ path }) => path !== ''), width: advanceWidth * scale, scale }
}
