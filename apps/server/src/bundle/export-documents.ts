import { parseExactJson } from '@parquetry/model'
import type { Selectable } from 'kysely'
import type {
  AnnotationLayerTable,
  AnnotationTable,
  ChartTable,
  CssTemplateTable,
  DatabaseTable,
  SavedQueryTable,
  ThemeTable,
} from '../store/tables.ts'
import type { ColumnRow, MetricRow, StoredDataset } from '../dataset/stored-dataset.ts'
import { toPortableSettings } from '../connection/connection.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import { isWithinJsonLimits } from '../http/json-body.ts'
import { readStoredFolders, exportFolders } from '../dataset/folders.ts'
import { withOtherFields } from './other-fields.ts'
import { toPortableContext } from './portable-context.ts'

/** Documents of each kind of object, with fields in the order that other tools write. */
type Document = Record<string, unknown>

const version = '1.0.0'

/** Parses JSON text; null when empty, and the text itself when it is invalid or exceeds the limits. */
function parseOrKeep(text: string | null): unknown {
  if (!text) return null
  if (!isWithinJsonLimits(text)) return text
  try {
    return parseExactJson(text)
  } catch {
    return text
  }
}

const booleanFields = <K extends string>(row: Record<K, number>, ...names: K[]): Document =>
  Object.fromEntries(names.map((name) => [name, row[name] === 1]))

/** Omits fields of later releases that are null or false, because older readers reject unknown fields. */
const omitUnset = (fields: Document): Document =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== false))

/** Fields of objects that another program manages; older readers reject them, so they are written only when they are set. */
const managedFields = (row: { is_managed_externally: number; external_url: string | null }): Document =>
  omitUnset({ is_managed_externally: row.is_managed_externally === 1, external_url: row.external_url })

/** Secrets are already masked. The host key is omitted because it belongs to this installation. */
function exportTunnel({ ssh_tunnel }: Pick<Selectable<DatabaseTable>, 'ssh_tunnel'>): object | null {
  if (ssh_tunnel === null) return null
  const { host_key: _, ...tunnel } = JSON.parse(ssh_tunnel) as Record<string, unknown>
  return tunnel
}

/** The masked connection string, with an encryption that was chosen in the form. */
function exportUri(row: Pick<DatabaseRow, 'backend' | 'settings' | 'sqlalchemy_uri'>): string {
  const engine = engineFor(row)
  const settings = JSON.parse(row.settings) as Record<string, unknown>
  return settings['encryption'] === true && engine.encryptedQuery
    ? engine.toUri(toPortableSettings(engine, settings), true)
    : row.sqlalchemy_uri
}

/** Contains no secrets: the stored connection string is masked. */
export const exportDatabase = (row: Selectable<DatabaseTable>): Document =>
  withOtherFields(
    {
      database_name: row.database_name,
      sqlalchemy_uri: exportUri(row),
      cache_timeout: row.cache_timeout,
      ...booleanFields(row, 'expose_in_sqllab', 'allow_run_async', 'allow_ctas', 'allow_cvas', 'allow_dml'),
      // The name of this field in bundles is older than that of the API.
      allow_csv_upload: row.allow_file_upload === 1,
      extra: parseOrKeep(row.extra) ?? {},
      ...omitUnset({ impersonate_user: row.impersonate_user === 1, ssh_tunnel: exportTunnel(row) }),
      uuid: row.uuid,
      version,
    },
    row.other_fields,
  )

const exportMetric = (row: MetricRow): Document =>
  withOtherFields(
    {
      metric_name: row.metric_name,
      verbose_name: row.verbose_name,
      metric_type: row.metric_type,
      expression: row.expression,
      description: row.description,
      d3format: row.d3format,
      ...omitUnset({ currency: parseOrKeep(row.currency) }),
      extra: parseOrKeep(row.extra),
      warning_text: row.warning_text,
    },
    row.other_fields,
  )

const exportColumn = (row: ColumnRow): Document =>
  withOtherFields(
    {
      column_name: row.column_name,
      verbose_name: row.verbose_name,
      ...booleanFields(row, 'is_dttm', 'is_active'),
      type: row.type,
      advanced_data_type: row.advanced_data_type,
      ...booleanFields(row, 'groupby', 'filterable'),
      expression: row.expression,
      description: row.description,
      python_date_format: row.python_date_format,
      extra: parseOrKeep(row.extra),
    },
    row.other_fields,
  )

export const exportDataset = ({ row, database, columns, metrics }: StoredDataset): Document =>
  withOtherFields(
    {
      table_name: row.table_name,
      main_dttm_col: row.main_dttm_col,
      description: row.description,
      default_endpoint: row.default_endpoint,
      offset: row.offset,
      cache_timeout: row.cache_timeout,
      ...omitUnset({ catalog: row.catalog }),
      schema: row.schema,
      sql: row.sql,
      params: parseOrKeep(row.params),
      template_params: parseOrKeep(row.template_params),
      filter_select_enabled: row.filter_select_enabled === 1,
      fetch_values_predicate: row.fetch_values_predicate,
      extra: parseOrKeep(row.extra),
      ...omitUnset({
        normalize_columns: row.normalize_columns === 1,
        always_filter_main_dttm: row.always_filter_main_dttm === 1,
        folders: row.folders === null ? null : exportFolders(readStoredFolders(row), { columns, metrics }),
      }),
      uuid: row.uuid,
      metrics: metrics.map(exportMetric),
      columns: columns.map(exportColumn),
      version,
      database_uuid: database.uuid,
      ...managedFields(row),
    },
    row.other_fields,
  )

export const exportChart = (row: Selectable<ChartTable>, datasetUuid: string, tags: readonly string[]): Document =>
  withOtherFields(
    {
      slice_name: row.slice_name,
      description: row.description,
      certified_by: row.certified_by,
      certification_details: row.certification_details,
      viz_type: row.viz_type,
      params: parseOrKeep(row.params) ?? {},
      query_context: toPortableContext(row.query_context),
      cache_timeout: row.cache_timeout,
      uuid: row.uuid,
      version,
      dataset_uuid: datasetUuid,
      ...managedFields(row),
      ...(tags.length > 0 && { tags }),
    },
    row.other_fields,
  )

/** @param tags description by name */
export const exportTags = (tags: ReadonlyMap<string, string | null>): Document => ({
  tags: [...tags].map(([tag_name, description]) => ({ tag_name, description })),
})

export const exportTheme = (row: Selectable<ThemeTable>): Document =>
  withOtherFields(
    {
      theme_name: row.theme_name,
      json_data: parseOrKeep(row.json_data) ?? {},
      uuid: row.uuid,
      version,
    },
    row.other_fields,
  )

export const exportSavedQuery = (row: Selectable<SavedQueryTable>, databaseUuid: string): Document =>
  withOtherFields(
    {
      ...omitUnset({ catalog: row.catalog }),
      schema: row.schema,
      label: row.label,
      description: row.description,
      sql: row.sql,
      uuid: row.uuid,
      version,
      database_uuid: databaseUuid,
    },
    row.other_fields,
  )

export const exportCssTemplate = (row: Selectable<CssTemplateTable>): Document =>
  withOtherFields({ template_name: row.template_name, css: row.css, uuid: row.uuid, version }, row.other_fields)

export const exportAnnotationLayer = (
  row: Selectable<AnnotationLayerTable>,
  annotations: readonly Selectable<AnnotationTable>[],
): Document =>
  withOtherFields(
    {
      name: row.name,
      descr: row.descr,
      annotations: annotations.map((annotation) => ({
        short_descr: annotation.short_descr,
        long_descr: annotation.long_descr,
        start_dttm: annotation.start_dttm,
        end_dttm: annotation.end_dttm,
        json_metadata: parseOrKeep(annotation.json_metadata),
        uuid: annotation.uuid,
      })),
      uuid: row.uuid,
      version,
    },
    row.other_fields,
  )
