import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { listTools } from './lists-tools.ts'
import { addUser, waitForExamples, createApiClient, startProduct, type Product } from './product.ts'
import { monitorPage } from './page-monitor.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let admin: Awaited<ReturnType<typeof createApiClient>>
let list: Awaited<ReturnType<typeof listTools>>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  admin = await createApiClient(product.url, 'admin')
  addUser(product, 'alpha', 'Alpha')
  page = await openSignedInPage(browser, product.url)
  list = await listTools(page, admin)
  for (const name of ['Filler 01', 'Filler 02']) await list.addChart(name)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

describe('deleting', () => {
  it('LIST-005, LIST-036, API-101: names the object and what depends on it, deletes it, and confirms the deletion', async () => {
    await list.addChart('To go')
    await page.goto('/chart/list/?q=To+go')
    await list.menuOf('To go')
    await list.choose('Delete')
    const question = page.getByRole('alertdialog', { name: 'Delete chart To go?' })
    await question.getByText('It is not on any dashboard.').waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await list.link('To go').waitFor()
    await list.menuOf('To go')
    await list.choose('Delete')
    const gone = page.waitForRequest((request) => request.method() === 'DELETE')
    await question.getByRole('button', { name: 'Delete chart' }).click()
    expect(new URL((await gone).url()).pathname).toMatch(/^\/api\/v1\/chart\/\d+$/)
    await list.toast('Deleted: To go')
    await page.getByRole('heading', { name: 'No matches' }).waitFor()
    expect(
      (await admin.get('/api/v1/chart/?q=(filters:!((col:slice_name,opr:eq,value:%27To%20go%27)))')).body.count,
    ).toBe(0)
  })

  it('a dataset used by charts requires typing its name, and says how many charts break', async () => {
    await page.goto('/tablemodelview/list/?q=penguins')
    await list.menuOf('penguins')
    await list.choose('Delete')
    const question = page.getByRole('alertdialog', { name: 'Delete dataset penguins?' })
    await question.getByText(/\d+ charts on 1 dashboard will have no data/).waitFor()
    expect(await question.getByRole('button', { name: 'Delete dataset' }).getAttribute('aria-disabled')).toBe('true')
    await question.getByLabel('Type penguins to confirm').fill('penguins')
    expect(await question.getByRole('button', { name: 'Delete dataset' }).getAttribute('aria-disabled')).not.toBe(
      'true',
    )
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
  })

  it('deletes many rows together, beyond the current page', async () => {
    for (let n = 0; n < 27; n++) await list.addChart(`Batch ${n}`)
    await page.goto('/chart/list/?q=Batch')
    await list.link('Batch 26').waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await page.getByText('25 selected').waitFor()
    await page.getByRole('button', { name: 'Select all 27' }).click()
    await page.getByText('27 selected').waitFor()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 27 charts' }).click()
    await list.toast('Deleted: 27 charts')
    await page.getByRole('heading', { name: 'No matches' }).waitFor()
  })

  it('LIST-037, LIST-038: says what could not be deleted, by name if it is a single object', async () => {
    await list.fail(/\/api\/v1\/chart\//, 'it is held', 'DELETE')
    await list.search().fill('Filler 0')
    await list.menuOf('Filler 01')
    await list.choose('Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete chart' }).click()
    await list.toast('There was an issue deleting Filler 01: it is held')
    await list.closeToasts()
    await page.getByRole('checkbox', { name: 'Select Filler 01' }).check()
    await page.getByRole('checkbox', { name: 'Select Filler 02' }).check()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 2 charts' }).click()
    await list.toast('There was an issue deleting: it is held')
    await page.getByText('2 selected').waitFor()
  })
})

describe('failures', () => {
  it('LIST-027: reports a failed info fetch', async () => {
    await list.fail(/\/api\/v1\/chart\/_info/, 'closed')
    await page.goto('/chart/list/')
    await list.toast('An error occurred while fetching chart info: closed')
    await list.link('Filler 02').waitFor()
  })

  it('LIST-028: a failed fetch of a list is shown in its place and can be retried', async () => {
    await list.fail(/\/api\/v1\/chart\/\?/, 'the store is away')
    await page.goto('/chart/list/')
    const alert = page.getByRole('main').getByRole('alert')
    await alert.getByText('An error occurred while fetching charts: the store is away').waitFor()
    expect(await list.search().isVisible()).toBe(true)
    expect(await findAxeViolations(page)).toEqual([])
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await list.link('Filler 02').waitFor()
  })

  it('LIST-029: reports a failed fetch of one object', async () => {
    const id = await list.addChart('Odd one')
    await list.fail(new RegExp(`/api/v1/chart/${id}$`), 'not today')
    await page.goto('/chart/list/?q=Odd+one')
    await list.menuOf('Odd one')
    await list.choose('Properties')
    await page.getByRole('dialog').getByText('An error occurred while fetching charts: not today').waitFor()
  })

  it('LIST-030: a failed update keeps the dialog and the typed text', async () => {
    const id = await list.addChart('Stubborn')
    await list.fail(new RegExp(`/api/v1/chart/${id}$`), 'read only', 'PUT')
    await page.goto('/chart/list/?q=Stubborn')
    await list.menuOf('Stubborn')
    await list.choose('Properties')
    const dialog = page.getByRole('dialog', { name: 'Properties' })
    await dialog.getByLabel('Name').fill('Renamed')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('An error occurred while fetching charts: read only').waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Renamed')
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await list.toast('Saved: Renamed')
  })

  it('LIST-031: reports a failed creation', async () => {
    await list.fail(/\/api\/v1\/dataset\/$/, 'no more room', 'POST')
    await page.goto('/dataset/add/')
    const dialog = page.getByRole('dialog', { name: 'Add dataset' })
    await dialog.getByRole('tab', { name: 'SQL' }).click()
    await dialog.getByLabel('Name').fill('one more')
    await dialog.getByLabel('SQL', { exact: true }).fill('SELECT 1 AS one')
    await dialog.getByRole('button', { name: 'Add and create chart' }).click()
    await dialog.getByText('An error occurred while creating datasets: no more room').waitFor()
    expect(await findAxeViolations(page)).toEqual([])
  })
})

describe('datasets', () => {
  let ofAlpha: Promise<Page> | undefined
  /** Page of a user who owns no dataset. */
  const alpha = () => (ofAlpha ??= openSignedInPage(browser, product.url, { username: 'alpha' }))

  it('DSET-004: a table becomes a dataset with the metric COUNT(*), and Explore opens on it', async () => {
    const known = await admin.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:airports)))')
    for (const { id } of known.body.result) await admin.delete(`/api/v1/dataset/${id}`)
    await page.goto('/tablemodelview/list/')
    await page.getByRole('main').getByRole('link', { name: 'Dataset', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Add dataset' })
    await dialog.getByRole('combobox', { name: 'Table' }).fill('airp')
    await page.getByRole('option', { name: 'airports' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Add and create chart' }).click()
    await page.waitForURL('**/explore/?**')
    const id = new URL(page.url()).searchParams.get('datasource_id')
    const { result } = (await admin.get(`/api/v1/dataset/${id}`)).body
    expect(result.metrics.map(({ expression }: { expression: string }) => expression)).toEqual(['COUNT(*)'])
  })

  it('PERM-023: users who do not own a dataset read why it cannot be edited', async () => {
    const own = await alpha()
    await own.goto('/tablemodelview/list/?q=penguins')
    await own.getByRole('button', { name: 'Actions for penguins' }).click()
    const entry = own.getByRole('menuitem', { name: 'Edit dataset' })
    expect(await entry.getAttribute('aria-disabled')).toBe('true')
    await entry.hover()
    await own
      .getByRole('tooltip')
      .filter({
        hasText:
          'You must be a dataset owner in order to edit. Please reach out to a dataset owner to request modifications or edit access.',
      })
      .waitFor()
  })

  it('PERM-024: an externally managed dataset cannot be saved, with the reason', async () => {
    const { body } = await admin.post('/api/v1/dataset/', {
      database: 1,
      schema: 'main',
      table_name: 'kept elsewhere',
      sql: 'select 1 as one',
      is_managed_externally: true,
    })
    onTestFinished(async () => void (await admin.delete(`/api/v1/dataset/${body.id}`)))
    await page.goto('/tablemodelview/list/?q=kept+elsewhere')
    await list.menuOf('kept elsewhere')
    await list.choose('Edit dataset')
    const reason = "This dataset is managed externally, and can't be edited in Parquetry"
    await page.getByRole('main').getByText(reason).waitFor()
    const save = page.getByRole('button', { name: 'Save', exact: true })
    expect([await save.getAttribute('aria-disabled'), await save.getAttribute('aria-description')]).toEqual([
      'true',
      reason,
    ])
  })

  it('PERM-005: View in SQL Lab is offered only to users who may use SQL Lab', async () => {
    const entries = async (own: Page): Promise<string[]> => {
      await own.goto(`/explore/?datasource_type=table&datasource_id=${list.flights}`)
      await own.getByRole('button', { name: 'Dataset actions' }).click()
      await own.getByRole('menuitem', { name: 'Query preview' }).waitFor()
      return own.getByRole('menuitem').allTextContents()
    }
    expect(await entries(page)).toContain('View in SQL Lab')
    const others = await entries(await alpha())
    expect(others).toContain('Query preview')
    expect(others).not.toContain('View in SQL Lab')
  })
})

const dialog = (name: string): Locator => page.getByRole('dialog', { name })
const question = (): Locator => page.getByRole('alertdialog')
const heading = (name: string): Promise<void> => page.getByRole('heading', { name, exact: true }).waitFor()

describe('annotation layers', () => {
  const times = async (form: Locator, start: string, end: string): Promise<void> => {
    await form.getByLabel('Start (UTC)').fill(start)
    await form.getByLabel('End (UTC)').fill(end)
  }
  const chosenInExplore = async (): Promise<Locator> => {
    const { body } = await admin.get(
      '/api/v1/chart/?q=(filters:!((col:slice_name,opr:eq,value:%27Temperature%20by%20week%27)))',
    )
    await page.goto(`/explore/?slice_id=${body.result[0].id}`)
    await page.getByRole('tab', { name: 'Style' }).click()
    await page.getByRole('button', { name: 'Add an annotation layer' }).click()
    const editor = page.getByRole('dialog').last()
    await editor.getByRole('combobox', { name: 'Annotation layer type' }).click()
    await page.getByRole('option', { name: 'Event' }).click()
    return editor
  }

  it('are created, filled, corrected, chosen in Explore and deleted, by keyboard and by mouse', async () => {
    const { checkAccessibility, violations, pageErrors } = monitorPage(page)
    // Left behind by a failed run of this journey.
    const { body: left } = await admin.get('/api/v1/annotation_layer/')
    for (const id of left.ids) {
      const layer = `/api/v1/annotation_layer/${id}`
      const { body: marks } = await admin.get(`${layer}/annotation/`)
      for (const mark of marks.ids) await admin.delete(`${layer}/annotation/${mark}`)
      await admin.delete(layer)
    }
    const editor = await chosenInExplore()
    await editor.getByText('No annotation layers yet.').waitFor()
    expect(await editor.getByRole('link', { name: 'Create one' }).getAttribute('href')).toBe(
      '/annotationlayer/list/?new=true',
    )

    await page.goto('/chart/list/')
    await page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('link', { name: 'Annotation layers' })
      .click()
    await heading('No annotation layers yet')
    await checkAccessibility()
    await page.getByRole('main').getByRole('link', { name: 'Annotation layer' }).last().click()
    await dialog('New annotation layer').getByLabel('Name').waitFor()
    await page.keyboard.type('Releases')
    await page.keyboard.press('Tab')
    await page.keyboard.type('What went out, and when')
    await checkAccessibility()
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/annotationlayer\/\d+\/annotation\/$/)
    await heading('Releases')
    await heading('No annotations yet')
    await page.getByText('What went out, and when').waitFor()
    await checkAccessibility()

    await page.getByRole('main').getByRole('link', { name: 'Annotation', exact: true }).last().click()
    const made = dialog('New annotation')
    await made.getByRole('button', { name: 'Create' }).click()
    await made.getByText('Enter a start time').waitFor()
    await made.getByLabel('Name').fill('Version 1')
    await times(made, '2014-03-01T08:00', '2014-02-01T08:00')
    await made.getByText('The end is before the start').waitFor()
    await made.getByLabel('JSON metadata').fill('{"by":')
    await made.getByLabel('Description').fill('The first one')
    await made.getByText(/^Line 1, column 7: /).waitFor()
    await checkAccessibility()
    await made.getByLabel('JSON metadata').fill('{"by": "shop"}')
    await made.getByLabel('End (UTC)').fill('2014-03-01T09:30')
    await made.getByLabel('Name').press('Enter')
    await list.toast('Saved: Version 1')
    await expect.poll(list.names).toEqual(['Version 1'])

    await page.getByRole('main').getByRole('link', { name: 'Annotation', exact: true }).click()
    await made.getByLabel('Name').fill('Version 1')
    await made.getByLabel('Start (UTC)').fill('2014-09-01T08:00')
    expect(await made.getByLabel('End (UTC)').inputValue()).toBe('2014-09-01T08:00')
    await made.getByLabel('Name').press('Enter')
    await made.getByText('Short description must be unique for this layer').waitFor()
    await made.getByLabel('Name').fill('Version 2')
    await made.getByLabel('Name').press('Enter')
    await list.toast('Saved: Version 2')
    await expect.poll(list.names).toEqual(['Version 2', 'Version 1'])
    await list.closeToasts()
    await checkAccessibility()

    await page.keyboard.press('j')
    await page.keyboard.press('e')
    const edited = dialog('Edit annotation')
    await edited.getByLabel('Name').fill('Version 2.0')
    await edited.getByLabel('Name').press('Enter')
    await list.toast('Saved: Version 2.0')
    await expect.poll(list.names).toEqual(['Version 2.0', 'Version 1'])
    await list.search().fill('first one')
    await expect.poll(list.names).toEqual(['Version 1'])
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Annotation layers' }).click()
    await list.link('Releases').waitFor()
    await checkAccessibility()

    const again = await chosenInExplore()
    await again.getByRole('combobox', { name: /^Annotation layer( required)?$/ }).click()
    await page.getByRole('option', { name: 'Releases' }).click()
    await again.getByRole('textbox', { name: 'Name' }).fill('Went out')
    await again.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('group', { name: 'Legend' }).getByRole('button', { name: 'Went out' }).waitFor()
    await page.locator('figure[aria-busy=false]').first().waitFor()
    expect(await page.getByRole('button', { name: /could not be drawn/ }).count()).toBe(0)

    await page.goto('/annotationlayer/list/')
    await list.link('Releases').click()
    await list.menuOf('Version 1')
    await list.choose('Delete')
    await question().getByText('It will no longer appear on charts that show the layer Releases.').waitFor()
    await question().getByRole('button', { name: 'Delete annotation' }).click()
    await list.toast('Deleted: Version 1')
    const here = page.url()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Annotation layers' }).click()
    await page.getByRole('checkbox', { name: 'Select Releases' }).check()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
    await question().getByText('1 annotation in it is also deleted.').waitFor()
    await question().getByLabel('Type Releases to confirm').fill('Releases')
    await question().getByRole('button', { name: 'Delete annotation layer' }).click()
    await list.toast('Deleted: Releases')
    await heading('No annotation layers yet')
    // 422 is expected for a layer name that already exists.
    expect(pageErrors.filter((complaint) => !complaint.includes('422'))).toEqual([])

    await page.goto(here)
    await heading('Annotation layer not found')
    await checkAccessibility()
    await page.getByRole('link', { name: 'View all annotation layers' }).click()
    await heading('No annotation layers yet')
    expect([...violations]).toEqual([])
  })
})

describe('CSS templates', () => {
  it('are created, checked, changed and deleted', async () => {
    const { checkAccessibility, violations, pageErrors } = monitorPage(page)
    const { body: left } = await admin.get('/api/v1/css_template/')
    for (const id of left.ids) await admin.delete(`/api/v1/css_template/${id}`)
    await page.goto('/dashboard/list/')
    await page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('link', { name: 'CSS templates' })
      .click()
    await heading('No CSS templates yet')
    await page.getByRole('main').getByRole('link', { name: 'CSS template' }).last().click()
    const made = dialog('New CSS template')
    await made.getByLabel('Name').fill('Company')
    await made.getByLabel('CSS').fill('.header {\n  color: navy;')
    await made.getByText('Line 1: this block is not closed with a brace').waitFor()
    await checkAccessibility()
    await made.getByLabel('CSS').fill('.header { color: navy; }')
    await made.getByRole('button', { name: 'Create' }).click()
    await list.toast('Saved: Company')
    await expect.poll(list.names).toEqual(['Company'])
    await checkAccessibility()

    await list.link('Company').click()
    const edited = dialog('Edit CSS template')
    expect(await edited.getByLabel('CSS').inputValue()).toBe('.header { color: navy; }')
    await edited.getByLabel('Name').fill('Company look')
    await edited.getByLabel('Name').press('Enter')
    await list.toast('Saved: Company look')
    await list.search().fill('navy')
    await expect.poll(list.names).toEqual(['Company look'])

    await list.menuOf('Company look')
    await list.choose('Delete')
    await question().getByText('Dashboards keep the styles that were copied into them.').waitFor()
    await question().getByRole('button', { name: 'Delete CSS template' }).click()
    await list.toast('Deleted: Company look')
    expect(pageErrors).toEqual([])
    expect([...violations]).toEqual([])
  })
})
