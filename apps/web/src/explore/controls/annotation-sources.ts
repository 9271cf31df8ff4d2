import { chartEntries, chartEntry, namedQueries, loadStoredForm } from '@parquetry/charts'
import { parseExactJson, labelOfColumn, labelOfMetric, type AnnotationLayer } from '@parquetry/model'
import type { LoadOptions } from '@parquetry/ui'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import type { LayerSource } from './annotation-layers.ts'

const pageSize = 50

const listVizTypes = (source: LayerSource): string[] =>
  chartEntries
    .filter(({ viz_type, annotated }) => (source === 'table' ? viz_type === 'table' : annotated))
    .flatMap(({ viz_type, replaces }) => [viz_type, ...replaces])

/** Searches annotation layers, or charts that can be a source. */
export const loadSources =
  (source: LayerSource): LoadOptions<number> =>
  async (search, page, signal) => {
    const common = { page, page_size: pageSize, keys: ['none' as const] }
    if (source === 'NATIVE') {
      const filters = search ? [{ col: 'name', opr: 'ct', value: search }] : []
      const { result, count } = await api.get('/api/v1/annotation_layer/', {
        q: { ...common, columns: ['id', 'name'], filters },
        signal,
      })
      return { options: result.map(({ id, name }) => ({ value: Number(id), label: String(name) })), count }
    }
    const filters = [
      { col: 'viz_type', opr: 'in', value: listVizTypes(source) },
      ...(search ? [{ col: 'slice_name', opr: 'ct', value: search }] : []),
    ]
    const { result, count } = await api.get('/api/v1/chart/', {
      q: { ...common, columns: ['id', 'slice_name', 'viz_type'], filters },
      signal,
    })
    return {
      options: result.map(({ id, slice_name, viz_type }) => ({
        value: id,
        label: slice_name ?? String(id),
        ...(chartEntry(viz_type ?? '') && { icon: 'chart' as const }),
      })),
      count,
    }
  }

/** True if there are no annotation layers. Refetched on window focus, because the user may create one in another tab. */
export const useHasNoLayers = (enabled: boolean): boolean =>
  useQuery({
    queryKey: ['annotation_layer', 'count'],
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/annotation_layer/', { q: { keys: ['none'], columns: ['id'], page_size: 1 }, signal }))
        .count,
    enabled,
    refetchOnWindowFocus: 'always',
  }).data === 0

interface Source {
  name: string
  /** Columns of a chart's rows, as returned by its first query. */
  columns: string[]
}

/** Loads the source of a layer; fails when it is deleted or not accessible. */
export const useLayerSource = (layer: AnnotationLayer) => useQuery(sourceQuery(layer))

export function sourceQuery({ sourceType, value }: Pick<AnnotationLayer, 'sourceType' | 'value'>) {
  const id = typeof value === 'string' && value !== '' ? Number(value) : value
  return queryOptions({
    queryKey: ['annotation-source', sourceType, id],
    queryFn: ({ signal }): Promise<Source> =>
      sourceType === 'NATIVE' ? fetchLayerSource(id as number, signal) : fetchChartSource(id as number, signal),
    enabled: Boolean(sourceType) && Number.isSafeInteger(id),
    retry: false,
    staleTime: 60_000,
  })
}

async function fetchLayerSource(id: number, signal: AbortSignal): Promise<Source> {
  const { result } = await api.get('/api/v1/annotation_layer/:id', { params: { id }, signal, quiet: true })
  return { name: String(result['name']), columns: [] }
}

async function fetchChartSource(id: number, signal: AbortSignal): Promise<Source> {
  const { result } = await api.get('/api/v1/chart/:id', { params: { id }, signal, quiet: true })
  const { slice_name, viz_type, params } = result
  const opened = await loadStoredForm({ ...(parseExactJson(params || '{}') as object), viz_type })
  const [query] = opened ? Object.values(namedQueries(opened.chart, opened.form)) : []
  const columns = [...(query?.columns ?? []).map(labelOfColumn), ...(query?.metrics ?? []).map(labelOfMetric)]
  return { name: slice_name ?? String(id), columns: query?.is_timeseries ? ['__timestamp', ...columns] : columns }
}
