import { isDeepStrictEqual } from 'node:util'
import { ownerOfOtherFields } from '@parquetry/bundle'
import type { Documents } from './archive.ts'

type Json = Record<string, unknown>

/**
 * Lists what a bundle lost on its way through another server: documents of the first bundle that are not in the second, and
 * fields with other values. Documents are matched by UUID, ids of charts and datasets by those of the same object. Fields that
 * only the second bundle has are new ones of that server, and no differences.
 * @param leftOut  paths that the other server never exports
 */
export function compareBundles(sent: Documents, returned: Documents, leftOut?: RegExp): string[] {
  const there = new Map([...returned.values()].map((document) => [document['uuid'], document]))
  const chartIds = mapChartIds(sent, there)
  return [...sent].flatMap(([path, document]) => {
    if (typeof document['uuid'] !== 'string' || ownerOfOtherFields(path) !== undefined) return []
    const other = there.get(document['uuid'])
    if (!other) return leftOut?.test(path) ? [] : [`${path}: is missing`]
    return listDifferences(document, other, '', chartIds).map((text) => `${path}: ${text}`)
  })
}

/** Ids of charts in layouts: id sent -> id returned. */
function mapChartIds(sent: Documents, there: ReadonlyMap<unknown, Json>): Map<string, string> {
  const listIds = (document: Json | undefined): Map<unknown, unknown> =>
    new Map(
      Object.values((document?.['position'] ?? {}) as Record<string, { meta?: Json } | undefined>).flatMap((node) =>
        node?.meta?.['uuid'] ? [[node.meta['uuid'], node.meta['chartId']] as const] : [],
      ),
    )
  return new Map(
    [...sent.values()].flatMap((document) => {
      const returnedIds = listIds(there.get(document['uuid']))
      return [...listIds(document)].map(([uuid, id]) => [String(id), String(returnedIds.get(uuid))] as const)
    }),
  )
}

/** Lists of ids, and objects with ids as names. Superset drops those of charts that are not in the bundle. */
const chartLists = new Set(['excluded', 'immune', 'timed_refresh_immune_slices'])
const keyedByCharts = new Set(['chart_configuration', 'expanded_slices', 'filter_scopes'])

/** Fields that some releases write as JSON text. */
const jsonTexts = new Set(['query_context', 'extra', 'template_params', 'currency'])
const parseText = (value: unknown): unknown => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value)

function listDifferences(sent: unknown, returned: unknown, path: string, ids: ReadonlyMap<string, string>): string[] {
  const name = path.split('.').at(-1) ?? ''
  if (jsonTexts.has(name) && (typeof sent === 'string' || typeof returned === 'string'))
    return listDifferences(parseText(sent), parseText(returned), `${path}.json`, ids)
  if (Array.isArray(sent) && Array.isArray(returned)) {
    const mapped = chartLists.has(name)
      ? sent.flatMap((id) => (ids.has(String(id)) ? Number(ids.get(String(id))) : []))
      : sent
    if (['metrics', 'columns'].includes(path))
      return listNamedDifferences(mapped as Json[], returned as Json[], path, ids)
    if (mapped.length !== returned.length) return [`${path}: ${JSON.stringify(sent)} -> ${JSON.stringify(returned)}`]
    return mapped.flatMap((value, index) => listDifferences(value, returned[index], `${path}.${index}`, ids))
  }
  if (isObject(sent) && isObject(returned))
    return Object.entries(sent).flatMap(([key, value]) => {
      // Superset derives it from `dataset_uuid`, and writes both names of this setting.
      if (key === 'datasource') return []
      if (path === '' && key === 'allow_csv_upload' && returned['allow_file_upload'] === value) return []
      if (keyedByCharts.has(name) && !ids.has(key)) return []
      // Superset computes them when it shows the dashboard.
      if (key === 'chartsInScope') return []
      // It replaces old filter charts, and keeps only annotations that refer to nothing.
      if (path === 'metadata' && ['filter_scopes', 'default_filters'].includes(key)) return []
      if (key === 'annotation_layers') return []
      const there = keyedByCharts.has(name) ? returned[String(ids.get(key))] : returned[key]
      return listDifferences(value, there, path === '' ? key : `${path}.${key}`, ids)
    })
  if (keyedByCharts.has(name) && isObject(sent)) return listDifferences(sent, {}, path, ids)
  if (
    (name === 'chartId' || path.startsWith('metadata.chart_configuration')) &&
    ids.get(String(sent)) === String(returned)
  )
    return []
  if (isDeepStrictEqual(sent, returned) || (sent === null && returned === undefined)) return []
  return [`${path}: ${JSON.stringify(sent)} -> ${JSON.stringify(returned)}`]
}

/** Superset writes metrics and columns in any order. */
function listNamedDifferences(
  sent: Json[],
  returned: Json[],
  path: string,
  ids: ReadonlyMap<string, string>,
): string[] {
  const nameOf = (one: Json): unknown => one['metric_name'] ?? one['column_name']
  return sent.flatMap((one) => {
    const other = returned.find((each) => nameOf(each) === nameOf(one))
    if (!other) return [`${path}: ${String(nameOf(one))} is missing`]
    return listDifferences(one, other, `${path}.${String(nameOf(one))}`, ids)
  })
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
