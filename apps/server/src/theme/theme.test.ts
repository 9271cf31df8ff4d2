import { writeArchive, type Bundle } from '@parquetry/bundle'
import { encodeRison } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { startTestServer, testStores, type Client, type TestServer, type TestUser } from '../testing.ts'
import { unzip } from '../unzip.testing.ts'
import { storeConfiguredThemes } from './configured-themes.ts'
import { loadSystemThemes } from './system-themes.ts'

interface Saved {
  id: number
  result: { theme_name: string; json_data: string; removed: object[]; contrast_faults: { foreground: string }[] }
}
const json = (token: object, more: object = {}) => JSON.stringify({ token, ...more })

async function createTheme(client: Client, theme_name = 'Forest', json_data = json({ colorPrimary: '#1f6f54' })) {
  const response = await client.post('/api/v1/theme/', { theme_name, json_data })
  expect(response.statusCode, response.body).toBe(201)
  return response.json<Saved>()
}

describe.each(testStores)('themes on %s', (_name, store) => {
  let server: TestServer
  let admin: Client
  beforeAll(async () => {
    server = await startTestServer({ store })
    admin = server.as('admin')
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.deps.db.deleteFrom('theme').execute()
    await server.deps.db.deleteFrom('dashboard').execute()
  })
  const get = async (id: number) =>
    (await admin.get(`/api/v1/theme/${id}`)).json<{ result: Record<string, unknown> }>().result

  it('creates, lists, searches, changes and deletes themes (API)', async () => {
    const { id, result } = await createTheme(admin)
    expect(result).toEqual({
      theme_name: 'Forest',
      json_data: '{"token":{"colorPrimary":"#1f6f54"}}',
      removed: [],
      contrast_faults: [],
    })
    await createTheme(admin, 'Ocean', json({ colorPrimary: '#0b5fa5' }))
    expect(await get(id)).toMatchObject({
      id,
      theme_name: 'Forest',
      json_data: '{"token":{"colorPrimary":"#1f6f54"}}',
      is_system: false,
      is_system_default: false,
      is_system_dark: false,
      uuid: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      created_by: { id: expect.any(Number) as number },
    })
    const q = encodeRison({ filters: [{ col: 'theme_name', opr: 'theme_all_text', value: '0B5FA5' }] })
    const list = (await admin.get(`/api/v1/theme/?q=${encodeURIComponent(q)}`)).json<{ result: object[] }>()
    expect(list.result).toMatchObject([{ theme_name: 'Ocean' }])
    const put = await admin.put(`/api/v1/theme/${id}`, { ...(await get(id)), theme_name: ' Wood ', json_data: '{}' })
    expect([put.statusCode, put.json()]).toMatchObject([200, { id, result: { theme_name: 'Wood', json_data: '{}' } }])
    const removed = await admin.delete(`/api/v1/theme/${id}`)
    expect([removed.statusCode, removed.json()]).toEqual([200, { message: 'OK' }])
    expect((await admin.get(`/api/v1/theme/${id}`)).statusCode).toBe(404)
    const log = await server.deps.db.selectFrom('log').select('action').orderBy('id', 'desc').limit(4).execute()
    expect(log.map(({ action }) => action)).toEqual(['theme.delete', 'theme.update', 'theme.create', 'theme.create'])
  })

  it.each([
    [{ theme_name: '', json_data: '{}' }, 'theme_name'],
    [{ theme_name: '  ', json_data: '{}' }, 'theme_name'],
    [{ theme_name: 'a' }, 'json_data'],
    [{ json_data: '{}' }, 'theme_name'],
    [{ theme_name: 'a', json_data: '{' }, 'json_data'],
    [{ theme_name: 'a', json_data: '[]' }, 'json_data'],
    [{ theme_name: 'a', json_data: '{"token":1}' }, 'json_data'],
    [{ theme_name: 'a', json_data: '{"algorithm":"bright"}' }, 'json_data'],
    [{ theme_name: 'a', json_data: {} }, 'json_data'],
    [{ theme_name: 'a', json_data: '{}', nope: 1 }, 'nope'],
  ])('refuses the body %j on creating and changing', async (body, field) => {
    const { id } = await createTheme(admin)
    for (const response of [await admin.post('/api/v1/theme/', body), await admin.put(`/api/v1/theme/${id}`, body)])
      expect([response.statusCode, Object.keys(response.json<{ message: object }>().message)]).toEqual([400, [field]])
  })

  it('stores a theme without unsafe values and says what was left out', async () => {
    const { id, result } = await createTheme(
      admin,
      'Hostile',
      json({
        colorPrimary: 'red;background:url(https://evil.example)',
        colorText: '#aaaaaa',
        fontUrls: ['https://evil.example/font.css'],
        brandSpinnerSvg: '<svg onload=alert(1)>',
      }),
    )
    expect(result.json_data).toBe('{"token":{"colorText":"#aaaaaa"}}')
    expect(result.removed).toEqual([
      { path: 'token.colorPrimary', reason: 'color' },
      { path: 'token.fontUrls', reason: 'type' },
      { path: 'token.brandSpinnerSvg', reason: 'unsafe' },
    ])
    expect(result.contrast_faults).toContainEqual({
      foreground: 'colorText',
      background: 'colorBgContainer',
      colors: ['#aaaaaa', '#ffffff'],
      ratio: 2.32,
      required: 4.5,
    })
    expect((await get(id))['json_data']).toBe(result.json_data)
  })

  it('one theme is the default and one the dark theme; neither can be deleted until another is chosen', async () => {
    const first = await createTheme(admin)
    const second = await createTheme(admin, 'Ocean', json({ colorPrimary: '#6fb7ff' }, { algorithm: 'dark' }))
    for (const [id, call] of [
      [first.id, 'set_system_default'],
      [second.id, 'set_system_dark'],
    ]) {
      const set = await admin.put(`/api/v1/theme/${id}/${call}`)
      expect([set.statusCode, set.json()]).toEqual([200, { id, result: 'success' }])
    }
    const { variables } = await loadSystemThemes(server.deps)
    expect([variables.light['--accent'], variables.dark['--accent']]).toEqual(['#1f6f54', '#6fb7ff'])
    const ids = encodeURIComponent(encodeRison([second.id]))
    for (const path of [`/api/v1/theme/${first.id}`, `/api/v1/theme/?q=${ids}`])
      expect((await admin.delete(path)).statusCode).toBe(422)
    expect((await admin.put(`/api/v1/theme/${second.id}/set_system_default`)).statusCode).toBe(200)
    expect(await get(first.id)).toMatchObject({ is_system_default: false })
    expect((await admin.delete(`/api/v1/theme/${first.id}`)).statusCode).toBe(200)
    for (const call of ['unset_system_default', 'unset_system_dark']) {
      const unset = await admin.delete(`/api/v1/theme/${call}`)
      expect([unset.statusCode, unset.json()]).toEqual([200, { result: 'success' }])
    }
    expect(await get(second.id)).toMatchObject({ is_system_default: false, is_system_dark: false })
    expect((await loadSystemThemes(server.deps)).variables).toEqual({ light: {}, dark: {} })
    expect((await admin.delete(`/api/v1/theme/?q=${ids}`)).json()).toEqual({ message: 'Deleted 1 theme' })
    expect((await admin.put('/api/v1/theme/999999/set_system_dark')).statusCode).toBe(404)
  })

  it('refuses a system theme with too little contrast, and says which pair fails', async () => {
    const { id } = await createTheme(admin, 'Pale', json({ colorText: '#999999' }))
    const refused = await admin.put(`/api/v1/theme/${id}/set_system_default`)
    expect([refused.statusCode, refused.body]).toEqual([
      422,
      expect.stringContaining('colorText / colorBgContainer 2.84 < 4.5'),
    ])
    await admin.put(`/api/v1/theme/${id}`, { theme_name: 'Clear', json_data: '{}' })
    expect((await admin.put(`/api/v1/theme/${id}/set_system_default`)).statusCode).toBe(200)
    const pale = { theme_name: 'Pale', json_data: json({ colorText: '#999999' }) }
    expect((await admin.put(`/api/v1/theme/${id}`, pale)).statusCode).toBe(422)
  })

  it('themes of the configuration are listed, and can be neither changed nor deleted', async () => {
    const { db, settings } = server.deps
    const config = { ...settings.config, THEME_DEFAULT: { token: { colorPrimary: '#123456' } } }
    await storeConfiguredThemes(db, settings.config, new Date())
    await storeConfiguredThemes(db, config, new Date())
    const { result } = (await admin.get('/api/v1/theme/')).json<{ result: { id: number }[] }>()
    expect(result).toMatchObject([
      { theme_name: 'THEME_DARK', is_system: true },
      { theme_name: 'THEME_DEFAULT', is_system: true, json_data: '{"token":{"colorPrimary":"#123456"}}' },
    ])
    const id = result[1]?.id ?? 0
    expect((await admin.put(`/api/v1/theme/${id}`, { theme_name: 'x', json_data: '{}' })).statusCode).toBe(403)
    expect((await admin.delete(`/api/v1/theme/${id}`)).statusCode).toBe(403)
    expect((await admin.delete(`/api/v1/theme/?q=!(${id})`)).statusCode).toBe(403)
    const { variables } = await loadSystemThemes({ db, settings: { ...settings, config } })
    expect(variables.light['--accent']).toBe('#123456')
  })

  it.each([
    ['nobody', [401, 401, 401, 401, 401]],
    ['gamma', [200, 403, 403, 403, 403]],
    ['alpha', [200, 201, 200, 403, 200]],
    ['admin', [200, 201, 200, 200, 200]],
  ] as const)(
    '%s may read, create, change, choose for the system, and export as the role says',
    async (user, statuses) => {
      const { id } = await createTheme(admin)
      const client = server.as(user as TestUser | 'nobody')
      const body = { theme_name: 'Mine', json_data: '{}' }
      expect([
        (await client.get('/api/v1/theme/')).statusCode,
        (await client.post('/api/v1/theme/', body)).statusCode,
        (await client.put(`/api/v1/theme/${id}`, body)).statusCode,
        (await client.put(`/api/v1/theme/${id}/set_system_default`)).statusCode,
        (await client.get(`/api/v1/theme/export/?q=!(${id})`)).statusCode,
      ]).toEqual(statuses)
    },
  )

  it('the theme of a dashboard is part of its detail; deleting the theme clears it, and copies have it', async () => {
    const { id, result } = await createTheme(admin)
    const created = await admin.post('/api/v1/dashboard/', { dashboard_title: 'Board', theme_id: id })
    const board = created.json<{ id: number }>().id
    const themeOf = async (dashboard = board) =>
      (await admin.get(`/api/v1/dashboard/${dashboard}`)).json<{ result: { theme: unknown } }>().result.theme
    expect(await themeOf()).toEqual({ id, theme_name: 'Forest', json_data: result.json_data })
    const copied = await admin.post(`/api/v1/dashboard/${board}/copy/`, { dashboard_title: 'c', json_metadata: '{}' })
    expect(await themeOf(copied.json<{ result: { id: number } }>().result.id)).toMatchObject({ id })
    const q = encodeURIComponent(encodeRison({ columns: ['dashboards'] }))
    const listed = (await admin.get(`/api/v1/theme/?q=${q}`)).json<{ result: object[] }>().result
    expect(listed).toMatchObject([{ dashboards: [{ id: board, dashboard_title: 'Board' }, { dashboard_title: 'c' }] }])
    const hidden = (await server.as('gamma').get(`/api/v1/theme/?q=${q}`)).json<{ result: object[] }>().result
    expect(hidden).toEqual([{ dashboards: [] }])

    await admin.put(`/api/v1/dashboard/${board}`, { css: '' })
    expect(await themeOf()).toMatchObject({ id })
    await admin.put(`/api/v1/dashboard/${board}`, { theme_id: null })
    expect(await themeOf()).toBeNull()
    const unknown = await admin.put(`/api/v1/dashboard/${board}`, { theme_id: 999_999 })
    expect([unknown.statusCode, unknown.json()]).toEqual([
      422,
      { message: { theme_id: ['The theme does not exist.'] } },
    ])
    await admin.put(`/api/v1/dashboard/${board}`, { theme_id: id })
    await admin.delete(`/api/v1/theme/${id}`)
    expect(await themeOf()).toBeNull()
  })

  it('a dashboard comes back from the trash without a theme that was deleted meanwhile', async () => {
    const { id } = await createTheme(admin)
    const { id: board } = (await admin.post('/api/v1/dashboard/', { dashboard_title: 'B', theme_id: id })).json<Saved>()
    await admin.delete(`/api/v1/dashboard/${board}`)
    await admin.delete(`/api/v1/theme/${id}`)
    const restored = await admin.post(`/api/v1/trash/dashboard/${board}/restore`, {})
    expect(restored.statusCode, restored.body).toBe(200)
    expect((await admin.get(`/api/v1/dashboard/${board}`)).json()).toMatchObject({ result: { theme: null } })
  })
})

it('without ENABLE_UI_THEME_ADMINISTRATION only the configuration decides about system themes', async () => {
  const server = await startTestServer()
  const admin = server.as('admin')
  const { id } = await createTheme(admin)
  await admin.put(`/api/v1/theme/${id}/set_system_default`)
  server.deps.settings.config.ENABLE_UI_THEME_ADMINISTRATION = false
  const calls = [
    await admin.put(`/api/v1/theme/${id}/set_system_dark`),
    await admin.delete('/api/v1/theme/unset_system_default'),
  ]
  expect(calls.map(({ statusCode }) => statusCode)).toEqual([403, 403])
  expect((await loadSystemThemes(server.deps)).variables.light).toEqual({})
  await server.close()
})

describe('bundles of themes', () => {
  let lab: TestLab
  let admin: Client
  beforeAll(async () => {
    lab = await startTestLab()
    admin = lab.server.as('admin')
  })
  afterAll(() => lab.close())

  const send = async (file: Uint8Array | undefined, fields: Record<string, string> = {}) => {
    const data = new FormData()
    if (file) data.append('formData', new Blob([Uint8Array.from(file)]), 'export.zip')
    for (const [name, value] of Object.entries(fields)) data.append(name, value)
    const request = new Request('http://test/', { method: 'POST', body: data })
    return admin.send('POST', '/api/v1/theme/import/', {
      payload: Buffer.from(await request.arrayBuffer()),
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
    })
  }
  const pack = (json_data: unknown, { type = 'Theme', uuid = randomUUID() } = {}) => {
    const metadata = { version: '1.0.0', type, timestamp: '2026-01-01T00:00:00+00:00' } as Bundle['metadata']
    const document = { theme_name: 'Packed', json_data, uuid, version: '1.0.0' }
    return writeArchive({ metadata, files: new Map([['themes/Packed.yaml', document]]) }, 'theme_export')
  }

  it('exports a theme as ZIP and imports it again, replacing it only with overwrite', async () => {
    const { id } = await createTheme(admin)
    const exported = await admin.get(`/api/v1/theme/export/?q=!(${id})&token=done`)
    expect(exported.headers['content-disposition']).toMatch(/filename=theme_export_\d{8}T\d{6}\.zip/)
    expect(exported.headers['set-cookie']).toMatch(/^done=done/)
    const [file] = [...(await unzip(exported.rawPayload))].filter(([name]) => name.includes('/themes/'))
    expect(file?.[0]).toMatch(/^theme_export_\w+\/themes\/Forest_\d+\.yaml$/)
    expect(file?.[1]).toMatch(/^theme_name: Forest\njson_data:\n {2}token:\n {4}colorPrimary: .#1f6f54.\nuuid: /)
    await admin.put(`/api/v1/theme/${id}`, { theme_name: 'Changed', json_data: '{}' })
    expect((await send(exported.rawPayload)).statusCode).toBe(422)
    expect((await send(exported.rawPayload, { overwrite: 'true' })).json()).toEqual({ message: 'OK' })
    expect((await admin.get(`/api/v1/theme/${id}`)).json()).toMatchObject({ result: { theme_name: 'Forest' } })
    expect((await admin.get('/api/v1/theme/export/?q=!(999999)')).statusCode).toBe(404)
  })

  it('imports only themes, without unsafe values, and refuses what is none', async () => {
    expect((await send(undefined)).statusCode).toBe(400)
    const uuid = randomUUID()
    expect(
      (await send(await pack('{"token":{"colorPrimary":"url(//evil)","colorText":"#000"}}', { uuid }))).statusCode,
    ).toBe(200)
    const stored = await lab.server.deps.db.selectFrom('theme').selectAll().where('uuid', '=', uuid).executeTakeFirst()
    expect(stored?.json_data).toBe('{"token":{"colorText":"#000"}}')
    for (const [data, options] of [
      ['{', {}],
      [[], {}],
      [{ token: 1 }, {}],
      [{ token: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`t${n}`, 'x'.repeat(400)])) }, {}],
      [{}, { type: 'Dashboard' }],
    ] as const)
      expect((await send(await pack(data, options))).statusCode).toBe(422)
    await admin.put(`/api/v1/theme/${stored?.id}/set_system_default`)
    const replaced = await send(await pack({}, { uuid }), { overwrite: 'true' })
    expect([replaced.statusCode, replaced.body]).toEqual([422, expect.stringContaining('cannot replace it')])
    await admin.delete('/api/v1/theme/unset_system_default')
  })

  it('a dashboard is exported with its theme', async () => {
    const { id } = await createTheme(admin)
    const { id: board } = (await admin.post('/api/v1/dashboard/', { dashboard_title: 'B', theme_id: id })).json<Saved>()
    const files = await unzip((await admin.get(`/api/v1/dashboard/export/?q=!(${board})`)).rawPayload)
    const { uuid } = await lab.server.deps.db
      .selectFrom('theme')
      .select('uuid')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const texts = [...files].map(([name, text]) => [name.replace(/^[^/]+\//, ''), text] as const)
    expect(texts.find(([name]) => name === `dashboards/B_${board}.yaml`)?.[1]).toContain(`theme_uuid: ${uuid}`)
    expect(texts.find(([name]) => name === `themes/Forest_${id}.yaml`)?.[1]).toContain(`uuid: ${uuid}`)
  })
})
