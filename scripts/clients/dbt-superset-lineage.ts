import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckContext, PublicClient } from './public-client.ts'
import { runProgram } from './run-program.ts'
import { dbtSupersetLineageTool } from './tools.ts'

const description = 'One row per flight, from the **dbt** project'

/** A dbt project with one model, which is the table of the dataset `flights`. */
const manifest = {
  sources: {},
  nodes: {
    'model.shop.flights': {
      unique_id: 'model.shop.flights',
      name: 'flights',
      schema: 'main',
      database: 'examples',
      description,
      columns: { delay: { name: 'delay', description: 'Minutes late on `arrival`' } },
    },
  },
}

/** Runs a command with an access token only, as the client does. */
async function runCommand({ program, folder, url }: CheckContext, command: string, ...args: string[]): Promise<void> {
  const login = await fetch(`${url}/api/v1/security/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'admin', provider: 'db', refresh: true }),
  })
  const { refresh_token } = (await login.json()) as { refresh_token: string }
  const env = { SUPERSET_REFRESH_TOKEN: refresh_token }
  await runProgram(program, [command, url, '--dbt-project-dir', folder, ...args], { cwd: folder, env })
}

interface DatasetColumn {
  column_name: string
  description: string | null
  is_dttm: boolean
}

async function readFlights({ api }: CheckContext): Promise<{
  description: string | null
  columns: DatasetColumn[]
  metrics: object[]
  owners: object[]
}> {
  const { result } = (await api.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:flights)))')).body
  return (await api.get(`/api/v1/dataset/${result[0].id}`)).body.result
}

async function checkExposures(context: CheckContext): Promise<void> {
  const { api, folder } = context
  const { result } = (await api.get('/api/v1/dashboard/?q=(page_size:100)')).body
  const { id: admin } = (await api.get('/api/v1/me/')).body.result
  // The client stops at dashboards without owners.
  for (const { id } of result) await api.put(`/api/v1/dashboard/${id}`, { owners: [admin] })
  await runCommand(context, 'pull-dashboards')
  const exposures = readFileSync(join(folder, 'models/exposures/superset_dashboards.yml'), 'utf8')
  for (const { dashboard_title } of result) assert.ok(exposures.includes(`label: ${dashboard_title}`), dashboard_title)
  assert.match(exposures, /label: Three million flights[\s\S]*?depends_on:\s+- ref\('flights'\)/)
}

async function checkDescriptions(context: CheckContext): Promise<void> {
  const before = await readFlights(context)
  await runCommand(context, 'push-descriptions', '--superset-refresh-columns')
  const after = await readFlights(context)
  assert.equal(after.description, 'One row per flight, from the dbt project')
  const find = (columns: DatasetColumn[], name: string) => columns.find(({ column_name }) => column_name === name)!
  assert.equal(find(after.columns, 'delay').description, 'Minutes late on arrival')
  assert.deepEqual(
    after.columns.map(({ column_name, is_dttm }) => [column_name, is_dttm]),
    before.columns.map(({ column_name, is_dttm }) => [column_name, is_dttm]),
  )
  assert.deepEqual([after.metrics, after.owners], [before.metrics, before.owners])
}

/** Writes the dashboards that use dbt models to a dbt project, and copies descriptions from dbt to datasets. */
export const dbtSupersetLineage: PublicClient = {
  name: 'dbt-superset-lineage',
  version: '0.4.0',
  tool: dbtSupersetLineageTool,
  isReplayed: true,
  notCovered: [],
  async run(context) {
    const { check, folder } = context
    mkdirSync(join(folder, 'target'))
    writeFileSync(join(folder, 'target/manifest.json'), JSON.stringify(manifest))
    await check('pull-dashboards writes every published dashboard with its models', () => checkExposures(context))
    await check('push-descriptions changes descriptions and nothing else', () => checkDescriptions(context))
  },
}
