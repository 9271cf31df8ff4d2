import type { ListedReport, ReportDetail, ReportLog } from '@parquetry/model'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { addUser } from '../security/users.ts'
import { defaultConfig, defaultFlags } from '../settings/config.ts'
import { startTestServer, testStores, type TestUser } from '../testing.ts'

const email = (target: string) => ({ type: 'Email', recipient_config_json: { target } })

describe.each(testStores)('/api/v1/report/ on %s', (_name, store) => {
  let cars: CarsServer
  let time = new Date('2026-03-27T12:00:00Z')
  const ids = { chart: 0, dashboard: 0, alpha: 0, owner: 0 }
  const as = (user: string) => cars.server.as(user as TestUser)
  let last = 0

  beforeAll(async () => {
    const settings = {
      config: {
        ...structuredClone(defaultConfig),
        ALERT_REPORTS_EMAIL_DOMAINS: ['example.com'],
        SMTP_HOST: 'localhost',
        SMTP_MAIL_FROM: 'reports@example.com',
        ALERT_MINIMUM_INTERVAL: 300,
      },
    }
    cars = await startCarsServer({ store, settings, now: () => time })
    const { db } = cars.server.deps
    ids.owner = await addUser(db, { username: 'owner', password: 'owner', roles: ['Alpha'] }, time)
    ids.alpha = (await db.selectFrom('user').select('id').where('username', '=', 'alpha').executeTakeFirstOrThrow()).id
    const create = async (path: string, body: object) => (await as('owner').post(path, body)).json<{ id: number }>().id
    ids.chart = await create('/api/v1/chart/', {
      slice_name: 'Cars',
      viz_type: 'table',
      datasource_id: cars.dataset,
      datasource_type: 'table',
    })
    ids.dashboard = await create('/api/v1/dashboard/', { dashboard_title: 'Sales' })
  })
  afterAll(() => cars.close())
  beforeEach(() => {
    time = new Date('2026-03-27T12:00:00Z')
  })

  const post = (own: object = {}, user = 'owner') =>
    as(user).post('/api/v1/report/', {
      type: 'Report',
      name: `report ${++last}`,
      crontab: '0 9 * * *',
      timezone: 'Europe/Berlin',
      chart: ids.chart,
      recipients: [email('a@example.com')],
      ...own,
    })
  const create = async (own: object = {}, user = 'owner'): Promise<number> => {
    const response = await post(own, user)
    expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
    return response.json<{ id: number }>().id
  }
  const alert = (own: object = {}) => ({
    type: 'Alert',
    database: 1,
    sql: 'SELECT count(*) FROM cars',
    validator_type: 'operator',
    validator_config_json: { op: '>', threshold: 0 },
    ...own,
  })
  const put = (id: number, body: object, user = 'owner') => as(user).put(`/api/v1/report/${id}`, body)
  const detail = async (id: number, user = 'owner') =>
    (await as(user).get(`/api/v1/report/${id}`)).json<{ result: ReportDetail }>().result
  const refusal = async (own: object, user = 'owner') => {
    const response = await post(own, user)
    return [response.statusCode, response.json<{ message: unknown }>().message]
  }

  it('REPORT-001, REPORT-002, REPORT-007, API-052: creates a report of a dashboard with its next time', async () => {
    const id = await create({
      chart: null,
      dashboard: ids.dashboard,
      creation_method: 'dashboards',
      report_format: 'PDF',
      email_subject: 'Sales',
      custom_width: 1200,
      extra: { parquetry: { rows: 'recipient', orientation: 'landscape' } },
    })
    expect(await detail(id)).toMatchObject({
      active: true,
      creation_method: 'dashboards',
      dashboard: { id: ids.dashboard, dashboard_title: 'Sales' },
      chart: null,
      next_at: '2026-03-28T08:00:00.000',
      email_subject: 'Sales',
      custom_width: 1200,
      owners: [{ id: ids.owner }],
      created_by: { id: ids.owner },
      extra: { parquetry: { rows: 'recipient', orientation: 'landscape' } },
      recipients: [{ type: 'Email', recipient_config_json: '{"target": "a@example.com"}' }],
    })
  })

  it('REPORT-008, API-051: lists reports by chart, dashboard, creation method and creator', async () => {
    const id = await create({ creation_method: 'charts' })
    const list = async (filters: string) => {
      const response = await as('owner').get(
        `/api/v1/report/?q=(filters:!(${filters}),columns:!(id,crontab_humanized))`,
      )
      return response.json<{ result: ListedReport[] }>().result.map((report) => report.id)
    }
    const byChart = `(col:chart_id,opr:eq,value:${ids.chart}),(col:creation_method,opr:eq,value:charts)`
    expect(await list(byChart)).toEqual([id])
    expect(await list(`${byChart},(col:created_by,opr:rel_o_m,value:${ids.owner})`)).toEqual([id])
    expect(await list(`${byChart},(col:created_by,opr:rel_o_m,value:${ids.alpha})`)).toEqual([])
    const [found] = (
      await as('owner').get(`/api/v1/report/?q=(filters:!((col:name,opr:eq,value:'report ${last}')))`)
    ).json<{ result: ListedReport[] }>().result
    expect(found?.crontab_humanized).toBe('At 09:00 AM')
    expect((await put(id, { creation_method: 'alerts_reports' })).statusCode).toBe(200)
  })

  it('REPORT-004, REPORT-005, API-053: a deactivated report has no next time, and an activated one has it again', async () => {
    const id = await create({ crontab: '*/2 * * * *' })
    expect((await put(id, { active: false })).json()).toEqual({ id, result: { active: false } })
    expect(await detail(id)).toMatchObject({ active: false, next_at: null })
    time = new Date('2026-03-27T12:05:00Z')
    await put(id, { active: true })
    expect(await detail(id)).toMatchObject({ active: true, next_at: '2026-03-27T12:06:00.000' })
  })

  it('REPORT-003, API-054: changes the given fields, and the next time with the schedule', async () => {
    const id = await create()
    const before = await detail(id)
    expect((await put(id, { name: `renamed ${last}`, log_retention: 0 })).statusCode).toBe(200)
    expect(await detail(id)).toMatchObject({ name: `renamed ${last}`, log_retention: 0, next_at: before.next_at })
    await put(id, { crontab: '0 12 * * *', timezone: 'UTC', recipients: [email('b@example.com')] })
    expect(await detail(id)).toMatchObject({
      crontab: '0 12 * * *',
      next_at: '2026-03-28T12:00:00.000',
      chart: { id: ids.chart },
      recipients: [{ recipient_config_json: '{"target": "b@example.com"}' }],
    })
    await put(id, { dashboard: ids.dashboard })
    expect(await detail(id)).toMatchObject({ chart: null, dashboard: { id: ids.dashboard } })
  })

  it('REPORT-006, API-055: deletes reports, one or several', async () => {
    const [first, second, third] = [await create(), await create(), await create()]
    expect((await as('owner').delete(`/api/v1/report/${first}`)).json()).toEqual({ message: 'OK' })
    const deleted = await as('owner').delete(`/api/v1/report/?q=!(${second},${third})`)
    expect(deleted.json()).toEqual({ message: 'Deleted 2 report schedules' })
    expect((await as('owner').get(`/api/v1/report/${second}`)).statusCode).toBe(404)
    const { db } = cars.server.deps
    const left = await db.selectFrom('report_recipient').select('id').where('report_id', '=', third).execute()
    expect(left).toEqual([])
  })

  it('REPORT-009: only creators, owners and administrators see and change a report', async () => {
    const id = await create()
    expect((await as('alpha').get(`/api/v1/report/${id}`)).statusCode).toBe(404)
    expect((await put(id, { active: false }, 'alpha')).statusCode).toBe(404)
    expect((await as('alpha').delete(`/api/v1/report/${id}`)).statusCode).toBe(404)
    expect((await as('alpha').get(`/api/v1/report/${id}/log/`)).json()).toMatchObject({ count: 0 })
    expect((await detail(id, 'admin')).name).toBe(`report ${last}`)
    await put(id, { owners: [ids.alpha] })
    expect((await detail(id, 'alpha')).owners.map((owner) => owner.id)).toEqual(
      [ids.alpha, ids.owner].toSorted((a, b) => a - b),
    )
    expect((await put(id, { active: false }, 'alpha')).statusCode).toBe(200)
    expect((await as('gamma').get('/api/v1/report/')).statusCode).toBe(403)
  })

  it('refuses what cannot be sent, with the field and what to do', async () => {
    const neverMind = expect.any(String) as unknown
    expect(await refusal({ crontab: '0 0 30 2 *' })).toEqual([
      422,
      { crontab: [expect.stringContaining('never runs')] },
    ])
    expect(await refusal({ crontab: '0 9 * * * *' })).toEqual([400, { crontab: ['Cron expression is not valid'] }])
    expect(await refusal({ timezone: '+02:00' })).toEqual([400, { timezone: [neverMind] }])
    expect(await refusal({ custom_width: 100 })).toEqual([
      400,
      { custom_width: ['Screenshot width must be between 600px and 2400px'] },
    ])
    expect(await refusal({ chart: null })).toEqual([422, { chart: 'Choose a chart or dashboard' }])
    expect(await refusal({ chart: 987_654 })).toEqual([422, { chart: 'Chart does not exist' }])
    expect(await refusal({ chart: null, dashboard: ids.dashboard, report_format: 'CSV' })).toEqual([
      422,
      { report_format: [expect.stringContaining('A dashboard has no CSV')] },
    ])
    expect(await refusal({ chart: null, dashboard: ids.dashboard, extra: { dashboard: { anchor: 'TAB-9' } } })).toEqual(
      [422, { extra: [expect.stringContaining('TAB-9')] }],
    )
    expect(await refusal({ owners: [987_654] })).toEqual([422, { owners: ['Owners are invalid'] }])
    expect(await refusal({ recipients: [email('x@other.com')] })).toEqual([
      422,
      { recipients: [expect.stringContaining('ALERT_REPORTS_EMAIL_DOMAINS')] },
    ])
    expect(await refusal({ recipients: [email('a@example.com, x@other.com')] })).toEqual([422, expect.anything()])
    expect(await refusal({ recipients: [{ type: 'Email', recipient_config_json: {} }] })).toEqual([
      400,
      { recipients: { 0: { recipient_config_json: { target: ['Missing data for required field.'] } } } },
    ])
    expect(
      await refusal({ recipients: [{ type: 'User', recipient_config_json: { target: 4 * 987_654 + 1 } }] }),
    ).toMatchObject([422, { recipients: [expect.stringContaining('do not exist')] }])
    expect(await refusal(alert({ crontab: '*/4 * * * *' }))).toEqual([
      422,
      { crontab: [expect.stringContaining('minimum interval of 5 minutes')] },
    ])
    expect(await refusal(alert({ crontab: '0,4 0 1 1 *' }))).toEqual([422, expect.anything()])
    await create(alert({ crontab: '*/5 * * * *' }))
  })

  it('a chart has one report of each user that was made from it', async () => {
    const chart = { creation_method: 'charts' }
    const id = await create(chart)
    const second = await post(chart)
    expect([second.statusCode, second.json()]).toEqual([409, { message: 'Resource already has an attached report.' }])
    await create(chart, 'admin')
    await create()
    await as('owner').delete(`/api/v1/report/${id}`)
    await create(chart)
  })

  it('checks the condition of an alert before it is stored', async () => {
    expect(await refusal(alert({ sql: 'SELECT 1, 2' }))).toEqual([
      422,
      { sql: ['Alert query returned more than one column. 2 columns returned'] },
    ])
    expect(await refusal(alert({ sql: 'SELECT "Name" FROM cars' }))).toEqual([
      422,
      { sql: [expect.stringContaining('more than one row')] },
    ])
    expect(await refusal(alert({ sql: `SELECT 'x'` }))).toEqual([
      422,
      { sql: ['Alert query returned a non-number value.'] },
    ])
    for (const sql of ['SELECT FROM', 'SELECT nope FROM cars', 'DROP TABLE cars', 'SELECT 1; SELECT 2'])
      expect(await refusal(alert({ sql })), sql).toEqual([422, { sql: [expect.any(String)] }])
    expect(await refusal(alert({ sql: '' }))).toEqual([422, { sql: ['SQL is required for alerts'] }])
    expect(await refusal(alert({ validator_config_json: { op: '>' } }))).toMatchObject([
      422,
      { validator_config_json: [expect.any(String)] },
    ])
    const id = await create(alert())
    const refused = await put(id, { sql: 'SELECT 1, 2' })
    expect([refused.statusCode, refused.json()]).toMatchObject([422, { message: { sql: [expect.any(String)] } }])
    expect((await put(id, { name: 'still counts' })).statusCode).toBe(200)
  })

  it('a report uses the rights of the owner who last changed what it sends', async () => {
    const { db } = cars.server.deps
    const id = await create({ owners: [ids.alpha] })
    const runAs = async () =>
      (await db.selectFrom('report').select('run_as_fk').where('id', '=', id).executeTakeFirstOrThrow()).run_as_fk
    expect(await runAs()).toBe(ids.owner)
    await put(id, { name: `named by alpha ${id}`, recipients: [email('a@example.com')] }, 'alpha')
    expect(await runAs()).toBe(ids.owner)
    await put(id, { recipients: [email('alpha@example.com')] }, 'alpha')
    expect(await runAs()).toBe(ids.alpha)
    await put(id, { recipients: [email('admin@example.com')] }, 'admin')
    expect(await runAs()).toBe(ids.alpha)
  })

  it('after the account that it uses was deactivated, an owner who activates a report takes it over', async () => {
    const { db } = cars.server.deps
    const left = await addUser(db, { username: `left ${store}`, password: 'left', roles: ['Alpha'] }, time)
    const id = await create({ owners: [ids.owner] })
    await db.updateTable('report').set({ created_by_fk: left, run_as_fk: left }).where('id', '=', id).execute()
    await db.updateTable('user').set({ active: 0 }).where('id', '=', left).execute()
    expect((await put(id, { active: false, name: `off ${id}` }, 'admin')).statusCode).toBe(200)
    const refused = await put(id, { active: true }, 'admin')
    expect([refused.statusCode, refused.json()]).toEqual([
      422,
      { message: { owners: [expect.stringContaining('was deactivated')] } },
    ])
    expect((await put(id, { active: true })).statusCode).toBe(200)
    const row = await db.selectFrom('report').select('run_as_fk').where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.run_as_fk).toBe(ids.owner)
  })

  it('charts, dashboards, datasets and databases that a report uses are not deleted, also with others', async () => {
    const chart = (
      await as('owner').post('/api/v1/chart/', {
        slice_name: 'Free',
        viz_type: 'table',
        datasource_id: cars.dataset,
        datasource_type: 'table',
      })
    ).json<{ id: number }>().id
    const metric = { dataset: cars.dataset, metric: { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' } }
    await create(alert({ name: 'by metric', database: undefined, sql: undefined, extra: { parquetry: { metric } } }))
    await create({ name: 'b uses it' })
    const message = (names: string) => ({
      message: expect.stringMatching(`There are associated alerts or reports: .*${names}`),
    })
    const bulk = await as('admin').delete(`/api/v1/chart/?q=!(${chart},${ids.chart})`)
    expect([bulk.statusCode, bulk.json()]).toEqual([422, message('b uses it')])
    expect((await as('owner').get(`/api/v1/chart/${chart}`)).statusCode).toBe(200)
    expect((await as('admin').delete(`/api/v1/chart/${ids.chart}`)).statusCode).toBe(422)
    const dataset = await as('admin').delete(`/api/v1/dataset/${cars.dataset}`)
    expect([dataset.statusCode, dataset.json()]).toEqual([422, message('by metric')])
    expect((await as('admin').delete('/api/v1/database/1')).statusCode).toBe(422)
  })

  it('reports of a deleted user stay and belong to their other owners', async () => {
    const { db } = cars.server.deps
    const gone = await addUser(db, { username: `gone ${store}`, password: 'gone', roles: ['Alpha'] }, time)
    const id = await create({ owners: [ids.owner] }, 'admin')
    await db.updateTable('report').set({ created_by_fk: gone, run_as_fk: gone }).where('id', '=', id).execute()
    await db.insertInto('report_owner').values({ report_id: id, user_id: gone }).execute()
    expect((await as('admin').delete(`/api/v1/security/users/${gone}`)).statusCode).toBe(422)
    await db.deleteFrom('user').where('id', '=', gone).execute()
    expect(await detail(id)).toMatchObject({ created_by: null, owners: [{ id: ids.owner }] })
    expect((await put(id, { active: false })).statusCode).toBe(200)
  })

  it('shows the runs of a report with what each recipient got and the files that the reader may open', async () => {
    const { db } = cars.server.deps
    const id = await create({ owners: [ids.alpha] })
    const at = '2026-03-01T08:00:00.000'
    const run = await db
      .insertInto('report_run')
      .values({
        uuid: crypto.randomUUID(),
        report_id: id,
        trigger: 'schedule',
        slot: at,
        user_id: null,
        run_as_fk: ids.owner,
        owner: null,
        next_attempt_at: null,
        state: 'Success',
        scheduled_dttm: at,
        start_dttm: at,
        end_dttm: at,
        value: null,
        value_row_json: null,
        error_message: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('report_delivery')
      .values({
        uuid: crypto.randomUUID(),
        run_id: run.id,
        type: 'Email',
        target: 'a@example.com',
        config_json: '{}',
        user_id: null,
        state: 'sent',
        next_attempt_at: null,
        error_message: null,
        started_on: at,
        ended_on: at,
      })
      .execute()
    for (const [name, is_shared] of [
      ['shared.pdf', 1],
      ['own.pdf', 0],
    ] as const)
      await db
        .insertInto('report_file')
        .values({
          uuid: crypto.randomUUID(),
          run_id: run.id,
          user_id: ids.alpha,
          is_shared,
          name,
          media_type: 'application/pdf',
          size: 1,
          created_on: at,
          bytes: Buffer.from('a'),
        })
        .execute()
    const log = async (user: string) =>
      (await as(user).get(`/api/v1/report/${id}/log/`)).json<{ count: number; result: ReportLog[] }>()
    const found = await log('owner')
    expect(found).toMatchObject({
      count: 1,
      result: [
        { id: run.id, state: 'Success', trigger: 'schedule', deliveries: [{ target: 'a@example.com', state: 'sent' }] },
      ],
    })
    // Both show the rows of alpha.
    expect(found.result[0]?.files).toEqual([])
    expect((await log('alpha')).result[0]?.files.map(({ name }) => name)).toEqual(['shared.pdf', 'own.pdf'])
    const item = await as('owner').get(`/api/v1/report/${id}/log/${run.id}`)
    expect(item.json()).toMatchObject({ id: run.id, result: { state: 'Success' } })
    const other = await create()
    expect((await as('owner').get(`/api/v1/report/${other}/log/${run.id}`)).statusCode).toBe(404)
  })

  it('recipients without an account get rows of a table with rules only if they are confirmed by name', async () => {
    const rule = await as('admin').post('/api/v1/rowlevelsecurity/', {
      name: 'some cars',
      filter_type: 'Regular',
      tables: [cars.dataset],
      roles: [1],
      clause: '"Cylinders" = 4',
    })
    expect(rule.statusCode, rule.body).toBe(201)
    const recipients = [email('a@example.com; b@example.com')]
    expect(await refusal({ recipients })).toEqual([
      422,
      { recipients: [expect.stringMatching(/a@example.com, b@example.com.*rows of cars/)] },
    ])
    const confirmed = (targets: string[]) => ({ extra: { parquetry: { confirmed: targets } } })
    expect(await refusal({ recipients, ...confirmed(['a@example.com']) })).toMatchObject([
      422,
      { recipients: [expect.stringMatching(/account: b@example.com\./)] },
    ])
    await create({ recipients, ...confirmed(['a@example.com', 'B@example.com']) })
    // The address of a user has an account, one of several users none that could be checked.
    await create({ recipients: [email('Admin@example.com')] })
    for (const username of ['twin', 'other-twin'])
      await addUser(
        cars.server.deps.db,
        { username, password: username, email: 'twin@example.com', roles: ['Gamma'] },
        time,
      )
    expect((await refusal({ recipients: [email('twin@example.com')] }))[0]).toBe(422)
    await cars.server.deps.db.deleteFrom('user').where('email', '=', 'twin@example.com').execute()
    await create({ recipients: [{ type: 'User', recipient_config_json: { target: 4 * ids.alpha + 1 } }] })
    // Also a chart of other data that draws such a chart.
    const own = { database: 1, table_name: 'own', sql: 'SELECT 1 AS one' }
    const dataset = (await as('owner').post('/api/v1/dataset/', own)).json<{ id: number }>().id
    for (const form of [
      { viz_type: 'line_multi', line_charts: [ids.chart] },
      { viz_type: 'deck_multi', deck_slices: [ids.chart] },
      { viz_type: 'table', annotation_layers: [{ annotationType: 'EVENT', sourceType: 'table', value: ids.chart }] },
    ]) {
      const params = JSON.stringify({ ...form, datasource: `${dataset}__table` })
      const body = { slice_name: form.viz_type, viz_type: form.viz_type, datasource_id: dataset, params }
      const drawing = await as('owner').post('/api/v1/chart/', { ...body, datasource_type: 'table' })
      expect(drawing.statusCode, drawing.body).toBe(201)
      const { id } = drawing.json<{ id: number }>()
      expect([form.viz_type, (await refusal({ chart: id, recipients }))[0]]).toEqual([form.viz_type, 422])
    }
    await as('admin').delete(`/api/v1/rowlevelsecurity/${rule.json<{ id: number }>().id}`)
    await create({ recipients })
  })

  it('regression: a last value that was computed with other rights is forgotten when the rights change', async () => {
    const { db } = cars.server.deps
    const id = await create({ owners: [ids.alpha] })
    await db.updateTable('report').set({ last_value: 7, last_value_row_json: '{}' }).where('id', '=', id).execute()
    expect(await detail(id)).toMatchObject({ last_value: 7 })
    expect(await detail(id, 'alpha')).toMatchObject({ last_value: null, last_value_row_json: null })
    expect((await put(id, { recipients: [email('other@example.com')] }, 'alpha')).statusCode).toBe(200)
    expect(await detail(id, 'alpha')).toMatchObject({ last_value: null, last_value_row_json: null })
  })

  it('regression: two requests at once run a report once', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await create()
      const answers = await Promise.all(
        [1, 2, 3].map(() => as('owner').post(`/api/v1/report/${id}/run`, { to: 'recipients' })),
      )
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([202, 409, 409])
      await cars.server.deps.db.deleteFrom('report').where('id', '=', id).execute()
    }
  })

  it('returns the next five times of a schedule, and the schedule in words', async () => {
    const next = (crontab: string, timezone = 'Europe/Berlin') =>
      as('owner').get(`/api/v1/report/next_runs/?q=(crontab:'${crontab}',timezone:'${timezone}')`)
    expect((await next('30 2 * * *')).json()).toEqual({
      result: [
        '2026-03-28T01:30:00.000Z',
        '2026-03-29T01:00:00.000Z',
        '2026-03-30T00:30:00.000Z',
        '2026-03-31T00:30:00.000Z',
        '2026-04-01T00:30:00.000Z',
      ],
      words: 'At 02:30 AM',
    })
    for (const [crontab, timezone] of [
      ['x', 'UTC'],
      ['0 9 * * *', 'Nowhere/Here'],
      ['0 0 31 2 *', 'UTC'],
    ] as const)
      expect((await next(crontab, timezone)).statusCode, crontab).toBe(400)
  })
})

it('with ALERT_REPORTS off every call is not found', async () => {
  const server = await startTestServer({ settings: { flags: { ...defaultFlags, ALERT_REPORTS: false } } })
  for (const path of ['', '_info', '1', '1/log/', 'related/owners', 'next_runs/'])
    expect((await server.as('admin').get(`/api/v1/report/${path}`)).statusCode, path).toBe(404)
  expect((await server.as('admin').post('/api/v1/report/', {})).statusCode).toBe(404)
  await server.close()
})

it('a user creates a limited number of alerts and reports, an administrator any number', async () => {
  const cars = await startCarsServer({
    settings: { config: { ...structuredClone(defaultConfig), ALERT_REPORTS_MAX_PER_USER: 1 } },
  })
  const dashboard = (await cars.server.as('alpha').post('/api/v1/dashboard/', { dashboard_title: 'Sales' })).json<{
    id: number
  }>().id
  const add = (user: 'admin' | 'alpha', name: string) =>
    cars.server
      .as(user)
      .post('/api/v1/report/', { type: 'Report', name, crontab: '0 9 * * *', dashboard, recipients: [] })
  const first = await add('alpha', 'first')
  expect(first.statusCode).toBe(201)
  const second = await add('alpha', 'second')
  expect([second.statusCode, second.body]).toEqual([422, expect.stringContaining('ALERT_REPORTS_MAX_PER_USER')])
  for (const name of ['third', 'fourth']) expect((await add('admin', name)).statusCode).toBe(201)
  await cars.server.as('alpha').delete(`/api/v1/report/${first.json<{ id: number }>().id}`)
  expect((await add('alpha', 'second')).statusCode).toBe(201)
  await cars.close()
})

it('without a way to deliver, a report is saved as inactive, and is marked until a user decides', async () => {
  const channel = {
    ...structuredClone(defaultConfig),
    SMTP_HOST: '',
    SMTP_MAIL_FROM: 'reports@example.com',
  }
  const cars = await startCarsServer({ settings: { config: channel } })
  const client = cars.server.as('admin')
  const body = { type: 'Report', name: 'r', crontab: '0 9 * * *', report_format: 'NONE', active: true }
  const created = await client.post('/api/v1/report/', { ...body, recipients: [email('a@example.com')] })
  expect([created.statusCode, created.json()]).toMatchObject([201, { result: { active: false } }])
  const { id } = created.json<{ id: number }>()
  const change = (own: object) => client.put(`/api/v1/report/${id}`, own)
  const read = async () => {
    const { active, extra } = (await client.get(`/api/v1/report/${id}`)).json<{ result: ReportDetail }>().result
    return [active, extra.parquetry?.awaits_channel ?? false]
  }
  expect(await read()).toEqual([false, true])
  expect((await change({ active: true })).json()).toMatchObject({ result: { active: false } })
  await change({ active: false })
  expect(await read()).toEqual([false, false])
  await change({ active: true, extra: { parquetry: { missed: 'log' } } })
  expect(await read()).toEqual([false, true])
  channel.SMTP_HOST = 'localhost'
  await change({ description: 'still waiting' })
  expect(await read()).toEqual([false, true])
  expect((await change({ active: true })).json()).toMatchObject({ result: { active: true } })
  expect(await read()).toEqual([true, false])
  await cars.close()
})
