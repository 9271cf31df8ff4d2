import type { LostName, NativeFilter } from '@parquetry/model'
import { asRecord } from '../query/extra-form-data.ts'
import { fieldsUsed, withRenames, type KnownNames, type Renames } from './fields-used.ts'
import { lostNames } from './lost-names.ts'

/** Whether the values of a native filter come from a dataset. */
export const isFilterOn = ({ targets }: NativeFilter, datasetId: number): boolean =>
  Array.isArray(targets) && targets.some((target) => target?.datasetId === datasetId)

const targetColumns = ({ targets }: NativeFilter, datasetId: number): string[] =>
  (targets ?? []).flatMap(({ datasetId: id, column }) =>
    id === datasetId && typeof column?.name === 'string' ? [column.name] : [],
  )

/** Kinds whose values are columns. */
const valuesAreColumns = (filter: NativeFilter): boolean =>
  filter.filterType === 'filter_timecolumn' || filter.filterType === 'filter_groupby'

/** What the default of a filter lays over the charts; the columns that they are divided by are a field of no form. */
const laidOver = ({ defaultDataMask }: NativeFilter): Record<string, unknown> => {
  const { interactive_groupby, ...rest } = asRecord(defaultDataMask?.extraFormData)
  return { ...rest, ...(interactive_groupby !== undefined && { groupby: interactive_groupby }) }
}

function renamedDefault(filter: NativeFilter, renames: Renames): Pick<NativeFilter, 'defaultDataMask'> {
  const { defaultDataMask: mask } = filter
  if (mask?.extraFormData === undefined) return {}
  const { groupby, ...rest } = withRenames(undefined, laidOver(filter), renames)
  const extraFormData = { ...rest, ...(groupby !== undefined && { interactive_groupby: groupby }) }
  if (!valuesAreColumns(filter)) return { defaultDataMask: { ...mask, extraFormData } }
  const now = (name: unknown): unknown => renames.columns.get(String(name)) ?? name
  const { value, label } = mask.filterState ?? {}
  const values = Array.isArray(value) ? value.map(now) : now(value)
  const isLabelOfNames = label === [value].flat().join(', ')
  const filterState = {
    ...mask.filterState,
    value: values,
    ...(isLabelOfNames && { label: [values].flat().join(', ') }),
  }
  return { defaultDataMask: { ...mask, extraFormData, filterState } }
}

const sortMetric = ({ controlValues }: NativeFilter): unknown => controlValues?.['sortMetric']

/** What of the known names of a dataset a native filter on it takes: its column, its order, its condition, its default. */
export function namesOfFilter(
  filter: NativeFilter,
  datasetId: number,
  known: KnownNames,
): { columns: string[]; metrics: string[] } {
  const [own, over] = [fieldsUsed(undefined, filter, known), fieldsUsed(undefined, laidOver(filter), known)]
  const metric = sortMetric(filter)
  const metrics = [...own.metrics, ...over.metrics, ...(typeof metric === 'string' ? [metric] : [])]
  const columns = [...targetColumns(filter, datasetId), ...own.columns, ...over.columns]
  return {
    columns: [...new Set(columns)].filter((name) => known.columns.has(name)),
    metrics: [...new Set(metrics)].filter((name) => known.metrics.has(name)),
  }
}

/** A native filter on a dataset under its new names; its own name and its values stay, unless they are names of columns. */
export function renamedFilter(filter: NativeFilter, datasetId: number, renames: Renames): NativeFilter {
  const named = withRenames(undefined, filter, renames) as NativeFilter
  const { targets = [], controlValues } = named
  const metric = sortMetric(filter)
  const renamedMetric = typeof metric === 'string' ? renames.metrics.get(metric) : undefined
  return {
    ...named,
    ...renamedDefault(filter, renames),
    targets: targets.map((target) => {
      const column = target.column
      const name = target.datasetId === datasetId ? renames.columns.get(column?.name ?? '') : undefined
      return name === undefined ? target : { ...target, column: { ...column, name } }
    }),
    ...(renamedMetric !== undefined && { controlValues: { ...controlValues, sortMetric: renamedMetric } }),
  }
}

/** Those of a dataset's lost names that a native filter on it still uses. */
export function lostInFilter(filter: NativeFilter, datasetId: number, lost: readonly LostName[]): LostName[] {
  const known = { columns: lostNames(lost, 'column'), metrics: lostNames(lost, 'metric') }
  const { columns, metrics } = namesOfFilter(filter, datasetId, known)
  return lost.filter(({ kind, name }) => (kind === 'column' ? columns : metrics).includes(name))
}
