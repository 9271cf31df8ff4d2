type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An id as documents contain it; documents of other tools may contain anything. */
const toNumber = (id: unknown): number => (typeof id === 'number' || typeof id === 'string' ? Number(id) : Number.NaN)

/** Returns the chart nodes of a layout with their chart ids. */
export function listChartNodes(positions: Json): { meta: Json; chartId: number }[] {
  return Object.values(positions).flatMap((node) => {
    if (!isObject(node) || node['type'] !== 'CHART' || !isObject(node['meta'])) return []
    const { chartId } = node['meta']
    return typeof chartId === 'number' && Number.isSafeInteger(chartId) ? [{ meta: node['meta'], chartId }] : []
  })
}

/** Returns a layout with the chart ids of its chart nodes replaced. */
const remapNodeChartIds = (positions: Json, other: (id: unknown) => unknown): Json =>
  Object.fromEntries(
    Object.entries(positions).map(([key, node]) => {
      if (!isObject(node) || node['type'] !== 'CHART' || !isObject(node['meta'])) return [key, node]
      return [key, { ...node, meta: { ...node['meta'], chartId: other(node['meta']['chartId']) } }]
    }),
  )

/**
 * Replaces chart ids in `json_metadata`, including its `positions`, for a copy with duplicated charts or a dashboard from another
 * store.
 * @param ids  old id -> new id
 * @param unknown  what becomes of other ids: `keep`, or `drop` when they belong to another store
 */
export function remapChartIds(
  metadata: Json,
  ids: ReadonlyMap<number, number>,
  unknown: 'keep' | 'drop' = 'keep',
): Json {
  const isKnown = (id: unknown): boolean => unknown === 'keep' || ids.has(toNumber(id))
  const other = (id: unknown): unknown => ids.get(toNumber(id)) ?? (unknown === 'keep' ? id : undefined)
  const keys = (value: unknown): unknown =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([id, inner]) => (isKnown(id) ? [[String(other(id)), inner]] : [])),
        )
      : value
  const list = (value: unknown): unknown => (Array.isArray(value) ? value.filter(isKnown).map(other) : value)
  const scope = (value: unknown): unknown => (isObject(value) ? { ...value, excluded: list(value['excluded']) } : value)
  const copy: Json = { ...metadata }
  if (isObject(copy['positions'])) copy['positions'] = remapNodeChartIds(copy['positions'], other)
  if ('expanded_slices' in copy) copy['expanded_slices'] = keys(copy['expanded_slices'])
  if ('filter_scopes' in copy)
    copy['filter_scopes'] = mapValues(keys(copy['filter_scopes']), (of) => remapImmune(of, list))
  if ('timed_refresh_immune_slices' in copy)
    copy['timed_refresh_immune_slices'] = list(copy['timed_refresh_immune_slices'])
  if (typeof copy['default_filters'] === 'string')
    copy['default_filters'] = remapDefaultFilters(copy['default_filters'], keys)
  if (Array.isArray(copy['native_filter_configuration']))
    copy['native_filter_configuration'] = copy['native_filter_configuration'].map((filter: unknown) =>
      isObject(filter) ? remapScope(filter, { list, scope }) : filter,
    )
  if (isObject(copy['chart_configuration']))
    copy['chart_configuration'] = Object.fromEntries(
      Object.entries(copy['chart_configuration']).flatMap(([id, config]) =>
        isKnown(id) ? [[String(other(id)), remapCrossFilters(config, { other, list, scope })]] : [],
      ),
    )
  if (isObject(copy['global_chart_configuration']))
    copy['global_chart_configuration'] = remapScope(copy['global_chart_configuration'], { list, scope })
  return copy
}

const mapValues = (value: unknown, change: (inner: unknown) => unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)])) : value

/** Scopes of an old filter chart by column: each lists charts that the filter does not apply to. */
const remapImmune = (columns: unknown, list: ChartIdRemapper['list']): unknown =>
  mapValues(columns, (column) =>
    isObject(column) && 'immune' in column ? { ...column, immune: list(column['immune']) } : column,
  )

function remapDefaultFilters(text: string, keys: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(keys(JSON.parse(text)))
  } catch {
    return text
  }
}

interface ChartIdRemapper {
  other(id: unknown): unknown
  list(value: unknown): unknown
  scope(value: unknown): unknown
}

const remapScope = (settings: Json, { list, scope }: Pick<ChartIdRemapper, 'list' | 'scope'>): Json => ({
  ...settings,
  ...('scope' in settings && { scope: scope(settings['scope']) }),
  ...('chartsInScope' in settings && { chartsInScope: list(settings['chartsInScope']) }),
})

function remapCrossFilters(config: unknown, { other, list, scope }: ChartIdRemapper): unknown {
  if (!isObject(config)) return config
  const { crossFilters: cross } = config
  return {
    ...config,
    ...('id' in config && { id: other(config['id']) }),
    ...(isObject(cross) && {
      crossFilters: remapScope(cross, { list, scope }),
    }),
  }
}
