import { isDeepEqual, readLayout, writeLayout, type LayoutNodes } from '@parquetry/model'
import { createRandom, type Random } from '@parquetry/model/testing/random'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'
import { readDashboard, type DashboardRecord } from '../src/dashboard/document/read-dashboard.ts'
import { buildSaveBody } from '../src/dashboard/document/save-body.ts'
import { clearDashboardDraft, storeDashboardDraft, readDashboardDraft } from '../src/dashboard/edit/drafts.ts'
import { move, remove, resize, setMeta, setTitle } from '../src/dashboard/layout/commands.ts'
import { randomLayout } from '../src/dashboard/layout/random-layout.ts'
import { createDashboardStore, type DashboardStore } from '../src/dashboard/state/store.ts'

let product: Product
let client: Awaited<ReturnType<typeof createApiClient>>

beforeAll(async () => {
  product = await startProduct()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
})
afterAll(() => product?.stop())

/** The plain model treats a dashboard as a value. */
interface Doc {
  nodes: LayoutNodes
  colors: Record<string, string>
  filters: string[]
  css: string
}

/** The plain model: the stored document, its versions, and a list of states with the current index. */
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

/** One edit, with the same commands for the model and for the store. */
function randomEdit(chance: Random['int'], nodes: LayoutNodes, n: number): (nodes: LayoutNodes) => LayoutNodes {
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

it('300 random sequences of edits, undo, save, restore and reload end in the same document as a plain model', async () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })

  const read = async (id: number) =>
    readDashboard((await client.get(`/api/v1/dashboard/${id}`)).body.result as DashboardRecord, [])
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
    const chance = createRandom(seed).int
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
      if (history.past.length === 0) clearDashboardDraft(id, 1)
      else
        storeDashboardDraft(id, 1, {
          layout,
          settings: settings.present,
          from: dashboard.result.changed_on ?? null,
          at: 1,
        })
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
        const body = buildSaveBody(dashboard, { ...dashboard.layout, nodes: history.present }, { saved: seen })
        const response = await client.put(`/api/v1/dashboard/${id}`, body)
        expect([seed, response.status, response.body.message]).toEqual([seed, 200, undefined])
        clearDashboardDraft(id, 1)
        actions.load(await read(id))
        model.save()
        saves++
      } else if (kind === 'reload') {
        keep()
        store = createDashboardStore(await read(id))
        const draft = readDashboardDraft(id, 1)
        if (draft) {
          store.getState().actions.change(() => ({ nodes: draft.layout.nodes, settings: draft.settings! }))
          model.begin(model.stored, model.now)
        } else model.begin(model.stored)
        reloads++
      } else if (store.getState().history.past.length === 0 && model.versions.length > 1) {
        const { result } = (await client.get(`/api/v1/dashboard/${id}/versions/`)).body as { result: { n: number }[] }
        const n = chance(model.versions.length)
        // Newest first; the oldest is the one of its creation, before its layout was saved.
        const version = result[model.versions.length - 1 - n]!
        const response = await client.post(`/api/v1/dashboard/${id}/versions/${version.n}/restore`, {})
        expect([seed, response.status]).toEqual([seed, 200])
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
