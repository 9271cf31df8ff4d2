import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startCarsServer, type CarsServer } from '../../chart/testing.ts'
import { buildReportContent } from '../../picture/report-content.ts'
import { startMessageReceiver, type MessageReceiver } from './receiver.testing.ts'
import { addReport, createClock, listDeliveriesOf, listRuns, runDepsOf, runDueReports } from './runs.testing.ts'

let cars: CarsServer
let receiver: MessageReceiver
const clock = createClock('2026-03-02T10:00:00Z')
beforeAll(async () => {
  receiver = await startMessageReceiver()
  cars = await startCarsServer({ now: () => clock.now(), channels: receiver.channels })
})
afterAll(async () => {
  await receiver.close()
  await cars.close()
})

it('a run whose runner is killed while it draws is repeated later, and is sent once', async () => {
  const { server } = cars
  const { db, runners } = server.deps
  const chart = await server.as('admin').post('/api/v1/chart/', {
    slice_name: 'Cars',
    viz_type: 'table',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify({ viz_type: 'table', query_mode: 'raw', all_columns: ['Name', 'Origin'] }),
  })
  const { id: chart_id } = chart.json<{ id: number }>()
  const id = await addReport(db, { chart_id, report_format: 'CSV' })
  const deps = runDepsOf(server, receiver, clock, { buildContent: buildReportContent })
  const drawing = () => runners.stats().runners.find(({ kind, busy }) => kind === 'draw' && busy === 1)?.pid
  expect((await server.as('admin').post(`/api/v1/report/${id}/run`, { to: 'recipients' })).statusCode).toBe(202)
  const first = runDueReports(deps)
  const pid = await vi.waitFor(
    () => {
      const found = drawing()
      expect(found).toBeTypeOf('number')
      return found!
    },
    { interval: 1, timeout: 20_000 },
  )
  process.kill(pid, 'SIGKILL')
  await first
  expect(await listRuns(db, id)).toMatchObject([{ state: 'Working', attempts: 1, error_message: null }])
  expect((await listDeliveriesOf(db, id)).map(({ state }) => state)).toEqual(['waiting'])
  expect(receiver.received).toEqual([])

  await runDueReports(deps)
  expect(receiver.received, 'not before its time').toEqual([])
  clock.pass(60_000)
  await runDueReports(deps)
  expect(await listRuns(db, id)).toMatchObject([{ state: 'Success', attempts: 2 }])
  expect(receiver.received.map(({ target }) => target)).toEqual(['a@example.com'])
}, 120_000)
