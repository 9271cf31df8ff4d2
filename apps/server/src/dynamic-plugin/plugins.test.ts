import { hash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, type TestUser, testStores } from '../testing.ts'
import { framePage } from './frame-page.ts'

const module = `export const viz_type = 'dots'
export const mount = (element) => { element.textContent = 'dots' }`
const plugin = {
  name: 'Dots',
  key: 'dots',
  form: ['groupby', 'metric', { name: 'size', label: 'Size', type: 'number' }],
  module,
}

describe.each(testStores)('dynamic plugins on %s', (_name, store) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ store, settings: { flags: { DYNAMIC_PLUGINS: true } } })
  })
  afterAll(() => server.close())
  beforeEach(() => server.deps.db.deleteFrom('dynamic_plugin').execute())

  const create = async (body: object = plugin, user: TestUser = 'admin') =>
    server.as(user).post('/dynamic-plugins/api/create', body)
  const list = async (user: TestUser = 'admin') => (await server.as(user).get('/dynamic-plugins/api/read')).json()

  it('CHART-041, API-069: are listed with key and bundle_url, under which readers get the module as it was stored', async () => {
    const created = await create()
    expect(created.statusCode).toBe(201)
    const { id } = created.json<{ id: number }>()
    const bundle_url = `/dynamic-plugins/api/bundle/${id}/${hash('sha256', module)}.js`
    const { form, name, key } = plugin
    expect(await list('gamma')).toMatchObject({
      count: 1,
      pks: [id],
      result: [{ id, name, key, bundle_url, form }],
      list_columns: ['id', 'name', 'key', 'bundle_url', 'form'],
    })
    const response = await server.as('gamma').get(bundle_url)
    expect([response.statusCode, response.body]).toEqual([200, module])
    expect(response.headers['content-type']).toContain('text/javascript')
    expect((await server.as('nobody').get(bundle_url)).statusCode).toBe(401)
  })

  it('CHART-042: a replaced module has another address, and the old one is gone', async () => {
    const before = (await create()).json<{ id: number; bundle_url: string }>()
    const path = `/dynamic-plugins/api/update/${before.id}`
    const after = (await server.as('admin').put(path, { module: `${module}\n` })).json<{ bundle_url: string }>()
    expect(after.bundle_url).not.toBe(before.bundle_url)
    expect((await server.as('admin').get(after.bundle_url)).body).toBe(`${module}\n`)
    expect((await server.as('admin').get(before.bundle_url)).statusCode).toBe(404)
    expect(await list()).toMatchObject({ result: [{ name: 'Dots', key: 'dots' }] })
  })

  it('are changed by administrators only, and each change is in the action log', async () => {
    expect((await create(plugin, 'alpha')).statusCode).toBe(403)
    const { id } = (await create()).json<{ id: number }>()
    expect((await server.as('alpha').put(`/dynamic-plugins/api/update/${id}`, { name: 'x' })).statusCode).toBe(403)
    expect((await server.as('alpha').delete(`/dynamic-plugins/api/delete/${id}`)).statusCode).toBe(403)
    expect((await server.as('admin').delete(`/dynamic-plugins/api/delete/${id}`)).statusCode).toBe(200)
    expect((await server.as('admin').delete(`/dynamic-plugins/api/delete/${id}`)).statusCode).toBe(404)
    expect(await list()).toMatchObject({ count: 0 })
    const events = await server.deps.db.selectFrom('log').select('action').where('action', 'like', 'Dynamic%').execute()
    expect(events.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['DynamicPluginsRestApi.post', 'DynamicPluginsRestApi.delete']),
    )
  })

  it.each([
    ['a built-in chart type', { key: 'pie' }, 422, 'key'],
    ['a key with markup', { key: '<b>' }, 422, 'key'],
    ['a module beyond 5 MB', { module: 'x'.repeat((5 << 20) + 1) }, 422, 'module'],
    ['a setting twice', { form: ['metric', 'metric'] }, 422, 'form'],
    ['a setting with a name of every chart', { form: [{ name: 'viz_type', label: 'A', type: 'text' }] }, 422, 'form'],
    ['an unknown setting', { form: ['row_rules'] }, 422, 'form'],
    ['a setting of an unknown type', { form: [{ name: 'a', label: 'A', type: 'html' }] }, 422, 'form'],
    ['no module', { module: undefined }, 422, 'module'],
    ['an address in place of a module', { bundle_url: 'https://example.com/x.js' }, 422, 'bundle_url'],
  ])('refuse %s and store nothing', async (_what, wrong, status, field) => {
    const response = await create({ ...plugin, ...wrong })
    expect([response.statusCode, Object.keys(response.json<{ message: object }>().message)]).toEqual([status, [field]])
    expect(await list()).toMatchObject({ count: 0 })
  })

  it('have different names and keys', async () => {
    await create()
    const second = await create({ ...plugin, name: 'Other' })
    expect(second.json()).toMatchObject({
      message: { key: ['A chart type "dots" already exists. Change viz_type in the module.'] },
    })
    const third = await create({ ...plugin, key: 'other' })
    expect(third.json()).toMatchObject({
      message: { name: ['A plugin named "Dots" already exists. Choose another name.'] },
    })
  })

  it('run in a page that is a sandbox without connections, whoever opens it', async () => {
    const { headers, body } = await server.as('nobody').get('/dynamic-plugins/frame')
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none';/)
    expect(policy).not.toContain('connect-src')
    expect(policy).not.toContain('allow-same-origin')
    expect(body).toBe(framePage)
    const script = /<script type="module">([\s\S]*)<\/script>/.exec(body)![1]!
    expect(policy).toContain(`'sha256-${hash('sha256', script, 'base64')}'`)
    expect(
      (await server.as('admin').get((await create()).json<{ bundle_url: string }>().bundle_url)).headers,
    ).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      'x-content-type-options': 'nosniff',
    })
  })
})

it('PERM-035, CHART-040: without the flag DYNAMIC_PLUGINS there are no plugins', async () => {
  const server = await startTestServer()
  for (const path of ['/dynamic-plugins/api/read', '/dynamic-plugins/frame', '/dynamic-plugins/list/'])
    expect([path, (await server.as('admin').get(path)).statusCode]).toEqual([path, 404])
  await server.close()
})
