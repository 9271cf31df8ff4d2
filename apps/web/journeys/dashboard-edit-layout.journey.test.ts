import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { editTools, penguinCharts, savedMessage } from './dashboard-edit-tools.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof dashboardTools>
let editor: ReturnType<typeof editTools>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  at = dashboardTools(page, client)
  editor = editTools(page, at)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

it('DASH-003, DASH-008, DASH-020, DASH-022, DASH-058, CHART-014, CHART-015: charts are added from the panel, undone and redone', async () => {
  const id = await at.boardOf('Built by hand', [])
  await at.openEmpty(id)
  await at.button('Add your first chart').click()
  await at.button('Add Penguins').click()
  await at.tile('Penguins').waitFor()
  await at.button('Add Penguins by species').click()
  await at.tile('Penguins by species').waitFor()
  await at.button('Undo').click()
  await expect.poll(() => at.tile('Penguins by species').count()).toBe(0)
  await at.button('Redo').click()
  await at.tile('Penguins by species').waitFor()
  await at.answered()
  expect(await findAxeViolations(page)).toEqual([])

  await at.waitForText('Unsaved changes')
  await editor.save()
  expect(await at.rows(id)).toEqual(['Penguins 4 | Penguins by species 4'])
})

it('DASH-041, regression: a chart created from an empty dashboard is saved onto it from Explore, with a name that describes it', async () => {
  const id = await at.boardOf('Waiting for its first', [])
  await at.openEmpty(id)
  await page.getByRole('link', { name: 'Create chart' }).click()
  await page
    .getByRole('link', { name: /^penguins/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Start from scratch' }).click()
  await page.waitForURL(/\/explore\//)
  await page.getByRole('heading', { level: 1, name: 'New chart' }).waitFor()
  await at.answered()
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Save chart' })
  const goal = dialog.getByRole('combobox', { name: 'Add to dashboard' })
  await expect.poll(() => goal.inputValue()).toBe('Waiting for its first')
  expect(await dialog.getByLabel('Chart name').inputValue()).not.toBe('')
  await at.button('Save & go to dashboard').click()
  await page.waitForURL(`**/superset/dashboard/${id}/`)
  await at.answered()
  expect(await page.locator('main figure').count()).toBe(1)
})

it('DASH-061: a chart is dragged from the panel, between rows, and widened at its edge; each is one undo step', async () => {
  const id = await at.boardOf('Dragged', ['Penguins', 'Penguins by species'])
  await editor.edit(id)
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.move(to.x, to.y, { steps: 8 })
    await page.mouse.up()
  }
  const middle = async (locator: ReturnType<Page['locator']>) => {
    const { x, y, width, height } = (await locator.boundingBox())!
    return { x: x + width / 2, y: y + height / 2, left: x, right: x + width, bottom: y + height }
  }
  const item = page.getByRole('listitem').filter({ hasText: 'Measurements by species' })
  await item.scrollIntoViewIfNeeded()
  const first = await middle(at.tile('Penguins'))
  await drag(await middle(item), { x: first.x, y: first.bottom + 40 })
  await at.tile('Measurements by species').waitFor()

  const species = await middle(at.tile('Penguins by species'))
  const handle = await middle(at.button('Move Penguins', page))
  await drag(handle, { x: species.right - 4, y: species.y })
  await expect
    .poll(async () => (await at.tile('Penguins').boundingBox())!.x)
    .toBeGreaterThan((await at.tile('Penguins by species').boundingBox())!.x)

  const moved = await middle(at.tile('Penguins'))
  const before = (await at.tile('Penguins').boundingBox())!.width
  await drag({ x: moved.right - 2, y: moved.y }, { x: moved.right + 180, y: moved.y })
  await expect.poll(async () => (await at.tile('Penguins').boundingBox())!.width).toBeGreaterThan(before + 100)

  // A click on the title names the chart on this dashboard only.
  const title = (await at.button('Move Measurements by species').boundingBox())!
  await page.mouse.click(title.x + 30, title.y + 16)
  await page.getByRole('textbox', { name: 'Name on this dashboard' }).fill('Sizes')
  await page.keyboard.press('Enter')
  await at.tile('Sizes').waitFor()
  await at.button('Undo').click()
  await at.tile('Measurements by species').waitFor()
  await at.button('Redo').click()
  await at.button('More actions for Sizes').click()
  await page.getByRole('menuitem', { name: 'Restore the name “Measurements by species”' }).waitFor()
  await page.keyboard.press('Escape')
  await editor.save()
  const rows = await at.rows(id)
  expect(rows[0]).toMatch(/^Penguins by species 4 \| Penguins [67]$/)
  expect(rows[1]).toMatch(/^Measurements by species \d+$/)
})

it('the keyboard does the same: Space picks up, arrows move, Shift and arrows resize, Enter drops, Escape cancels', async () => {
  const id = await at.boardOf('By keyboard', penguinCharts)
  await editor.edit(id)
  const handle = page.getByRole('button', { name: 'Move Penguins', exact: true })
  await handle.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  expect(await at.button('Undo').getAttribute('aria-disabled')).toBe('true')
  await handle.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await page
    .getByRole('status')
    .getByText(/Penguins/)
    .first()
    .waitFor({ state: 'attached' })
  await page.keyboard.press('Control+s')
  await at.waitForText(savedMessage)
  expect(await at.rows(id)).toEqual(['Penguins by species 4 | Penguins 3 | Penguins by island 4'])
})

it('DASH-004, DASH-006, DASH-049: headers and dividers are placed between rows', async () => {
  const id = await at.boardOf('With a header', ['Penguins'])
  await editor.edit(id)
  await page.getByText('Layout', { exact: true }).click()
  await at.button('Add Header').click()
  await at.button('Add Divider').click()
  const text = page.getByRole('textbox', { name: 'Header text' })
  expect(await text.inputValue()).toBe('New header')
  await text.fill('About penguins')
  await text.press('Enter')
  await editor.save()
  expect(await at.rows(id)).toEqual(['Penguins 4', 'About penguins', 'DIVIDER'])
  await page.getByRole('heading', { name: 'About penguins' }).waitFor()
})

it('DASH-081, DASH-082, DASH-094: the panel requests 200 charts a page, and says why it has none', async () => {
  const id = await at.boardOf('Panel', ['Penguins'])
  await at.refuse(/api\/v1\/chart\/\?/, 'GET', 500, { message: 'the store is away' })
  const asked = page.waitForRequest((request) => /api\/v1\/chart\/\?/.test(request.url()))
  await at.open(id, '?edit=true')
  expect(decodeURIComponent((await asked).url())).toContain('page_size:200')
  await at.waitForText('Could not fetch all saved charts')
  await at.waitForText(/Sorry there was an error fetching saved charts: the store is away/)
  await at.button('Try again').click()
  await at.button('Add Measurements by species').waitFor()
})

it('DASH-070: a chart without a definition is refused', async () => {
  const id = await at.boardOf('No definition', ['Penguins'])
  await intercept(page, /api\/v1\/chart\/\?/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { result: object[] }
    await route.fulfill({
      response: response,
      json: { ...body, result: body.result.map((c) => ({ ...c, viz_type: null })) },
    })
  })
  await at.open(id, '?edit=true')
  await at.button('Add Measurements by species').click()
  await at.waitForText('Sorry, there is no chart definition associated with the chart trying to be added.')
  await page.unroute(/api\/v1\/chart\/\?/)
})

it('DASH-005: text is added between charts, edited in place and moved; HTML in it is sanitized, and external images are links', async () => {
  const id = await at.boardOf('With words', ['Penguins'])
  await editor.edit(id)
  await page.getByText('Layout', { exact: true }).first().click()
  await at.button('Add Text').click()
  await at.button('Write text').click()
  const field = page.getByLabel('Text (Markdown)')
  await field.fill('## Read me\n\nA <b>bold</b> word <img src="https://img.example.org/x.png" alt="Plan">')
  // Beside the field there is no room for the preview in a narrow block.
  await page.getByText('Preview', { exact: true }).click()
  await page.getByRole('region', { name: 'Preview of the text' }).getByRole('heading', { name: 'Read me' }).waitFor()
  await page.getByText('Write', { exact: true }).click()
  await field.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(3, 7))
  await page.keyboard.press('Control+b')
  expect(await field.inputValue()).toContain('## **Read** me')
  await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Bold' }).click()
  expect(await field.inputValue()).toContain('## Read me')
  expect(await findAxeViolations(page)).toEqual([])
  await field.press('Control+Enter')
  await page.getByRole('heading', { name: 'Read me' }).waitFor()
  await page.getByRole('link', { name: 'Plan (img.example.org)' }).waitFor()
  expect(await page.locator('main b', { hasText: 'bold' }).count()).toBe(1)
  await at.button('Edit text').click()
  await field.press('End')
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' **kept by Escape**')
  await page.keyboard.press('Escape')
  await page.locator('main strong', { hasText: 'kept by Escape' }).waitFor()
  expect(await at.button('Edit text').evaluate((button) => button === document.activeElement)).toBe(true)
  const handle = at.button('Move Text')
  await handle.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await editor.save()
  const nodes = JSON.parse((await at.stored(id)).position_json) as Record<string, { type: string; children: string[] }>
  const kinds = nodes['GRID_ID']!.children.flatMap((row) => nodes[row]!.children.map((child) => nodes[child]!.type))
  expect(kinds).toContain('MARKDOWN')
  expect(kinds[0] === 'MARKDOWN' || kinds.length === 2).toBe(true)
  // Saving with the keyboard includes text that is being edited.
  await editor.edit(id)
  await at.button('Edit text').click()
  await field.fill('Written and saved')
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  expect((await at.stored(id)).position_json).toContain('Written and saved')
})

it('DASH-007: tabs are added, named, moved and closed by menu, mouse and keyboard; closing one can be undone', async () => {
  const id = await at.boardOf('With tabs', ['Penguins'])
  await editor.edit(id)
  await page.getByText('Layout', { exact: true }).first().click()
  await at.button('Add Tabs').click()
  const hint = page.getByRole('tabpanel').getByText('Drag charts and text here')
  await hint.waitFor()
  await at.button('Add Text').click()
  await page.getByRole('tabpanel').getByRole('button', { name: 'Write text' }).waitFor()
  await page.keyboard.press('Control+z')
  await hint.waitFor()
  await at.button('Close Add pane').click()
  await at.button('Add to this tab').focus()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.getByLabel('Search charts').evaluate((field) => field === document.activeElement))
    .toBe(true)
  await page.keyboard.type('Flights per week')
  await at.button('Add Flights per week').click()
  await page.getByRole('tabpanel').locator('figure[aria-label="Flights per week"]').waitFor()
  expect(await hint.count()).toBe(0)
  await page.keyboard.press('Control+z')
  await hint.waitFor()
  const tabs = page.getByRole('tab', { name: /Tab title|First|Second/ })
  await at.button('Add tab').click()
  await expect.poll(() => tabs.count()).toBe(2)
  await at.button('Actions for tab Tab title').click()
  await at.choose('Rename')
  await page.getByLabel('Tab name').fill('Second')
  await page.getByLabel('Tab name').press('Enter')
  await page.getByRole('tab', { name: 'Second' }).waitFor()
  await at.button('Actions for tab Second').click()
  await at.choose('Move left')
  await expect.poll(() => tabs.allInnerTexts()).toEqual(['Second', 'Tab title'])
  await at.button('Actions for tab Second').click()
  await at.choose('Remove tab and contents')
  await expect.poll(() => tabs.count()).toBe(1)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => tabs.allInnerTexts()).toEqual(['Second', 'Tab title'])
  const first = page.getByRole('tab', { name: 'First' })
  await page.getByRole('tab', { name: 'Tab title' }).dblclick()
  await page.getByLabel('Tab name').fill('First')
  await page.keyboard.press('Enter')
  await expect.poll(() => first.evaluate((tab) => tab === document.activeElement)).toBe(true)
  await page.keyboard.press('F2')
  await page.getByLabel('Tab name').fill('Something else')
  await page.keyboard.press('Escape')
  await expect.poll(() => first.evaluate((tab) => tab === document.activeElement)).toBe(true)
  for (const key of ['Space', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await expect.poll(() => tabs.allInnerTexts()).toEqual(['First', 'Second'])
  const { x, y, width, height } = (await page.getByRole('tab', { name: 'Second' }).boundingBox())!
  await first.hover()
  await page.mouse.down()
  await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 })
  await page.mouse.move(x + width * 0.8, y + height / 2)
  await page.mouse.up()
  await expect.poll(() => tabs.allInnerTexts()).toEqual(['Second', 'First'])
  expect(await findAxeViolations(page)).toEqual([])
  await editor.save()
  await page.getByText('This tab is empty.').waitFor()
  expect(await at.button('Add to this tab').count()).toBe(0)
})
