import type { ReportDetail } from '@parquetry/model'
import { expect, it } from 'vitest'
import { noRecipients } from './recipients.ts'
import { newDraft, readDraft, toApiReport, toConditionRequest } from './report-draft.ts'

const target = { kind: 'dashboard', id: 7, name: 'Sales' } as const
const page = { dataMask: { region: { filterState: { value: ['North'] } } }, urlParams: [['lang', 'de']] }
const none = { stored: null, page: null }

const stored = {
  id: 3,
  type: 'Report',
  name: 'Sales',
  description: null,
  active: true,
  owners: [{ id: 1, first_name: 'Ana', last_name: 'Admin' }],
  chart: null,
  dashboard: { id: 7, dashboard_title: 'Sales' },
  database: null,
  crontab: '30 6 * * 1',
  timezone: 'Europe/Berlin',
  sql: null,
  validator_type: null,
  validator_config_json: null,
  recipients: [{ id: 1, type: 'Email', recipient_config_json: '{"target":"ana@example.com"}' }],
  report_format: 'PNG',
  context_markdown: null,
  email_subject: null,
  custom_width: 1200,
  grace_period: 14_400,
  working_timeout: 3600,
  log_retention: 90,
  extra: {
    dashboard: { anchor: 'TAB-1', activeTabs: ['TAB-1'], dataMask: { region: 1 }, urlParams: [] },
    parquetry: { rows: 'recipient', orientation: 'landscape' },
    other: 'kept',
  },
} as unknown as ReportDetail

it('REPORT-001: a new report of an open dashboard has its current filters, on weekdays at eight', () => {
  const draft = newDraft({ type: 'Report', creation_method: 'dashboards', target }, true, 'Europe/Berlin', 1)
  const report = toApiReport(
    { ...draft, recipients: { ...noRecipients, emails: ['ana@example.com'] } },
    { stored: null, page },
  )
  expect(report).toMatchObject({
    type: 'Report',
    name: 'Sales',
    dashboard: 7,
    chart: null,
    crontab: '0 8 * * 1-5',
    timezone: 'Europe/Berlin',
    owners: [1],
    report_format: 'PDF',
    extra: { dashboard: page },
  })
  expect(report).not.toHaveProperty('sql')
  expect(report).not.toHaveProperty('validator_type')
})

it('API-054: changing nothing sends the stored report back, with settings that the form does not know', () => {
  const draft = readDraft(stored)
  expect(draft).toMatchObject({ filters: 'stored', tab: 'TAB-1', rows: 'recipient', width: 1200 })
  const report = toApiReport(draft, { stored, page: null })
  expect(report).toMatchObject({ crontab: '30 6 * * 1', custom_width: 1200, report_format: 'PNG' })
  expect(report.extra).toEqual({
    ...stored.extra,
    parquetry: { rows: 'recipient', orientation: 'landscape', missed: 'run', confirmed: [] },
  })
})

it('sends the whole dashboard with its default filters once both are chosen', () => {
  const report = toApiReport({ ...readDraft(stored), tab: '', filters: 'saved' }, { stored, page: null })
  expect(report.extra).not.toHaveProperty('dashboard')
})

it('compares a metric or the value of a query, and keeps no trace of the other', () => {
  const draft = {
    ...newDraft({ type: 'Alert', creation_method: 'alerts_reports' }, false, 'UTC', 1),
    database: 2,
    sql: 'select 5',
    dataset: 4,
    metric: 'count',
    threshold: 3,
  }
  const bySql = toConditionRequest(draft, none)
  expect(bySql).toMatchObject({ database: 2, sql: 'select 5', validator_config_json: { op: '>', threshold: 3 } })
  expect(bySql.extra?.parquetry).not.toHaveProperty('metric')
  const byMetric = toConditionRequest({ ...draft, condition: 'metric', operator: 'not null' }, none)
  expect(byMetric).not.toHaveProperty('sql')
  expect(byMetric).toMatchObject({
    validator_type: 'not null',
    extra: { parquetry: { metric: { dataset: 4, metric: 'count' } } },
  })
})
