import { chartsBelow, chartsInScope, readNativeFilters, type LayoutNodes } from '@parquetry/model'
import type { Metadata } from '../document/read-dashboard.ts'

/** DASH-032: true if a change of the layout moves the charts of a node into or out of the scope of any filter. */
export function changesScope(before: LayoutNodes, after: LayoutNodes, id: string, metadata: Metadata): boolean {
  const charts = chartsBelow(after, id)
  return readNativeFilters({ nodes: after, metadata }).some((filter) => {
    const [was, is] = [before, after].map((nodes) => new Set(chartsInScope(nodes, filter.scope)))
    return charts.some((chart) => was?.has(chart) !== is?.has(chart))
  })
}
