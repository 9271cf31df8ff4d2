import { chartNodes, isObject, type Json } from './metadata.ts'

/** Ids that stand for charts in a layout and its metadata, replaced: for a copy with charts of its own. */
export function withOtherCharts(metadata: Json, ids: ReadonlyMap<number, number>): Json {
  const other = (id: unknown): unknown => ids.get(Number(id)) ?? id
  const keys = (value: unknown): unknown =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([id, inner]) => [String(other(id)), inner])) : value
  const list = (value: unknown): unknown => (Array.isArray(value) ? value.map(other) : value)
  const scope = (value: unknown): unknown => (isObject(value) ? { ...value, excluded: list(value['excluded']) } : value)
  const copy: Json = structuredClone(metadata)
  if (isObject(copy['positions']))
    for (const { meta, chartId } of chartNodes(copy['positions'])) meta['chartId'] = other(chartId)
  for (const key of ['expanded_slices', 'filter_scopes']) if (key in copy) copy[key] = keys(copy[key])
  if ('timed_refresh_immune_slices' in copy)
    copy['timed_refresh_immune_slices'] = list(copy['timed_refresh_immune_slices'])
  if (typeof copy['default_filters'] === 'string')
    copy['default_filters'] = otherDefaults(copy['default_filters'], keys)
  if (Array.isArray(copy['native_filter_configuration']))
    copy['native_filter_configuration'] = copy['native_filter_configuration'].map((filter: unknown) =>
      isObject(filter)
        ? {
            ...filter,
            ...('scope' in filter && { scope: scope(filter['scope']) }),
            ...('chartsInScope' in filter && { chartsInScope: list(filter['chartsInScope']) }),
          }
        : filter,
    )
  if (isObject(copy['chart_configuration']))
    copy['chart_configuration'] = Object.fromEntries(
      Object.entries(copy['chart_configuration']).map(([id, config]) => [
        String(other(id)),
        crossFilters(config, { other, list, scope }),
      ]),
    )
  return copy
}

function otherDefaults(text: string, keys: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(keys(JSON.parse(text)))
  } catch {
    return text
  }
}

interface Renaming {
  other(id: unknown): unknown
  list(value: unknown): unknown
  scope(value: unknown): unknown
}

function crossFilters(config: unknown, { other, list, scope }: Renaming): unknown {
  if (!isObject(config)) return config
  const { crossFilters: cross } = config
  return {
    ...config,
    ...('id' in config && { id: other(config['id']) }),
    ...(isObject(cross) && {
      crossFilters: {
        ...cross,
        ...('scope' in cross && { scope: scope(cross['scope']) }),
        ...('chartsInScope' in cross && { chartsInScope: list(cross['chartsInScope']) }),
      },
    }),
  }
}
