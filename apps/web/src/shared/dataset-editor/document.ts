import { isLocalUrl, type DatasetDetail, type DatasetPut } from '@parquetry/model'
import { type ExtraFields, parseJsonObject, readExtra, writeExtra } from './extra.ts'
import { type KnownFolder, parseFolders, buildFolders } from './folders.ts'

/** A column in the editor: fields are text or booleans, and `key` (its uuid) is stable across renames. */
export interface EditedColumn extends ExtraFields {
  key: string
  id: number | null
  column_name: string
  verbose_name: string
  description: string
  type: string
  type_generic: number | null
  /** Empty for a source column. */
  expression: string
  isCalculated: boolean
  is_dttm: boolean
  is_active: boolean
  filterable: boolean
  groupby: boolean
  python_date_format: string
  advanced_data_type: string
  folder: string
}

export interface EditedMetric extends ExtraFields {
  key: string
  id: number | null
  metric_name: string
  verbose_name: string
  description: string
  expression: string
  metric_type: string
  d3format: string
  currency_symbol: string
  currency_position: 'prefix' | 'suffix'
  warning_text: string
  folder: string
}

/** A dataset in the editor. */
export interface DatasetDocument extends ExtraFields {
  table_name: string
  database_id: number
  catalog: string
  schema: string
  /** Null for a table. */
  sql: string | null
  description: string
  main_dttm_col: string
  /** As typed; validated by `validateDocument`. */
  offset: string
  cache_timeout: string
  default_endpoint: string
  fetch_values_predicate: string
  template_params: string
  filter_select_enabled: boolean
  always_filter_main_dttm: boolean
  normalize_columns: boolean
  editors: { id: number; name: string }[]
  columns: EditedColumn[]
  metrics: EditedMetric[]
  folders: KnownFolder[]
}

/** Rows of the sheet are columns or metrics. */
export type ColumnOrMetric = EditedColumn | EditedMetric
export type SheetKind = 'columns' | 'metrics'
export const nameOf = (child: ColumnOrMetric): string =>
  'column_name' in child ? child.column_name : child.metric_name

export function readDocument(detail: DatasetDetail): DatasetDocument {
  const { known, paths } = parseFolders(detail.folders ?? [])
  return {
    table_name: detail.table_name,
    database_id: detail.database.id,
    catalog: detail.catalog ?? '',
    schema: detail.schema ?? '',
    sql: detail.sql || null,
    description: detail.description ?? '',
    main_dttm_col: detail.main_dttm_col ?? '',
    offset: String(detail.offset),
    cache_timeout: detail.cache_timeout === null ? '' : String(detail.cache_timeout),
    default_endpoint: detail.default_endpoint ?? '',
    fetch_values_predicate: detail.fetch_values_predicate ?? '',
    template_params: detail.template_params ?? '',
    filter_select_enabled: detail.filter_select_enabled,
    always_filter_main_dttm: detail.always_filter_main_dttm,
    normalize_columns: detail.normalize_columns,
    editors: detail.editors.map(({ id, label }) => ({ id, name: label })),
    ...readExtra(detail.extra),
    columns: detail.columns.map((column) => ({
      key: column.uuid,
      id: column.id,
      column_name: column.column_name,
      verbose_name: column.verbose_name ?? '',
      description: column.description ?? '',
      type: column.type ?? '',
      type_generic: column.type_generic,
      expression: column.expression ?? '',
      isCalculated: Boolean(column.expression),
      is_dttm: column.is_dttm,
      is_active: column.is_active,
      filterable: column.filterable,
      groupby: column.groupby,
      python_date_format: column.python_date_format ?? '',
      advanced_data_type: column.advanced_data_type ?? '',
      folder: paths.get(column.uuid) ?? '',
      ...readExtra(column.extra),
    })),
    metrics: detail.metrics.map((metric) => {
      const { symbol, symbolPosition } = (metric.currency ?? {}) as { symbol?: string; symbolPosition?: string }
      return {
        key: metric.uuid,
        id: metric.id,
        metric_name: metric.metric_name,
        verbose_name: metric.verbose_name ?? '',
        description: metric.description ?? '',
        expression: metric.expression,
        metric_type: metric.metric_type ?? '',
        d3format: metric.d3format ?? '',
        currency_symbol: symbol ?? '',
        currency_position: symbolPosition === 'suffix' ? 'suffix' : 'prefix',
        warning_text: metric.warning_text ?? '',
        folder: paths.get(metric.uuid) ?? '',
        ...readExtra(metric.extra),
      }
    }),
    folders: known,
  }
}

export const newColumn = (column_name: string): EditedColumn => ({
  ...readExtra(null),
  key: crypto.randomUUID(),
  id: null,
  column_name,
  verbose_name: '',
  description: '',
  type: '',
  type_generic: null,
  expression: '',
  isCalculated: true,
  is_dttm: false,
  is_active: true,
  filterable: true,
  groupby: true,
  python_date_format: '',
  advanced_data_type: '',
  folder: '',
})

export const newMetric = (metric_name: string): EditedMetric => ({
  ...readExtra(null),
  key: crypto.randomUUID(),
  id: null,
  metric_name,
  verbose_name: '',
  description: '',
  expression: '',
  metric_type: '',
  d3format: '',
  currency_symbol: '',
  currency_position: 'prefix',
  warning_text: '',
  folder: '',
})

/** Returns the first of `name`, `name_2`, `name_3` that is not taken. */
export function findFreeName(name: string, usedNames: readonly string[]): string {
  const names = new Set(usedNames)
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? name : `${name}_${n}`
    if (!names.has(free)) return free
  }
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text)

const columnPut = (column: EditedColumn): NonNullable<DatasetPut['columns']>[number] => ({
  ...(column.id === null ? { uuid: column.key } : { id: column.id }),
  column_name: column.column_name.trim(),
  verbose_name: orNull(column.verbose_name),
  description: orNull(column.description),
  // The server infers the type of a calculated column without one; the source defines the other types.
  ...((column.isCalculated || column.type !== '') && { type: orNull(column.type) }),
  expression: column.isCalculated ? orNull(column.expression) : null,
  is_dttm: column.is_dttm,
  is_active: column.is_active,
  filterable: column.filterable,
  groupby: column.groupby,
  python_date_format: orNull(column.python_date_format),
  advanced_data_type: orNull(column.advanced_data_type),
  extra: writeExtra(column),
})

const metricPut = (metric: EditedMetric): NonNullable<DatasetPut['metrics']>[number] => ({
  ...(metric.id === null ? { uuid: metric.key } : { id: metric.id }),
  metric_name: metric.metric_name.trim(),
  expression: metric.expression,
  verbose_name: orNull(metric.verbose_name),
  description: orNull(metric.description),
  metric_type: orNull(metric.metric_type),
  d3format: orNull(metric.d3format),
  currency: metric.currency_symbol.trim()
    ? { symbol: metric.currency_symbol.trim(), symbolPosition: metric.currency_position }
    : null,
  warning_text: orNull(metric.warning_text),
  extra: writeExtra(metric),
})

const plain = (document: DatasetDocument) => ({
  table_name: document.table_name.trim(),
  database_id: document.database_id,
  catalog: orNull(document.catalog),
  schema: orNull(document.schema),
  sql: document.sql,
  description: orNull(document.description),
  main_dttm_col: orNull(document.main_dttm_col),
  offset: Number(document.offset || 0),
  cache_timeout: document.cache_timeout.trim() === '' ? null : Number(document.cache_timeout),
  default_endpoint: orNull(document.default_endpoint),
  fetch_values_predicate: orNull(document.fetch_values_predicate),
  template_params: orNull(document.template_params),
  filter_select_enabled: document.filter_select_enabled,
  always_filter_main_dttm: document.always_filter_main_dttm,
  normalize_columns: document.normalize_columns,
  extra: writeExtra(document),
})

const serializeFolders = ({ columns, metrics, folders }: DatasetDocument) =>
  buildFolders(
    [
      ...metrics.map(({ key, folder }) => ({ key, folder, type: 'metric' as const })),
      ...columns.map(({ key, folder }) => ({ key, folder, type: 'column' as const })),
    ],
    folders,
  )

const folderAssignments = ({ columns, metrics }: DatasetDocument): string =>
  JSON.stringify([...columns, ...metrics].map(({ key, folder }) => [key, folder]))

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Builds the request that updates the stored dataset, with the changes only. */
export function buildDatasetPatch(before: DatasetDocument, now: DatasetDocument): DatasetPut {
  const old = plain(before)
  const fields = Object.entries(plain(now)).filter(([field, value]) => !isSame(value, old[field as keyof typeof old]))
  const columns = now.columns.map(columnPut)
  const metrics = now.metrics.map(metricPut)
  return {
    ...(Object.fromEntries(fields) as DatasetPut),
    ...(!isSame(columns, before.columns.map(columnPut)) && { columns }),
    ...(!isSame(metrics, before.metrics.map(metricPut)) && { metrics }),
    ...(folderAssignments(before) !== folderAssignments(now) && {
      folders: serializeFolders(now) as unknown as Record<string, unknown>[],
    }),
    ...(!isSame(before.editors, now.editors) && { editors: now.editors.map(({ id }) => id) }),
  }
}

/** Maps old names to new names of the columns or metrics that were renamed. */
export function findRenames(before: readonly ColumnOrMetric[], now: readonly ColumnOrMetric[]): Map<string, string> {
  const names = new Map(now.map((child) => [child.key, nameOf(child).trim()]))
  return new Map(
    before.flatMap((child): [string, string][] => {
      const after = names.get(child.key)
      return after === undefined || after === nameOf(child) ? [] : [[nameOf(child), after]]
    }),
  )
}

/** Names of removed columns or metrics. */
export const findRemovedNames = (before: readonly ColumnOrMetric[], now: readonly ColumnOrMetric[]): string[] =>
  before.filter(({ key }) => !now.some((child) => child.key === key)).map(nameOf)

export interface DocumentProblem {
  /** Field of the document; for `columns` and `metrics`, `key` identifies the row. */
  field: string
  key?: string
  problem: 'empty' | 'twice' | 'expression' | 'number' | 'json' | 'object' | 'address'
}

/** Finds the problems that prevent saving (DSET-046). */
export function validateDocument(document: DatasetDocument): DocumentProblem[] {
  const found: DocumentProblem[] = []
  if (document.table_name.trim() === '') found.push({ field: 'table_name', problem: 'empty' })
  if (document.sql?.trim() === '') found.push({ field: 'sql', problem: 'empty' })
  for (const kind of ['columns', 'metrics'] as const) {
    const children: readonly ColumnOrMetric[] = document[kind]
    const counts = new Map<string, number>()
    for (const child of children) counts.set(nameOf(child).trim(), (counts.get(nameOf(child).trim()) ?? 0) + 1)
    for (const child of children) {
      const name = nameOf(child).trim()
      if (name === '') found.push({ field: kind, key: child.key, problem: 'empty' })
      else if ((counts.get(name) ?? 0) > 1) found.push({ field: kind, key: child.key, problem: 'twice' })
      const needsSql = 'metric_name' in child || child.isCalculated
      if (needsSql && child.expression.trim() === '') found.push({ field: kind, key: child.key, problem: 'expression' })
    }
  }
  if (!/^\s*[-+]?\d{0,4}\s*$/.test(document.offset)) found.push({ field: 'offset', problem: 'number' })
  if (!/^\s*(-1|\d{0,9})\s*$/.test(document.cache_timeout)) found.push({ field: 'cache_timeout', problem: 'number' })
  if (document.template_params.trim() && !parseJsonObject(document.template_params))
    found.push({ field: 'template_params', problem: 'json' })
  if (document.extra.trim() && !parseJsonObject(document.extra)) found.push({ field: 'extra', problem: 'json' })
  if (document.default_endpoint && !isLocalUrl(document.default_endpoint))
    found.push({ field: 'default_endpoint', problem: 'address' })
  return found
}
