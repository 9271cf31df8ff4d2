// `node scripts/superset/round-trip.ts [--record]`: exports the examples of this product, imports each bundle into the newest
// Superset release, exports it there again and prints what differs. Exits with 1 when a bundle is refused or loses something.
//   --record  writes the fields that the release accepts to packages/testing/reference/bundles/accepted-fields.json
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { readFolder, writeArchive } from '@parquetry/bundle'
import prepareHome from '../../apps/web/journeys/prepared-home.ts'
import { startProduct } from '../../apps/web/journeys/product.ts'
import { createAdminApi, type Api } from './api.ts'
import { readDocumentsOf } from './archive.ts'
import { compareBundles } from './compare.ts'
import { addObjects } from './product-objects.ts'
import { createObjects } from './objects.ts'
import { currentRelease } from './releases.ts'
import { startSuperset, type Superset } from './server.ts'

/** Kinds with the field of the form that holds the archive. Dashboards come before charts, which they contain. */
const kinds = {
  database: 'formData',
  dataset: 'formData',
  chart: 'formData',
  dashboard: 'formData',
  saved_query: 'formData',
  theme: 'formData',
  assets: 'bundle',
} as const
type Kind = keyof typeof kinds

const bundles = join(import.meta.dirname, '../../packages/testing/reference/bundles')
/** Superset's bundles of all objects lack other folders. */
const notInAssets = /^(?!(databases|datasets|charts|dashboards|queries)\/)/
const print = (text: string): void => void process.stdout.write(`${text}\n`)

const { values } = parseArgs({ options: { record: { type: 'boolean' } } })
const removeHome = await prepareHome()
// The connection of the fixture is a SQLite file.
const configFile = join(mkdtempSync(join(tmpdir(), 'parquetry-config-')), 'config.json')
writeFileSync(configFile, JSON.stringify({ PREVENT_UNSAFE_DB_CONNECTIONS: false }))
const product = await startProduct({ env: { PARQUETRY_CONFIG: configFile } })
const superset = await startSuperset(currentRelease)
let failed = 0
try {
  if (values.record) await recordFields(superset)
  await shiftIds(superset)
  const ours = await createAdminApi(product.url)
  await addObjects(ours)
  await importFixture(ours)
  for (const kind of Object.keys(kinds) as Kind[]) failed += await checkKind(kind, ours)
} finally {
  await superset.stop()
  await product.stop()
  rmSync(dirname(configFile), { recursive: true })
  removeHome()
}
process.exitCode = failed > 0 ? 1 : 0

/** @returns the number of failures */
async function checkKind(kind: Kind, ours: Api): Promise<number> {
  const sent = await exportAll(kind, ours)
  const { status, body } = await superset.api.upload(`${kind}/import/`, sent, { overwrite: 'true' }, kinds[kind])
  if (status !== 200) {
    print(`${kind}: ${status} ${JSON.stringify(body, undefined, 2)}\n${superset.log()}`)
    return 1
  }
  const returned = await exportAll(kind, superset.api)
  const differences = compareBundles(
    await readDocumentsOf(sent),
    await readDocumentsOf(returned),
    kind === 'assets' ? notInAssets : undefined,
  )
  print(`${kind}: imported, ${differences.length} differences`)
  for (const difference of differences) print(`  ${difference}`)
  return differences.length
}

/**
 * Creates objects in Superset, so that ids differ from those of our bundles. Its metadata in SQLite allow each name of a dataset
 * once, even in different databases, so these get other names.
 */
async function shiftIds(other: Superset): Promise<void> {
  await createObjects(other)
  const { result } = await other.api.call('GET', 'dataset/')
  for (const { id, table_name } of result as { id: number; table_name: string }[])
    await other.api.call('PUT', `dataset/${id}`, { table_name: `Another ${table_name}` })
}

/** Brings a dashboard that uses every place with ids, on a connection that Superset can use as well. */
async function importFixture(api: Api): Promise<void> {
  const bundle = await readFolder(join(bundles, '5.0.0/dashboard'))
  const { status, body } = await api.upload('dashboard/import/', await writeArchive(bundle, 'bundle'), {}, 'formData')
  if (status !== 200) throw new Error(`dashboard/import/: ${status} ${JSON.stringify(body)}`)
}

async function exportAll(kind: Kind, api: Api): Promise<Buffer> {
  if (kind === 'assets') return api.download('assets/export/')
  const { result } = await api.call('GET', `${kind}/?q=(page_size:100)`)
  const own = (result as { id: number; is_system?: boolean }[]).filter(({ is_system }) => is_system !== true)
  return api.download(`${kind}/export/?q=!(${own.map(({ id }) => id).join(',')})`)
}

async function recordFields({ release, runPython }: Superset): Promise<void> {
  const output = await runPython(readFileSync(join(import.meta.dirname, 'accepted_fields.py'), 'utf8'))
  const folders = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, Record<string, unknown>>
  writeFileSync(join(bundles, 'accepted-fields.json'), formatFields(release, folders))
}

/** One line per field. */
function formatFields(release: string, folders: Record<string, Record<string, unknown>>): string {
  const blocks = Object.entries(folders).map(([folder, fields]) => {
    const lines = Object.entries(fields).map(([name, field]) => `    ${JSON.stringify(name)}: ${JSON.stringify(field)}`)
    return `  ${JSON.stringify(folder)}: {\n${lines.join(',\n')}\n  }`
  })
  return `{\n"release": ${JSON.stringify(release)},\n"folders": {\n${blocks.join(',\n')}\n}}\n`
}
