// `node scripts/superset/round-trip.ts [--record]`: exports the examples of this product, imports each bundle into the newest
// Superset release, exports it there again and prints what differs. Exits with 1 when a bundle is refused or loses something.
//   --record  writes the fields that the release accepts to packages/testing/reference/bundles/accepted-fields.json
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
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

const recorded = join(import.meta.dirname, '../../packages/testing/reference/bundles/accepted-fields.json')
const print = (text: string): void => void process.stdout.write(`${text}\n`)

const { values } = parseArgs({ options: { record: { type: 'boolean' } } })
const removeHome = await prepareHome()
const product = await startProduct()
const superset = await startSuperset(currentRelease)
let failed = 0
try {
  if (values.record) await recordFields(superset)
  // Objects of its own, so that ids differ from those of our bundles.
  await createObjects(superset)
  const ours = await createAdminApi(product.url)
  await addObjects(ours)
  for (const kind of Object.keys(kinds) as Kind[]) failed += await checkKind(kind, ours)
} finally {
  await superset.stop()
  await product.stop()
  removeHome()
}
process.exitCode = failed > 0 ? 1 : 0

/** @returns the number of failures */
async function checkKind(kind: Kind, ours: Api): Promise<number> {
  const sent = await exportAll(kind, ours)
  if (!sent) {
    print(`${kind}: not exported by this product`)
    return 0
  }
  const { status, body } = await superset.api.upload(`${kind}/import/`, sent, { overwrite: 'true' }, kinds[kind])
  if (status !== 200) {
    print(`${kind}: ${status} ${JSON.stringify(body, undefined, 2)}\n${superset.log()}`)
    return 1
  }
  const returned = await exportAll(kind, superset.api)
  const differences = compareBundles(await readDocumentsOf(sent), await readDocumentsOf(returned!))
  print(`${kind}: imported, ${differences.length} differences`)
  for (const difference of differences) print(`  ${difference}`)
  return differences.length
}

async function exportAll(kind: Kind, api: Api): Promise<Buffer | undefined> {
  if (kind === 'assets') return api.download('assets/export/').catch(() => undefined)
  const { result } = await api.call('GET', `${kind}/?q=(page_size:100)`)
  const own = (result as { id: number; is_system?: boolean }[]).filter(({ is_system }) => is_system !== true)
  return api.download(`${kind}/export/?q=!(${own.map(({ id }) => id).join(',')})`)
}

async function recordFields({ release, runPython }: Superset): Promise<void> {
  const output = await runPython(readFileSync(join(import.meta.dirname, 'accepted_fields.py'), 'utf8'))
  const folders = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, Record<string, unknown>>
  writeFileSync(recorded, formatFields(release, folders))
}

/** One line per field. */
function formatFields(release: string, folders: Record<string, Record<string, unknown>>): string {
  const blocks = Object.entries(folders).map(([folder, fields]) => {
    const lines = Object.entries(fields).map(([name, field]) => `    ${JSON.stringify(name)}: ${JSON.stringify(field)}`)
    return `  ${JSON.stringify(folder)}: {\n${lines.join(',\n')}\n  }`
  })
  return `{\n"release": ${JSON.stringify(release)},\n"folders": {\n${blocks.join(',\n')}\n}}\n`
}
