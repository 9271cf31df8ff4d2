import type { MissingReference, NativeFilter } from '@parquetry/model'
import { asRecord } from '../query/extra-form-data.ts'
import { fieldsUsed, renameFields, type KnownNames, type Renames } from './fields-used.ts'
import { listMissingNames } from './missing-references.ts'

/** Returns whether a native filter targets the dataset. */
export const isFilterOnDataset = ({ targets }: NativeFilter, datasetId: number): boolean =>
  Array.isArray(targets) && targets.some((target) => target?.datasetId === datasetId)

const targetColumns = ({ targets }: NativeFilter, datasetId: number): string[] =>
  (targets ?? []).flatMap(({ datasetId: id, column }) =>
    id === datasetId && typeof column?.name === 'string' ? [column.name] : [],
  )

/** Returns whether the filter's values are columns. */
const valuesAreColumns = (filter: NativeFilter): boolean =>
  filter.filterType === 'filter_timecolumn' || filter.filterType === 'filter_groupby'

/** Form overrides of a filter's default; `interactive_groupby`, which no form has, becomes `groupby`. */
const readDefaultExtras = ({ defaultDataMask }: NativeFilter): Record<string, unknown> => {
  const { interactive_groupby, ...rest } = asRecord(defaultDataMask?.extraFormData)
  return { ...rest, ...(interactive_groupby !== undefined && { groupby: interactive_groupby }) }
}

function renameDefault(filter: NativeFilter, renames: Renames): Pick<NativeFilter, 'defaultDataMask'> {
  const { defaultDataMask: mask } = filter
  if (mask?.extraFormData === undefined) return {}
  const { groupby, ...rest } = renameFields(undefined, readDefaultExtras(filter), renames)
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

/** Returns the known names of a dataset that a native filter on it uses: in its column, order, conditions or default. */
export function findFilterFields(
  filter: NativeFilter,
  datasetId: number,
  known: KnownNames,
): { columns: string[]; metrics: string[] } {
  const [own, over] = [fieldsUsed(undefined, filter, known), fieldsUsed(undefined, readDefaultExtras(filter), known)]
  const metric = sortMetric(filter)
  const metrics = [...own.metrics, ...over.metrics, ...(typeof metric === 'string' ? [metric] : [])]
  const columns = [...targetColumns(filter, datasetId), ...own.columns, ...over.columns]
  return {
    columns: [...new Set(columns)].filter((name) => known.columns.has(name)),
    metrics: [...new Set(metrics)].filter((name) => known.metrics.has(name)),
  }
}

/** Returns a native filter on a dataset with new names; its own name and values stay, unless the values are column names. */
export function renameFilterFields(filter: NativeFilter, datasetId: number, renames: Renames): NativeFilter {
  const named = renameFields(undefined, filter, renames) as NativeFilter
  const { targets = [], controlValues } = named
  const metric = sortMetric(filter)
  const renamedMetric = typeof metric === 'string' ? renames.metrics.get(metric) : undefined
  return {
    ...named,
    ...renameDefault(filter, renames),
    targets: targets.map((target) => {
      const column = target.column
      const name = target.datasetId === datasetId ? renames.columns.get(column?.name ?? '') : undefined
      return name === undefined ? target : { ...target, column: { ...column, name } }
    }),
    ...(renamedMetric !== undefined && { controlValues: { ...controlValues, sortMetric: renamedMetric } }),
  }
}

/** Returns the missing references of a dataset that a native filter on it still uses. */
export function findMissingInFilter(
  filter: NativeFilter,
  datasetId: number,
  missing: readonly MissingReference[],
): MissingReference[] {
  const known = { columns: listMissingNames(missing, 'column'), metrics: listMissingNames(missing, 'metric') }
  const { columns, metrics } = findFilterFields(filter, datasetId, known)
  return missing.filter(({ kind, name }) => (kind === 'column' ? columns : metrics).includes(name))
}
