import {
  chartsInScope,
  globalCrossFilterScope,
  type FilteredDashboard,
  ownCrossFilterScope,
  parseJsonObject,
  readLayout,
  readNativeFilters,
  withUnplacedCharts,
} from '@parquetry/model'

interface ShownChart {
  id: number
  datasource_id: number
}

/**
 * Returns which native filters and charts filter the charts of a dashboard, as keys with the dataset of the filtered chart. A filter
 * that reaches another chart, or a chart that filters others, adds a key. Feature flags do not count, because they may change.
 */
export function listFilterGrants(
  stored: { position_json: string | null; json_metadata: string | null },
  charts: readonly ShownChart[],
): [key: string, dataset: number][] {
  const ids = charts.map(({ id }) => id)
  const dashboard: FilteredDashboard = {
    nodes: withUnplacedCharts(readLayout(stored.position_json).nodes, ids),
    metadata: parseJsonObject(stored.json_metadata),
  }
  const { metadata } = dashboard
  const datasets = new Map(charts.map(({ id, datasource_id }) => [id, datasource_id]))
  const reach = (source: unknown, reached: readonly number[]) =>
    reached.flatMap((id): [string, number][] => {
      const dataset = datasets.get(id)
      return dataset === undefined ? [] : [[JSON.stringify(['filter', source, id, dataset]), dataset]]
    })
  const native = readNativeFilters(dashboard)
    .filter(({ type }) => type !== 'DIVIDER')
    .flatMap(({ filterType, targets, scope }) =>
      reach([filterType ?? null, targets ?? []], chartsInScope(dashboard.nodes, scope)),
    )
  if (metadata.cross_filters_enabled === false) return native
  const shared = chartsInScope(dashboard.nodes, globalCrossFilterScope(dashboard))
  const sharedDatasets = new Set(shared.flatMap((id) => datasets.get(id) ?? []))
  const boxScopes = parseJsonObject(metadata.filter_scopes)
  const cross = ids.flatMap((id) => {
    const scope = ownCrossFilterScope(dashboard, id)
    const source = [id, boxScopes[String(id)] ?? null]
    // Most charts share one scope: pairs of all charts would be too many.
    return scope
      ? reach(source, chartsInScope(dashboard.nodes, scope))
      : [...sharedDatasets].map((dataset): [string, number] => [JSON.stringify(['cross', source, dataset]), dataset])
  })
  return [...native, ...reach('cross', shared), ...cross]
}
