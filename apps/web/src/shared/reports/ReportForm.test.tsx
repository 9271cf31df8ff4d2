import { toastHistory } from '@parquetry/ui'
import { show } from '@parquetry/ui/show.testing.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ReportDialog } from './ReportDialog.tsx'
import type { ReportStart } from './report-draft.ts'

interface Sent {
  method: string
  path: string
  body: Record<string, unknown>
}
let sent: Sent[] = []
let missing: string[] = []
/** The stored report is inactive, because its channel was not set up. */
let awaiting = false
/** Responses to the next saves; 201 without any. */
let refusals: { status: number; message: unknown }[] = []
const closed = vi.fn()

const stored = {
  id: 9,
  type: 'Alert',
  name: 'Stock',
  active: true,
  owners: [],
  chart: { id: 4, slice_name: 'Stock', viz_type: 'table' },
  dashboard: null,
  database: { id: 2, database_name: 'shop' },
  sql: 'select 87',
  validator_type: 'operator',
  validator_config_json: '{"op": ">", "threshold": 100}',
  crontab: '0 * * * *',
  timezone: 'UTC',
  recipients: [{ id: 1, type: 'Email', recipient_config_json: '{"target": "ana@example.com"}' }],
  report_format: 'PNG',
  grace_period: 60,
  working_timeout: 60,
  log_retention: 90,
  extra: {},
}

const answer = (method: string, path: string): Response => {
  if (path.endsWith('/channels/'))
    return Response.json({
      result: [
        { type: 'Email', missing: [] },
        { type: 'Webhook', missing },
      ],
    })
  if (path.endsWith('/next_runs/')) return Response.json({ words: '', result: ['2026-11-23T07:00:00Z'] })
  if (path.endsWith('/test_condition'))
    return Response.json({ result: { value: 87, row: { n: 87 }, is_triggered: false } })
  if (path.endsWith('/tabs')) return Response.json({ result: { all_tabs: {}, tab_tree: [], native_filters: {} } })
  const refusal = method === 'GET' ? undefined : refusals.shift()
  if (refusal) return Response.json({ message: refusal.message }, { status: refusal.status })
  if (method === 'POST') return Response.json({ id: 5, result: {} }, { status: 201 })
  const waiting = { active: false, extra: { parquetry: { awaits_channel: true } } }
  return Response.json({ id: 9, result: { ...stored, ...(awaiting && waiting) } })
}

beforeEach(() => {
  sent = []
  missing = []
  awaiting = false
  refusals = []
  closed.mockClear()
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, { method = 'GET', body } = {}) => {
    const { pathname } = new URL(input as string, location.origin)
    if (method !== 'GET')
      sent.push({ method, path: pathname, body: JSON.parse((body as string | null) ?? '{}') as Sent['body'] })
    return Promise.resolve(answer(method, pathname))
  })
})
afterEach(() => void vi.restoreAllMocks())

const sales: ReportStart = {
  type: 'Report',
  creation_method: 'dashboards',
  target: { kind: 'dashboard', id: 7, name: 'Sales' },
}
const open = (start: ReportStart, id: number | null = null) =>
  show(
    <QueryClientProvider client={new QueryClient()}>
      <ReportDialog id={id} start={start} onClose={closed} />
    </QueryClientProvider>,
  )
const addRecipient = async (field: string, text: string): Promise<void> => {
  await userEvent.click(page.getByRole('combobox', { name: field }))
  await userEvent.keyboard(`${text}{Enter}`)
}
const saves = () => sent.filter(({ path }) => path === '/api/v1/report/')

it('REPORT-001, REPORT-013, API-052: Ctrl-Enter creates a report of the dashboard', async () => {
  await open(sales)
  await expect.element(page.getByRole('dialog', { name: 'New report for Sales' })).toBeVisible()
  await addRecipient('E-mail addresses', 'ana@example.com')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  expect(saves()).toMatchObject([
    {
      method: 'POST',
      body: {
        name: 'Sales',
        dashboard: 7,
        chart: null,
        creation_method: 'dashboards',
        active: true,
        crontab: '0 8 * * 1-5',
        recipients: [{ type: 'Email', recipient_config_json: { target: 'ana@example.com' } }],
      },
    },
  ])
  expect(toastHistory().map(({ text }) => text)).toContain('The report has been created')
})

it('keeps what was typed when saving fails, and shows the reason at its field until that changes', async () => {
  refusals = [{ status: 422, message: { name: ['A report named "Sales" already exists'] } }]
  await open(sales)
  await addRecipient('E-mail addresses', 'ana@example.com')
  await page.getByRole('textbox', { name: 'Note' }).fill('See page 2')
  await page.getByRole('button', { name: 'Create report' }).click()
  const name = page.getByRole('textbox', { name: /^Name/ })
  await expect.element(name).toHaveAccessibleDescription('A report named "Sales" already exists')
  await expect.element(page.getByRole('textbox', { name: 'Note' })).toHaveValue('See page 2')
  await expect.element(page.getByText('ana@example.com')).toBeVisible()
  await name.fill('Sales 2')
  await expect.element(name).toBeValid()
  refusals = [{ status: 422, message: { log_retention: ['Too long'] } }]
  await page.getByRole('button', { name: 'Create report' }).click()
  await expect.element(page.getByText('Too long')).toBeVisible()
  expect(closed).not.toHaveBeenCalled()
})

it('names the missing setting of a channel, and leaves it to the server to save the report as inactive', async () => {
  missing = ['WEBHOOK_HOSTS']
  await open(sales)
  await page.getByRole('button', { name: 'Add recipients' }).click()
  await page.getByRole('menuitem', { name: 'Webhooks' }).click()
  await addRecipient('Webhooks', 'https://example.com/hook')
  await expect
    .element(
      page.getByText('Webhook is not set up. Missing settings: WEBHOOK_HOSTS. The report is saved as inactive.', {
        exact: false,
      }),
    )
    .toBeVisible()
  await page.getByRole('button', { name: 'Create report' }).click()
  await vi.waitFor(() => expect(saves()).toMatchObject([{ body: { active: true } }]))
})

it('offers to activate a report whose channel was set up after it was saved', async () => {
  awaiting = true
  await open({ type: 'Alert', creation_method: 'alerts_reports' }, 9)
  await expect
    .element(page.getByText('The channel is ready now: save to activate the report.', { exact: false }))
    .toBeVisible()
  await expect.element(page.getByRole('checkbox', { name: 'Active: runs on this schedule' })).toBeChecked()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await vi.waitFor(() => expect(sent).toMatchObject([{ method: 'PUT', body: { active: true } }]))
})

it('converts a schedule between words and a cron expression, both ways', async () => {
  await open(sales)
  await page.getByRole('button', { name: 'As cron' }).click()
  const cron = page.getByRole('textbox', { name: /^Cron expression/ })
  await expect.element(cron).toHaveValue('0 8 * * 1-5')
  await cron.fill('15 7 * * 3')
  await page.getByRole('button', { name: 'In words' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Frequency' })).toHaveValue('Every week')
  await expect.element(page.getByRole('combobox', { name: 'Day of the week' })).toHaveValue('Wednesday')
  await page.getByLabelText('Time', { exact: true }).fill('09:30')
  await page.getByRole('button', { name: 'As cron' }).click()
  await expect.element(cron).toHaveValue('30 9 * * 3')
  await cron.fill('*/7 * * * *')
  await expect.element(page.getByRole('button', { name: 'In words' })).toHaveAttribute('aria-disabled', 'true')
})

it('asks to confirm each outside recipient of restricted rows that the server names', async () => {
  refusals = [{ status: 422, message: { recipients: ['They have no account: bo@example.com, cy@example.com.'] } }]
  await open(sales)
  await addRecipient('E-mail addresses', 'ana@example.com')
  await addRecipient('E-mail addresses', 'Bo@example.com')
  await addRecipient('E-mail addresses', 'cy@example.com')
  await page.getByRole('button', { name: 'Create report' }).click()
  await page.getByRole('checkbox', { name: 'Send restricted rows to Bo@example.com' }).click()
  await page.getByRole('checkbox', { name: 'Send restricted rows to cy@example.com' }).click()
  expect(page.getByRole('checkbox', { name: 'Send restricted rows to ana@example.com' }).elements()).toEqual([])
  await page.getByRole('button', { name: 'Create report' }).click()
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  expect(saves()[1]).toMatchObject({
    body: { extra: { parquetry: { confirmed: ['Bo@example.com', 'cy@example.com'] } } },
  })
})

it('tests the condition of an alert on the spot, and forgets the result when the condition changes', async () => {
  await open({ type: 'Alert', creation_method: 'alerts_reports' }, 9)
  const button = page.getByRole('button', { name: 'Test', exact: true })
  await expect.element(button).toBeEnabled()
  // The result would be below the visible part of the form.
  button.element().scrollIntoView({ block: 'end' })
  ;(button.element() as HTMLButtonElement).click()
  const value = page.getByText('Current value: 87')
  await expect.element(value).toBeVisible()
  await expect.element(page.getByText('The alert would not be sent now.')).toBeInViewport({ ratio: 1 })
  expect(sent).toMatchObject([
    {
      path: '/api/v1/report/test_condition',
      body: { database: 2, sql: 'select 87', validator_config_json: { op: '>', threshold: 100 } },
    },
  ])
  await page.getByRole('spinbutton', { name: /^Threshold/ }).fill('50')
  await expect.element(value).not.toBeInTheDocument()
  await page.getByRole('spinbutton', { name: /^Threshold/ }).fill('')
  await expect
    .element(page.getByRole('button', { name: 'Test', exact: true }))
    .toHaveAccessibleDescription('Enter the value to compare with')
})

it('REPORT-003, REPORT-014, API-054: saves a changed alert', async () => {
  await open({ type: 'Alert', creation_method: 'alerts_reports' }, 9)
  await page.getByRole('textbox', { name: /^Name/ }).fill('Low stock')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  expect(sent).toMatchObject([
    { method: 'PUT', path: '/api/v1/report/9', body: { name: 'Low stock', sql: 'select 87' } },
  ])
  expect(toastHistory().map(({ text }) => text)).toContain('Report updated')
})
