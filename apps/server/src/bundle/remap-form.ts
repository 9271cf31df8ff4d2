import { message } from '@parquetry/model'
import type { ReadScope } from './import-scope.ts'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields of a form with the ids of charts that it draws itself. */
const chartListFields = ['line_charts', 'line_charts_2', 'deck_slices'] as const

/** An id as forms contain it, as a number or digits; undefined for anything else. */
const toId = (value: unknown): number | undefined =>
  (typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value))) &&
  Number.isSafeInteger(Number(value)) &&
  Number(value) > 0
    ? Number(value)
    : undefined

/** In a message. */
const maxNameLength = 100

const missingChart = (id: unknown) =>
  message(
    'errors.bundle.missingChart',
    'It draws the chart {id} of the other installation, which the bundle does not contain.',
    {
      id: (typeof id === 'object' ? JSON.stringify(id) : String(id)).slice(0, maxNameLength),
    },
  )

/** An annotation layer whose source is in this store; a source that the bundle does not contain is left open. */
function remapLayer(layer: unknown, { references, note }: ReadScope): unknown {
  if (!isObject(layer) || layer['annotationType'] === 'FORMULA') return layer
  const { value, sourceType } = layer
  if (value === null || value === undefined || value === '') return layer
  const sourceId = toId(value) ?? 0
  const id = sourceType === 'NATIVE' ? references.layerOf(sourceId) : references.chartOf(sourceId)
  if (id === undefined)
    note(
      sourceType === 'NATIVE'
        ? message(
            'errors.bundle.missingLayer',
            'Its annotation layer {name} is not in the bundle. Edit the chart to choose another.',
            { name: typeof layer['name'] === 'string' ? layer['name'].slice(0, maxNameLength) : String(sourceId) },
          )
        : missingChart(value),
    )
  return { ...layer, value: id === undefined ? null : typeof value === 'string' ? String(id) : id }
}

const remapLayers = (layers: unknown, scope: ReadScope): unknown =>
  Array.isArray(layers) ? layers.map((layer) => remapLayer(layer, scope)) : layers

const remapCharts = (ids: unknown, { references, note }: ReadScope): unknown => {
  const chartOf = (value: unknown): number | undefined => {
    const sourceId = toId(value)
    return sourceId === undefined ? undefined : references.chartOf(sourceId)
  }
  if (!Array.isArray(ids)) return chartOf(ids) ?? null
  return ids.flatMap((each: unknown) => {
    const id = chartOf(each)
    if (id === undefined) note(missingChart(each))
    return id === undefined ? [] : [id]
  })
}

/** Ids of the charts and annotation layers that a chart draws, in the store that the form comes from. */
export function listDrawn(form: Json): { charts: number[]; layers: number[] } {
  const layers = Array.isArray(form['annotation_layers']) ? form['annotation_layers'].filter(isObject) : []
  const sources = layers.filter(({ annotationType }) => annotationType !== 'FORMULA')
  const isNative = ({ sourceType }: Json): boolean => sourceType === 'NATIVE'
  const named = chartListFields.flatMap((field) => [form[field]].flat())
  const toIds = (values: unknown[]): number[] => values.flatMap((value) => toId(value) ?? [])
  return {
    charts: toIds([...sources.filter((layer) => !isNative(layer)).map(({ value }) => value), ...named]),
    layers: toIds(sources.filter(isNative).map(({ value }) => value)),
  }
}

/** The form data of a chart over a dataset of this store, without ids of the other one. */
export function remapForm(form: Json, datasetId: number, scope: ReadScope): Json {
  const { slice_id: _, dashboards: __, dashboardId: ___, ...others } = form
  const remapped: Json = { ...others, datasource: `${datasetId}__table` }
  if ('annotation_layers' in remapped) remapped['annotation_layers'] = remapLayers(remapped['annotation_layers'], scope)
  for (const field of chartListFields) if (field in remapped) remapped[field] = remapCharts(remapped[field], scope)
  return remapped
}

/** A query context over a dataset of this store, without ids of the other one. */
export function remapQueryContext(context: Json, datasetId: number, scope: ReadScope): Json {
  const { form_data, queries } = context
  // The form has the same layers, so they are reported once.
  const quiet = { ...scope, note: () => undefined }
  return {
    ...context,
    datasource: { id: datasetId, type: 'table' },
    ...(Array.isArray(queries) && {
      queries: queries.map((query: unknown) =>
        isObject(query) && 'annotation_layers' in query
          ? { ...query, annotation_layers: remapLayers(query['annotation_layers'], quiet) }
          : query,
      ),
    }),
    ...(isObject(form_data) && { form_data: remapForm(form_data, datasetId, quiet) }),
  }
}
