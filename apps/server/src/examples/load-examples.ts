import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFolder, type Bundle } from '@parquetry/bundle'
import type { ExampleProgress } from '@parquetry/model'
import type { Logger } from 'pino'
import type { ConnectionDeps } from '../connection/deps.ts'
import { embeddedRow } from '../connection/embedded-table.ts'
import { importBundle } from '../bundle/import-bundle.ts'
import { exampleSource } from './sources.ts'

const folder = fileURLToPath(new URL('../../examples/', import.meta.url))
const loadedKey = 'examples'

export interface ExamplesDeps extends ConnectionDeps {
  log: Logger
}

/**
 * Loads the example dashboards once per store: writes their tables into the embedded database, then imports the bundle in one
 * transaction. Later starts do not restore examples that users changed or deleted. An interrupted load continues at the next
 * start. Never throws: errors are logged, and the next start tries again.
 */
export async function loadExamples(deps: ExamplesDeps, progress: ExampleProgress, signal: AbortSignal): Promise<void> {
  if (await isLoaded(deps)) {
    progress.state = 'ready'
    return
  }
  progress.state = 'loading'
  try {
    const bundle = await readFolder(folder)
    const databaseId = await importBundleDatabase(bundle, deps)
    await loadTables(bundle, databaseId, deps, progress, signal)
    await importBundle(deps.db, await withoutTakenSlugs(bundle, deps), createImportOptions(deps))
    await markLoaded(deps)
    progress.state = 'ready'
    deps.log.info({ tables: progress.of }, 'examples loaded')
  } catch (error) {
    progress.state = 'failed'
    if (!signal.aborted) deps.log.error({ err: error }, 'could not load the examples; the next start will try again')
  }
}

const currentStoredTime = (deps: ExamplesDeps): string => deps.now().toISOString().slice(0, -1)
const createImportOptions = (deps: ExamplesDeps) => ({ authorId: null, at: currentStoredTime(deps), overwrite: true })

async function isLoaded({ db }: ExamplesDeps): Promise<boolean> {
  const row = await db
    .selectFrom('key_value')
    .select('key')
    .where('key', '=', loadedKey)
    .where('resource', '=', 'parquetry')
    .executeTakeFirst()
  return row !== undefined
}

async function markLoaded(deps: ExamplesDeps): Promise<void> {
  const timestamp = currentStoredTime(deps)
  await deps.db
    .insertInto('key_value')
    .values({
      key: loadedKey,
      resource: 'parquetry',
      value: '1',
      user_id: null,
      created_on: timestamp,
      changed_on: timestamp,
      expires_at: null,
    })
    .execute()
}

/** Imports the database first because its tables are stored under its id. */
async function importBundleDatabase(bundle: Bundle, deps: ExamplesDeps): Promise<number> {
  const files = new Map([...bundle.files].filter(([path]) => path.startsWith('databases/')))
  await importBundle(deps.db, { ...bundle, files }, createImportOptions(deps))
  const [document] = files.values()
  const row = await deps.db
    .selectFrom('database')
    .select('id')
    .where('uuid', '=', String(document?.['uuid']))
    .executeTakeFirstOrThrow()
  return row.id
}

async function loadTables(
  bundle: Bundle,
  databaseId: number,
  deps: ExamplesDeps,
  progress: ExampleProgress,
  signal: AbortSignal,
): Promise<void> {
  const database = await deps.db
    .selectFrom('database')
    .select('uuid')
    .where('id', '=', databaseId)
    .executeTakeFirstOrThrow()
  const targetFolder = join(deps.settings.home, 'data', database.uuid)
  mkdirSync(targetFolder, { recursive: true, mode: 0o700 })
  const tables = [...bundle.files.values()].flatMap((document) => {
    const [scheme, file] = String(document['data'] ?? '').split(':')
    const source = scheme === 'examples' && file ? exampleSource(file) : undefined
    return source ? [{ name: String(document['table_name']), source }] : []
  })
  const existing = await deps.db
    .selectFrom('embedded_table')
    .select('name')
    .where('database_id', '=', databaseId)
    .execute()
  progress.of = tables.length
  progress.done = 0
  for (const { name, source } of tables) {
    if (!existing.some((table) => table.name === name)) {
      const table = { name, file: `${name}.1.duckdb`, version: 1, format: 'duckdb' as const, table: 'data' }
      const { rows } = await deps.runners.load(targetFolder, table, source, signal)
      await deps.db.insertInto('embedded_table').values(embeddedRow(databaseId, table)).execute()
      deps.log.info({ table: name, rows }, 'example table loaded')
    }
    progress.done += 1
  }
}

/** Removes the slugs of examples that other dashboards already use. */
async function withoutTakenSlugs(bundle: Bundle, { db }: ExamplesDeps): Promise<Bundle> {
  const uuidBySlug = new Map(
    (await db.selectFrom('dashboard').select(['slug', 'uuid']).execute()).map(({ slug, uuid }) => [slug, uuid]),
  )
  const files = [...bundle.files].map(([path, document]): [string, Record<string, unknown>] => {
    const owner = uuidBySlug.get(String(document['slug'] ?? ''))
    return [path, owner !== undefined && owner !== document['uuid'] ? { ...document, slug: null } : document]
  })
  return { ...bundle, files: new Map(files) }
}
