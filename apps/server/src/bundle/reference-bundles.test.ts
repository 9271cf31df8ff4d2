import {
  acceptedFields as writtenFields,
  ownerOfOtherFields,
  readArchive,
  readFolder,
  writeArchive,
  type Bundle,
} from '@parquetry/bundle'
import { listChartNodes, type ImportSummary } from '@parquetry/model'
import { listReferenceBundles, readAcceptedFields, type AcceptedField } from '@parquetry/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { defaultConfig } from '../settings/config.ts'
import { testStores } from '../testing.ts'
import { toPortableDocument } from './portable-document.testing.ts'

type Json = Record<string, unknown>

/** A theme comes before the dashboard that uses it, which does not contain it in bundles of all objects. */
const order = ['theme', 'dashboard', 'database', 'dataset', 'chart', 'saved_query', 'assets']
const bundles = listReferenceBundles()
  .map((one) => ({ ...one, kind: one.name.split('/')[1]! }))
  .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))

/** Connections with passwords in bundles that ask for them. */
const secrets = {
  passwords: JSON.stringify({
    'databases/shop_pg.yaml': 'p',
    'databases/Old_MySQL.yaml': 'p',
    'databases/lab.yaml': 'p',
  }),
  ssh_tunnel_private_keys: JSON.stringify({ 'databases/Old_MySQL.yaml': 'k' }),
  ssh_tunnel_private_key_passwords: JSON.stringify({ 'databases/Old_MySQL.yaml': 'p', 'databases/lab.yaml': 'p' }),
}

/** UUIDs of the charts of a bundle by their ids in it. */
function chartsOf({ files }: Bundle): Map<number, string> {
  const found = new Map<number, string>()
  for (const [path, { uuid, position }] of files) {
    const id = /^charts\/.*_(\d+)\.yaml$/.exec(path)?.[1]
    if (id !== undefined) found.set(Number(id), String(uuid))
    for (const { chartId, meta } of listChartNodes((position ?? {}) as Json)) found.set(chartId, String(meta['uuid']))
  }
  return found
}

/** Documents of a bundle by UUID, in the form that is the same in all installations. */
const documentsOf = (bundle: Bundle): Record<string, Json> =>
  Object.fromEntries(
    [...bundle.files].flatMap(([path, document]) =>
      typeof document['uuid'] === 'string' && ownerOfOtherFields(path) === undefined
        ? [[document['uuid'], toPortableDocument(document, chartsOf(bundle))]]
        : [],
    ),
  )

const acceptedFields = readAcceptedFields()
const types: Record<string, (value: unknown) => boolean> = {
  String: (value) => typeof value === 'string',
  UUID: (value) => typeof value === 'string',
  Integer: (value) => Number.isInteger(value),
  Boolean: (value) => typeof value === 'boolean',
  Dict: (value) => typeof value === 'object',
  Nested: (value) => typeof value === 'object',
  List: (value) => Array.isArray(value),
}
/** Superset renames it, and reads its JSON text. */
const schemasForFiles = /schemas_allowed_for_(csv|file)_upload$/

/** Lists the fields of a document that the newest Superset release would reject. */
function listRefused(path: string, document: Json, fields = acceptedFields[path.split('/')[0]!]): string[] {
  if (!fields) return []
  const missing = Object.entries(fields).flatMap(([name, { required }]) =>
    required && !(name in document) ? [`${path}: ${name} is missing`] : [],
  )
  const refuse = (name: string, value: unknown, field: AcceptedField | undefined): string[] => {
    if (schemasForFiles.test(name)) return []
    if (!field) return [`${path}: ${name} is unknown`]
    if (value === null) return field.nullable ? [] : [`${path}: ${name} is null`]
    if (types[field.type]?.(value) === false) return [`${path}: ${name} is no ${field.type}`]
    if (Array.isArray(value) && field.items)
      return value.flatMap((item, index) => refuse(`${name}.${index}`, item, field.items))
    return field.fields ? listRefused(`${path}: ${name}`, value as Json, field.fields) : []
  }
  return [...missing, ...Object.entries(document).flatMap(([name, value]) => refuse(name, value, fields[name]))]
}

/** A recorded field in the notation of `packages/bundle/src/accepted-fields.ts`. */
const toNotation = ({ type, nullable, fields, items, values }: AcceptedField): unknown => {
  const suffix = nullable ? { nullable } : {}
  if (fields) return { fields: toNotations(fields), ...suffix }
  if (values) return { values: toNotation(values), ...suffix }
  return items ? { items: toNotation(items), ...suffix } : `${type}${nullable ? '?' : ''}`
}
const toNotations = (fields: Record<string, AcceptedField>): Json =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toNotation(field)]))

it('API-091: exports are written for the fields that were recorded of the newest Superset release', () => {
  const recorded = Object.entries(acceptedFields).map(([folder, fields]) => [folder, toNotations(fields)])
  expect(writtenFields).toEqual(Object.fromEntries(recorded))
})

describe.each(testStores)('bundles of other releases on %s', (_name, store) => {
  let lab: TestLab

  beforeAll(async () => {
    // The connections of the fixtures are SQLite files.
    lab = await startTestLab({
      store,
      settings: { config: { ...structuredClone(defaultConfig), PREVENT_UNSAFE_DB_CONNECTIONS: false } },
    })
  })
  afterAll(() => lab.close())

  const send = async (kind: string, bundle: Bundle, fields: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('formData', new Blob([new Uint8Array(await writeArchive(bundle, 'root'))]), 'bundle.zip')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const answer = await lab.server.as('admin').send('POST', `/api/v1/${kind}/import/`, {
      headers: { 'content-type': request.headers.get('content-type') ?? '', accept: 'application/json' },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    expect([answer.statusCode, answer.json()]).toEqual([200, expect.objectContaining({ message: 'OK' })])
    return answer.json<{ parquetry: ImportSummary }>().parquetry
  }
  const exportAgain = async (kind: string, { files }: Bundle): Promise<Bundle> => {
    if (kind === 'assets') return readArchive((await get('assets/export/')).rawPayload)
    const folder = kind === 'saved_query' ? 'queries' : `${kind}s`
    const uuids = [...files].flatMap(([path, { uuid }]) => (path.startsWith(`${folder}/`) ? [String(uuid)] : []))
    const rows = await lab.server.deps.db
      .selectFrom(kind as 'chart')
      .select('id')
      .where('uuid', 'in', uuids)
      .orderBy('id')
      .execute()
    const answer = await get(`${kind}/export/?q=!(${rows.map(({ id }) => id).join(',')})`)
    return readArchive(answer.rawPayload)
  }
  /** Charts of a bundle that query another dataset than theirs in their form or query context. */
  const listWrongSources = async ({ files }: Bundle): Promise<string[]> => {
    const datasets = await lab.server.deps.db.selectFrom('dataset').select(['id', 'uuid']).execute()
    const ids = new Map(datasets.map(({ id, uuid }) => [uuid, id]))
    return [...files].flatMap(([path, { params, query_context, dataset_uuid }]) => {
      if (!path.startsWith('charts/')) return []
      const id = ids.get(String(dataset_uuid))
      const form = params as { datasource: string }
      const context = JSON.parse(String(query_context ?? null)) as { datasource: Json; form_data: Json } | null
      const sources = [form.datasource, ...(context ? [`${context.datasource['id']}__table`] : [])]
      return sources.every((source) => source === `${id}__table`) ? [] : [path]
    })
  }
  const get = (path: string) => lab.server.as('admin').get(`/api/v1/${path}`)

  it.each(bundles)('API-091: $name imports, exports and imports again the same', async ({ name, path }) => {
    const kind = name.split('/')[1]!
    const bundle = await readFolder(path)
    await send(kind, bundle, { ...secrets, overwrite: 'true' })
    const exported = await exportAgain(kind, bundle)
    const sent = documentsOf(bundle)
    const found = documentsOf(exported)
    expect(Object.fromEntries(Object.keys(sent).map((uuid) => [uuid, found[uuid]]))).toEqual(sent)

    expect(await listWrongSources(exported)).toEqual([])
    expect([...exported.files].flatMap(([file, document]) => listRefused(file, document))).toEqual([])

    const again = await send(kind, bundle, { preview: 'true', overwrite: 'true' })
    const changes = again.objects.filter(({ state }) => state !== 'same' && state !== 'kept')
    expect(changes).toEqual([])
  })
})
