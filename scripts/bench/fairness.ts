import { addUser } from '../../apps/web/journeys/product.ts'
import type { Workload } from './bench.ts'
import { createSignedInClient } from './client.ts'
import { manyCalls } from './many-calls.ts'
import { median } from './measure.ts'

const hostile = ['hostile_1', 'hostile_2', 'hostile_3', 'hostile_4']
const endless = 'SELECT count(*) AS n FROM range(10000000000000) WHERE hash(range) = 1'

let last = 0
const newId = (): string => `h${process.pid % 100_000}-${++last}`

/**
 * Wait of a user for a short statement and for the list of tables while four others run statements that never end, and for charts
 * while another one has many calls in flight.
 */
export const fairness: Workload = async (bench) => {
  const { product, client, runs } = bench
  const databases = await client.json<{ result: { id: number; database_name: string }[] }>('GET', '/api/v1/database/')
  const database_id = databases.result.find(({ database_name }) => database_name === 'examples')!.id
  const begun = []
  for (const name of hostile) {
    addUser(product, name, 'Admin')
    const theirs = await createSignedInClient(product.url, name)
    for (let n = 0; n < 4; n += 1) {
      const client_id = newId()
      const body = { database_id, sql: `${endless} -- ${client_id}`, client_id, runAsync: false }
      begun.push({ theirs, client_id, over: theirs.send('POST', '/api/v1/sqllab/execute/', { body }) })
    }
  }
  const [statements, lists] = [[] as number[], [] as number[]]
  for (let turn = -1; turn < runs; turn += 1) {
    const body = { database_id, sql: `SELECT ${turn} AS n`, client_id: newId(), runAsync: false }
    const response = await client.send('POST', '/api/v1/sqllab/execute/', { body })
    const listed = await client.send('GET', `/api/v1/database/${database_id}/tables/?q=(force:!t,schema_name:main)`)
    if (response.status !== 200 || listed.status !== 200) throw new Error(`honest: ${response.status} ${listed.status}`)
    if (turn < 0) continue
    statements.push(response.ms)
    lists.push(listed.ms)
  }
  for (const { theirs, client_id } of begun) await theirs.send('POST', '/api/v1/query/stop', { body: { client_id } })
  await Promise.all(begun.map(({ over }) => over))
  const among = 'among four whose statements never end'
  return [
    { name: `a short statement ${among}`, unit: 'ms', value: median(statements), runs, budget: 1000 },
    { name: `the slowest of them`, unit: 'ms', value: Math.max(...statements), runs },
    { name: `the list of tables ${among}`, unit: 'ms', value: median(lists), runs, budget: 1000 },
    ...(await manyCalls(bench)),
  ]
}
