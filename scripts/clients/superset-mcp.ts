import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import type { CheckContext, PublicClient } from './public-client.ts'
import { runProgram } from './run-program.ts'
import { supersetMcpTool } from './tools.ts'

/** Starts the MCP server in the way that an assistant does, and calls its tools one after the other. */
const script = `
import asyncio, json, os, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
program, url = sys.argv[1:]
calls = json.load(sys.stdin)
env = {**os.environ, "SUPERSET_BASE_URL": url, "SUPERSET_USERNAME": "admin", "SUPERSET_PASSWORD": "admin"}
async def main():
    async with stdio_client(StdioServerParameters(command=program, env=env)) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            answers = []
            for name, arguments in calls:
                result = await session.call_tool(name, arguments)
                text = result.content[0].text
                answers.append({"error": text} if result.isError else json.loads(text))
            print(json.dumps(answers))
asyncio.run(main())
`

type Call = [tool: string, args?: object]
// oxlint-disable-next-line typescript/no-explicit-any -- answers have no schema
type Answer = Record<string, any>

/** Calls tools. @returns their answers; `{ error }` where a tool fails */
async function callTools({ program, folder, url }: CheckContext, ...calls: Call[]): Promise<Answer[]> {
  const input = JSON.stringify(calls.map(([tool, args = {}]) => [`superset_${tool}`, args]))
  const python = join(dirname(program), 'python')
  return JSON.parse(await runProgram(python, ['-c', script, program, url], { cwd: folder, input })) as Answer[]
}

async function checkLists(context: CheckContext): Promise<void> {
  const filters = [{ col: 'table_name', opr: 'eq', value: 'flights' }]
  const [databases, dashboards, charts, datasets] = await callTools(
    context,
    ['database_list'],
    ['dashboard_list', { order_column: 'dashboard_title', order_direction: 'asc', page: 0 }],
    ['chart_list', { columns: ['id', 'slice_name', 'viz_type'] }],
    ['dataset_list', { filters }],
  )
  assert.equal(databases!['count'], 1)
  const titles = dashboards!['result'].map((one: Answer) => one['dashboard_title'])
  assert.deepEqual(titles, titles.toSorted())
  assert.ok(charts!['count'] > 20 && charts!['result'][0].slice_name)
  assert.deepEqual(
    datasets!['result'].map((one: Answer) => one['table_name']),
    ['flights'],
  )
}

async function checkDetails(context: CheckContext): Promise<void> {
  const answers = await callTools(
    context,
    ...(['database', 'dashboard', 'chart', 'dataset'] as const).map((kind): Call => [
      `${kind}_get_by_id`,
      { [`${kind}_id`]: 1 },
    ]),
  )
  for (const answer of answers) assert.equal(answer['error'], undefined)
  const [database, dashboard, chart, dataset] = answers
  assert.ok(database!['database_name'] && dashboard!['position_json'] && chart!['params'])
  assert.ok((dataset!['result'] ?? dataset!)['columns'].length > 0)
}

async function checkChanges(context: CheckContext): Promise<void> {
  const [chart, dashboard] = await callTools(
    context,
    ['chart_update', { chart_id: 1, payload: { slice_name: 'Renamed', description: 'By an assistant' } }],
    ['dashboard_update', { dashboard_id: 1, payload: { dashboard_title: 'Renamed', published: true } }],
  )
  assert.deepEqual([chart!['error'], dashboard!['error']], [undefined, undefined])
  const { api } = context
  assert.equal((await api.get('/api/v1/chart/1')).body.result.description, 'By an assistant')
  assert.equal((await api.get('/api/v1/dashboard/1')).body.result.dashboard_title, 'Renamed')
}

async function checkDataset(context: CheckContext): Promise<void> {
  const payload = { database: 1, table_name: 'by_an_assistant', sql: 'SELECT 1 AS one, 2 AS two' }
  const [created] = await callTools(context, ['dataset_create', { payload }])
  const id = created!['id'] as number
  assert.ok(id, JSON.stringify(created))
  const [updated, replaced] = await callTools(
    context,
    ['dataset_update', { dataset_id: id, payload: { description: 'Two numbers' } }],
    ['dataset_sql_search_replace', { dataset_id: id, search: '2 AS two', replace: '3 AS two' }],
  )
  assert.deepEqual([updated!['error'], replaced!['error']], [undefined, undefined])
  const { result } = (await context.api.get(`/api/v1/dataset/${id}`)).body
  assert.deepEqual([result.description, result.sql], ['Two numbers', 'SELECT 1 AS one, 3 AS two'])
  const [deleted] = await callTools(context, [
    'dataset_delete_column',
    { dataset_id: id, column_id: result.columns[1].id },
  ])
  assert.equal(deleted!['error'], undefined)
  const { columns } = (await context.api.get(`/api/v1/dataset/${id}`)).body.result
  assert.equal(columns.length, 1)
}

async function checkSql(context: CheckContext): Promise<void> {
  const [answer, wrong, checked] = await callTools(
    context,
    ['sqllab_execute_query', { payload: { database_id: 1, sql: 'SELECT 41 + 1 AS answer' } }],
    ['sqllab_execute_query', { payload: { database_id: 1, sql: 'SELECT * FROM nowhere' } }],
    ['database_validate_sql', { payload: { database_id: 1, sql: 'SELECT FROM WHERE' } }],
  )
  assert.deepEqual(answer!['data'], [{ answer: 42 }])
  assert.match(wrong!['error'], /nowhere/)
  assert.ok(checked!['result'].length > 0, JSON.stringify(checked))
}

async function checkDeletion(context: CheckContext): Promise<void> {
  const [deleted] = await callTools(context, ['chart_delete', { chart_id: 1 }])
  assert.equal(deleted!['message'], 'OK')
  assert.equal((await context.api.get('/api/v1/chart/1')).status, 404)
}

/** A server of the Model Context Protocol, with which assistants use the API. */
export const supersetMcp: PublicClient = {
  name: 'superset-mcp',
  version: '0.6.0',
  tool: supersetMcpTool,
  isReplayed: true,
  notCovered: ['superset_dashboard_patch_position: fails in the client itself before its first write'],
  async run(context) {
    const { check } = context
    await check('lists databases, dashboards, charts and datasets', () => checkLists(context))
    await check('reads one of each kind', () => checkDetails(context))
    await check('changes a chart and a dashboard', () => checkChanges(context))
    await check('creates and changes a virtual dataset', () => checkDataset(context))
    await check('runs and validates SQL', () => checkSql(context))
    await check('deletes a chart', () => checkDeletion(context))
  },
}
