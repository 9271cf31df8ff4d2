import { formatter } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import type { ItemLabel } from '../../items/labels.ts'
import { toThemeColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { axesOf, toAxisFraction, type ShapeMarks } from '../../shapes/marks.ts'

const size = 11
/** Space for the names of the axes above and below. */
const band = 30
/** Space for the number at the end of an axis, before its name. */
const numberBand = 12
/** Maximum characters of a name: no chart shows more, and measuring very long texts is slow. */
const maxNameLength = 60

const truncateName = (text: string, room: number) => truncateText(text.slice(0, maxNameLength), size, room)

/** Scales numbers to their own axis, from the center to the edge. */
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
        value: axes.map((axis, index) => toAxisFraction(axis, shape.values[index]) ?? '-'),
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
          // ECharts would interpret placeholders in a plain string
          formatter: ({ dimensionIndex = 0 }: { dimensionIndex?: number }) => {
            const value = writers[dimensionIndex]?.(shape.values[dimensionIndex]) ?? ''
            return label.parts?.includes('name') && shape.name ? `${truncateName(shape.name, 120)}: ${value}` : value
          },
        },
      }
    }),
  }
}

/** The axes with their names around them. */
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
      indicator: axes.map(({ name }, index) => ({
        name: truncateName(name, nameRoom(index / axes.length, { width, radius: radius + between })),
        min: 0,
        max: 1,
      })),
    },
  }
}

/** Space for an axis name: names above and below are centered at the end of their axis, names at the sides begin there. */
function nameRoom(turn: number, { width, radius }: { width: number; radius: number }): number {
  const aside = Math.abs(Math.sin(2 * Math.PI * turn))
  return aside < 0.05 ? width - 16 : Math.max(16, width / 2 - radius * aside - 18)
}
