import { textWidth } from '../../../shared/text-width.ts'
import type { RenderContext } from '../../render-context.ts'

/** An event, or a span if `to` is set. */
export interface NoteMark {
  at: number
  to?: number
  title: string
  text: string
}

/** Parameters that ECharts passes to a custom renderer. */
export interface RenderParams {
  dataIndex: number
  coordSys: { x: number; y: number; width: number; height: number }
}
export interface RenderApi {
  coord(value: [number, number]): [number, number]
}

interface NoteDrawing {
  marks: readonly NoteMark[]
  color: string
  lineStyle: { type: string | number[]; width: number; opacity: number }
}

type Element = Record<string, unknown>
const group = (children: Element[]): Element => ({ type: 'group', children })

/** Extent along the axis in pixels of the plot, starting at `start` with length `size`; `place` converts positions. */
const sides = (isFlipped: boolean, { coordSys: { x, y, width, height } }: RenderParams, api: RenderApi) => ({
  start: isFlipped ? y : x,
  size: isFlipped ? height : width,
  place: (index: number) => (isFlipped ? api.coord([0, index])[1] : api.coord([index, 0])[0]),
})

/** Draws events as lines and spans as bands, clipped at the edges of the plot. */
export function drawNoteMarks(
  { marks, color, lineStyle }: NoteDrawing,
  isFlipped: boolean,
  params: RenderParams,
  api: RenderApi,
): Element {
  const { x, y, width, height } = params.coordSys
  const { start, size, place } = sides(isFlipped, params, api)
  const { type, width: lineWidth, opacity } = lineStyle
  return group(
    marks.flatMap((mark): Element[] => {
      const from = place(mark.at)
      if (mark.to === undefined) {
        if (from < start || from > start + size) return []
        const at = Math.round(from) + 0.5
        const shape = isFlipped ? { x1: x, x2: x + width, y1: at, y2: at } : { x1: at, x2: at, y1: y, y2: y + height }
        const lineDash = type === 'solid' ? null : type
        return [{ type: 'line', shape, style: { stroke: color, lineWidth, lineDash, opacity } }]
      }
      const to = place(mark.to)
      const low = Math.max(start, Math.min(from, to))
      const high = Math.min(start + size, Math.max(from, to))
      if (high < low) return []
      const length = Math.max(1, high - low)
      const shape = isFlipped ? { x, y: low, width, height: length } : { x: low, y, width: length, height }
      return [{ type: 'rect', shape, style: { fill: color, opacity } }]
    }),
  )
}

const fontSize = 11
const lineHeight = 15
const padding = 3
const gap = 4
const maxLabelRows = 4
/** Safety factor for estimated text widths, so that labels do not overlap. */
const slack = 1.08
/** Maximum share of the plot's height for labels. */
const maxLabelShare = 0.3

/**
 * Draws labels at the tops of their lines, in up to `maxLabelRows` rows without overlaps. Labels that do not fit are omitted and
 * remain in the tooltip. With horizontal bars they are at the right ends of the lines.
 */
export function drawNoteLabels(
  marks: readonly (NoteMark & { color: string })[],
  isFlipped: boolean,
  params: RenderParams,
  api: RenderApi,
  { theme }: Pick<RenderContext, 'theme'>,
): Element {
  const { x, y, width, height } = params.coordSys
  const { start, size, place } = sides(isFlipped, params, api)
  const rows = Math.max(1, Math.min(maxLabelRows, Math.floor((height * maxLabelShare) / lineHeight)))
  const taken: { from: number; to: number }[][] = Array.from({ length: isFlipped ? 1 : rows }, () => [])
  const most = Math.min(180, width * 0.6)
  const children = marks
    .toSorted((a, b) => a.at - b.at)
    .flatMap((mark): Element[] => {
      const seen = [place(mark.at), place(mark.to ?? mark.at)].toSorted((a, b) => a - b) as [number, number]
      if (seen[1] < start || seen[0] > start + size) return []
      const at = Math.max(start, seen[0])
      const own = textWidth(mark.title, fontSize) * slack
      const words = Math.min(most, own) + 2 * padding
      const length = isFlipped ? lineHeight : words
      const after = at + 2
      const from = after + length <= start + size ? after : at - 2 - length
      if (from < start) return []
      const row = taken.findIndex((others) =>
        others.every((other) => from + length + gap <= other.from || from >= other.to + gap),
      )
      if (row < 0) return []
      taken[row]?.push({ from, to: from + length })
      return [
        {
          type: 'text',
          x: isFlipped ? x + width - words : from,
          y: isFlipped ? from : y + 2 + row * lineHeight,
          style: {
            text: mark.title,
            ...(own > most && { width: most, overflow: 'truncate', ellipsis: '…' }),
            padding: [1, padding],
            fill: theme.text2,
            stroke: theme.surface,
            lineWidth: 3,
            fontSize,
            fontFamily: theme.font,
          },
        },
      ]
    })
  return group(children)
}
