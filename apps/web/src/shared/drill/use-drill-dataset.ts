import { parseDatasource, drillColumns, type DatasetFacts, type DatasetDisplay } from '@parquetry/charts'
import type { QueryFilter } from '@parquetry/model'
import type { IconName, Option } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { DrillSubject } from './subject.ts'

/** A dataset with all columns that may be drilled by. */
export interface DrillDataset extends Omit<DatasetFacts, 'columns'>, Omit<DatasetDisplay, 'columns' | 'metrics'> {
  columns: readonly (DatasetFacts['columns'][number] & { verbose_name?: string | null; groupby?: boolean })[]
}

/**
 * A dashboard knows only the columns of its charts, and its viewers may read the data through it: the other columns are fetched
 * when a user drills.
 */
export function useDrillDataset({ form, dataset, dashboardId }: DrillSubject, isEnabled = true) {
  const { id } = parseDatasource(form)
  const isKnown = dashboardId === null
  const { data, isLoading, error } = useQuery({
    queryKey: ['drill-info', id, dashboardId],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/v1/dataset/:id/drill_info/', {
          params: { id: Number(id) },
          q: { dashboard_id: dashboardId ?? 0 },
          signal,
        })
      ).result,
    enabled: isEnabled && !isKnown,
    staleTime: 60_000,
    retry: false,
  })
  const { columns, metrics, ...display } = dataset ?? {}
  const complete: DrillDataset | undefined = isKnown
    ? { ...display, columns: columns ?? [], ...(metrics && { metrics }) }
    : data && { ...display, ...data }
  const isRefused = !isKnown && data?.can_drill === false
  return { dataset: complete, isRefused, isLoading, error }
}

/** Text, booleans and times before numbers, which rarely define groups. */
const order: Record<number, number> = { 1: 0, 3: 1, 2: 2, 0: 3 }
const icons: Record<number, IconName> = { 0: 'number', 1: 'text', 2: 'clock', 3: 'check' }

/** Columns of a dataset that a mark can be broken down by, the most likely first. */
export const toColumnOptions = (dataset: DrillDataset | undefined, filters: readonly QueryFilter[]): Option[] =>
  drillColumns(dataset?.columns ?? [], filters)
    .toSorted((a, b) => (order[a.type_generic ?? 1] ?? 0) - (order[b.type_generic ?? 1] ?? 0))
    .map(({ column_name, verbose_name, type_generic }) => ({
      value: column_name,
      label: verbose_name || column_name,
      icon: icons[type_generic ?? 1] ?? 'text',
    }))
