import { subjectId } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../../chart/testing.ts'
import { addRowLevelSecurityRule } from '../../row-level-security/rules.testing.ts'
import { grant } from '../../security/grants.ts'
import { createRunDeps } from './create-run-deps.ts'
import type { RunDeps } from './deps.ts'
import { startMessageReceiver, type MessageReceiver } from './receiver.testing.ts'
import { addReport, listDeliveriesOf, runDueReports, userId } from './runs.testing.ts'

let cars: CarsServer
let receiver: MessageReceiver
let deps: RunDeps
let chart: number
beforeAll(async () => {
  cars = await startCarsServer()
  receiver = await startMessageReceiver()
  const { server, dataset } = cars
  deps = { ...createRunDeps(server.deps, { isStoreShared: false }), channels: receiver.channels }
  const form = {
    viz_type: 'table',
    query_mode: 'aggregate',
    groupby: ['Origin'],
    metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }],
  }
  const created = await server.as('admin').post('/api/v1/chart/', {
    slice_name: 'Cars',
    viz_type: 'table',
    datasource_id: dataset,
    datasource_type: 'table',
    params: JSON.stringify(form),
  })
  chart = created.json<{ id: number }>().id
  for (const username of ['alpha', 'gamma', 'sqllab'])
    await server.deps.db
      .updateTable('user')
      .set({ email: `${username}@example.com` })
      .where('username', '=', username)
      .execute()
  await grant(server.deps.db, 'Gamma', ['all_datasource_access', 'all_datasource_access'])
  await addRowLevelSecurityRule(
    server.deps.db,
    dataset,
    { user: await userId(server.deps.db, 'gamma') },
    `"Origin" = 'Japan'`,
  )
})
afterAll(async () => {
  await receiver.close()
  await cars.close()
})

const send = async (more: Parameters<typeof addReport>[1]) => {
  receiver.received.length = 0
  const id = await addReport(deps.db, { chart_id: chart, next_at: '2026-03-02T10:00:00.000', ...more })
  await runDueReports(deps)
  return (await listDeliveriesOf(deps.db, id)).map(({ target, state, error_message }) => [target, state, error_message])
}
const userTarget = async (name: string) => ({ type: 'User', target: subjectId('user', await userId(deps.db, name)) })

it('a recipient without an account gets restricted rows only if the owner confirmed it by name', async () => {
  const recipients = ['Inside@example.com', 'outside@example.com'].map((target) => ({ type: 'Email', target }))
  const unconfirmed = expect.stringContaining('would get rows of cars')
  expect(await send({ recipients, extra: { parquetry: { confirmed: ['inside@example.com'] } } })).toEqual([
    ['Inside@example.com', 'sent', null],
    ['outside@example.com', 'failed', unconfirmed],
  ])
  expect(receiver.received.map(({ target }) => target)).toEqual(['Inside@example.com'])
})

it('recipients with an account get their own rows, and one that may not see the chart gets none, with the reason', async () => {
  const recipients = [await userTarget('alpha'), await userTarget('gamma'), await userTarget('publicuser')]
  await deps.db.updateTable('user').set({ email: 'public@example.com' }).where('username', '=', 'publicuser').execute()
  const deliveries = await send({ recipients, extra: { parquetry: { rows: 'recipient' } } })
  expect(deliveries).toEqual([
    ['alpha@example.com', 'sent', null],
    ['gamma@example.com', 'sent', null],
    ['public@example.com', 'failed', expect.any(String)],
  ])
  const texts = new Map(receiver.received.map(({ target, files }) => [target, files[0]?.text ?? '']))
  expect(texts.get('alpha@example.com')).toContain('USA')
  expect(texts.get('gamma@example.com')).toContain('Japan')
  expect(texts.get('gamma@example.com')).not.toContain('USA')
})

it('a report of an owner with restricted rows shows only those to all recipients', async () => {
  await send({ owner: 'gamma', recipients: [await userTarget('alpha')] })
  expect(receiver.received[0]?.files[0]?.text).toContain('Japan')
  expect(receiver.received[0]?.files[0]?.text).not.toContain('USA')
})
