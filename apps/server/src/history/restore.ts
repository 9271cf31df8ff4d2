import {
  AppError,
  type ChartPut,
  type DashboardPut,
  type DatasetColumnPut,
  type DatasetMetricPut,
  type DatasetPut,
  type VersionedKind,
  parseJsonObject,
} from '@parquetry/model'
import type { ChartRow } from '../chart/chart-resource.ts'
import { updateChart } from '../chart/save-chart.ts'
import type { DashboardRow } from '../dashboard/dashboard-resource.ts'
import { knownMetadata } from '../dashboard/metadata.ts'
import { updateDashboard } from '../dashboard/save-dashboard.ts'
import type { ColumnRow, DatasetRow, MetricRow } from '../dataset/stored-dataset.ts'
import { type DatasetWriteContext, updateDataset } from '../dataset/save-dataset.ts'
import { parseObject } from '../http/json-body.ts'
import type { VersionDocument, VersionedRow } from './version-rows.ts'

const booleanFields = (row: object, names: readonly string[]): Record<string, boolean> =>
  Object.fromEntries(names.map((name) => [name, (row as Record<string, unknown>)[name] === 1]))

const fields = (row: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, (row as Record<string, unknown>)[name] ?? null]))

/** Puts the layout into the metadata, as when saving, so that its charts become those of the dashboard. */
function dashboardBody(document: VersionDocument): DashboardPut {
  const positions = parseJsonObject(document['position_json'])
  const metadata = knownMetadata(parseJsonObject(document['json_metadata']))
  return {
    ...fields(document, ['dashboard_title', 'certified_by', 'certification_details']),
    css: typeof document['css'] === 'string' ? document['css'] : '',
    json_metadata: JSON.stringify({ ...metadata, positions }),
  }
}

const chartBody = (document: VersionDocument): ChartPut => ({
  ...fields(document, [
    'slice_name',
    'viz_type',
    'params',
    'query_context',
    'description',
    'cache_timeout',
    'certified_by',
    'certification_details',
  ]),
  datasource_id: Number(document['datasource_id']),
  datasource_type: 'table',
})

/** Columns and metrics that still exist keep their id; others are created again. */
function datasetBody(document: VersionDocument, current: VersionDocument): DatasetPut {
  const rows = <T>(version: VersionDocument, name: string) =>
    Array.isArray(version[name]) ? (version[name] as T[]) : []
  const currentIds = (name: string) => new Set(rows<{ id: number }>(current, name).map(({ id }) => id))
  const [columns, metrics] = [currentIds('columns'), currentIds('metrics')]
  return {
    ...fields(document, [
      'table_name',
      'schema',
      'catalog',
      'sql',
      'main_dttm_col',
      'description',
      'default_endpoint',
      'cache_timeout',
      'template_params',
      'extra',
      'fetch_values_predicate',
      'offset',
    ]),
    database_id: Number(document['database_id']),
    ...restoreFolders(document, current),
    ...booleanFields(document, [
      'filter_select_enabled',
      'normalize_columns',
      'always_filter_main_dttm',
      'is_sqllab_view',
    ]),
    columns: rows<ColumnRow>(document, 'columns').map((column) => ({
      ...(columns.has(column.id) && { id: column.id }),
      ...(fields(column, [
        'column_name',
        'type',
        'advanced_data_type',
        'verbose_name',
        'description',
        'expression',
        'extra',
        'python_date_format',
      ]) as unknown as DatasetColumnPut),
      ...booleanFields(column, ['filterable', 'groupby', 'is_active', 'is_dttm']),
    })),
    metrics: rows<MetricRow>(document, 'metrics').map((metric) => ({
      ...(metrics.has(metric.id) && { id: metric.id }),
      ...(fields(metric, [
        'metric_name',
        'expression',
        'description',
        'extra',
        'metric_type',
        'd3format',
        'verbose_name',
        'warning_text',
      ]) as unknown as DatasetMetricPut),
      ...(metric.currency !== null && { currency: parseObject(metric.currency) as DatasetMetricPut['currency'] }),
    })),
  }
}

/**
 * Folders reference columns and metrics by uuid. If the version's folders contain any that would be created again with a new
 * uuid, the current folders stay unchanged.
 */
function restoreFolders(document: VersionDocument, current: VersionDocument): Pick<DatasetPut, 'folders'> {
  const text = document['folders']
  if (typeof text !== 'string') return text === null ? { folders: null } : {}
  const children = ['columns', 'metrics'].flatMap((name) => (current[name] ?? []) as { uuid: string }[])
  const currentUuids = new Set(children.map(({ uuid }) => uuid))
  const versionChildren = ['columns', 'metrics'].flatMap((name) => (document[name] ?? []) as { uuid: string }[])
  const isSame = versionChildren.every(({ uuid }) => currentUuids.has(uuid) || !text.includes(uuid))
  return isSame ? { folders: JSON.parse(text) as NonNullable<DatasetPut['folders']> } : {}
}

/**
 * Restores a version as the newest one. The restore is an ordinary update by the caller: references are checked against their
 * current rights. Access, publication state and slug do not change.
 * @param seen  `changed_on` as the caller knows it
 */
export async function restoreVersion(
  context: DatasetWriteContext,
  kind: VersionedKind,
  row: VersionedRow,
  { document, today, seen }: { document: VersionDocument; today: VersionDocument; seen: string | undefined },
): Promise<void> {
  const precondition = seen !== undefined && { changed_on: seen }
  if (kind === 'dashboard') {
    await updateDashboard(context, row as DashboardRow, { ...dashboardBody(document), ...precondition })
  } else if (kind === 'chart') {
    if (!document['slice_name']) throw new AppError('unprocessable')
    await updateChart(context, row as ChartRow, { ...chartBody(document), ...precondition })
  } else {
    const body = { ...datasetBody(document, today), ...precondition }
    await updateDataset(context, row as DatasetRow, body, { override: false, ifMatch: undefined })
  }
}
