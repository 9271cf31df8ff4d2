type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** UUIDs by id of the store that a bundle comes from. */
export type ChartUuids = ReadonlyMap<number, string>

/** Lists of ids of charts, and objects with ids of charts as names, in the settings of a dashboard. */
const chartLists = new Set(['excluded', 'chartsInScope', 'immune', 'timed_refresh_immune_slices'])
const keyedByCharts = new Set(['chart_configuration', 'expanded_slices', 'filter_scopes', 'default_filters'])
/** Fields that some releases write as JSON text. */
const jsonTexts = new Set([
  'extra',
  'currency',
  'query_context',
  'template_params',
  'default_filters',
  'schemas_allowed_for_csv_upload',
])
/** Ids that follow from other fields: a chart knows its dataset by UUID and is not asked for its own id. */
const derived = new Set(['datasource', 'slice_id', 'dashboards', 'url_params'])

/**
 * The form of a document in which those of two installations are equal: ids of charts become UUIDs, JSON texts values, and empty
 * values are left out, because releases differ in which of them they write.
 */
export function toPortableDocument(document: Json, charts: ChartUuids): Json {
  const chartOf = (id: unknown): unknown => charts.get(Number(id)) ?? `unknown chart ${String(id)}`
  const convert = (value: unknown, name: string): unknown => {
    if (typeof value === 'string' && jsonTexts.has(name) && value !== '') return convert(JSON.parse(value), name)
    if (Array.isArray(value)) {
      if (chartLists.has(name)) return value.map(chartOf)
      const items = value.map((item) => convert(item, ''))
      return name === 'metrics' || name === 'columns' || name === 'tags' ? items.toSorted(byText) : items
    }
    if (!isObject(value)) return value
    const { annotationType, sourceType } = value
    const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (derived.has(key)) return []
      if (key === 'is_active') return inner === false ? [[key, 'no']] : []
      if (key === 'encrypted_extra') return []
      // Both names are in use.
      if (key === 'allow_file_upload') return inner === true ? [['allow_csv_upload', true]] : []
      if (key === 'chartId') return [[key, chartOf(inner)]]
      // Other releases do not export annotation layers.
      if (key === 'value' && sourceType === 'NATIVE') return []
      if (key === 'value' && annotationType !== undefined && annotationType !== 'FORMULA')
        return [[key, chartOf(inner)]]
      if (key === 'id' && isObject(value['crossFilters'])) return [[key, chartOf(inner)]]
      const converted = convert(inner, key)
      return isEmpty(converted) ? [] : [[keyedByCharts.has(name) ? String(chartOf(key)) : key, converted]]
    })
    return Object.fromEntries(entries)
  }
  return convert(document, '') as Json
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)
