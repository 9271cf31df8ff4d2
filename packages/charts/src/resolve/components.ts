import type { Spec } from '../define.ts'
import type { SpecSeries } from './plot.ts'
import type { Pointed, Resolved } from './resolve.ts'
import { endLabelWidth } from './series.ts'
import type { Surroundings } from './surroundings.ts'
import { tipHtml, type SpecTooltip, type Tip } from './tooltip.ts'

/** Where the plot stands: labels and axis names stay inside; lines leave room for their names at the right. */
export function gridOption(
  spec: Spec,
  series: SpecSeries[],
  { hasLegend, isFlipped }: { hasLegend: boolean; isFlipped: boolean },
  around: Surroundings,
): Record<string, unknown> {
  const { position = 'top' } = (spec.legend ?? {}) as { position?: string }
  const room = (side: string) =>
    hasLegend && around.legendInside && position === side ? (side === 'top' || side === 'bottom' ? 28 : 120) : 0
  const names = series.some(({ endLabel }) => endLabel)
    ? Math.min(endLabelWidth, around.width * 0.25, Math.max(...series.map(({ name = '' }) => name.length * 6 + 10)))
    : 0
  return {
    left: 8 + room('left'),
    right: 12 + names + room('right') + (isFlipped && series.some(({ label }) => label) ? 36 : 0),
    top: 12 + room('top'),
    bottom: 8 + room('bottom') + (Array.isArray(spec.dataZoom) ? 36 : 0),
    outerBoundsMode: 'same',
    outerBoundsContain: 'all',
    outerBoundsClampWidth: '40%',
  }
}

export function legendOption(
  legend: Resolved['legend'],
  position: string,
  { theme }: Surroundings,
): Record<string, unknown> {
  const isRow = position === 'top' || position === 'bottom'
  return {
    type: 'scroll',
    data: legend.map(({ name }) => name),
    orient: isRow ? 'horizontal' : 'vertical',
    [position]: 4,
    ...(isRow ? { left: 4 } : { top: 4 }),
    icon: 'roundRect',
    itemWidth: 10,
    itemHeight: 10,
    itemGap: 14,
    textStyle: { color: theme.text2, fontSize: 12, fontFamily: theme.font },
  }
}

export const zoomOption = (zoom: object, { theme }: Surroundings) => ({
  height: 20,
  bottom: 8,
  borderColor: theme.border,
  fillerColor: theme.name === 'dark' ? 'rgba(68,105,223,.25)' : 'rgba(49,87,203,.12)',
  handleStyle: { color: theme.raised, borderColor: theme.axis },
  moveHandleSize: 4,
  textStyle: { color: theme.tick, fontSize: 11 },
  dataBackground: { lineStyle: { color: theme.axis }, areaStyle: { color: theme.grid } },
  ...zoom,
})

interface Params {
  seriesIndex: number
  dataIndex: number
}

export function tooltipOption(
  tooltip: SpecTooltip,
  tip: (series: number | null, at: number) => Tip,
  pointed: Pointed,
  around: Surroundings,
): Record<string, unknown> {
  const { theme } = around
  return {
    trigger: tooltip.trigger ?? 'item',
    confine: true,
    transitionDuration: 0.08,
    className: 'pq-tooltip',
    backgroundColor: theme.raised,
    borderWidth: 0,
    padding: 0,
    axisPointer: {
      type: 'line',
      lineStyle: { color: theme.axis, type: 'solid', width: 1 },
      shadowStyle: { opacity: 0.1 },
    },
    formatter: (params: Params | Params[]) => {
      const [first] = [params].flat()
      if (!first) return ''
      const series = Array.isArray(params) ? pointed.series : first.seriesIndex
      return tipHtml(tip(series, first.dataIndex), around)
    },
  }
}
