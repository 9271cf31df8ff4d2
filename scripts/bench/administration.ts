import Database from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { subjectId } from '@parquetry/model'
import { startProduct, waitForExamples } from '../../apps/web/journeys/product.ts'
import type { Workload } from './bench.ts'
import { type Client, createSignedInClient } from './client.ts'
import type { Figure } from './figure.ts'
import { createInsert, measureTimes } from './lists.ts'
import { median } from './measure.ts'

const counts = { users: 10_000, roles: 500, groups: 100, rules: 1000 }

/** Adds users, each with two roles and a group, and rules, each on one dataset, for a role, a group and a user. */
function fillStore(home: string): { user: number; role: number; group: number } {
  const store = new Database(join(home, 'parquetry.sqlite'))
  const insert = createInsert(store)
  const time = '2026-01-01T00:00:00.000'
  const audit = { created_on: time, changed_on: time }
  const list = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index))
  const first = store.transaction(() => {
    const permissions = store.prepare('select id from permission').pluck().all() as number[]
    const datasets = store.prepare('select id, database_id, "schema", table_name from dataset').all() as {
      id: number
      database_id: number
      schema: string | null
      table_name: string
    }[]
    const roleIds = list(counts.roles, (n) => {
      const id = insert('role', { uuid: randomUUID(), name: `Team ${n}`, ...audit })
      for (let at = 0; at < 20; at += 1)
        insert('role_permission', { role_id: id, permission_id: permissions[(n * 7 + at) % permissions.length] })
      return id
    })
    const groupIds = list(counts.groups, (n) =>
      insert('user_group', { uuid: randomUUID(), name: `group ${n}`, label: `Group ${n}`, ...audit }),
    )
    const userIds = list(counts.users, (n) => {
      const name = { username: `user${n}`, first_name: `First${n}`, last_name: `Last${n % 100}`, active: 1 }
      const id = insert('user', { uuid: randomUUID(), ...name, email: `user${n}@example.com`, ...audit })
      for (const offset of [0, 1]) insert('user_role', { user_id: id, role_id: roleIds[(n + offset) % roleIds.length] })
      insert('user_group_member', { group_id: groupIds[n % groupIds.length], user_id: id })
      insert('user_attribute', { user_id: id, name: 'region', value: `region ${n % 50}` })
      return id
    })
    list(counts.rules, (n) => {
      const rule = { name: `Rule ${n}`, filter_type: 'Regular', clause: '1 = 1', is_checked: 1 }
      const row_rule_id = insert('row_rule', { uuid: randomUUID(), ...rule, ...audit })
      const { id, table_name, schema, database_id } = datasets[n % datasets.length]!
      insert('row_rule_dataset', { row_rule_id, dataset_id: id })
      insert('row_rule_table', { row_rule_id, database_id, schema, table_name, catalog: null })
      insert('row_rule_role', { row_rule_id, role_id: roleIds[n % roleIds.length] })
      insert('row_rule_group', { row_rule_id, group_id: groupIds[n % groupIds.length] })
      insert('row_rule_user', { row_rule_id, user_id: userIds[n] })
    })
    return { user: userIds[77]!, role: roleIds[77]!, group: groupIds[77]! }
  })()
  store.exec('analyze')
  store.close()
  return first
}

/** Median time of a query of one row, which is not cached. */
async function measureChartData(client: Client, runs: number): Promise<number> {
  const found = await client.json<{ result: { id: number }[] }>(
    'GET',
    `/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:penguins)))`,
  )
  const datasource = { id: found.result[0]!.id, type: 'table' }
  const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }
  const body = { datasource, queries: [{ columns: [], metrics: [count] }], force: true }
  const times: number[] = []
  for (let turn = -3; turn < runs; turn += 1) {
    const { ms, status } = await client.send('POST', '/api/v1/chart/data', { body })
    if (status !== 200) throw new Error(`chart data: ${status}`)
    if (turn >= 0) times.push(ms)
  }
  return median(times)
}

/** Lists of users, roles, groups and row-level security rules of a large company, and a chart with its rules. */
export const administration: Workload = async ({ runs }) => {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-administration-'))
  const env = { PARQUETRY_HOME: home, PARQUETRY_LOG: 'warn' }
  const repeats = runs * 2
  try {
    const small = await startProduct({ home, env })
    await waitForExamples(small.url)
    const floor = await measureChartData(await createSignedInClient(small.url, 'admin'), repeats)
    await small.stop()
    const { user, role, group } = fillStore(home)
    const product = await startProduct({ home, env })
    const admin = await createSignedInClient(product.url, 'admin')
    const subject = subjectId('group', group)
    const filterBy = (col: string, opr: string, value: string | number) =>
      `?q=(filters:!((col:${col},opr:${opr},value:${typeof value === 'string' ? `%27${value}%27` : value})),page_size:25)`
    const paths: Record<string, string> = {
      users: '/api/v1/security/users/?q=(order_column:username,page_size:25)',
      'users: page 300': '/api/v1/security/users/?q=(order_column:username,page:300,page_size:25)',
      'users: search': `/api/v1/security/users/${filterBy('username', 'ct', 'user77')}`,
      'users: of a role': `/api/v1/security/users/${filterBy('roles', 'rel_m_m', role)}`,
      roles: '/api/v1/security/roles/?q=(order_column:name,page_size:25)',
      'roles: search': `/api/v1/security/roles/${filterBy('name', 'ct', 'm%2077')}`,
      'roles: of a user': `/api/v1/security/roles/search/?q=(filters:!((col:user_ids,value:${user})),page_size:25)`,
      groups: '/api/v1/security/groups/?q=(order_column:name,page_size:25)',
      rules: '/api/v1/rowlevelsecurity/?q=(page_size:25)',
      'rules: search': `/api/v1/rowlevelsecurity/${filterBy('name', 'rls_all_text', 'rule%2077')}`,
      'rules: of a group': `/api/v1/rowlevelsecurity/${filterBy('subjects', 'rel_m_m', subject)}`,
      subjects: '/api/v1/rowlevelsecurity/related/subjects?q=(page_size:100)',
      'subjects: search': '/api/v1/rowlevelsecurity/related/subjects?q=(filter:first777,page_size:100)',
    }
    const common = { unit: 'ms', runs: repeats } as const
    const figures: Figure[] = []
    for (const [name, path] of Object.entries(paths))
      figures.push({
        name: `large company: ${name}`,
        value: await measureTimes(admin, path, repeats),
        budget: 10,
        ...common,
      })
    figures.push({
      name: 'large company: chart data with 1,000 rules',
      value: await measureChartData(admin, repeats),
      floor,
      floorIs: 'without rules and users',
      budget: floor * 1.2,
      ...common,
    })
    await product.stop()
    return figures
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
