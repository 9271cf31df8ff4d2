import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { listTools } from './lists-tools.ts'
import { startMailReceiver, type MailReceiver } from './mail-receiver.ts'
import { monitorPage, skipAfterFailure, type PageMonitor } from './page-monitor.ts'
import { addUserArgs, createApiClient, runCommands, startProduct, waitForExamples, type Product } from './product.ts'

let folder: string
let mail: MailReceiver
let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
let client: Awaited<ReturnType<typeof createApiClient>>
let list: Awaited<ReturnType<typeof listTools>>
let at: ReturnType<typeof dashboardTools>
let flights: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parquetry-reports-'))
  mail = await startMailReceiver()
  const config = {
    SMTP_HOST: 'localhost',
    SMTP_PORT: mail.port,
    SMTP_STARTTLS: false,
    SMTP_MAIL_FROM: 'reports@example.com',
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  const port = await findFreePort()
  product = await startProduct({
    env: {
      PARQUETRY_CONFIG: join(folder, 'config.json'),
      PARQUETRY_REPORTS_FOLDER: folder,
      PARQUETRY_PORT: String(port),
      // Links in e-mails need an address that no request chooses.
      PARQUETRY_BASE_URL: `http://127.0.0.1:${port}`,
    },
  })
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(30_000)
  monitor = monitorPage(page)
  list = await listTools(page, client)
  at = dashboardTools(page, client)
  flights = await at.filteredFlights('Filtered flights')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  mail?.close()
  rmSync(folder, { recursive: true, force: true })
})
skipAfterFailure(() => page)

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const addRecipient = async (field: string, text: string): Promise<void> => {
  await page.getByRole('combobox', { name: field }).click()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
}
const reports = async (type: string) =>
  (await client.get(`/api/v1/report/?q=(filters:!((col:type,opr:eq,value:${type})))`)).body.result as {
    id: number
    active: boolean
  }[]
const openReportMenu = async (): Promise<void> => {
  await page.getByRole('button', { name: 'More actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Manage email report' }).click()
}

it('REPORT-001, REPORT-002, REPORT-013: schedules a filtered dashboard from its menu, by keyboard', async () => {
  await at.open(flights)
  await page.getByRole('combobox', { name: 'From' }).click()
  await page.keyboard.type('SEA')
  await page.getByRole('option', { name: /^SEA/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => at.tile('Flights').textContent()).not.toContain('3M')
  await page.getByRole('button', { name: 'More actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Set up an email report' }).click()
  const form = dialog('New report for Filtered flights')
  await form.getByText('Next:').waitFor()
  await expect
    .poll(() => form.getByRole('combobox', { name: 'Filters' }).inputValue())
    .toBe('Current filters of the page')
  await addRecipient('E-mail addresses', 'ana@example.com')
  await monitor.checkAccessibility()
  await form.getByRole('button', { name: 'Preview' }).click()
  await form.getByRole('link', { name: /^Open .*\.pdf$/ }).waitFor()
  await page.keyboard.press('Control+Enter')
  await list.toast('The report has been created')
  const [report] = await reports('Report')
  const { body } = await client.get(`/api/v1/report/${report!.id}`)
  expect(JSON.stringify(body.result.extra.dashboard.dataMask)).toContain('SEA')
})

it('runs the report now: its PDF arrives by e-mail, and the log has the same file', async () => {
  await page.goto('/report/list/')
  await list.menuOf('Filtered flights')
  await list.choose('Run now')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Run now' }).click()
  await list.toast('Started: Filtered flights')
  await expect.poll(() => mail.mails.length, { timeout: 60_000 }).toBe(1)
  const [received] = mail.mails
  expect(received).toMatchObject({ to: ['ana@example.com'], subject: expect.stringContaining('Filtered flights') })
  const pdf = received!.files[0]!
  expect(pdf.name).toMatch(/\.pdf$/)
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')

  await list.menuOf('Filtered flights')
  await list.choose('Log')
  const log = dialog('Log of Filtered flights')
  await log.getByText('Success').waitFor()
  await log.getByText('Started by hand').waitFor()
  await log.getByText('ana@example.com').waitFor()
  await log.getByText('Sent', { exact: true }).waitFor()
  await monitor.checkAccessibility()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    log.getByRole('link', { name: /\.pdf/ }).click(),
  ])
  expect(readFileSync((await download.path())!).equals(pdf.bytes)).toBe(true)
})

it('REPORT-003, REPORT-008, REPORT-009, REPORT-014, API-051: changes it to an Excel file in the menu of the dashboard, and sends it to a folder', async () => {
  await at.open(flights)
  await openReportMenu()
  await page.getByRole('menuitem', { name: 'Edit email report' }).click()
  const form = dialog('Edit report')
  await form.getByRole('combobox', { name: 'Format' }).click()
  await page.getByRole('option', { name: /^Excel/ }).click()
  await form.getByRole('button', { name: 'Remove ana@example.com' }).click({ force: true })
  await form.getByRole('button', { name: 'Add recipients' }).click()
  await page.getByRole('menuitem', { name: 'Folders' }).click()
  await addRecipient('Folders', 'sales')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await list.toast('Report updated')
  const [report] = await reports('Report')
  expect((await client.post(`/api/v1/report/${report!.id}/run`, { to: 'recipients' })).status).toBe(202)
  const files = (): string[] => {
    try {
      return readdirSync(join(folder, 'sales'))
    } catch {
      return []
    }
  }
  await expect.poll(files, { timeout: 60_000 }).toEqual([expect.stringMatching(/\.xlsx$/)])
  expect(
    readFileSync(join(folder, 'sales', files()[0]!))
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
})

it('REPORT-004, REPORT-005, REPORT-011, API-053: pauses and resumes it, and undoes a switch that the server refuses', async () => {
  await page.goto('/report/list/')
  const active = page.getByRole('switch', { name: 'Active: Filtered flights' })
  await active.click()
  await page.getByRole('cell', { name: 'Paused' }).waitFor()
  expect(await reports('Report')).toMatchObject([{ active: false }])
  await at.refuse(/\/api\/v1\/report\/\d+$/, 'PUT', 500, { message: 'The store is away' })
  await active.click()
  await list.toast('We were unable to active or deactivate this report.')
  await expect.poll(() => active.isChecked()).toBe(false)
  await at.open(flights)
  await openReportMenu()
  await page
    .getByRole('menuitemcheckbox', { name: 'Email reports active' })
    .or(page.getByRole('menuitemradio', { name: 'Email reports active' }))
    .click()
  await expect.poll(() => reports('Report')).toMatchObject([{ active: true }])
})

it('an alert is tested on the spot, is sent once above its threshold, and is quiet in its grace period', async () => {
  await page.goto('/alert/list/?new=true')
  const form = dialog('New alert')
  await form.getByRole('textbox', { name: 'Name' }).fill('Many flights')
  await form.getByRole('combobox', { name: 'Dashboard' }).click()
  await page.getByRole('option', { name: 'Filtered flights' }).click()
  await form.getByRole('combobox', { name: 'Database' }).click()
  await page.getByRole('option', { name: 'examples' }).click()
  await form.getByRole('textbox', { name: 'SQL' }).fill('select count(*) from penguins')
  await form.getByRole('spinbutton', { name: 'Threshold' }).fill('300')
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await form.getByText('Current value: 344').waitFor()
  await form.getByText('The alert would be sent now.').waitFor()
  await form.getByRole('combobox', { name: 'Format' }).click()
  await page.getByRole('option', { name: 'Message without a file' }).click()
  await addRecipient('E-mail addresses', 'bo@example.com')
  await form.getByRole('button', { name: 'Create alert' }).click()
  await list.toast('The report has been created')

  const [alert] = await reports('Alert')
  const toBo = () => mail.mails.filter(({ to }) => to.includes('bo@example.com')).length
  const states = async () =>
    (
      await client.get(`/api/v1/report/${alert!.id}/log/?q=(order_column:scheduled_dttm,order_direction:asc)`)
    ).body.result.map(({ state }: { state: string }) => state)
  makeDue(alert!.id)
  await expect.poll(states, { timeout: 60_000 }).toEqual(['Success'])
  expect(toBo()).toBe(1)
  makeDue(alert!.id)
  await expect.poll(states, { timeout: 60_000 }).toEqual(['Success', 'On Grace'])
  expect(toBo()).toBe(1)
  await page.goto(`/report/${alert!.id}/log/`)
  await page.getByText('Value: 344').waitFor()
  await page.getByText('On grace').waitFor()
})

/** Makes an hourly report due for the hour that has begun, and moves its earlier runs to the hour before. */
function makeDue(id: number): void {
  const hourMs = 3_600_000
  const hour = Math.floor(Date.now() / hourMs) * hourMs
  const stored = (ms: number): string => new Date(ms).toISOString().slice(0, -1)
  const store = new DatabaseSync(join(product.home, 'parquetry.sqlite'))
  const before = stored(hour - hourMs)
  store.prepare('update report_run set slot = ?, scheduled_dttm = ? where report_id = ?').run(before, before, id)
  store.prepare('update report set next_at = ? where id = ?').run(stored(hour), id)
  store.close()
}

it('each viewer gets their own rows, and a recipient without an account only after a confirmation by name', async () => {
  const islands = { north: 'Biscoe', south: 'Dream' }
  const names = Object.keys(islands)
  runCommands(product, ...names.map((name) => [...addUserArgs(name, 'Alpha'), '--email', `${name}@example.com`]))
  const users: { id: number; username: string }[] = (await client.get('/api/v1/security/users/')).body.result
  const penguins = (await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:penguins)))')).body
  for (const [name, island] of Object.entries(islands)) {
    const rule = await client.post('/api/v1/rowlevelsecurity/', {
      name,
      filter_type: 'Regular',
      tables: [penguins.result[0].id],
      subjects: [4 * users.find(({ username }) => username === name)!.id + 1],
      clause: `island = '${island}'`,
    })
    expect(rule.status).toBe(201)
  }
  const charts = (await client.get('/api/v1/chart/?q=(filters:!((col:slice_name,opr:eq,value:Penguins)))')).body
  await page.goto(`/report/list/?new=true&chart=${charts.result[0].id}&name=Own+rows`)
  const form = dialog('New report for Own rows')
  await form.getByRole('combobox', { name: 'Format' }).click()
  await page.getByRole('option', { name: 'CSV file' }).click()
  const people = form.getByRole('combobox', { name: 'Users, roles and groups' })
  for (const name of names) {
    await people.click()
    await page.keyboard.type(name)
    await page.getByRole('option', { name }).first().click()
  }
  await page.keyboard.press('Escape')
  await addRecipient('E-mail addresses', 'Guest@example.com')
  await form.getByText('What each recipient sees').click()
  await form.getByRole('button', { name: 'Create report' }).click()
  await form.getByRole('checkbox', { name: 'Send restricted rows to Guest@example.com' }).check()
  await monitor.checkAccessibility()
  await form.getByRole('button', { name: 'Create report' }).click()
  await list.toast('The report has been created')
  await list.menuOf('Own rows')
  await list.choose('Run now')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Run now' }).click()
  const rowsOf = (name: string): string | undefined =>
    mail.mails.find(({ to }) => to[0]?.toLowerCase() === `${name}@example.com`)?.files[0]?.bytes.toString()
  await expect.poll(() => ['north', 'south', 'guest'].every(rowsOf), { timeout: 60_000 }).toBe(true)
  expect([rowsOf('north'), rowsOf('south'), rowsOf('guest')]).toEqual([
    expect.stringMatching(/\b168\b/),
    expect.stringMatching(/\b124\b/),
    expect.stringMatching(/\b344\b/),
  ])
})

it('REPORT-006, REPORT-010, REPORT-012, REPORT-015, API-055: deletes it, and says when that or the list fails', async () => {
  await page.goto('/report/list/')
  await at.refuse(/\/api\/v1\/report\/\d+$/, 'DELETE', 500, { message: 'The store is away' })
  await list.menuOf('Filtered flights')
  await list.choose('Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete report' }).click()
  await list.toast('Your report could not be deleted.')
  await at.open(flights)
  await openReportMenu()
  await page.getByRole('menuitem', { name: 'Delete email report' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete report' }).click()
  await list.toast('Deleted: Filtered flights')
  expect(await reports('Report')).toHaveLength(1)
  await page.goto('/report/channels/')
  await page.getByRole('region', { name: 'E-mail' }).getByText('Ready').waitFor()
  await monitor.checkAccessibility()
  await list.fail(/\/api\/v1\/report\/\?q=/, 'The store is away')
  await page.goto('/report/list/')
  await list.toast('There was an issue fetching reports.')
  expect([...monitor.violations]).toEqual([])
})

it('a user who forgot the password sets another one with the link of an e-mail', async () => {
  runCommands(product, [...addUserArgs('lena', 'Gamma'), '--email', 'lena@example.com'])
  const visitor = await browser.newPage({ baseURL: product.url })
  await visitor.goto('/login/')
  await visitor.getByRole('button', { name: 'Forgot password?' }).click()
  await visitor.getByRole('textbox', { name: 'Email' }).fill('Lena@example.com')
  await visitor.keyboard.press('Enter')
  const linkOf = () => {
    const received = mail.mails.find(({ to }) => to.includes('lena@example.com'))
    return received?.source.match(/http:\/\/127\.0\.0\.1:\d+\/[^\s"<]+/)?.[0]
  }
  await expect.poll(linkOf, { timeout: 30_000 }).toBeTruthy()
  await visitor.goto(linkOf()!)
  await visitor.getByText('For lena').waitFor()
  await visitor.getByLabel('New password', { exact: true }).fill('another-password-7')
  await visitor.getByLabel('Repeat password').fill('another-password-7')
  await visitor.getByRole('button', { name: 'Save and sign in' }).click()
  await visitor.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await createApiClient(product.url, 'lena', 'another-password-7')
  await expect(createApiClient(product.url, 'lena')).rejects.toThrow('401')
})
