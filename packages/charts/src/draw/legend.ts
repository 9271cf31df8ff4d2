import type { Resolved } from '../resolve/resolve.ts'
import type { Surroundings } from '../resolve/surroundings.ts'
import { fitted, round, textAt } from '../shared/svg-text.ts'
import { textWidth } from '../shared/text-width.ts'

const size = 12
const line = 20
const swatch = 10
const gap = 6
const between = 16
const longest = 240
/** A legend takes at most these parts of a picture. */
const mostHigh = 0.3
const mostWide = 0.35

interface Entry {
  text: string
  color: string | null
  width: number
}

/** A legend as SVG, and what it takes of the picture at its side. */
export interface StillLegend {
  svg: string
  side: Resolved['legendPosition']
  room: number
}

/** A legend that nobody can page through: in as many lines as it takes; what has no room is counted. Null without entries. */
export function stillLegend(
  { legend, legendPosition: side }: Pick<Resolved, 'legend' | 'legendPosition'>,
  around: Surroundings,
): StillLegend | null {
  const { width, height } = around
  if (legend.length === 0) return null
  const isBeside = side === 'left' || side === 'right'
  const mostText = isBeside ? Math.max(40, width * mostWide - swatch - gap - between) : Math.min(longest, width - 40)
  const entries = legend.map(({ name, color }) => entryOf(name, color, mostText))
  const lines = isBeside
    ? inLines(entries, 0, Math.floor(height / line), around)
    : inLines(entries, width, Math.max(1, Math.floor((height * mostHigh) / line)), around)
  const widest = Math.max(...lines.map((each) => widthOf(each)))
  const room = isBeside ? Math.min(widest + between, width * mostWide) : lines.length * line + 8
  const left = side === 'right' ? width - room + between : 8
  const top = side === 'bottom' ? height - room + 8 : 4
  return { svg: lines.map((each, at) => drawn(each, left, top + at * line, around)).join(''), side, room }
}

const entryOf = (name: string, color: string | null, most: number): Entry => {
  const text = fitted(name, size, most)
  return { text, color, width: (color === null ? 0 : swatch + gap) + textWidth(text, size) }
}

const widthOf = (entries: readonly Entry[]) => entries.reduce((sum, { width }) => sum + width + between, -between)

/** @param width 0 for one entry to a line */
function inLines(entries: readonly Entry[], width: number, most: number, { say }: Surroundings): Entry[][] {
  const lines: Entry[][] = []
  for (const [at, entry] of entries.entries()) {
    const last = lines.at(-1)
    if (last && widthOf([...last, entry]) <= width - 2 * gap) {
      last.push(entry)
      continue
    }
    if (lines.length < most) {
      lines.push([entry])
      continue
    }
    const more = (left: number) => entryOf(say('picture.moreInLegend', '+{count} more', { count: left }), null, longest)
    const end = lines.at(-1) as Entry[]
    let left = entries.length - at
    // Its own words need room as well.
    while (end.length > 0 && (width === 0 || widthOf([...end, more(left)]) > width - 2 * gap)) {
      end.pop()
      left += 1
      if (width === 0) break
    }
    end.push(more(left))
    break
  }
  return lines
}

function drawn(entries: readonly Entry[], left: number, top: number, { theme }: Surroundings): string {
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
      return mark + textAt(textLeft, top + line / 2 + size * 0.36, text, { size, fill: theme.text2 })
    })
    .join('')
}
