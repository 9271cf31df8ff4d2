import { buildQueryContext, loadStoredForm } from '@parquetry/charts'
import { storedForms } from '@parquetry/charts/testing/stored-forms'
import type { QueryContext } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { buildSavedChartQuery } from '../chart/saved-chart-query.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
})
afterAll(() => cars.close())

/** Queries without URL parameters, which depend on the page. */
const plain = ({ queries }: QueryContext): unknown =>
  JSON.parse(JSON.stringify(queries, (name, value: unknown) => (name === 'url_params' ? undefined : value)))

it.each(storedForms())('Explore and a dashboard run the same queries for %s', async (_, stored) => {
  const admin = cars.server.as('admin')
  const made = await admin.post('/api/v1/chart/', {
    slice_name: 'Stored',
    viz_type: stored['viz_type'],
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify(stored),
  })
  const { id } = made.json<{ id: number }>()

  const page = await admin.get(`/api/v1/explore/?slice_id=${id}`)
  const { form_data, dataset } = page.json<{ result: { form_data: object; dataset: never } }>().result
  const opened = await loadStoredForm(form_data, dataset)
  const explored = buildQueryContext(opened!.chart, opened!.form)

  const chart = await cars.server.deps.db.selectFrom('chart').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const columns = [{ column_name: 'Year', is_dttm: true as const }]
  const { context } = await buildSavedChartQuery({ ...chart, columns }, {}, [], 1)
  expect(plain(explored)).toEqual(plain(context))
})
