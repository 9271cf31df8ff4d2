import type { EChartsTarget } from './layer.ts'
import type { RenderContext } from './render-context.ts'
import { renderTooltipHtml, type SpecTooltip, type TooltipContent } from './tooltip.ts'

export const zoomOption = (zoom: object, { theme }: RenderContext) => ({
  height: 20,
  bottom: 8,
  borderColor: theme.border,
  fillerColor: theme.chosen,
  handleStyle: { color: theme.raised, borderColor: theme.axis },
  moveHandleSize: 4,
  // The axis above already shows where the selected range begins and ends, with consistently formatted times.
  showDetail: false,
  dataBackground: { lineStyle: { color: theme.axis }, areaStyle: { color: theme.grid } },
  ...zoom,
})

interface Params extends EChartsTarget {
  seriesIndex: number
}

/**
 * @param tip tooltip of the mark that ECharts names, or of all marks at its position if the tooltip belongs to an axis; null for
 * anything that is not a mark
 */
export function tooltipOption(
  { trigger = 'item' }: SpecTooltip,
  tip: (target: Params, isAxis: boolean) => TooltipContent | null,
  around: RenderContext,
): Record<string, unknown> {
  const { theme } = around
  return {
    trigger,
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
      const content = first && tip(first, Array.isArray(params))
      return content ? renderTooltipHtml(content, around) : ''
    },
  }
}
