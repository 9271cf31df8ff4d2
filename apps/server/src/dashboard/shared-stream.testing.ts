import { cellAt, createMessageReader } from '@parquetry/frame'
import { AppError, type QueryHead, type SharedScanPlan } from '@parquetry/model'
import { expect, vi } from 'vitest'
import type { Runners } from '../runners/runners.ts'
import type { TestServer, TestUser } from '../testing.ts'

/** A server with cars as the rows of `dataset`. */
export interface DashboardFixture {
  server: TestServer
  dataset: number
}

export interface TestDashboard {
  id: number
  charts: number[]
}

export const sqlMetric = (sqlExpression: string) => ({ expressionType: 'SQL', sqlExpression, label: sqlExpression })
export const power = {
  expressionType: 'SIMPLE',
  aggregate: 'AVG',
  column: { column_name: 'Horsepower' },
  label: 'power',
}
export const rowCount = sqlMetric('COUNT(*)')
export const sqlFilter = (sqlExpression: string) => ({ expressionType: 'SQL', clause: 'WHERE', sqlExpression })

/** Forms of charts whose queries gain from one rollup, and of two that cannot be answered from it. */
export const createForms = (more: object = {}): object[] =>
  [
    { viz_type: 'pie', groupby: ['Origin'], metric: rowCount },
    { viz_type: 'pie', groupby: ['Cylinders'], metric: sqlMetric('SUM("Horsepower")') },
    {
      viz_type: 'echarts_timeseries_line',
      x_axis: 'Year',
      time_grain_sqla: 'P1Y',
      metrics: [power],
      groupby: ['Origin'],
    },
    { viz_type: 'echarts_timeseries_line', x_axis: 'Year', time_grain_sqla: 'P1M', metrics: [rowCount] },
    { viz_type: 'pie', groupby: ['Origin'], metric: sqlMetric('COUNT(DISTINCT "Name")') },
    { viz_type: 'table', query_mode: 'raw', all_columns: ['Name'], row_limit: 3, order_by_cols: ['["Name", true]'] },
  ].map((form) => ({ ...form, ...more }))

async function createObject({ server }: DashboardFixture, path: string, body: object): Promise<number> {
  const response = await server.as('admin').post(path, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ id: number }>().id
}

export async function createTestDashboard(on: DashboardFixture, all: object[]): Promise<TestDashboard> {
  const id = await createObject(on, '/api/v1/dashboard/', { dashboard_title: 'Together', published: true })
  const charts: number[] = []
  for (const form of all)
    charts.push(
      await createObject(on, '/api/v1/chart/', {
        slice_name: 'Cars',
        viz_type: (form as { viz_type: string }).viz_type,
        datasource_id: on.dataset,
        datasource_type: 'table',
        params: JSON.stringify(form),
        dashboards: [id],
      }),
    )
  return { id, charts }
}

export interface ChartRows {
  columns: unknown
  rows: unknown[][]
  isCached: boolean
}

/** Results of the charts, in the order of the dashboard. */
export async function fetchDashboardRows(
  { server }: DashboardFixture,
  board: TestDashboard,
  {
    user = 'admin',
    refresh_interval,
    force = refresh_interval === undefined,
  }: { user?: TestUser; force?: boolean; refresh_interval?: number } = {},
): Promise<(ChartRows | string)[]> {
  const charts = board.charts.map((id) => ({ id }))
  const reply = await server.as(user).post(`/api/v1/dashboard/${board.id}/data`, { charts, force, refresh_interval })
  expect(reply.statusCode, reply.body).toBe(200)
  const found = new Map<number, ChartRows | string>()
  let open: ChartRows | null = null
  for (const { head, frame } of createMessageReader().push(reply.rawPayload)) {
    const queryHead = head as unknown as QueryHead & { error?: { code: string } }
    if (queryHead.error) found.set(queryHead.chart, queryHead.error.code)
    else if (queryHead.chart !== undefined && queryHead.type === 'frame') {
      open = { columns: queryHead.header.columns, rows: [], isCached: queryHead.is_cached }
      found.set(queryHead.chart, open)
    }
    for (let row = 0; frame && row < frame.rows; row += 1)
      open?.rows.push(frame.columns.map((column) => cellAt(column, row)))
  }
  for (const answer of found.values())
    if (typeof answer !== 'string') answer.rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return board.charts.map((id) => found.get(id) ?? 'none')
}

/** Records the shared plans sent to a runner, changed by `change`. */
export function spySharedPlans(
  { server }: DashboardFixture,
  change: (plan: SharedScanPlan) => SharedScanPlan = (plan) => plan,
): SharedScanPlan[] {
  const plans: SharedScanPlan[] = []
  const { runners } = server.deps
  const runShared = runners.runShared.bind(runners)
  vi.spyOn(runners, 'runShared').mockImplementation((plan, signal) => {
    plans.push(plan)
    return runShared(change(plan), signal)
  })
  return plans
}

export const mockRunShared = ({ server }: DashboardFixture, runShared: Runners['runShared']) =>
  vi.spyOn(server.deps.runners, 'runShared').mockImplementation(runShared)

/** Makes every rollup fail. */
export const disableSharedScans = (on: DashboardFixture) =>
  mockRunShared(on, () => {
    throw new AppError('runner_lost')
  })
