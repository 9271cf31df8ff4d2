import { formatter } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import type { ItemLabel } from '../../items/labels.ts'
import { toThemeColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { axesOf, toAxisFraction, type ShapeMarks } from '../../shapes/marks.ts'

const size = 11
/** Room for the names of the axes above and below. */
const band = 30
/** Room for the number at the end of an axis, before its name. */
const numberBand = 12
/** No picture shows more of a name; measuring the rest of a very long one would take its time. */
const longest = 60

const short = (text: string, room: number) => truncateText(text.slice(0, longest), size, room)

/** Numbers go from the middle to the edge of their own axis, so ECharts gets them as parts of it. */
export function radarOption(series: SpecSeries, shapes: ShapeMarks, around: RenderContext) {
  const { theme, locale } = around
  const { name, color: plain, items } = shapes
  const axes = axesOf(shapes)
  const { data: _, key: __, label: given, axes: ___, shape: ____, ...own } = series
  const label = (given ?? {}) as ItemLabel
  const writers = axes.map(({ format }) => formatter(format, locale))
  return {
    ...own,
    name,
    symbolSize: 6,
    labelLayout: { hideOverlap: true },
    emphasis: { lineStyle: { width: 3 } },
    data: items.map((shape) => {
      const color = toThemeColor(shape.color ?? plain, theme)
      const opacity = isFaded(shape.key, around.selected) ? fadedOpacity : 1
      return {
        name: shape.name,
        value: axes.map((axis, at) => toAxisFraction(axis, shape.values[at]) ?? '-'),
        itemStyle: { color, opacity },
        lineStyle: { color, width: 2, opacity },
        areaStyle: { color, opacity: 0.2 * opacity },
        label: {
          show: label.show !== false,
          position: label.position ?? 'top',
          color: theme.text,
          // over lines and shapes
          textBorderColor: theme.surface,
          textBorderWidth: 2,
          fontSize: size,
          fontFamily: theme.font,
          // as text ECharts would read places into it
          formatter: ({ dimensionIndex = 0 }: { dimensionIndex?: number }) => {
            const value = writers[dimensionIndex]?.(shape.values[dimensionIndex]) ?? ''
            return label.parts?.includes('name') && shape.name ? `${short(shape.name, 120)}: ${value}` : value
          },
        },
      }
    }),
  }
}

/** The axes, with their names around them. */
export function radarComponent(series: SpecSeries, shapes: ShapeMarks, around: RenderContext) {
  const { theme } = around
  const axes = axesOf(shapes)
  const { width, height } = around
  const between = (series.label as ItemLabel | undefined)?.show === false ? 0 : numberBand
  const radius = Math.max(8, Math.min(height / 2 - band - between, width * 0.36))
  const line = { lineStyle: { color: theme.grid } }
  return {
    radar: {
      shape: series.shape,
      center: [width / 2, height / 2],
      radius,
      splitNumber: 4,
      axisNameGap: 10 + between,
      axisLine: line,
      splitLine: line,
      splitArea: { show: false },
      axisName: { color: theme.tick, fontSize: size, fontFamily: theme.font },
      indicator: axes.map(({ name }, at) => ({
        name: short(name, nameRoom(at / axes.length, { width, radius: radius + between })),
        min: 0,
        max: 1,
      })),
    },
  }
}

/** Names above and below stand in the middle of their axis' end, those at the sides begin there. */
function nameRoom(turn: number, { width, radius }: { width: number; radius: number }): number {
  const aside = Math.abs(Math.sin(2 * Math.PI * turn))
  return aside < 0.05 ? width - 16 : Math.max(16, width / 2 - radius * aside - 18)
}
