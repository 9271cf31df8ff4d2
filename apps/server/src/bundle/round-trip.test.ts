import { fileURLToPath } from 'node:url'
import { type Bundle, bundleFolders, ownerOfOtherFields, readFolder, sourceOf, splitDocument } from '@parquetry/bundle'
import { expect, it } from 'vitest'
import { loadPrincipal } from '../access/load-principal.ts'
import { accessConditions } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { and } from '../store/conditions.ts'
import type { Store } from '../store/open.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { BundleBuilder } from './bundle-builder.ts'
import { FolderSession } from './folder-session.ts'
import { importBundle } from './import-bundle.ts'

type Document = Record<string, unknown>

const fixture = 'packages/testing/reference/bundles/6.1.0/dashboard'
const at = '2026-01-01T00:00:00.000'

/** An export of all dashboards with what they need. */
async function exportAll({ app, deps }: TestServer): Promise<Bundle> {
  const admin = await deps.db.selectFrom('user').selectAll().where('username', '=', 'admin').executeTakeFirstOrThrow()
  const context = readContext(app, await loadPrincipal(deps.db, admin))
  const files: Bundle['files'] = new Map()
  const builder = new BundleBuilder(context, files)
  const dashboards = await deps.db
    .selectFrom('dashboard')
    .selectAll()
    .where(and(accessConditions({ kind: 'dashboard' }, context)))
    .orderBy('id')
    .execute()
  for (const dashboard of dashboards) await builder.addDashboard(dashboard)
  return { metadata: await builder.finish('Dashboard', new Date(0)), files }
}

const load = (server: TestServer, bundle: Bundle) =>
  importBundle(server.deps.db, bundle, { authorId: null, at, overwrite: true })

const isEmpty = (document: Document): boolean => Object.keys(document).length === 0
const later = { kept: [1, null] }

/** Adds fields that neither this product nor Superset 6.1 knows. */
function addOtherFields(path: string, document: Document): Document {
  if (path === 'tags.yaml') return document
  const { extra, columns, metrics } = document as { extra?: object; columns?: object[]; metrics?: object[] }
  return {
    later,
    ...document,
    ...(path.startsWith('databases/') && { extra: { later, ...extra } }),
    ...(columns && { columns: columns.map((column) => ({ later, ...column })) }),
    ...(metrics && { metrics: metrics.map((metric) => ({ ...metric, later })) }),
  }
}

/** Fields that Superset refuses, wherever they are in the bundle, by the kind and UUID of their object. */
function listOtherFields({ files }: Bundle): Document {
  const found: [string, unknown][] = []
  for (const [path, document] of files) {
    const owner = ownerOfOtherFields(path)
    const { others } = splitDocument(path, document)
    const { uuid, ...fields } = owner === undefined ? { uuid: document['uuid'], ...others } : document
    if (!isEmpty(fields)) found.push([`${(owner ?? path).split('/')[0]} ${String(uuid)}`, fields])
  }
  return Object.fromEntries(found)
}

const others = [...testStores].reverse()

it.each(testStores.map(([name, store], index) => [name, store, others[index]![1]] as const))(
  'API-091: what was imported into an empty store on %s leaves it, and another store, unchanged',
  async (_name, store, otherStore) => {
    const [first, second] = [await startTestServer({ store }), await startTestServer({ store: otherStore })]
    try {
      const received = await readFolder(fixture)
      // Files of the server's machine are refused by default.
      for (const [path, document] of received.files)
        if (path.startsWith('databases/')) received.files.set(path, { ...document, sqlalchemy_uri: 'duckdb://' })
      for (const [path, document] of received.files) received.files.set(path, addOtherFields(path, document))
      await load(first, received)
      const exported = await exportAll(first)
      expect(listOtherFields(exported)).toEqual(listOtherFields(received))
      const refused = [...exported.files].filter(([path, one]) => !isEmpty(splitDocument(path, one).others))
      expect(refused).toEqual([])
      // Addresses and scripts that name objects by their id stay valid.
      const idsOf = ({ files }: Bundle, folder: string) =>
        [...files.keys()].flatMap((path) => (path.startsWith(folder) ? (/_(\d+)\.yaml$/.exec(path)?.[1] ?? []) : []))
      for (const folder of ['charts/', 'dashboards/'])
        expect(idsOf(exported, folder).toSorted()).toEqual(idsOf(received, folder).toSorted())
      await load(second, exported)
      expect(Object.fromEntries((await exportAll(second)).files)).toEqual(Object.fromEntries(exported.files))
      const again = await importBundle(second.deps.db, exported, { authorId: null, at, overwrite: true, preview: true })
      expect(again.plan.objects.filter(({ action }) => action !== 'use')).toEqual([])
      // Objects that are created later have ids of their own.
      const { files, metadata } = exported
      const [path, chart] = [...files].find(([name]) => name.startsWith('charts/'))!
      files.set('charts/another.yaml', { ...chart, uuid: '00000000-0000-4000-8000-000000000001' })
      await load(second, { metadata, files })
      const ids = await second.deps.db.selectFrom('chart').select('id').execute()
      expect(new Set(ids.map(({ id }) => Number(id))).size).toBe(idsOf(exported, 'charts/').length + 1)
      expect(path).toBeDefined()
    } finally {
      await first.close()
      await second.close()
    }
  },
)

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
/** Kinds that the examples do not have. */
const otherKinds: Record<string, Record<string, unknown>> = {
  'annotation_layers/a.yaml': {
    name: 'Releases',
    descr: null,
    annotations: [
      { short_descr: 'One', start_dttm: '2026-01-01T00:00:00', end_dttm: '2026-01-02T00:00:00', uuid: uuid(2) },
    ],
    uuid: uuid(1),
  },
  'css_templates/c.yaml': { template_name: 'Wide', css: '.a {}', uuid: uuid(3) },
  'themes/t.yaml': { theme_name: 'Corporate', json_data: { token: { colorPrimary: '#112233' } }, uuid: uuid(4) },
}

it('LIST-007, API-091: the examples and objects of all other kinds move from SQLite over the other store to SQLite', async () => {
  const received = await readFolder(examples)
  const [databaseUuid] = [...received.files].flatMap(([path, document]) =>
    path.startsWith('databases/') ? [document['uuid']] : [],
  )
  const query = { label: 'Flights', sql: 'select 1', schema: null, database_uuid: databaseUuid, uuid: uuid(5) }
  for (const [path, document] of Object.entries({
    ...otherKinds,
    'queries/q.yaml': query,
    'queries/same.yaml': { ...query, uuid: uuid(6) },
  }))
    received.files.set(path, document)
  const homes: { server: TestServer; store: Store; session: FolderSession }[] = []
  try {
    for (const [, place] of [testStores[0]!, testStores.at(-1)!, testStores[0]!]) {
      const server = await startTestServer({ store: place })
      const store = await server.openStoreAgain()
      const { db, settings } = server.deps
      const admin = await db.selectFrom('user').selectAll().where('username', '=', 'admin').executeTakeFirstOrThrow()
      const session = new FolderSession(store, settings, await loadPrincipal(db, admin))
      homes.push({ server, store, session })
    }
    const [first, ...next] = homes
    await first!.session.import(sourceOf({ ...received, metadata: { ...received.metadata, type: 'assets' } }), {})
    const exported = await first!.session.export()
    const kinds = new Set([...exported.files.keys()].map((path) => path.slice(0, path.indexOf('/'))))
    expect(kinds).toEqual(new Set(Object.keys(bundleFolders)))
    expect(exported.files.size).toBe(received.files.size)
    for (const { session } of next) {
      await session.import(sourceOf(exported), {})
      expect(Object.fromEntries((await session.export()).files)).toEqual(Object.fromEntries(exported.files))
      const { objects } = await session.plan(sourceOf(exported), {})
      expect(objects.filter(({ state }) => state !== 'same')).toEqual([])
    }
  } finally {
    for (const { server, store } of homes) {
      await store.close()
      await server.close()
    }
  }
})
