import type { Workload } from './bench.ts'
import { median } from './measure.ts'
import { listProcessTree, readMemoryMb } from './processes.ts'

const rows = 1_000_000
const columns = 'date, delay, distance, origin, destination'
const many = `SELECT ${columns} FROM flights LIMIT ${rows}`
const framesType = 'application/vnd.parquetry.frames'

const script = Array.from(
  { length: 2500 },
  (_, n) => `select a,b\n,c -- ${n}\nfrom t${n}\nwhere a=1 and b in (1,2);`,
).join('\n')

let last = 0
const newId = (): string => `b${process.pid % 100_000}-${++last}`

/** SQL Lab without a browser: the first rows of a long result, and a million rows as each kind of file. */
export const sqllab: Workload = async ({ client, engine, product, runs }) => {
  const databases = await client.json<{ result: { id: number; database_name: string }[] }>('GET', '/api/v1/database/')
  const database_id = databases.result.find(({ database_name }) => database_name === 'examples')!.id
  const execute = (sql: string, queryLimit: number, client_id = newId()) =>
    client.send('POST', '/api/v1/sqllab/execute/', {
      body: { database_id, sql, queryLimit, client_id, runAsync: false },
      headers: { accept: framesType },
    })

  const [firsts, wholes, floors] = [[] as number[], [] as number[], [] as number[]]
  const repeats = Math.max(4, runs)
  for (let turn = -1; turn < repeats; turn += 1) {
    const response = await execute(`SELECT ${columns} FROM flights LIMIT 100000`, 100_000)
    const floor = await engine.run(`SELECT ${columns} FROM flights LIMIT 100000`)
    if (response.status !== 200) throw new Error(`execute: ${response.status}`)
    if (turn < 0) continue
    firsts.push(response.firstMs)
    wholes.push(response.ms)
    floors.push(floor)
  }

  const formats: number[] = []
  for (let turn = -1; turn < repeats; turn += 1) {
    const response = await client.send('POST', '/api/v1/sqllab/format_sql/', { body: { sql: script, database_id } })
    if (response.status !== 200) throw new Error(`format_sql: ${response.status}`)
    if (turn >= 0) formats.push(response.ms)
  }

  const client_id = newId()
  const small = await execute(many, 10, client_id)
  if (small.status !== 200) throw new Error(`execute: ${small.status}`)
  const files = []
  for (const [format, floorSql] of [
    ['csv', `COPY (${many}) TO '/dev/null' (FORMAT csv, HEADER)`],
    ['xlsx', null],
    ['parquet', `COPY (${many}) TO '/dev/null' (FORMAT parquet)`],
  ] as const) {
    const [speeds, begins, seconds, floorMs] = [[] as number[], [] as number[], [] as number[], [] as number[]]
    let moreMb = 0
    for (let turn = -1; turn < 2; turn += 1) {
      const memoryNow = (): number => listProcessTree(product.pid).reduce((all, pid) => all + readMemoryMb(pid), 0)
      const before = memoryNow()
      let [bytes, peak] = [0, before]
      const watch = setInterval(() => (peak = Math.max(peak, memoryNow())), 50)
      const path = `/api/v1/sqllab/export/${client_id}/?format=${format}&rows=all`
      const response = await client.send('GET', path, { onBytes: (piece) => void (bytes += piece.length) })
      clearInterval(watch)
      if (response.status !== 200) throw new Error(`${format}: ${response.status}`)
      if (turn < 0) continue
      speeds.push(bytes / 1000 / response.ms)
      begins.push(response.firstMs)
      seconds.push(response.ms)
      moreMb = Math.max(moreMb, peak - before)
      if (floorSql) floorMs.push(await engine.run(floorSql))
    }
    const name = `SQL Lab, 1,000,000 rows as ${format}`
    files.push(
      {
        name: `${name}: time`,
        unit: 'ms',
        value: median(seconds),
        runs: 2,
        ...(floorMs.length > 0 && { floor: median(floorMs), floorIs: 'DuckDB COPY' }),
      } as const,
      {
        name: `${name}: speed`,
        unit: 'MB/s',
        value: median(speeds),
        runs: 2,
        ...(format === 'csv' && { budget: 70 }),
      } as const,
      {
        name: `${name}: first byte`,
        unit: 'ms',
        value: median(begins),
        runs: 2,
        ...(format === 'csv' && { budget: 100 }),
      } as const,
      { name: `${name}: more memory`, unit: 'MB', value: moreMb, runs: 2, budget: 170 } as const,
    )
  }
  return [
    {
      name: 'SQL Lab, 100,000 rows: first row',
      unit: 'ms',
      value: median(firsts),
      runs: repeats,
      floor: median(floors),
      floorIs: 'DuckDB, all rows',
    },
    {
      name: 'SQL Lab, 100,000 rows: all',
      unit: 'ms',
      value: median(wholes),
      runs: repeats,
      floor: median(floors),
      floorIs: 'DuckDB',
    },
    { name: 'SQL Lab, 10,000 lines formatted', unit: 'ms', value: median(formats), runs: repeats, budget: 2000 },
    ...files,
  ]
}
