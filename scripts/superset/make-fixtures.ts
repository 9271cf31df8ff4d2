// `node scripts/superset/make-fixtures.ts [RELEASE...]`: starts each release of Superset, creates the objects of `objects.ts` in it
// and writes what it exports to packages/testing/reference/bundles/<release>/<kind>.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFiles } from './archive.ts'
import { createStableTexts } from './stable-texts.ts'
import { createObjects } from './objects.ts'
import { releases, type Release } from './releases.ts'
import { startSuperset, type Superset } from './server.ts'

const target = join(import.meta.dirname, '../../packages/testing/reference/bundles')
const kinds = ['chart', 'dashboard', 'database', 'dataset', 'saved_query', 'theme', 'assets'] as const

const chosen = releases.filter((release) => process.argv.length === 2 || process.argv.includes(release))
for (const release of chosen) await makeFixtures(release)

async function makeFixtures(release: Release): Promise<void> {
  const superset = await startSuperset(release)
  try {
    await createObjects(superset)
    rmSync(join(target, release), { recursive: true, force: true })
    const stableText = createStableTexts(release)
    for (const kind of kinds) {
      const archive = await exportKind(superset, kind)
      if (archive) writeFiles(join(target, release, kind), stableText(await readFiles(archive)))
    }
  } finally {
    await superset.stop()
  }
}

/**
 * Exports the objects of a kind; undefined when the release does not have the kind. Charts and datasets are all in the bundle of
 * dashboards, so their own bundles hold a few of them: two charts that refer to each other, and a query.
 */
async function exportKind({ api, release }: Superset, kind: (typeof kinds)[number]): Promise<Buffer | undefined> {
  if (kind === 'assets') return api.download('assets/export/')
  if (kind === 'theme' && !release.startsWith('6.')) return undefined
  const { ids } = await api.call('GET', `${kind}/?q=(page_size:100)`)
  const own = kind === 'theme' ? await listOwnThemes(api) : (ids as number[])
  const sorted = own.toSorted((a, b) => a - b)
  const few = kind === 'chart' ? sorted.slice(1, 3) : kind === 'dataset' ? sorted.slice(-1) : sorted
  return api.download(`${kind}/export/?q=!(${few.join(',')})`)
}

/** Superset adds themes of its own. */
async function listOwnThemes(api: Superset['api']): Promise<number[]> {
  const { result } = await api.call('GET', 'theme/')
  return (result as { id: number; is_system: boolean }[]).filter((theme) => !theme.is_system).map(({ id }) => id)
}

function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const full = join(folder, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
  }
}
