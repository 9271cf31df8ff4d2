import { type Bundle, readFolder } from '@parquetry/bundle'
import { expect, it } from 'vitest'
import { loadPrincipal } from '../access/load-principal.ts'
import { accessConditions } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { and } from '../store/conditions.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { BundleBuilder } from './bundle-builder.ts'
import { importBundle } from './import-bundle.ts'

const fixture = 'packages/testing/reference/bundles/6.1.0/dashboard'
const at = '2026-01-01T00:00:00.000'

/** An export of all dashboards with what they need. */
async function exportAll({ app, deps }: TestServer): Promise<Bundle> {
  const admin = await deps.db.selectFrom('user').selectAll().where('username', '=', 'admin').executeTakeFirstOrThrow()
  const context = readContext(app, await loadPrincipal(deps.db, admin))
  const builder = new BundleBuilder(context)
  const dashboards = await deps.db
    .selectFrom('dashboard')
    .selectAll()
    .where(and(accessConditions({ kind: 'dashboard' }, context)))
    .orderBy('id')
    .execute()
  for (const dashboard of dashboards) await builder.addDashboard(dashboard)
  return builder.build('Dashboard', new Date(0))
}

const load = (server: TestServer, bundle: Bundle) =>
  importBundle(server.deps.db, bundle, { authorId: null, at, overwrite: true })

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
      await load(first, received)
      const exported = await exportAll(first)
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
