import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHistoryFixture } from '../history/testing.ts'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
let ids: { dataset: number; chart: number; dashboard: number }
beforeAll(async () => {
  server = await startTestServer({ now: () => new Date('2026-06-01T00:00:00Z') })
  ids = await createHistoryFixture(server, 'admin')
})
afterAll(() => server.close())

it('C097: refuses broken documents, and changes nothing', async () => {
  const admin = server.as('admin')
  const dashboard = `/api/v1/dashboard/${ids.dashboard}`
  const chart = `/api/v1/chart/${ids.chart}`
  const json_metadata = JSON.stringify({ color_scheme: 'lyftColors', native_filter_configuration: [] })
  expect((await admin.put(dashboard, { json_metadata })).statusCode).toBe(200)
  expect((await admin.put(chart, { params: '{"viz_type":"table"}' })).statusCode).toBe(200)
  const read = async () => [(await admin.get(dashboard)).json(), (await admin.get(chart)).json()]
  const before = await read()
  for (const body of [
    { json_metadata: '' },
    { json_metadata: '{x' },
    { position_json: '' },
    { position_json: '[]' },
    { owners: null },
  ]) {
    const { statusCode, body: answer } = await admin.put(dashboard, body)
    expect([400, 422], `${JSON.stringify(body)}: ${answer}`).toContain(statusCode)
  }
  for (const body of [{ params: '{not json' }, { params: '' }, { params: '[1]' }, { query_context: '{not json' }]) {
    const { statusCode, body: answer } = await admin.put(chart, body)
    expect([statusCode, answer]).toEqual([422, expect.stringContaining('must be a JSON object')])
  }
  expect(await read()).toEqual(before)
})
