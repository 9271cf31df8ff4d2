import { addUser } from '../../apps/web/journeys/product.ts'
import type { Bench } from './bench.ts'
import { type Client, createSignedInClient } from './client.ts'
import type { Figure } from './figure.ts'
import { startHealthPoller } from './health-poller.ts'
import { median } from './measure.ts'

const caller = 'busy'
const measuredMs = 4000

/** Longest allowed wait of the health check, and median of a chart of another user, in milliseconds. */
const healthBudget = 500
const chartBudget = 1000

interface Calls {
  inFlight: number
  send(turn: number): Promise<unknown>
}

/** Large documents of a dashboard, with a version of each. @returns the id of the dashboard */
async function createVersions(client: Client): Promise<number> {
  const { id } = await client.json<{ id: number }>('POST', '/api/v1/dashboard/', { dashboard_title: 'Versions' })
  for (let version = 0; version < 21; version += 1) {
    const native_filter_configuration = Array.from({ length: 400 }, (_, index) => ({
      id: `NATIVE_FILTER-${index}`,
      name: `Filter ${index} ${version}`,
      type: 'NATIVE_FILTER',
      filterType: 'filter_select',
      targets: [{}],
      scope: { rootPath: ['ROOT_ID'], excluded: [] },
      description: `${version} ${'x'.repeat(1000)}`,
      defaultDataMask: { extraFormData: {}, filterState: {} },
      controlValues: {},
    }))
    const json_metadata = JSON.stringify({ native_filter_configuration })
    await client.json('PUT', `/api/v1/dashboard/${id}`, { json_metadata })
  }
  return id
}

const createSvg = (attributes: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${Array.from({ length: attributes }, (_, index) => `a${index}=""`).join(' ')}/>`

/** Calls that are costly for the thread of the server. Some are refused, but only after that work. */
async function createCalls(client: Client, { datasets: { flights } }: Bench): Promise<Record<string, Calls>> {
  const databases = await client.json<{ result: { id: number; database_name: string }[] }>('GET', '/api/v1/database/')
  const database_id = databases.result.find(({ database_name }) => database_name === 'examples')!.id
  const dashboard = await createVersions(client)
  const document = {
    json_metadata: JSON.stringify({ x: Array.from({ length: 90_000 }, (_, index) => `value ${index}`) }),
  }
  const image = new Blob([createSvg(350_000)])
  const template = '{% for i in range(4000) %}{% set x = i * 2 %}{{ x }},{% endfor %}1'
  const query = (turn: number) => {
    const column = { column_name: 'distance' }
    const sum = { expressionType: 'SIMPLE', column, aggregate: 'SUM' }
    const metrics = Array.from({ length: 300 }, (_, index) => ({ ...sum, label: `m${index}` }))
    const filters = [{ col: 'distance', op: '>', val: turn }]
    return { datasource: { id: flights, type: 'table' }, queries: [{ columns: ['origin'], metrics, filters }] }
  }
  const upload = async () => {
    const body = new FormData()
    body.append('file', image, 'a.svg')
    const address = `${client.url}/api/v1/dashboard/${dashboard}/files`
    await (await fetch(address, { method: 'POST', headers: client.headers, body })).arrayBuffer()
  }
  const run = (turn: number) => ({ database_id, sql: `SELECT ${template} -- ${turn}`, client_id: `b${turn}` })
  return {
    templates: { inFlight: 60, send: (turn) => client.send('POST', '/api/v1/sqllab/execute/', { body: run(turn) }) },
    versions: { inFlight: 60, send: () => client.send('GET', `/api/v1/dashboard/${dashboard}/versions/`) },
    documents: { inFlight: 60, send: () => client.send('PUT', `/api/v1/dashboard/${dashboard}`, { body: document }) },
    'wide queries': { inFlight: 60, send: (turn) => client.send('POST', '/api/v1/chart/data', { body: query(turn) }) },
    'images with many attributes': { inFlight: 1, send: upload },
  }
}

/** Wait for the health check, and for charts of another user, while one user has many calls in flight. */
export async function manyCalls(bench: Bench): Promise<Figure[]> {
  const { product, client, datasets } = bench
  addUser(product, caller, 'Admin')
  const busy = await createSignedInClient(product.url, caller)
  const figures: Figure[] = []
  for (const [what, { inFlight, send }] of Object.entries(await createCalls(busy, bench))) {
    const health = startHealthPoller(product.url)
    await health.started
    const begun = performance.now()
    const end = begun + measuredMs
    let turn = 0
    const callers = Array.from({ length: inFlight }, async () => {
      while (performance.now() < end) await send((turn += 1))
    })
    const charts: number[] = []
    while (performance.now() < end) {
      const filters = [{ col: 'distance', op: '>', val: charts.length }]
      const queries = [{ columns: ['origin'], metrics: ['count'], filters, row_limit: 10 }]
      const body = { datasource: { id: datasets.flights, type: 'table' }, queries, force: true }
      const { status, ms } = await client.send('POST', '/api/v1/chart/data', { body })
      if (status !== 200) throw new Error(`chart beside ${what}: ${status}`)
      charts.push(ms)
    }
    const waits = await health.end()
    // Without any answer, the wait is at least as long as the measurement.
    if (waits.length === 0) waits.push(performance.now() - begun)
    await Promise.all(callers)
    const beside = `beside ${what}, ${inFlight} in flight`
    const [runs, value] = [waits.length, Math.max(...waits)]
    figures.push(
      { name: `the slowest health check ${beside}`, unit: 'ms', value, runs, budget: healthBudget },
      { name: `a chart ${beside}`, unit: 'ms', value: median(charts), runs: charts.length, budget: chartBudget },
    )
  }
  return figures
}
