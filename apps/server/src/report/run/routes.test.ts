import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '../../testing.ts'
import type { RunDeps } from './deps.ts'
import { startMessageReceiver, type MessageReceiver } from './receiver.testing.ts'
import { removeOldReportRuns } from './retention.ts'
import {
  addAddresses,
  addReport,
  createClock,
  listDeliveriesOf,
  listRuns,
  runDepsOf,
  runDueReports,
  type TestClock,
  userId,
} from './runs.testing.ts'
import { addDashboard } from './sample-content.testing.ts'

let server: TestServer
let receiver: MessageReceiver
let clock: TestClock
let deps: RunDeps
let dashboard: number
beforeAll(async () => {
  clock = createClock('2026-03-02T10:00:00Z')
  receiver = await startMessageReceiver()
  server = await startTestServer({ now: () => clock.now(), channels: receiver.channels })
  deps = runDepsOf(server, receiver, clock)
  dashboard = await addDashboard(server.deps.db, 'Sales')
  await addAddresses(server.deps.db, ['alpha', 'gamma'])
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})
beforeEach(() => {
  receiver.received.length = 0
})

const add = (row: Parameters<typeof addReport>[1] = {}) =>
  addReport(server.deps.db, { owner: 'alpha', dashboard_id: dashboard, ...row })
const filesOf = (id: number) =>
  server.deps.db
    .selectFrom('report_file')
    .innerJoin('report_run', 'report_run.id', 'run_id')
    .select(['report_file.uuid', 'report_file.user_id'])
    .where('report_id', '=', id)
    .orderBy('report_file.id')
    .execute()
const statusOf = async (user: 'admin' | 'alpha' | 'gamma' | 'nobody', uuid: string) =>
  (await server.as(user).get(`/api/v1/report/file/${uuid}`)).statusCode

it('an owner sends a report to all recipients, or to themselves alone', async () => {
  const id = await add()
  const alpha = server.as('alpha')
  expect((await alpha.post(`/api/v1/report/${id}/run`, { to: 'me' })).statusCode).toBe(202)
  await runDueReports(deps)
  expect(receiver.received.map(({ target }) => target)).toEqual(['alpha@example.com'])
  const sent = await alpha.post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  expect([sent.statusCode, sent.json()]).toEqual([202, { result: { uuid: expect.any(String) } }])
  const again = await alpha.post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  expect([again.statusCode, again.body]).toEqual([409, expect.stringContaining('being sent already')])
  await runDueReports(deps)
  expect(receiver.received.map(({ target }) => target)).toEqual(['alpha@example.com', 'a@example.com'])
  expect((await listRuns(server.deps.db, id)).map(({ trigger, state }) => [trigger, state])).toEqual([
    ['test', 'Success'],
    ['now', 'Success'],
  ])
})

it('an alert that is run by hand reaches its recipients only if its condition is met', async () => {
  const unmet = { ...deps, evaluateAlert: () => Promise.resolve({ value: 1, row: { n: 1 }, is_triggered: false }) }
  const id = await add({ type: 'Alert' })
  for (const to of ['recipients', 'me']) {
    expect((await server.as('alpha').post(`/api/v1/report/${id}/run`, { to })).statusCode).toBe(202)
    await runDueReports(unmet)
  }
  expect(receiver.received.map(({ target }) => target)).toEqual(['alpha@example.com'])
  expect((await listRuns(server.deps.db, id)).map(({ trigger, state }) => [trigger, state])).toEqual([
    ['now', 'Not triggered'],
    ['test', 'Success'],
  ])
})

it.each([0, 1])('queries again if force_screenshot is %s', async (force_screenshot) => {
  const buildContent = vi.fn(deps.buildContent)
  const id = await add()
  await server.deps.db.updateTable('report').set({ force_screenshot }).where('id', '=', id).execute()
  await server.as('alpha').post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  await runDueReports({ ...deps, buildContent })
  expect(buildContent.mock.calls.map(([, { force }]) => force)).toEqual([force_screenshot === 1])
})

it('a chart that could not be drawn is named in the message and in the log', async () => {
  const buildContent = () =>
    Promise.resolve({ files: [], table: null, failures: [{ chart: 'Broken', reason: 'Column missing' }] })
  const id = await add()
  await server.as('alpha').post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  await runDueReports({ ...deps, buildContent })
  const reason = '"Broken" could not be drawn: Column missing'
  expect(receiver.received.map(({ text }) => text)).toEqual([expect.stringContaining(reason)])
  expect(await listRuns(server.deps.db, id)).toMatchObject([{ state: 'Success', error_message: reason }])
})

it('others cannot run a report, send it again, or open its files', async () => {
  const id = await add()
  await server.as('alpha').post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  await runDueReports(deps)
  const [file] = await filesOf(id)
  const { uuid } = file!
  expect(await statusOf('alpha', uuid)).toBe(200)
  expect(await statusOf('admin', uuid)).toBe(200)
  expect(await statusOf('gamma', uuid)).toBeOneOf([403, 404])
  expect(await statusOf('nobody', uuid)).toBe(401)
  await server.deps.db.updateTable('report').set({ created_by_fk: null }).where('id', '=', id).execute()
  await server.deps.db.deleteFrom('report_owner').where('report_id', '=', id).execute()
  expect(await statusOf('alpha', uuid)).toBe(404)
  expect((await server.as('alpha').post(`/api/v1/report/${id}/run`, { to: 'me' })).statusCode).toBe(404)
  const [delivery] = await listDeliveriesOf(server.deps.db, id)
  const path = `/api/v1/report/delivery/${delivery?.uuid}/send_again`
  expect((await server.as('alpha').post(path)).statusCode).toBe(404)
})

it("a file with the rows of one recipient is not shown to the report's owners", async () => {
  const { db } = server.deps
  const admin = await userId(db, 'admin')
  const id = await add({
    extra: { parquetry: { rows: 'recipient' } },
    recipients: [{ type: 'User', target: 4 * admin + 1 }],
  })
  await server.as('alpha').post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  await runDueReports(deps)
  const [file] = await filesOf(id)
  expect(file?.user_id).toBe(admin)
  expect([await statusOf('alpha', file!.uuid), await statusOf('admin', file!.uuid)]).toEqual([404, 200])
})

it('a delivery that may not have arrived is sent again once, with the same id', async () => {
  const { db } = server.deps
  receiver.behave('cut@example.com', 'cut')
  const id = await add({
    recipients: ['a@example.com', 'cut@example.com'].map((target) => ({ type: 'Email', target })),
  })
  await server.as('alpha').post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  await runDueReports(deps)
  const deliveries = await listDeliveriesOf(db, id)
  expect(deliveries.map(({ state }) => state)).toEqual(['sent', 'unknown'])
  const [sent, unknown] = deliveries.map(({ uuid }) => `/api/v1/report/delivery/${uuid}/send_again`)
  expect((await server.as('alpha').post(sent!)).statusCode).toBe(409)
  receiver.behave('cut@example.com', 'accept')
  const answers = await Promise.all([1, 2].map(() => server.as('alpha').post(unknown!)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([202, 409]))
  await runDueReports(deps)
  expect(receiver.received.map(({ target, id: message }) => [target, message === deliveries[1]?.uuid])).toEqual([
    ['a@example.com', false],
    ['cut@example.com', true],
    ['cut@example.com', true],
  ])
  expect((await listDeliveriesOf(db, id)).map(({ state }) => state)).toEqual(['sent', 'sent'])
  expect((await listRuns(db, id)).map(({ state, error_message }) => [state, error_message])).toEqual([
    ['Success', null],
  ])
})

it('regression: an owner cannot send what they chose with the rights of another owner, by repeating an earlier message', async () => {
  const { db } = server.deps
  const [admin, alpha] = [await userId(db, 'admin'), await userId(db, 'alpha')]
  receiver.behave('alpha@example.com', 'refuse')
  const id = await add({ owner: 'admin', recipients: [{ type: 'User', target: 4 * alpha + 1 }] })
  await db.insertInto('report_owner').values({ report_id: id, user_id: alpha }).execute()
  await server.as('admin').post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  await runDueReports(deps)
  // Alpha changes what is sent, so the report uses their rights.
  const other = await addDashboard(db, 'Salaries')
  await db.updateTable('report').set({ dashboard_id: other, run_as_fk: alpha }).where('id', '=', id).execute()
  receiver.behave('alpha@example.com', 'accept')
  receiver.received.length = 0
  const [delivery] = await listDeliveriesOf(db, id)
  expect(delivery?.user_id).toBe(admin)
  expect((await server.as('alpha').post(`/api/v1/report/delivery/${delivery?.uuid}/send_again`)).statusCode).toBe(202)
  await runDueReports(deps)
  expect(receiver.received).toEqual([])
  expect(await listDeliveriesOf(db, id)).toMatchObject([
    { state: 'failed', error_message: expect.stringContaining('the rights of another user') },
  ])
})

it('regression: an owner cannot open files with the rows of another owner', async () => {
  const { db } = server.deps
  const id = await add({ owner: 'admin' })
  await db
    .insertInto('report_owner')
    .values({ report_id: id, user_id: await userId(db, 'alpha') })
    .execute()
  await server.as('admin').post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  await runDueReports(deps)
  const [file] = await filesOf(id)
  expect([await statusOf('alpha', file!.uuid), await statusOf('admin', file!.uuid)]).toEqual([404, 200])
  const log = await server.as('alpha').get(`/api/v1/report/${id}/log/`)
  expect(log.json()).toMatchObject({ count: 1, result: [{ files: [] }] })
})

it('regression: an owner does not see values that were computed with the rights of another owner', async () => {
  const { db } = server.deps
  const alpha = await userId(db, 'alpha')
  const id = await add({ owner: 'admin', type: 'Alert', sql: 'SELECT 1', database_id: 1 })
  await db.insertInto('report_owner').values({ report_id: id, user_id: alpha }).execute()
  await server.as('admin').post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  await runDueReports(deps)
  const valuesFor = async (user: 'admin' | 'alpha') => {
    const log = (await server.as(user).get(`/api/v1/report/${id}/log/`)).json<{ result: object[] }>()
    const report = (await server.as(user).get(`/api/v1/report/${id}`)).json<{ result: object }>()
    return [log.result[0], report.result]
  }
  expect(await valuesFor('admin')).toMatchObject([{ value: 1, value_row_json: '{"n":1}' }, { last_value: 1 }])
  const none = [
    { value: null, value_row_json: null },
    { last_value: null, last_value_row_json: null },
  ]
  expect(await valuesFor('alpha')).toMatchObject(none)
  // A report that uses their rights now: what was computed before stays hidden.
  await db.updateTable('report').set({ run_as_fk: alpha }).where('id', '=', id).execute()
  expect((await valuesFor('alpha'))[0]).toMatchObject(none[0]!)
})

it('regression: a report whose user was deleted stops, instead of using the rights of its creator', async () => {
  const { db } = server.deps
  const id = await add({ owner: 'admin', run_as_fk: 987_654, next_at: null })
  await server.as('admin').post(`/api/v1/report/${id}/run`, { to: 'recipients' })
  await runDueReports(deps)
  expect(receiver.received.map(({ target }) => target)).not.toContain('a@example.com')
  expect(await db.selectFrom('report').select('active').where('id', '=', id).executeTakeFirst()).toEqual({ active: 0 })
})

it('runs and files are deleted after their time, and the oldest files beyond the quota', async () => {
  const { db, settings } = server.deps
  const id = await add({ log_retention: 30, crontab: '0 10 * * *', next_at: '2026-03-02T10:00:00.000' })
  for (let day = 0; day < 3; day++) {
    await runDueReports(deps)
    clock.pass(86_400_000)
  }
  const countKept = async (config: object = {}) => {
    await removeOldReportRuns({ db, now: () => clock.now(), settings: { config: { ...settings.config, ...config } } })
    return [(await listRuns(db, id)).length, (await filesOf(id)).length]
  }
  expect(await countKept()).toEqual([3, 3])
  expect(await countKept({ REPORT_FILES_QUOTA_MB: 40 / 2 ** 20 })).toEqual([3, 2])
  clock.pass(6 * 86_400_000)
  expect(await countKept()).toEqual([3, 1])
  clock.pass(86_400_000)
  expect(await countKept()).toEqual([3, 0])
  clock.pass(21 * 86_400_000)
  expect(await countKept()).toEqual([2, 0])
  clock.pass(86_400_000 * 10)
  expect(await countKept()).toEqual([0, 0])
})
