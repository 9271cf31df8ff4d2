import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHistoryFixture, resourcePath, readResult, type HistoryFixture } from '../history/testing.ts'
import { type Client, startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
let alpha: Client
let board: HistoryFixture
beforeAll(async () => {
  server = await startTestServer({ settings: {} })
  alpha = server.as('alpha')
  board = await createHistoryFixture(server, 'alpha')
})
afterAll(() => server.close())

it('DASH-042: a dashboard has all of its fields, and an update returns its time of change', async () => {
  const result = await readResult<Record<string, unknown>>(alpha.get(resourcePath('dashboard', board.dashboard)))
  const fields = `id dashboard_title slug css published owners roles certified_by certification_details json_metadata position_json
    changed_on changed_by_name`
  expect(Object.keys(result)).toEqual(expect.arrayContaining(fields.split(/\s+/)))
  const before = Date.now() / 1000 - 1
  const put = await alpha.put(resourcePath('dashboard', board.dashboard), { certified_by: 'Ada' })
  expect(put.json<{ last_modified_time: number }>().last_modified_time).toBeGreaterThan(before)
  const after = await readResult<Record<string, unknown>>(alpha.get(resourcePath('dashboard', board.dashboard)))
  expect(Date.parse(`${String(after.changed_on)}Z`) / 1000).toBe(
    put.json<{ last_modified_time: number }>().last_modified_time,
  )
})

it('DASH-051: a chart on a dashboard includes its URL, form data and description', async () => {
  const put = await alpha.put(resourcePath('chart', board.chart), { description: 'What *comes* in' })
  expect(put.statusCode, put.body).toBe(200)
  const { changed_on } = await readResult<{ changed_on: string }>(alpha.get(resourcePath('chart', board.chart)))
  const [chart] = await readResult<Record<string, unknown>[]>(
    alpha.get(resourcePath('dashboard', board.dashboard, '/charts')),
  )
  expect(chart).toMatchObject({
    id: board.chart,
    slice_name: 'Revenue',
    slice_url: expect.stringContaining(String(board.chart)) as string,
    form_data: { viz_type: 'table', datasource: `${board.dataset}__table`, slice_id: board.chart },
    description: 'What *comes* in',
    description_markeddown: '<p>What *comes* in</p>',
    changed_on,
  })
})
