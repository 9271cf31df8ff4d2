import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../../testing.ts'
import { reconcileNextTimes } from './claim-due-reports.ts'
import { Crash, crashingDeps } from './crash.testing.ts'
import type { RunDeps } from './deps.ts'
import { startMessageReceiver, type MessageReceiver } from './receiver.testing.ts'
import { recoverRuns } from './recover-runs.ts'
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

const ten = '2026-03-02T10:00:00.000'

describe.each(testStores)('runs of reports on %s', (_name, store) => {
  let server: TestServer
  let receiver: MessageReceiver
  let dashboard: number
  let clock: TestClock
  let deps: RunDeps
  beforeAll(async () => {
    server = await startTestServer({ store })
    receiver = await startMessageReceiver()
    dashboard = await addDashboard(server.deps.db, 'Sales')
    await addAddresses(server.deps.db, ['alpha', 'gamma'])
  })
  afterAll(async () => {
    await receiver.close()
    await server.close()
  })
  beforeEach(async () => {
    clock = createClock(`${ten}Z`)
    deps = runDepsOf(server, receiver, clock)
    receiver.received.length = 0
    for (const table of ['notification', 'report'] as const) await server.deps.db.deleteFrom(table).execute()
  })

  const add = (row: Parameters<typeof addReport>[1] = {}) =>
    addReport(server.deps.db, { dashboard_id: dashboard, next_at: ten, ...row })
  const runsOf = async (id: number) =>
    (await listRuns(server.deps.db, id)).map(({ slot, state, error_message }) => [
      slot?.slice(5, 16),
      state,
      error_message,
    ])
  const nextOf = async (id: number) =>
    (await server.deps.db.selectFrom('report').select('next_at').where('id', '=', id).executeTakeFirstOrThrow()).next_at
  const notifications = () => server.deps.db.selectFrom('notification').select(['kind', 'user_id', 'json']).execute()

  it('REPORT-001: sends a report once at its time, with its files, and records it', async () => {
    const id = await add({ name: 'Weekly sales', context_markdown: 'See **this**' })
    await runDueReports(deps)
    await runDueReports(deps)
    expect(receiver.received).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        target: 'a@example.com',
        subject: 'Weekly sales',
        text: expect.stringContaining('See **this**'),
        html: expect.stringContaining('<p>See <strong>this</strong></p>'),
        files: [{ name: 'report.csv', size: 15, text: 'Sales for admin' }],
      },
    ])
    expect(await runsOf(id)).toEqual([['03-02T10:00', 'Success', null]])
    expect(await listDeliveriesOf(server.deps.db, id)).toEqual([
      expect.objectContaining({ state: 'sent', attempts: 1, error_message: null }),
    ])
    expect(await nextOf(id)).toBe('2026-03-02T11:00:00.000')
    const report = await server.deps.db.selectFrom('report').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect([report.last_state, report.last_eval_dttm, report.failures]).toEqual(['Success', ten, 0])
  })

  it('regression: a schedule that cannot be computed is listed in its log, and other reports run', async () => {
    const broken = await add({ timezone: 'Nowhere/Unknown' })
    const id = await add()
    await reconcileNextTimes(deps)
    await runDueReports(deps)
    await runDueReports(deps)
    expect(receiver.received).toHaveLength(1)
    expect(await runsOf(id)).toEqual([['03-02T10:00', 'Success', null]])
    expect(await runsOf(broken)).toEqual([
      ['03-02T10:00', 'Error', expect.stringContaining('Check its schedule and time zone')],
    ])
    expect(await nextOf(broken)).toBe(null)
  })

  it('a server that is killed at any statement neither sends twice nor forgets a recipient', async () => {
    const targets = ['a@example.com', 'b@example.com']
    const outcomes = new Set<string>()
    // Messages are handed over in the second half. On PostgreSQL, not every statement before that is tried.
    for (let statement = 1; ; statement += store === 'sqlite' || statement > 24 ? 1 : 3) {
      receiver.received.length = 0
      await server.deps.db.deleteFrom('report').execute()
      await server.deps.db.deleteFrom('notification').execute()
      const id = await add({ recipients: targets.map((target) => ({ type: 'Email', target })) })
      const killed = crashingDeps(deps, statement)
      await runDueReports(killed.deps).catch((error: unknown) => expect(error).toBeInstanceOf(Crash))
      const before = receiver.received.length
      await recoverRuns(deps, deps.server)
      await runDueReports(deps)

      const got = receiver.received.map(({ target }) => target).toSorted()
      expect([statement, new Set(got).size]).toEqual([statement, got.length])
      const deliveries = await listDeliveriesOf(server.deps.db, id)
      expect(deliveries.map(({ target }) => target).toSorted()).toEqual(targets)
      const unknown = deliveries.filter(({ state }) => state === 'unknown')
      for (const { target, state } of deliveries)
        expect(['sent', 'unknown']).toContain(got.includes(target) ? state : 'unknown')
      for (const { target, state } of deliveries)
        if (!got.includes(target)) expect([target, state]).toEqual([target, 'unknown'])
      expect((await notifications()).map(({ kind }) => kind)).toEqual(
        unknown.length > 0 ? ['report_may_have_been_sent'] : [],
      )
      expect(await runsOf(id)).toEqual([
        ['03-02T10:00', unknown.length > 0 ? 'Error' : 'Success', unknown.length > 0 ? expect.any(String) : null],
      ])
      outcomes.add(`${before} sent before, ${unknown.length} unknown`)
      if (!killed.hasCrashed()) break
    }
    // Kills before, between and after the messages were among them.
    expect([...outcomes]).toEqual(expect.arrayContaining(['0 sent before, 0 unknown', '2 sent before, 0 unknown']))
    expect([...outcomes].some((outcome) => !outcome.endsWith(' 0 unknown'))).toBe(true)
  }, 60_000)

  it('a time that was missed runs once, and the log says how many were skipped', async () => {
    const id = await add()
    clock.set('2026-03-02T14:30:00Z')
    await runDueReports(deps)
    expect(receiver.received).toHaveLength(1)
    expect(await runsOf(id)).toEqual([
      [
        '03-02T10:00',
        'Not triggered',
        expect.stringContaining('4 scheduled times from 2026-03-02 10:00 to 2026-03-02 13:00'),
      ],
      ['03-02T14:00', 'Success', null],
    ])
    expect(await nextOf(id)).toBe('2026-03-02T15:00:00.000')
  })

  it('a time that was missed is only logged if its owner chose so', async () => {
    const id = await add({ extra: { parquetry: { missed: 'log' } } })
    clock.set('2026-03-02T10:30:00Z')
    await runDueReports(deps)
    expect(receiver.received).toEqual([])
    expect(await runsOf(id)).toEqual([['03-02T10:00', 'Not triggered', expect.stringContaining('skip missed times')]])
    clock.set('2026-03-02T11:00:30Z')
    await runDueReports(deps)
    expect(receiver.received).toHaveLength(1)
  })

  it('an outage of years costs little and runs once', async () => {
    const id = await add({ crontab: '* * * * *' })
    clock.set('2029-03-02T10:00:00Z')
    await runDueReports(deps)
    expect(await runsOf(id)).toEqual([
      ['03-02T10:00', 'Not triggered', expect.stringContaining('1000+')],
      ['03-02T10:00', 'Success', null],
    ])
    expect(await nextOf(id)).toBe('2029-03-02T10:01:00.000')
  })

  it('a clock that is set back does not repeat a time, and one that was ahead does not delay the next', async () => {
    const id = await add()
    clock.set('2030-01-01T00:10:00Z')
    await runDueReports(deps)
    expect(await nextOf(id)).toBe('2030-01-01T01:00:00.000')
    clock.set('2026-03-02T09:30:00Z')
    await reconcileNextTimes(deps)
    expect(await nextOf(id)).toBe(ten)
    receiver.received.length = 0
    clock.set('2026-03-02T10:00:05Z')
    await runDueReports(deps)
    // The log has this time already, as one of those that were skipped.
    expect(receiver.received).toEqual([])
    clock.set('2026-03-02T11:00:05Z')
    await runDueReports(deps)
    expect(receiver.received).toHaveLength(1)
  })

  it.each([
    ['2026-03-29', '30 2 * * *', ['03-28T01:30', '03-29T01:00', '03-30T00:30']],
    ['2026-10-25', '30 2 * * *', ['10-24T00:30', '10-25T00:30', '10-26T01:30']],
  ])('runs once a day when daylight saving time changes on %s', async (day, crontab, slots) => {
    const start = new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000)
    const first = deps.nextRun({ crontab, timezone: 'Europe/Berlin' }, start)
    const id = await add({ crontab, timezone: 'Europe/Berlin', next_at: first!.toISOString().slice(0, -1) })
    for (let hour = 0; hour < 72; hour++) {
      clock.set(new Date(start.getTime() + hour * 3_600_000 + 1800_000 + 5000).toISOString())
      await runDueReports(deps)
    }
    expect((await runsOf(id)).map(([slot]) => slot)).toEqual(slots)
    expect(receiver.received).toHaveLength(3)
  })

  it('retries a receiver that is busy, with the same id, and gives up after five attempts', async () => {
    receiver.behave('busy@example.com', 'busy')
    receiver.behave('refusing@example.com', 'refuse')
    const id = await add({
      crontab: '0 0 1 1 *',
      recipients: ['a', 'busy', 'refusing'].map((name) => ({ type: 'Email', target: `${name}@example.com` })),
    })
    await runDueReports(deps)
    const states = async () =>
      (await listDeliveriesOf(server.deps.db, id)).map(({ state, attempts }) => `${state} ${attempts}`)
    expect(await states()).toEqual(['sent 1', 'waiting 1', 'failed 1'])
    expect((await runsOf(id))[0]?.[1]).toBe('Working')
    clock.pass(59_000)
    await runDueReports(deps)
    expect(await states()).toEqual(['sent 1', 'waiting 1', 'failed 1'])
    clock.pass(2000)
    await runDueReports(deps)
    expect(await states()).toEqual(['sent 1', 'waiting 2', 'failed 1'])
    for (let hour = 0; hour < 5; hour++) {
      clock.pass(3_600_000)
      await runDueReports(deps)
    }
    expect(await states()).toEqual(['sent 1', 'failed 5', 'failed 1'])
    expect(await runsOf(id)).toEqual([['03-02T10:00', 'Error', expect.stringContaining('2 of 3 deliveries')]])
    receiver.behave('busy@example.com', 'accept')
    receiver.behave('refusing@example.com', 'accept')
  })

  it('a connection that breaks after the message was sent is not tried again, and the owner learns of it', async () => {
    receiver.behave('cut@example.com', 'cut')
    const id = await add({ recipients: [{ type: 'Email', target: 'cut@example.com' }] })
    await runDueReports(deps)
    clock.pass(3_500_000)
    await runDueReports(deps)
    expect(receiver.received).toHaveLength(1)
    expect((await listDeliveriesOf(server.deps.db, id)).map(({ state }) => state)).toEqual(['unknown'])
    const [told, ...others] = await notifications()
    expect(others).toEqual([])
    expect([told?.kind, told?.user_id]).toEqual(['report_may_have_been_sent', await userId(server.deps.db, 'admin')])
    expect(JSON.parse(told?.json ?? '')).toEqual({
      parameters: { name: expect.any(String), type: 'Report', recipients: ['cut@example.com'] },
      path: `/report/${id}/log/`,
    })
  })

  it('three failures in a row are reported to the owner once, in the product and by e-mail', async () => {
    receiver.behave('no@example.com', 'refuse')
    await add({ name: 'Failing', recipients: [{ type: 'Email', target: 'no@example.com' }] })
    for (let hour = 0; hour < 5; hour++) {
      await runDueReports(deps)
      clock.pass(3_600_000)
    }
    expect((await notifications()).map(({ kind }) => kind)).toEqual(['report_failed'])
    await expect
      .poll(() => receiver.received.map(({ target, subject }) => [target, subject]))
      .toEqual([['admin@example.com', '"Failing" has failed 3 times in a row']])
  })

  it('a report of a deactivated owner stops and says so to the other owners', async () => {
    const { db } = server.deps
    const id = await add({ owner: 'gamma' })
    const alpha = await userId(db, 'alpha')
    await db.insertInto('report_owner').values({ report_id: id, user_id: alpha }).execute()
    await db.updateTable('user').set({ active: 0 }).where('username', '=', 'gamma').execute()
    await runDueReports(deps)
    await db.updateTable('user').set({ active: 1 }).where('username', '=', 'gamma').execute()
    expect(receiver.received).toEqual([])
    expect(await runsOf(id)).toEqual([['03-02T10:00', 'Error', expect.stringContaining('switched off')]])
    expect(await nextOf(id)).toBeNull()
    expect((await notifications()).map(({ kind, user_id }) => [kind, user_id])).toEqual([['report_stopped', alpha]])
  })

  it('an alert is sent once above its threshold and stays quiet in its grace period', async () => {
    let value = 1
    const evaluateAlert = () => Promise.resolve({ value, row: { n: value }, is_triggered: value > 5 })
    const alerting = { ...deps, evaluateAlert }
    const id = await add({ type: 'Alert', grace_period: 7200 })
    for (const next of [1, 9, 9, 9, 9]) {
      value = next
      await runDueReports(alerting)
      clock.pass(3_600_000)
    }
    expect((await runsOf(id)).map(([, state]) => state)).toEqual([
      'Not triggered',
      'Success',
      'On Grace',
      'Success',
      'On Grace',
    ])
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received[0]?.text).toContain('The value of the alert is 9.')
  })

  it('a dashboard that is gone is an error with a reason', async () => {
    const id = await add({ dashboard_id: 987_654 })
    await runDueReports(deps)
    expect(await runsOf(id)).toEqual([['03-02T10:00', 'Error', expect.stringContaining('was deleted')]])
  })

  it('a run that hangs ends at its working timeout and says so', async () => {
    const hanging = { ...deps, buildContent: () => new Promise<never>(() => {}) }
    const id = await add({ working_timeout: 1 })
    await runDueReports(hanging)
    expect(await runsOf(id)).toEqual([
      ['03-02T10:00', 'Error', expect.stringContaining('working timeout of 1 seconds')],
    ])
    expect((await listDeliveriesOf(server.deps.db, id)).map(({ state }) => state)).toEqual(['failed'])
  })

  it('roles and groups are expanded to their active members, and each address gets one message', async () => {
    const { db } = server.deps
    const role = await db.selectFrom('role').select('id').where('name', '=', 'Alpha').executeTakeFirstOrThrow()
    await add({
      recipients: [
        { type: 'Role', target: 4 * role.id + 2 },
        { type: 'User', target: 4 * (await userId(db, 'alpha')) + 1 },
        { type: 'Email', target: 'ALPHA@example.com, new@example.com' },
        { type: 'Group', target: 4 * 999 + 3 },
      ],
    })
    await runDueReports(deps)
    expect(receiver.received.map(({ target }) => target).toSorted()).toEqual(['alpha@example.com', 'new@example.com'])
    const states = await server.deps.db
      .selectFrom('report_delivery')
      .select(['type', 'state', 'error_message'])
      .orderBy('id')
      .execute()
    expect(states).toEqual([
      { type: 'Role', state: 'sent', error_message: null },
      { type: 'Email', state: 'sent', error_message: null },
      { type: 'Group', state: 'failed', error_message: expect.stringContaining('does not exist') },
    ])
  })

  it('recipients with an account get their own rows, drawn once each', async () => {
    const { db } = server.deps
    const target = async (name: string) => 4 * (await userId(db, name)) + 1
    const id = await add({
      extra: { parquetry: { rows: 'recipient' } },
      recipients: [
        { type: 'User', target: await target('alpha') },
        { type: 'User', target: await target('gamma') },
        { type: 'Email', target: 'outside@example.com' },
      ],
    })
    await runDueReports(deps)
    const texts = receiver.received.map(({ target: to, files }) => `${to}: ${files[0]?.text}`).toSorted()
    expect(texts).toEqual(expect.arrayContaining(['outside@example.com: Sales for admin']))
    expect(texts.filter((text) => / for (alpha|gamma)$/.test(text))).toHaveLength(2)
    const files = await db
      .selectFrom('report_file')
      .innerJoin('report_run', 'report_run.id', 'run_id')
      .select(['report_file.user_id', 'is_shared'])
      .where('report_id', '=', id)
      .orderBy('report_file.id')
      .execute()
    expect(files.map(({ is_shared }) => is_shared)).toEqual([0, 0, 1])
  })
})
