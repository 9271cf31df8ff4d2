import { describe, expect, it } from 'vitest'
import { textWidth } from '../../../shared/text-width.ts'
import { themes } from '../../theme.ts'
import { drawNoteLabels, drawNoteMarks, type NoteMark, type RenderApi } from './draw.ts'

/** A plot of 100 pixels width at 10, 20, with positions from 0 to 100. */
const buildParams = (height: number) => ({ dataIndex: 0, coordSys: { x: 10, y: 20, width: 100, height } })
const params = buildParams(60)
const api: RenderApi = { coord: ([x, y]) => [10 + x, 20 + y] }
const theme = themes.light
const lineStyle = { type: 'solid', width: 1, opacity: 1 }
const mark = (index: number, title = 'Label', to?: number): NoteMark => ({
  at: index,
  title,
  text: '',
  ...(to !== undefined && { to }),
})

interface Drawn {
  type: string
  x: number
  y: number
  shape: Record<string, number>
  style: { text: string; width?: number }
}
const marks = (all: NoteMark[], isFlipped = false) =>
  drawNoteMarks({ marks: all, color: '#000', lineStyle }, isFlipped, params, api).children as Drawn[]
const labels = (all: NoteMark[], isFlipped = false, height = 60) =>
  drawNoteLabels(
    all.map((each) => ({ ...each, color: '#000' })),
    isFlipped,
    buildParams(height),
    api,
    { theme },
  ).children as Drawn[]
const box = ({ x, y, style }: Drawn) => ({
  left: x,
  right: x + (style.width ?? textWidth(style.text, 11)) + 6,
  top: y,
  bottom: y + 15,
})

describe('events and spans', () => {
  it('are drawn at their positions and clipped at the edges of the plot', () => {
    const [line, span, cut] = marks([mark(30), mark(40, '', 60), mark(90, '', 500)])
    expect(line).toMatchObject({ type: 'line', shape: { x1: 40.5, x2: 40.5, y1: 20, y2: 80 } })
    expect(span).toMatchObject({ type: 'rect', shape: { x: 50, y: 20, width: 20, height: 60 } })
    expect(cut?.shape).toEqual({ x: 100, y: 20, width: 10, height: 60 })
    expect(marks([mark(-1), mark(101), mark(-9, '', -5), mark(101, '', 105)])).toEqual([])
  })
  it('are visible even if a span has no length', () => {
    expect(marks([mark(40, '', 40)])[0]?.shape.width).toBe(1)
  })
  it('cross horizontal bars', () => {
    const [line, span] = marks([mark(30), mark(10, '', 20)], true)
    expect(line?.shape).toEqual({ x1: 10, x2: 110, y1: 50.5, y2: 50.5 })
    expect(span?.shape).toEqual({ x: 10, y: 30, width: 100, height: 10 })
  })
})

describe('labels', () => {
  it('do not overlap, stay inside the plot, and are omitted when they do not fit', () => {
    const drawn = labels(
      Array.from({ length: 40 }, (_, index) => mark(index * 2.5, `Event ${index}`)),
      false,
      200,
    )
    expect(drawn.length).toBeGreaterThan(1)
    expect(drawn.length).toBeLessThan(40)
    const boxes = drawn.map(box)
    for (const [at, one] of boxes.entries()) {
      expect(one.left).toBeGreaterThanOrEqual(10)
      expect(one.right).toBeLessThanOrEqual(110)
      for (const other of boxes.slice(at + 1))
        expect(
          one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top,
        ).toBe(true)
    }
  })
  it('are placed before their line near the right edge', () => {
    const [label] = labels([mark(95)])
    expect(box(label!).right).toBeLessThanOrEqual(105)
  })
  it('are truncated when they are wider than the available space', () => {
    expect(labels([mark(0, 'word '.repeat(100))])[0]?.style.width).toBeLessThanOrEqual(60)
  })
  it('are omitted for marks outside the plot', () => {
    expect(labels([mark(-5), mark(200), mark(-9, 'a', -5)])).toEqual([])
    expect(labels([mark(-9, 'a', 5)])).toHaveLength(1)
  })
  it('are placed below one another beside horizontal bars', () => {
    const drawn = labels([mark(10), mark(12), mark(40)], true)
    expect(drawn).toHaveLength(2)
    expect(box(drawn[0]!).bottom).toBeLessThanOrEqual(drawn[1]!.y)
  })
})
