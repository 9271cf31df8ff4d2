import { isDeepEqual, readLayout, type LayoutNodes } from '@parquetry/model'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeFindings, intercept, openBrowser, signedIn } from './browser.ts'
import { dashboardTools } from './dashboards.ts'
import { addUser, examplesLoaded, signIn, startProduct, type Product } from './product.ts'
import { readDashboard, type DashboardResult } from '../src/dashboard/document/read-dashboard.ts'
import { saveBody } from '../src/dashboard/document/save-body.ts'
import { dropDraft, keepDraft, readDraft } from '../src/dashboard/edit/drafts.ts'
import { move, remove, resize, setMeta, setTitle } from '../src/dashboard/layout/commands.ts'
import { randomLayout, seeded, type Chance } from '../src/dashboard/layout/random-layout.ts'
import { createDashboardStore, type DashboardStore } from '../src/dashboard/state/store.ts'
import { writeLayout } from '@parquetry/model'

let product: Product
let browser: Browser
let page: Page
let client: Awaited<ReturnType<typeof signIn>>
let at: ReturnType<typeof dashboardTools>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await examplesLoaded(product.url)
  addUser(product, 'ada', 'Admin')
  client = await signIn(product.url, 'admin')
  page = await signedIn(browser, product.url)
  at = dashboardTools(page, client)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const three = ['Penguins', 'Penguins by species', 'Penguins by island']
const edit = async (id: number, on = page) => {
  await at.open(id, '?edit=true', on)
  await at.button('Save', on).waitFor()
}
const saved = 'This dashboard was saved successfully.'
const removeTile = async (name: string, on = page) => {
  await at.button(`More actions for ${name}`, on).click()
  await on.locator('[role^="menuitem"]', { hasText: 'Remove' }).first().click()
  await expect.poll(() => at.tile(name, on).count()).toBe(0)
}

/** What a dashboard is, to the plain model: a value. */
interface Doc {
  nodes: LayoutNodes
  colors: Record<string, string>
  filters: string[]
  css: string
}

/** The plain model: what is stored, its versions, and a list of states with a place in it. */
class Model {
  stored: Doc
  versions: Doc[] = []
  states: Doc[]
  place = 0
  constructor(doc: Doc) {
    this.stored = doc
    this.states = [doc]
  }
  get now(): Doc {
    return this.states[this.place]!
  }
  edit(doc: Doc) {
    this.states = [...this.states.slice(0, this.place + 1), doc]
    this.place++
  }
  begin(...states: Doc[]) {
    this.states = states
    this.place = states.length - 1
  }
  save() {
    this.stored = this.now
    this.versions.push(this.stored)
    this.begin(this.stored)
  }
}

const filterNamed = (name: string) => ({ id: `NATIVE_FILTER-${name}`, type: 'NATIVE_FILTER', name, targets: [{}] })

/** One edit, by the same commands for the model and for the store. */
function randomEdit(chance: Chance, nodes: LayoutNodes, n: number): (nodes: LayoutNodes) => LayoutNodes {
  const ids = Object.values(nodes).filter(({ type }) => ['CHART', 'MARKDOWN', 'HEADER', 'DIVIDER'].includes(type))
  const id = ids[chance(ids.length)]?.id ?? 'HEADER_ID'
  const containers = Object.values(nodes).filter(({ type }) => ['ROW', 'GRID', 'COLUMN', 'TAB'].includes(type))
  const to = containers[chance(containers.length)]
  const place = { parent: to?.id ?? 'GRID_ID', index: chance((to?.children.length ?? 0) + 1) }
  const size = { width: 1 + chance(12), height: 5 + chance(60) }
  return [
    (now: LayoutNodes) => remove(now, id),
    (now: LayoutNodes) => move(now, id, place),
    (now: LayoutNodes) => resize(now, id, size),
    (now: LayoutNodes) => setMeta(now, id, { text: `text ${n}` }),
    (now: LayoutNodes) => setTitle(now, `Title ${n}`),
  ][chance(5)]!
}

it('300 random sequences of edits, undo, save, restore and reload end in the document that a plain model says', async () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })

  const read = async (id: number) =>
    readDashboard((await client.get(`/api/v1/dashboard/${id}`)).body.result as DashboardResult, [])
  const docOf = (store: DashboardStore): Doc => {
    const { dashboard, history } = store.getState()
    const filters = (dashboard.metadata.native_filter_configuration ?? []) as { name: string }[]
    return {
      nodes: history.present,
      colors: (dashboard.metadata.label_colors ?? {}) as Doc['colors'],
      filters: filters.map(({ name }) => name),
      css: dashboard.result.css ?? '',
    }
  }
  let [saves, restores, reloads, undone] = [0, 0, 0, 0]

  for (let seed = 1; seed <= 300; seed++) {
    const chance = seeded(seed)
    const nodes = setTitle(
      readLayout({ ...randomLayout(chance), HEADER_ID: { id: 'HEADER_ID', type: 'HEADER', meta: { text: 'New' } } })
        .nodes,
      'New',
    )
    const made = await client.post('/api/v1/dashboard/', { dashboard_title: 'New' })
    const { id } = made.body as { id: number }
    const first = { json_metadata: JSON.stringify({ positions: writeLayout({ nodes, rest: {} }) }) }
    expect((await client.put(`/api/v1/dashboard/${id}`, first)).status).toBe(200)
    let store = createDashboardStore(await read(id))
    const model = new Model({ nodes: store.getState().history.present, colors: {}, filters: [], css: '' })
    model.versions.push(model.stored)
    const keep = () => {
      const { dashboard, history, settings } = store.getState()
      const layout = { ...dashboard.layout, nodes: history.present }
      if (history.past.length === 0) dropDraft(id, 1)
      else keepDraft(id, 1, { layout, settings: settings.present, from: dashboard.result.changed_on ?? null, at: 1 })
    }
    const check = (after: string) => {
      const now = docOf(store)
      if (!isDeepEqual(now, model.now)) expect([seed, after, now]).toEqual([seed, after, model.now])
    }

    for (let step = 6 + chance(12); step > 0; step--) {
      const kind = [
        'edit',
        'edit',
        'edit',
        'set',
        'set',
        'undo',
        'undo',
        'redo',
        'save',
        'reload',
        'restore',
        'restore',
      ][chance(12)]!
      const { actions } = store.getState()
      if (kind === 'edit') {
        const change = randomEdit(chance, model.now.nodes, step)
        const after = change(model.now.nodes)
        if (after !== model.now.nodes) model.edit({ ...model.now, nodes: after })
        actions.edit(change)
      } else if (kind === 'set') {
        const [part, value] = [chance(3), `v${seed}-${step}`]
        const after = {
          ...model.now,
          ...(part === 0 && { colors: { ...model.now.colors, [value]: '#123456' } }),
          ...(part === 1 && { filters: [...model.now.filters, value] }),
          ...(part === 2 && { css: `.${value} {}` }),
        }
        model.edit(after)
        actions.change(({ nodes: same, settings: { fields, metadata } }) => ({
          nodes: same,
          settings: {
            fields: part === 2 ? { ...fields, css: after.css } : fields,
            metadata: {
              ...metadata,
              ...(part === 0 && { label_colors: after.colors }),
              ...(part === 1 && { native_filter_configuration: after.filters.map(filterNamed) }),
            },
          },
        }))
      } else if (kind === 'undo') {
        if (model.place > 0) undone++
        model.place = Math.max(0, model.place - 1)
        actions.undo()
      } else if (kind === 'redo') {
        model.place = Math.min(model.states.length - 1, model.place + 1)
        actions.redo()
      } else if (kind === 'save') {
        const { dashboard, saved: seen, history } = store.getState()
        const body = saveBody(dashboard, { ...dashboard.layout, nodes: history.present }, { saved: seen })
        const answer = await client.put(`/api/v1/dashboard/${id}`, body)
        expect([seed, answer.status, answer.body.message]).toEqual([seed, 200, undefined])
        dropDraft(id, 1)
        actions.load(await read(id))
        model.save()
        saves++
      } else if (kind === 'reload') {
        keep()
        store = createDashboardStore(await read(id))
        const draft = readDraft(id, 1)
        if (draft) {
          store.getState().actions.change(() => ({ nodes: draft.layout.nodes, settings: draft.settings! }))
          model.begin(model.stored, model.now)
        } else model.begin(model.stored)
        reloads++
      } else if (store.getState().history.past.length === 0 && model.versions.length > 1) {
        const { result } = (await client.get(`/api/v1/dashboard/${id}/versions/`)).body as { result: { n: number }[] }
        const n = chance(model.versions.length)
        // Newest first; the oldest is the one that making it left, before its layout was saved.
        const version = result[model.versions.length - 1 - n]!
        const answer = await client.post(`/api/v1/dashboard/${id}/versions/${version.n}/restore`, {})
        expect([seed, answer.status]).toEqual([seed, 200])
        model.stored = { ...model.versions[n]! }
        model.versions.push(model.stored)
        actions.load(await read(id))
        model.begin(model.stored)
        restores++
      }
      check(kind)
    }
    const end = createDashboardStore(await read(id))
    expect([seed, docOf(end)]).toEqual([seed, model.stored])
    const { count } = (await client.get(`/api/v1/dashboard/${id}/versions/`)).body
    expect([seed, count]).toEqual([seed, model.versions.length + 1])
  }
  expect(Math.min(saves, restores, reloads, undone)).toBeGreaterThan(40)
}, 300_000)

it('two editors: what does not collide is merged with one click, and both changes are stored', async () => {
  const id = await at.boardOf('Two editors', three)
  const other = await signedIn(browser, product.url, { username: 'ada' })
  await edit(id)
  await edit(id, other)
  await removeTile('Penguins')
  await removeTile('Penguins by island', other)
  await at.button('Save', other).click()
  await at.said(saved, other)
  await at.button('Save').click()
  const dialog = page.getByRole('alertdialog', { name: 'This dashboard has changed' })
  await dialog.getByText('Chart “Penguins” removed').waitFor()
  await dialog.getByText('Chart “Penguins by island” removed').waitFor()
  await dialog.getByText('The changes do not collide').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge and save' }).click()
  await at.said(saved)
  expect(await at.rows(id)).toEqual(['Penguins by species 4'])
  await other.context().close()
})

it('an expired session: the save waits for signing in again, and is done', async () => {
  const id = await at.boardOf('Expired', three)
  const own = await signedIn(browser, product.url, { username: 'ada' })
  await edit(id, own)
  await removeTile('Penguins', own)
  await own.context().clearCookies()
  await at.button('Save', own).click()
  const dialog = own.getByRole('dialog').filter({ has: own.getByRole('textbox', { name: 'Password' }) })
  await dialog.getByRole('textbox', { name: 'Password' }).fill('ada')
  await own.keyboard.press('Enter')
  await at.said(saved, own)
  expect(await at.rows(id)).toEqual(['Penguins by species 4 | Penguins by island 4'])
  await own.context().close()
})

/** Signs in over the page where it stands. */
async function signInAgain(on: Page): Promise<void> {
  const dialog = on.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByRole('textbox', { name: 'Password' }).fill('ada')
  await on.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

/** Loads the page anew after its session has ended: the sign-in page comes first, and leads back. */
async function reloadSignedOut(on: Page): Promise<void> {
  await on.context().clearCookies()
  await on.reload()
  await on.getByRole('textbox', { name: 'Username' }).fill('ada')
  await on.getByRole('textbox', { name: 'Password' }).fill('ada')
  await on.keyboard.press('Enter')
}

it('an expired session: the draft of a chart is there after signing in again, over the page or by its own page', async () => {
  const own = await signedIn(browser, product.url, { username: 'ada' })
  const q = "(columns:!(id),filters:!((col:slice_name,opr:eq,value:'Busiest airports')))"
  const { ids } = (await client.get(`/api/v1/chart/?q=${q}`)).body
  await own.goto(`/explore/?slice_id=${ids[0]}`)
  const control = (name: string) => own.getByRole('region', { name: 'Controls' }).getByLabel(name, { exact: true })
  const isZoomed = () => control('Data zoom').isChecked()
  const title = own.getByRole('region', { name: 'Controls' }).getByLabel('X-axis title', { exact: true })
  const look = () => own.getByRole('tab', { name: 'Look' }).click()
  await look()
  await control('Data zoom').check()
  await expect.poll(() => own.url()).toContain('form_data_key')

  await own.context().clearCookies()
  await title.fill('typed while')
  await signInAgain(own)
  expect([await isZoomed(), await title.inputValue()]).toEqual([true, 'typed while'])

  await reloadSignedOut(own)
  await look()
  await expect.poll(() => title.inputValue()).toBe('typed while')
  expect(await isZoomed()).toBe(true)

  // Typed after the session had ended, which nobody signed in to again before the page was loaded anew.
  await own.context().clearCookies()
  await title.fill('typed after')
  await own.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  await reloadSignedOut(own)
  await look()
  await expect.poll(() => title.inputValue()).toBe('typed after')
  expect(await isZoomed()).toBe(true)
  await own.getByText('Unsaved changes').waitFor()
  await own.context().close()
})

it('an expired session: the draft of a dataset is there after signing in again, and its save waits for that', async () => {
  const own = await signedIn(browser, product.url, { username: 'ada' })
  const q = '(columns:!(id),filters:!((col:table_name,opr:eq,value:penguins)))'
  const { ids } = (await client.get(`/api/v1/dataset/?q=${q}`)).body
  await own.goto(`/dataset/${ids[0]}?tab=settings`)
  const offset = own.getByLabel('Hours offset')
  await offset.fill('3')
  await own.context().clearCookies()
  await offset.fill('-3')
  await reloadSignedOut(own)
  await own.getByText('Your unsaved changes are back.').waitFor()
  expect(await offset.inputValue()).toBe('-3')

  await own.context().clearCookies()
  await own.keyboard.press('Control+s')
  await own.getByRole('alertdialog', { name: 'Confirm save' }).waitFor()
  await own.keyboard.press('Enter')
  await signInAgain(own)
  await own.getByText(/^The dataset has been saved/).waitFor()
  expect((await client.get(`/api/v1/dataset/${ids[0]}`)).body.result.offset).toBe(-3)
  await own.context().close()
})

it('a lost connection: the save waits and is done when there is one again, also when only its answer was lost', async () => {
  const id = await at.boardOf('Offline', three)
  const whole = new RegExp(`api/v1/dashboard/${id}$`)
  await edit(id)
  await removeTile('Penguins')
  let isLost = true
  await intercept(page, whole, async (route) => {
    if (route.request().method() !== 'PUT' || !isLost) return route.continue()
    isLost = false
    // The server has it; the browser is never told.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await at.button('Save').click()
  await at.said('There is no connection. The dashboard is saved as soon as there is one.')
  await at.said(saved)
  await page.unroute(whole)
  expect(await page.getByRole('alertdialog').count()).toBe(0)
  expect(await at.rows(id)).toEqual(['Penguins by species 4 | Penguins by island 4'])
})

/** The page is gone at once, without a last word; another one takes its place. */
async function crash() {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  session.send('Page.crash').catch(() => undefined)
  await crashed
  const next = await page.context().newPage()
  await page.close()
  page = next
  at = dashboardTools(page, client)
}

it('a crash of the browser: layout and properties that were not saved are offered again', async () => {
  const id = await at.boardOf('Crashed', three)
  await edit(id)
  await removeTile('Penguins')
  await at.button('Properties').click()
  const dialog = page.getByRole('dialog', { name: 'Dashboard properties' })
  await dialog.getByLabel('Certified by').fill('Nobody')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.waitForFunction(
    (key) => localStorage.getItem(key)?.includes('Nobody'),
    `parquetry.dashboard.draft.${id}.1`,
  )
  await crash()
  await at.open(id)
  await page.getByText(/Restore changes from/).waitFor()
  await at.button('Restore').click()
  await expect.poll(() => at.tile('Penguins').count()).toBe(0)
  await at.button('Save').click()
  await at.said(saved)
  expect((await at.stored(id)).certified_by).toBe('Nobody')
  expect(await at.rows(id)).toEqual(['Penguins by species 4 | Penguins by island 4'])
})

it('regression: a crash of the browser took the text that was being written', async () => {
  const id = await at.boardOf('Crashed while writing', three)
  await edit(id)
  await page.getByText('Layout', { exact: true }).first().click()
  await at.button('Add Text').click()
  await at.button('Write text').click()
  await page.getByLabel('Text, written in Markdown').fill('Half a sent')
  await page.waitForFunction(
    (key) => localStorage.getItem(key)?.includes('Half a sent'),
    `parquetry.dashboard.draft.${id}.1`,
  )
  await crash()
  await at.open(id)
  await at.button('Restore').click()
  await page.getByText('Half a sent').waitFor()
  await at.button('Save').click()
  await at.said(saved)
  expect(JSON.stringify((await at.stored(id)).position_json)).toContain('Half a sent')
})

it('a draft that is restored over what somebody saved meanwhile is merged with it', async () => {
  const id = await at.boardOf('Left behind', three)
  await edit(id)
  await removeTile('Penguins')
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, `parquetry.dashboard.draft.${id}.1`)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto('/superset/welcome/')
  await client.put(`/api/v1/dashboard/${id}`, { dashboard_title: 'Renamed meanwhile', certified_by: 'Ada' })
  await at.open(id)
  await at.button('Restore').click()
  await at.button('Save').click()
  const dialog = page.getByRole('alertdialog', { name: 'This dashboard has changed' })
  await dialog.getByText('Title changed').waitFor()
  await dialog.getByRole('button', { name: 'Merge and save' }).click()
  await at.said(saved)
  expect(await at.stored(id)).toMatchObject({ dashboard_title: 'Renamed meanwhile', certified_by: 'Ada' })
  expect(await at.rows(id)).toEqual(['Penguins by species 4 | Penguins by island 4'])
})

it('undo reaches properties and filters, and after a save an earlier version is restored', async () => {
  const id = await at.boardOf('Undone', three)
  await edit(id)
  await at.button('Properties').click()
  const dialog = page.getByRole('dialog', { name: 'Dashboard properties' })
  await dialog.getByLabel('Title').fill('Undone twice')
  await dialog.getByLabel('Certified by').fill('The birds')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('heading', { level: 1, name: 'Undone twice' }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('heading', { level: 1, name: 'Undone', exact: true }).waitFor()
  await page.keyboard.press('Control+Shift+z')
  await removeTile('Penguins')
  await at.button('Save').click()
  await at.said(saved)
  expect(await at.stored(id)).toMatchObject({ dashboard_title: 'Undone twice', certified_by: 'The birds' })

  await at.button('More actions').click()
  await at.choose('Versions')
  const drawer = page.getByRole('dialog', { name: 'Versions of Undone twice' })
  await drawer.getByText('Title: Undone → Undone twice').waitFor()
  await drawer.getByText('Chart “Penguins” removed').waitFor()
  await drawer.getByRole('button', { name: 'Preview' }).nth(1).click()
  await drawer.getByText(/^3 charts|^No charts/).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await drawer.getByRole('button', { name: 'Restore' }).first().click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog', { name: /^Restore the version/ }))
    .getByRole('button', { name: 'Restore' })
    .click()
  await at.tile('Penguins').waitFor()
  expect(await at.stored(id)).toMatchObject({ dashboard_title: 'Undone' })
  expect(await at.rows(id)).toEqual(['Penguins 4 | Penguins by species 4 | Penguins by island 4'])
  await page.keyboard.press('Escape')
})

it('a deleted dashboard comes back by Undo, and from the trash under another address when its own is taken', async () => {
  const id = await at.boardOf('Thrown away', three)
  await client.put(`/api/v1/dashboard/${id}`, { slug: 'thrown' })
  const throwAway = async () => {
    await at.open(id)
    await at.button('More actions').click()
    await at.choose('Delete')
    await at.button('Delete dashboard').click()
    await page.waitForURL('**/dashboard/list/')
    expect((await client.get(`/api/v1/dashboard/${id}`)).status).toBe(404)
  }
  await throwAway()
  await at.button('Undo').click()
  await expect.poll(async () => (await client.get(`/api/v1/dashboard/${id}`)).status).toBe(200)

  await throwAway()
  await client.post('/api/v1/dashboard/', { dashboard_title: 'Another', slug: 'thrown' })
  await page.goto('/trash/')
  await page.getByText('Thrown away').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await at.button('Restore Thrown away').click()
  const dialog = page.getByRole('dialog', { name: 'Restore Thrown away' })
  await dialog.getByLabel('Short address').fill('thrown-back')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect.poll(async () => (await client.get('/api/v1/dashboard/thrown-back')).body.result?.id).toBe(id)
  expect(await at.rows(id)).toEqual(['Penguins 4 | Penguins by species 4 | Penguins by island 4'])
})
