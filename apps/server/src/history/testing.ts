import { randomUUID } from 'node:crypto'
import type { Client, TestServer, TestUser } from '../testing.ts'
import { importBundle } from '../bundle/import-bundle.ts'
import { findUser } from '../security/users.ts'

export interface HistoryFixture {
  dataset: number
  chart: number
  dashboard: number
}

/** Creates a dataset without a real table, a chart of it, and a dashboard with that chart. */
export async function createHistoryFixture(
  { deps }: TestServer,
  owner: TestUser,
  title = 'Sales',
): Promise<HistoryFixture> {
  const uuids = { database: randomUUID(), dataset: randomUUID(), chart: randomUUID(), dashboard: randomUUID() }
  const meta = { uuid: uuids.chart, chartId: 1, width: 4, height: 50, sliceName: 'Revenue' }
  const position = {
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
    GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['ROW-1'] },
    'ROW-1': { id: 'ROW-1', type: 'ROW', children: ['CHART-1'], meta: {} },
    'CHART-1': { id: 'CHART-1', type: 'CHART', children: [], meta },
  }
  const files = {
    'databases/d.yaml': { database_name: uuids.database, sqlalchemy_uri: 'duckdb://', uuid: uuids.database },
    'datasets/d/t.yaml': {
      table_name: `orders_${uuids.dataset.slice(0, 8)}`,
      uuid: uuids.dataset,
      database_uuid: uuids.database,
      columns: [{ column_name: 'city', type: 'VARCHAR' }],
      metrics: [{ metric_name: 'count', expression: 'COUNT(*)' }],
    },
    'charts/c.yaml': {
      slice_name: 'Revenue',
      viz_type: 'table',
      uuid: uuids.chart,
      dataset_uuid: uuids.dataset,
      params: {},
    },
    'dashboards/b.yaml': { dashboard_title: title, published: true, uuid: uuids.dashboard, position },
  }
  const user = await findUser(deps.db, owner)
  await importBundle(
    deps.db,
    { metadata: { version: '1.0.0', type: 'Dashboard', timestamp: '' }, files: new Map(Object.entries(files)) },
    { authorId: user?.id ?? null, at: '2026-01-01T00:00:00.000', overwrite: false },
  )
  const find = async (kind: 'dataset' | 'chart' | 'dashboard') => {
    const where = deps.db
      .selectFrom(kind)
      .select('id')
      .where('uuid', '=', uuids[kind] as never)
    return (await where.executeTakeFirstOrThrow()).id
  }
  return { dataset: await find('dataset'), chart: await find('chart'), dashboard: await find('dashboard') }
}

export const readResult = async <T>(answer: Promise<{ json(): unknown }>): Promise<T> =>
  ((await answer).json() as { result: T }).result

export const resourcePath = (kind: string, id: number, rest = '') => `/api/v1/${kind}/${id}${rest}`

export const readStatus = async (answer: ReturnType<Client['get']>): Promise<number> => (await answer).statusCode
