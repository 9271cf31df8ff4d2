import { createHash, randomBytes } from 'node:crypto'
import { constants, copyFileSync, existsSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from './settings/settings.ts'
import { seedRoles } from './security/seed-roles.ts'
import { addUser } from './security/users.ts'
import { migrate } from './store/migrate.ts'
import { openSqlite, type Store } from './store/open.ts'
import type { ListenerLimits } from './store/change-listener.ts'
import type { PostgresLimits } from './store/open-postgres.ts'

/** Users of every test server; the password is the name. */
const users = {
  admin: ['Admin'],
  alpha: ['Alpha'],
  gamma: ['Gamma'],
  sqllab: ['Gamma', 'sql_lab'],
  publicuser: ['Public'],
} as const
export type TestUser = keyof typeof users

/** Fills a store as after a first start, with the test users. */
async function fill(store: Store): Promise<void> {
  await migrate(store, async () => {})
  const { config } = await readSettings({}, { home: tmpdir() })
  await seedRoles(store.db, config)
  for (const [username, roles] of Object.entries(users)) {
    const named = username === 'admin' ? { first_name: 'Ada', last_name: 'Admin', email: 'admin@example.com' } : {}
    await addUser(store.db, { username, password: username, roles: [...roles], ...named }, new Date())
  }
}

/**
 * Creates the template once per run, in the run's folder. Two test files that start together both create it, with the same
 * content.
 */
async function sqliteTemplate(): Promise<string> {
  const path = join(tmpdir(), 'template.sqlite')
  if (existsSync(path)) return path
  const made = join(mkdtempSync(join(tmpdir(), 'template-')), 'template.sqlite')
  const store = await openSqlite(made)
  await fill(store)
  await store.copyTo?.(`${made}.whole`)
  await store.close()
  renameSync(`${made}.whole`, path)
  return path
}

/** The name is unique per run, because a PostgreSQL server may outlive the run. */
const templateName = (): string => `template_${createHash('sha256').update(tmpdir()).digest('hex').slice(0, 16)}`

async function asAdmin<T>(
  address: string,
  work: (query: (sql: string) => Promise<unknown[]>) => Promise<T>,
): Promise<T> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return await work(async (sql) => (await client.query(sql)).rows)
  } finally {
    await client.end()
  }
}

const inDatabase = (address: string, name: string): string =>
  Object.assign(new URL(address), { pathname: `/${name}` }).href

/** Creates a database from the template, which the first caller creates while the others wait. */
async function postgresCopy(address: string, name: string): Promise<void> {
  const template = templateName()
  const lock = Number.parseInt(template.slice(-7), 16)
  await asAdmin(address, async (query) => {
    await query(`select pg_advisory_lock(${lock})`)
    const known = await query(`select 1 from pg_database where datname = '${template}'`)
    if (known.length === 0) {
      await query(`create database ${template}`)
      const { openPostgres } = await import('./store/open-postgres.ts')
      const store = await openPostgres(inDatabase(address, template))
      await fill(store)
      await store.close()
    }
    await query(`create database ${name} template ${template} strategy file_copy`)
  })
}

/** Drops the template at the end of the run that created it. */
export const dropTemplate = (address: string): Promise<unknown> =>
  asAdmin(address, (query) => query(`drop database if exists ${templateName()}`))

export interface TestStore {
  store: Store
  /** Opens it once more, as another process does. */
  openAgain(): Promise<Store>
  drop(): Promise<unknown>
}

/** On a busy machine, PostgreSQL may need more than a second to answer. Until it does, nothing is read from memory. */
const patientListener: Partial<ListenerLimits> = { silentMs: 20_000 }

/**
 * Opens a separate store, ready to serve.
 * @param store  `sqlite` for a file in the home; the URL of a PostgreSQL server for a database there
 * @param limits  limits of a server, when they must be short
 */
export async function openTestStore(
  store: string,
  home: string,
  limits: Partial<PostgresLimits> = { listener: patientListener },
): Promise<TestStore> {
  if (store === 'sqlite') {
    const path = join(home, 'parquetry.sqlite')
    copyFileSync(await sqliteTemplate(), path, constants.COPYFILE_FICLONE)
    return { store: await openSqlite(path), openAgain: () => openSqlite(path), drop: async () => {} }
  }
  const name = `test_${randomBytes(6).toString('hex')}`
  await postgresCopy(store, name)
  const { openPostgres } = await import('./store/open-postgres.ts')
  const openAgain = () => openPostgres(inDatabase(store, name), limits)
  return {
    store: await openAgain(),
    openAgain,
    drop: () => asAdmin(store, (query) => query(`drop database ${name} with (force)`)),
  }
}
