import { expect } from 'vitest'
import type { CarsServer } from '../testing.ts'

/** Adds a chart as administrator. @returns its id */
export async function addChart(
  { server, dataset }: CarsServer,
  name: string,
  form: { viz_type: string },
  ofDataset = dataset,
): Promise<number> {
  const params = JSON.stringify({ ...form, datasource: `${ofDataset}__table` })
  const body = { slice_name: name, viz_type: form.viz_type, datasource_id: ofDataset, datasource_type: 'table', params }
  const made = await server.as('admin').post('/api/v1/chart/', body)
  expect(made.statusCode, made.body).toBe(201)
  return made.json<{ id: number }>().id
}

/** Layout of a dashboard that shows charts, as `positions` of its metadata. */
export function placeCharts(ids: readonly number[]): Record<string, object> {
  const nodes = ids.map((chartId) => [
    `CHART-${chartId}`,
    { id: `CHART-${chartId}`, type: 'CHART', children: [], meta: { chartId, width: 4, height: 50 } },
  ])
  return {
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
    GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ids.map((id) => `CHART-${id}`) },
    ...(Object.fromEntries(nodes) as Record<string, object>),
  }
}
