import { parseExactJson, listChartNodes, message, type FieldMessages } from '@parquetry/model'
import { splitNames } from '../http/columns.ts'
import { isWithinJsonLimits } from '../http/json-body.ts'
import { invalidPayload } from '../http/writing.ts'

export type Json = Record<string, unknown>

/** Keys allowed in `json_metadata` (DashboardJSONMetadataSchema of all releases), and our own. */
const knownKeys = new Set(
  splitNames(`
      native_filter_configuration chart_configuration global_chart_configuration chart_customization_config
      timed_refresh_immune_slices filter_scopes expanded_slices refresh_frequency default_filters
      stagger_refresh stagger_time color_scheme color_namespace positions label_colors map_label_colors
      shared_label_colors color_scheme_domain cross_filters_enabled import_time remote_id
      filter_bar_orientation native_filter_migration filter_sets_configuration show_native_filters parquetry
    `),
)

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parseField = (text: string, field: string): Json => {
  if (!isWithinJsonLimits(text))
    throw invalidPayload({
      [field]: [message('errors.fields.jsonTooLarge', 'The JSON is nested too deeply or contains too many values.')],
    })
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch {
    throw invalidPayload({ [field]: [message('errors.fields.notJson', 'JSON not valid')] })
  }
  if (!isObject(value)) throw invalidPayload({ [field]: [message('errors.fields.notJson', 'JSON not valid')] })
  return value
}

/**
 * Parses `json_metadata` of a body.
 * @returns null for null and empty text
 * @throws AppError `invalid_payload` for text that is not a JSON object, and for unknown keys
 */
export function readMetadata(text: string | null | undefined): Json | null {
  if (!text) return null
  const metadata = parseField(text, 'json_metadata')
  const unknown = Object.keys(metadata).filter((key) => !knownKeys.has(key))
  if (unknown.length > 0) {
    const errors: FieldMessages = Object.fromEntries(
      unknown.map((key) => [key, [message('errors.fields.unknown', 'Unknown field.')]]),
    )
    throw invalidPayload({ json_metadata: [errors] as unknown as string[] })
  }
  return metadata
}

/** Keys of stored metadata that a body may contain. */
export const knownMetadata = (metadata: Json): Json =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => knownKeys.has(key)))

/** Parses `position_json` of a body and checks that it is a JSON object. */
export const readPositions = (text: string | null | undefined): Json | null =>
  text ? parseField(text, 'position_json') : null

/** Sets the uuid of each chart in a layout. */
export function withUuids(positions: Json, uuids: ReadonlyMap<number, string>): Json {
  const entries = Object.entries(positions).map(([key, node]): [string, unknown] => {
    const [chart] = listChartNodes({ node })
    const uuid = chart && uuids.get(chart.chartId)
    return [key, uuid === undefined ? node : { ...(node as Json), meta: { ...chart?.meta, uuid } }]
  })
  return Object.fromEntries(entries)
}

const pickCharts = (value: unknown, charts: ReadonlySet<number>): Json =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([id]) => charts.has(Number(id)))) : {}

function filterScopes(value: unknown, charts: ReadonlySet<number>): Json {
  const filterImmune = (scope: unknown): unknown => {
    if (!isObject(scope)) return scope
    const { immune } = scope
    return Array.isArray(immune) ? { ...scope, immune: immune.filter((id) => charts.has(Number(id))) } : scope
  }
  return Object.fromEntries(
    Object.entries(pickCharts(value, charts)).map(([id, columns]) => [
      id,
      isObject(columns)
        ? Object.fromEntries(Object.entries(columns).map(([name, scope]) => [name, filterImmune(scope)]))
        : columns,
    ]),
  )
}

const defaultFilters = (text: unknown, charts: ReadonlySet<number>): string => {
  try {
    return JSON.stringify(pickCharts(parseExactJson(typeof text === 'string' && text !== '' ? text : '{}'), charts))
  } catch {
    return '{}'
  }
}

/**
 * Metadata to store: the sent metadata without its layout, with the keys that a PUT without them resets.
 * @param charts  ids of the charts that the sent layout shows; null when none was sent, so that nothing is removed
 */
export function storedMetadata(sent: Json, charts: ReadonlySet<number> | null): Json {
  const { positions: _, color_namespace, ...metadata } = sent
  return {
    timed_refresh_immune_slices: [],
    ...metadata,
    ...(color_namespace !== undefined && color_namespace !== null && { color_namespace }),
    expanded_slices: sent['expanded_slices'] ?? {},
    refresh_frequency: sent['refresh_frequency'] ?? 0,
    color_scheme: sent['color_scheme'] ?? '',
    label_colors: sent['label_colors'] ?? {},
    shared_label_colors: sent['shared_label_colors'] ?? {},
    color_scheme_domain: sent['color_scheme_domain'] ?? [],
    cross_filters_enabled: sent['cross_filters_enabled'] ?? true,
    ...(charts && {
      default_filters: defaultFilters(sent['default_filters'], charts),
      ...(sent['filter_scopes'] !== undefined && { filter_scopes: filterScopes(sent['filter_scopes'], charts) }),
    }),
  }
}
