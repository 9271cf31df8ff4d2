import type { Workload } from './bench.ts'
import type { Client } from './client.ts'
import { medians } from './measure.ts'
import { listProcessTree, readMemoryMb } from './processes.ts'

/** A workbook of this size is to take 3 s and 100 MB more. */
const [tables, rowsPerTable, columnsPerTable] = [20, 10_000, 10]
/** Thumbnails on a page of a list. */
const listLength = 50

interface Saved {
  id: number
}

/** Creates a dashboard of tables with many rows; returns its id. */
async function createTables(client: Client, dataset: number): Promise<number> {
  const { result } = await client.json<{ result: { columns: { column_name: string }[] } }>(
    'GET',
    `/api/v1/dataset/${dataset}`,
  )
  const all_columns = result.columns.slice(0, columnsPerTable).map(({ column_name }) => column_name)
  const { id } = await client.json<Saved>('POST', '/api/v1/dashboard/', { dashboard_title: 'Rows', published: true })
  for (let index = 0; index < tables; index += 1) {
    const form = { viz_type: 'table', query_mode: 'raw', all_columns, row_limit: rowsPerTable, row_offset: index }
    await client.json('POST', '/api/v1/chart/', {
      slice_name: `Rows ${index}`,
      viz_type: 'table',
      datasource_id: dataset,
      datasource_type: 'table',
      params: JSON.stringify({ ...form, datasource: `${dataset}__table` }),
      dashboards: [id],
    })
  }
  return id
}

/** Files of cached results: PDF and XLSX of a dashboard of twenty, a workbook of 200,000 rows; and the thumbnails of a list. */
export const files: Workload = async ({ client, dashboard, datasets, product, runs }) => {
  const count = Math.max(1, Math.round(runs / 5))
  let bytes = 0
  const ask = (path: string, body: object) => async () => {
    const response = await client.send('POST', path, { body })
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.body.toString()}`)
    bytes = response.body.length
    return response.ms
  }
  const readMemory = () => listProcessTree(product.pid).reduce((sum, pid) => sum + readMemoryMb(pid), 0)
  const watch = async (work: () => Promise<number>) => {
    const before = readMemory()
    let most = before
    const timer = setInterval(() => (most = Math.max(most, readMemory())), 50)
    await work().finally(() => clearInterval(timer))
    return most - before
  }
  const rows = await createTables(client, datasets.flights_with_airports)
  const workbook = ask(`/api/v1/dashboard/${rows}/picture`, { format: 'xlsx' })
  const page = `/api/v1/dashboard/${dashboard.id}/picture`
  const measured = await medians(
    { pdf: ask(page, { format: 'pdf' }), xlsx: ask(page, { format: 'xlsx' }), workbook },
    count,
  )
  const more = await watch(workbook)
  const size = bytes / 1_000_000
  const thumbnails = await measureThumbnails(client)
  return [
    { name: 'PDF of 20 charts', unit: 'ms', value: measured.pdf, runs: count },
    { name: 'XLSX of 20 charts', unit: 'ms', value: measured.xlsx, runs: count },
    { name: 'XLSX of 200,000 rows', unit: 'ms', value: measured.workbook, runs: count, budget: 3000 },
    { name: 'XLSX of 200,000 rows: more memory', unit: 'MB', value: more, runs: 1, budget: 100 },
    { name: 'XLSX of 200,000 rows: size', unit: 'MB', value: size, runs: 1 },
    { name: `thumbnails of ${listLength}: all drawn`, unit: 'ms', value: thumbnails.first, runs: 1 },
    { name: `thumbnails of ${listLength}: drawn before`, unit: 'ms', value: thumbnails.again, runs: 1, budget: 1000 },
  ]
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds until a list has all of its thumbnails, the first time and again. */
async function measureThumbnails(client: Client): Promise<{ first: number; again: number }> {
  const list = await client.json<{ result: { thumbnail_url: string }[] }>(
    'GET',
    `/api/v1/chart/?q=(page_size:${listLength})`,
  )
  const read = async (url: string): Promise<void> => {
    for (;;) {
      const { status, body } = await client.send('GET', url)
      if (status !== 202 && status !== 200) throw new Error(`${url}: ${status} ${body.toString()}`)
      if (status === 200) return
      await sleep(100)
    }
  }
  const readAll = async (): Promise<number> => {
    const begun = performance.now()
    await Promise.all(list.result.map(({ thumbnail_url }) => read(thumbnail_url)))
    return performance.now() - begun
  }
  return { first: await readAll(), again: await readAll() }
}
