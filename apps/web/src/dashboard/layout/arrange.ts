import { chartsBelow, layoutGrid, layoutNode, mainContainer, rootId, type LayoutNodes } from '@parquetry/model'
import { add } from './commands.ts'
import { defaultHeightUnits, freeColumns, type NewNode } from './rules.ts'

export interface ChartRef {
  id: number
  uuid?: string
  slice_name: string
}

/** A chart as a node; the id contains `suffix`, so that the same chart may occur twice. */
export const chartNode = ({ id, uuid, slice_name }: ChartRef, suffix: string): NewNode => ({
  id: `CHART-${suffix}`,
  type: 'CHART',
  meta: { chartId: id, sliceName: slice_name, ...(uuid && { uuid }), width: 4, height: defaultHeightUnits },
})

/** Places charts missing from the layout at its end, filling rows up to the grid's width (DASH-029). */
export function placeMissingCharts(nodes: LayoutNodes, charts: readonly ChartRef[]): LayoutNodes {
  const shown = new Set(chartsBelow(nodes, rootId))
  const container = mainContainer(nodes)
  let result = nodes
  let row: string | undefined
  for (const chart of charts.filter(({ id }) => !shown.has(id))) {
    const node = chartNode(chart, `auto-${chart.id}`)
    const target =
      row !== undefined && freeColumns(result, row) >= (node.meta.width ?? layoutGrid.columns) ? row : container
    result = add(result, node, { parent: target, index: layoutNode(result, target)?.children.length ?? 0 })
    row = layoutNode(result, node.id)?.parents.at(-1)
  }
  return result
}
