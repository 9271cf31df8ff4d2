import type { ResolvedChart } from '../resolve/resolve-spec.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { truncateText, round, svgText } from '../shared/svg-text.ts'
import { textWidth } from '../shared/text-width.ts'

const size = 12
const line = 20
const swatch = 10
const gap = 6
const between = 16
const longest = 240
/** Maximum share of the image that a legend may occupy. */
const maxHeightShare = 0.3
const maxWidthShare = 0.35

interface Entry {
  text: string
  color: string | null
  width: number
}

/** A legend as SVG, and the pixels it occupies at its side of the image. */
export interface SvgLegend {
  svg: string
  side: ResolvedChart['legendPosition']
  room: number
}

/**
 * Legend for a static image, which has no paging: it wraps onto several lines and counts the entries that do not fit. Null
 * without entries.
 */
export function drawLegend(
  { legend, legendPosition: side }: Pick<ResolvedChart, 'legend' | 'legendPosition'>,
  around: RenderContext,
): SvgLegend | null {
  const { width, height } = around
  if (legend.length === 0) return null
  const isBeside = side === 'left' || side === 'right'
  const mostText = isBeside
    ? Math.max(40, width * maxWidthShare - swatch - gap - between)
    : Math.min(longest, width - 40)
  const entries = legend.map(({ name, color }) => buildEntry(name, color, mostText))
  const lines = isBeside
    ? wrapEntries(entries, 0, Math.floor(height / line), around)
    : wrapEntries(entries, width, Math.max(1, Math.floor((height * maxHeightShare) / line)), around)
  const widest = Math.max(...lines.map((each) => measureEntries(each)))
  const room = isBeside ? Math.min(widest + between, width * maxWidthShare) : lines.length * line + 8
  const left = side === 'right' ? width - room + between : 8
  const top = side === 'bottom' ? height - room + 8 : 4
  return { svg: lines.map((each, index) => drawLine(each, left, top + index * line, around)).join(''), side, room }
}

const buildEntry = (name: string, color: string | null, most: number): Entry => {
  const text = truncateText(name, size, most)
  return { text, color, width: (color === null ? 0 : swatch + gap) + textWidth(text, size) }
}

const measureEntries = (entries: readonly Entry[]) =>
  entries.reduce((sum, { width }) => sum + width + between, -between)

/** @param width 0 for one entry per line */
function wrapEntries(entries: readonly Entry[], width: number, most: number, { translate }: RenderContext): Entry[][] {
  const lines: Entry[][] = []
  for (const [at, entry] of entries.entries()) {
    const last = lines.at(-1)
    if (last && measureEntries([...last, entry]) <= width - 2 * gap) {
      last.push(entry)
      continue
    }
    if (lines.length < most) {
      lines.push([entry])
      continue
    }
    const more = (left: number) =>
      buildEntry(translate('picture.moreInLegend', '+{count} more', { count: left }), null, longest)
    const end = lines.at(-1) as Entry[]
    let left = entries.length - at
    // The "more" text needs space as well.
    while (end.length > 0 && (width === 0 || measureEntries([...end, more(left)]) > width - 2 * gap)) {
      end.pop()
      left += 1
      if (width === 0) break
    }
    end.push(more(left))
    break
  }
  return lines
}

function drawLine(entries: readonly Entry[], left: number, top: number, { theme }: RenderContext): string {
  let x = left
  return entries
    .map(({ text, color, width }) => {
      const at = x
      x += width + between
      const mark =
        color === null
          ? ''
          : `<rect x="${round(at)}" y="${round(top + (line - swatch) / 2)}" width="${swatch}" height="${swatch}" rx="2" fill="${color}"/>`
      const textLeft = color === null ? at : at + swatch + gap
      return mark + svgText(textLeft, top + line / 2 + size * 0.36, text, { size, fill: theme.text2 })
    })
    .join('')
}
