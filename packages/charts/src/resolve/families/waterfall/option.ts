import { formatter } from '../../../shared/formats/format.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { barStyle } from '../../axes/bar-size.ts'
import { toThemeColor, outline } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import type { WaterfallMarks, WaterfallSeries } from './marks.ts'
import { withSign } from './texts.ts'

interface Api {
  value(dimension: number): number
  coord(at: [number, number]): [number, number]
  size(of: [number, number]): [number, number]
}

/** Draws an unchanged value as a line. */
const minHeight = 1.5
const radius = 2
const fontSize = 11
/** Pixels by which the widest number may exceed the space of a bar; beyond that no number is shown. */
const maxLabelOverhang = 4

export function waterfallOption(given: SpecSeries, { bars, colors, measure }: WaterfallMarks, around: RenderContext) {
  const { label, format, data } = given as unknown as WaterfallSeries
  const { theme, locale } = around
  const write = formatter(format, locale)
  const texts = label
    ? bars.map(({ change, value }) => (change === 'total' ? write(value) : withSign(write)(value)))
    : []
  const widest = texts.reduce((most, text) => Math.max(most, textWidth(text, fontSize)), 0)
  return {
    type: 'custom',
    name: measure,
    encode: { x: 0, y: [1, 2] },
    labelLayout: { hideOverlap: true },
    data: bars.map(({ place, from, to }) => [place, from, to]),
    renderItem({ dataIndex }: { dataIndex: number }, api: Api) {
      const bar = bars[dataIndex]
      if (!bar) return null
      const [x, start] = api.coord([bar.place, bar.from])
      const [, end] = api.coord([bar.place, bar.to])
      const [band] = api.size([1, 0])
      const width = Math.min(barStyle.maxWidth, band * (1 - barStyle.categoryGap))
      const height = Math.max(minHeight, Math.abs(end - start))
      const isUp = end <= start
      const fill = toThemeColor(colors[bar.change], theme)
      const edge = height > 2 * minHeight && width > 4 * minHeight ? outline(fill, theme) : {}
      const isBelow = !isUp && Math.min(bar.from, bar.to) < 0
      const isLast = bar.place === data.length - 1
      return {
        type: 'group',
        children: [
          ...(isLast ? [] : [connector(x + width / 2, x + band - width / 2, end, theme.axis)]),
          ...(bar.value === null
            ? []
            : [
                {
                  type: 'rect',
                  shape: { x: x - width / 2, y: Math.min(start, end), width, height, r: corners(isUp, height) },
                  style: {
                    fill,
                    ...('borderColor' in edge && { stroke: edge.borderColor, lineWidth: edge.borderWidth }),
                  },
                  ...(label &&
                    widest <= band + maxLabelOverhang && {
                      textConfig: { position: isBelow ? 'bottom' : 'top', distance: 4 },
                      textContent: {
                        type: 'text',
                        style: { text: texts[dataIndex], fill: theme.text2, fontSize, fontFamily: theme.font },
                      },
                    }),
                },
              ]),
        ],
      }
    },
  }
}

/** Corner radii at the free end. */
function corners(isUp: boolean, height: number): number[] {
  const r = Math.min(radius, height / 2)
  return isUp ? [r, r, 0, 0] : [0, 0, r, r]
}

/** Line from the end of a bar to the start of the next one. */
const connector = (x1: number, x2: number, y: number, stroke: string) => ({
  type: 'line',
  silent: true,
  shape: { x1, y1: y, x2, y2: y },
  style: { stroke, lineWidth: 1, lineDash: [2, 3] },
})
