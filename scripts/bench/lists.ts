import Database from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '../../apps/web/journeys/product.ts'
import type { Workload } from './bench.ts'
import { type Client, createSignedInClient } from './client.ts'
import type { Figure } from './figure.ts'
import { median } from './measure.ts'

const viewer = 'bench-viewer'
const page = (number: number): string =>
  `/api/v1/dashboard/?q=(order_column:changed_on_delta_humanized,order_direction:desc,page:${number},page_size:25)`
const search =
  '/api/v1/dashboard/?q=(filters:!((col:dashboard_title,opr:title_or_slug,value:%27board%2077%27)),page_size:25)'

/** Inserts dashboards of one chart each directly into the store, all on one dataset that every Gamma user may read. */
export function fillStore(home: string, count: number): void {
  const store = new Database(join(home, 'parquetry.sqlite'))
  const at = '2026-01-01T00:00:00.000'
  const audited = { created_on: at, changed_on: at, created_by_fk: 1, changed_by_fk: 1 }
  const insert = createInsert(store)
  store.transaction(() => {
    const known = store.prepare("select id from dataset where table_name = 'bench'").get() as { id: number } | undefined
    const dataset = known?.id ?? insertDataset(insert, audited)
    const { n } = store.prepare('select count(*) as n from dashboard').get() as { n: number }
    for (let at_ = n; at_ < count; at_ += 1) {
      const minute = new Date(Date.UTC(2026, 0, 1) + at_ * 60_000).toISOString().slice(0, -1)
      const changed = { ...audited, changed_on: minute }
      const chart = insert('chart', {
        uuid: randomUUID(),
        slice_name: `chart ${at_}`,
        viz_type: 'pie',
        datasource_id: dataset,
        datasource_type: 'table',
        params: '{}',
        ...changed,
      })
      const dashboard = insert('dashboard', {
        uuid: randomUUID(),
        dashboard_title: `board ${at_}`,
        published: at_ % 10 === 0 ? 0 : 1,
        ...changed,
      })
      insert('dashboard_chart', { dashboard_id: dashboard, chart_id: chart })
    }
    if (!known) grantViewer(store, dataset)
  })()
  store.exec('analyze')
  store.close()
}

/** Inserts rows, with empty values where none are given. */
export function createInsert(store: Database.Database): Insert {
  const blanks: Record<string, Record<string, unknown>> = {}
  const prepared: Record<string, Database.Statement<unknown[]>> = {}
  return (table, given) => {
    const row = { ...(blanks[table] ??= buildBlankValues(store, table)), ...given }
    const names = Object.keys(row)
    const text = `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`
    return Number((prepared[text] ??= store.prepare<unknown[]>(text)).run(...Object.values(row)).lastInsertRowid)
  }
}

/** Empty values for the columns that are not nullable and have no default. */
function buildBlankValues(store: Database.Database, table: string): Record<string, unknown> {
  const columns = store.pragma(`table_info(${table})`) as {
    name: string
    type: string
    notnull: number
    dflt_value: unknown
    pk: number
  }[]
  const wanted = columns.filter(({ notnull, dflt_value, pk }) => notnull === 1 && dflt_value === null && pk === 0)
  return Object.fromEntries(wanted.map(({ name, type }) => [name, /int/i.test(type) ? 0 : '']))
}

export type Insert = (table: string, row: Record<string, unknown>) => number

function insertDataset(insert: Insert, audited: Record<string, unknown>): number {
  const database = insert('database', {
    uuid: randomUUID(),
    database_name: 'bench',
    backend: 'duckdb',
    sqlalchemy_uri: 'duckdb://',
    settings: '{}',
    extra: '{}',
    ...audited,
  })
  return insert('dataset', {
    uuid: randomUUID(),
    database_id: database,
    table_name: 'bench',
    schema: 'main',
    ...audited,
  })
}

/** Lets the role Gamma read the dataset: permissions of the costliest kind, through the charts of each dashboard. */
function grantViewer(store: Database.Database, dataset: number): void {
  const permission = store
    .prepare('insert into permission (name, view) values (?, ?)')
    .run('datasource_access', `[bench].[bench](id:${dataset})`).lastInsertRowid
  const role = store.prepare("select id from role where name = 'Gamma'").get() as { id: number }
  store.prepare('insert into role_permission (role_id, permission_id) values (?, ?)').run(role.id, permission)
}

/** Time of SQLite for the same page: only rows and count. */
function measureFloor(home: string, runs: number): number {
  const store = new Database(join(home, 'parquetry.sqlite'), { readonly: true })
  const rows = store.prepare('select * from dashboard order by changed_on desc limit 25')
  const count = store.prepare('select count(*) from dashboard')
  const times = Array.from({ length: runs }, () => {
    const begun = performance.now()
    rows.all()
    count.get()
    return performance.now() - begun
  })
  store.close()
  return median(times)
}

/** Median time of a GET request. */
export async function measureTimes(client: Client, path: string, runs: number): Promise<number> {
  const times: number[] = []
  for (let turn = -3; turn < runs; turn += 1) {
    const { ms, status, body } = await client.send('GET', path)
    if (status !== 200) throw new Error(`${path}: ${status} ${body.toString().slice(0, 300)}`)
    if (turn >= 0) times.push(ms)
  }
  return median(times)
}

/** The list of dashboards at 1,000 and at 100,000 of them, for an administrator and for a Gamma user. */
export const lists: Workload = async ({ runs }) => {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-lists-'))
  const env = { PARQUETRY_HOME: home, PARQUETRY_EXAMPLES: '0', PARQUETRY_LOG: 'warn' }
  const figures: Figure[] = []
  const repeats = runs * 2
  try {
    await (await startProduct({ home, env })).stop()
    const added = spawnSync(
      process.execPath,
      ['apps/cli/src/main.ts', 'user', 'add', viewer, '--role', 'Gamma', '--password', viewer],
      { env: { ...process.env, PARQUETRY_HOME: home }, encoding: 'utf8' },
    )
    if (added.status !== 0) throw new Error(added.stderr)
    for (const [count, budget] of [
      [1000, 3],
      [100_000, 10],
    ] as const) {
      fillStore(home, count)
      const product = await startProduct({ home, env })
      const size = count.toLocaleString('en')
      const common = {
        unit: 'ms',
        runs: repeats,
        floor: measureFloor(home, repeats),
        floorIs: 'SQLite, rows and count',
        budget,
      } as const
      const admin = await createSignedInClient(product.url, 'admin')
      const gamma = await createSignedInClient(product.url, viewer)
      figures.push(
        { name: `list of ${size}: administrator`, value: await measureTimes(admin, page(0), repeats), ...common },
        { name: `list of ${size}: Gamma`, value: await measureTimes(gamma, page(0), repeats), ...common },
        { name: `list of ${size}: page 30`, value: await measureTimes(gamma, page(30), repeats), ...common },
        { name: `list of ${size}: search`, value: await measureTimes(gamma, search, repeats), ...common },
      )
      await product.stop()
    }
    return figures
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
