import { type BundleSource, ownerOfOtherFields } from '@parquetry/bundle'
import { type BundledKind, bundledKinds, listChartNodes, parseJsonObject, toPlainText } from '@parquetry/model'
import { createHash } from 'node:crypto'
import { kindInfo, kindOfPath } from './bundled-kinds.ts'
import { createFieldReader } from './fields.ts'
import type { NeededObject } from './find-needed.ts'
import { listDrawn } from './remap-form.ts'

type Document = Record<string, unknown>

/** An object of a bundle, before its contents are read. */
export interface BundledObject {
  path: string
  kind: BundledKind
  uuid: string
  name: string
  /** Kind and UUID of the objects that it needs: `ImportedObject.needs`, whether or not the bundle contains them. */
  needs: readonly string[]
  /** The file with its fields that Superset refuses. */
  othersPath?: string
}

/** The objects of a bundle in the order in which they are imported, and how they refer to each other by ids of another store. */
export interface BundleIndex {
  objects: BundledObject[]
  /** UUID by id in the other store. */
  charts: Map<number, string>
  layers: Map<number, string>
  /** Id in the other store by kind and UUID, as far as the bundle tells. */
  sourceIds: Map<string, number>
  /** Objects that exist here, for bundles that need not be complete. */
  needed?: readonly NeededObject[]
}

/** Old exports have no UUIDs: one is derived from what names the object, so that importing again finds it. */
export function deriveUuid(kind: BundledKind, ...names: unknown[]): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([kind, ...names]))
    .digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const identityOf = (kind: BundledKind, document: Document, path: string): string => {
  const fields = createFieldReader(document, path)
  const uuid = fields.text('uuid')?.trim().toLowerCase()
  if (uuid && uuidPattern.test(uuid)) return uuid
  if (uuid) return deriveUuid(kind, uuid)
  if (kind === 'dataset')
    return deriveUuid(
      kind,
      document['database_uuid'] ?? document['database_name'] ?? null,
      document['schema'] ?? null,
      document['table_name'],
    )
  if (kind === 'database') return deriveUuid(kind, document['database_name'])
  return deriveUuid(kind, path)
}

/** Key of an object in `BundledObject.needs`. */
export const objectKey = ({ kind, uuid }: Pick<BundledObject, 'kind' | 'uuid'>): string => `${kind} ${uuid}`

/** Kinds without which an object cannot be imported. */
const neededKinds: Partial<Record<BundledKind, 'database' | 'dataset'>> = {
  dataset: 'database',
  saved_query: 'database',
  chart: 'dataset',
}

const listNeeds = (kind: BundledKind, document: Document, charts: readonly string[]): string[] => {
  if (kind === 'dashboard') return charts.map((uuid) => objectKey({ kind: 'chart', uuid }))
  const needed = neededKinds[kind]
  const byName = needed === 'database' ? document['database_name'] : null
  const uuid = needed && (document[`${needed}_uuid`] ?? (byName && deriveUuid(needed, byName)))
  return needed && typeof uuid === 'string' ? [objectKey({ kind: needed, uuid })] : []
}

const idInPath = /_(\d{1,15})\.ya?ml$/

/** Files in `other_fields` by the kind and UUID of their objects, whose own files may have other names. */
async function findOtherFields(source: BundleSource): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const path of source.paths) {
    const kind = kindOfPath(ownerOfOtherFields(path) ?? '')
    if (kind === undefined) continue
    const { uuid } = await source.read(path)
    found.set(objectKey({ kind, uuid: toPlainText(uuid) }), path)
  }
  return found
}

/** Limits of what is kept of documents that do not fit into memory together: ids of one chart, and of all layouts. */
const [maxDrawn, maxChartIds] = [1000, 100_000]

/** Reads every document once. @throws AppError `unprocessable` for a UUID or name of the wrong type */
export async function indexBundle(
  source: BundleSource,
  onRead: (done: number) => void | Promise<void> = () => undefined,
): Promise<BundleIndex> {
  const index: BundleIndex = { objects: [], charts: new Map(), layers: new Map(), sourceIds: new Map() }
  /** Ids of drawn charts by the UUID of the chart that draws them. */
  const drawn = new Map<string, number[]>()
  const others = await findOtherFields(source)
  let done = 0
  for (const path of source.paths) {
    const kind = kindOfPath(path)
    if (kind === undefined) continue
    const document = await source.read(path)
    const uuid = identityOf(kind, document, path)
    const form = kind === 'chart' ? parseJsonObject(document['params']) : {}
    const name = createFieldReader(document, path).text(kindInfo[kind].name) ?? ''
    const id = idInPath.exec(path)?.[1]
    if (id !== undefined && kind !== 'dataset' && kind !== 'database' && kind !== 'saved_query')
      index.sourceIds.set(`${kind} ${uuid}`, Number(id))
    const datasetId = kind === 'chart' ? /^(\d{1,15})__table$/.exec(toPlainText(form['datasource'])) : null
    if (datasetId) index.sourceIds.set(`dataset ${toPlainText(document['dataset_uuid'])}`, Number(datasetId[1]))
    if (id !== undefined && kind === 'chart') index.charts.set(Number(id), uuid)
    if (id !== undefined && kind === 'annotation_layer') index.layers.set(Number(id), uuid)
    const draws = [...new Set(listDrawn(form).charts)].slice(0, maxDrawn)
    if (draws.length > 0) drawn.set(uuid, draws)
    const shown: string[] = []
    if (kind === 'dashboard')
      for (const { meta, chartId } of listChartNodes(createFieldReader(document, path).object('position'))) {
        if (typeof meta['uuid'] !== 'string' || index.charts.size >= maxChartIds) continue
        index.charts.set(chartId, meta['uuid'])
        shown.push(meta['uuid'])
      }
    const needs = listNeeds(kind, document, [...new Set(shown)])
    const othersPath = others.get(objectKey({ kind, uuid }))
    index.objects.push({ path, kind, uuid, name, needs, ...(othersPath !== undefined && { othersPath }) })
    await onRead(++done)
  }
  index.objects = bundledKinds.flatMap((kind) => {
    const objects = index.objects.filter((object) => object.kind === kind)
    return kind === 'chart'
      ? orderCharts(objects, (uuid) => (drawn.get(uuid) ?? []).map((id) => index.charts.get(id)))
      : objects
  })
  return index
}

/** Charts in longer chains keep their order. */
const maxDepth = 100

/** Charts after those that they draw; of charts that draw each other, one comes first. */
function orderCharts(charts: BundledObject[], listDrawn: (uuid: string) => (string | undefined)[]): BundledObject[] {
  const byUuid = new Map(charts.map((chart) => [chart.uuid, chart]))
  const ordered = new Set<BundledObject>()
  const visited = new Set<BundledObject>()
  const visit = (chart: BundledObject, depth = 0): void => {
    if (visited.has(chart) || depth > maxDepth) return
    visited.add(chart)
    for (const uuid of listDrawn(chart.uuid)) {
      const other = byUuid.get(uuid ?? '')
      if (other) visit(other, depth + 1)
    }
    ordered.add(chart)
  }
  for (const chart of charts) visit(chart)
  return [...ordered]
}
