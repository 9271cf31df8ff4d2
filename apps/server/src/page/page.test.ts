import { pathsOf, type BootCommon, encodeRison, pageRedirects, pagePaths, type PageName } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'
import { addUser } from '../security/users.ts'
import { existsSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { openAssets } from './assets.ts'

const webPart = new URL('../../../web/dist/index.html', import.meta.url)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const page = (url: string, user: 'admin' | 'gamma' = 'admin') => server.as(user, 'session').get(url)
const parseBoot = (html: string): { user: Record<string, unknown>; common: Record<string, unknown> } =>
  JSON.parse(/<script[^>]*id="boot"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '') as never

it('contains the user, the browser settings and the menu entries that the user may open', async () => {
  const boot = parseBoot((await page('/dashboard/list/', 'gamma')).body)
  expect(boot.user).toMatchObject({
    username: 'gamma',
    isAnonymous: false,
    roles: { Gamma: expect.any(Array) as unknown },
  })
  expect(boot.common).toMatchObject({
    conf: { SQL_MAX_ROW: 100_000, DEFAULT_VIZ_TYPE: 'table' },
    feature_flags: { DASHBOARD_NATIVE_FILTERS: true },
    menu_data: { menu: expect.arrayContaining([expect.objectContaining({ name: 'Dashboards' })]) as unknown },
  })
  const names = (user: string) =>
    (parseBoot(user).common['menu_data'] as { menu: { name: string }[] }).menu.map(({ name }) => name)
  expect(names((await page('/', 'gamma')).body)).not.toContain('SQL Lab')
  expect(names((await page('/')).body)).toContain('SQL Lab')
})

it('ASYNC-012: sets the polling interval for events to 500 ms unless configured otherwise', async () => {
  const delayOf = async ({ as }: TestServer) =>
    (parseBoot((await as('admin', 'session').get('/')).body).common['conf'] as Record<string, unknown>)[
      'GLOBAL_ASYNC_QUERIES_POLLING_DELAY'
    ]
  expect(await delayOf(server)).toBe(500)
  const config = { ...server.deps.settings.config, GLOBAL_ASYNC_QUERIES_POLLING_DELAY: 1200 }
  const other = await startTestServer({ settings: { config } })
  expect(await delayOf(other)).toBe(1200)
  await other.close()
})

it('PERM-025: sends the denied chart types of the configuration to the page', async () => {
  const config = { ...server.deps.settings.config, VIZ_TYPE_DENYLIST: ['pie'] }
  const other = await startTestServer({ settings: { config } })
  const boot = parseBoot((await other.as('admin', 'session').get('/')).body)
  expect(boot.common['conf']).toMatchObject({ VIZ_TYPE_DENYLIST: ['pie'] })
  await other.close()
})

it('allows images from the configured tile hosts, and from no host by default', async () => {
  const imagesOf = async ({ as }: TestServer) =>
    /img-src ([^;]*)/.exec(String((await as('admin', 'session').get('/')).headers['content-security-policy']))?.[1]
  expect(await imagesOf(server)).toBe("'self' data: blob:")
  const url = 'https://tiles.example.org:8443/{z}/{x}/{y}.png'
  const config = { ...server.deps.settings.config, MAP_TILES: [{ url, name: 'Streets', attribution: '© Someone' }] }
  const other = await startTestServer({ settings: { config } })
  expect(await imagesOf(other)).toBe("'self' data: blob: https://tiles.example.org:8443")
  await other.close()
})

it('allows images from the hosts listed in the configuration', async () => {
  const config = { ...server.deps.settings.config, IMAGE_HOSTS: ['img.example.org'] }
  const other = await startTestServer({ settings: { config } })
  const policy = String((await other.as('admin', 'session').get('/')).headers['content-security-policy'])
  expect(/img-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' data: blob: img.example.org")
  await other.close()
})

it('CONST-035, CONST-036: clients may call the configured domains of the server, with the flag of domain sharding', async () => {
  const domains = ['one.example.org', 'two.example.org:8443']
  const config = { ...server.deps.settings.config, SUPERSET_WEBSERVER_DOMAINS: domains }
  const { flags } = server.deps.settings
  const callsOf = async (isOn: boolean) => {
    const settings = { config, flags: { ...flags, ALLOW_DASHBOARD_DOMAIN_SHARDING: isOn } }
    const other = await startTestServer({ settings })
    const policy = String((await other.as('admin', 'session').get('/')).headers['content-security-policy'])
    const answers = [
      (await other.as('gamma').get('/api/v1/available_domains/')).json(),
      (await other.as('gamma').get('/superset/available_domains/')).json(),
    ]
    await other.close()
    return [/connect-src ([^;]*)/.exec(policy)?.[1], ...answers]
  }
  expect(flags['ALLOW_DASHBOARD_DOMAIN_SHARDING']).toBe(true)
  expect(await callsOf(true)).toEqual([`'self' ${domains.join(' ')}`, { result: { domains } }, domains])
  expect(await callsOf(false)).toEqual(["'self'", { result: { domains: null } }, null])
})

it.skipIf(!existsSync(webPart))(
  'a dashboard page lists its first API calls, built only from the name in its address',
  async () => {
    const calls = async (path: string) =>
      JSON.parse(/typeof (\[.*?\]) ===/.exec((await page(path)).body)?.[1] ?? 'null') as string[] | null
    expect(await calls('/superset/welcome/')).toEqual([])
    expect(await calls('/superset/dashboard/sales%2Fa%22%3C/')).toEqual(
      ['', '/charts', '/datasets'].map((end) => `/api/v1/dashboard/sales%2Fa%22%3C${end}`),
    )
    const star = (await calls('/superset/dashboard/7/'))?.at(-1)
    expect(star).toBe(
      `/api/v1/dashboard/favorite_status/?q=${new URLSearchParams({ q: encodeRison([7]) }).toString().slice(2)}`,
    )
    const { body } = await page('/superset/dashboard/sales/')
    expect(body).toMatch(/<link rel="modulepreload" href="\/static\/assets\/DashboardPage-[\w-]+\.js">/)
    expect((await page('/dashboard/list/')).body).not.toContain('modulepreload" href="/static/assets/DashboardPage')
  },
)

it.skipIf(!existsSync(webPart))('regression: a refused page starts no API calls', async () => {
  const { db, now } = server.deps
  await addUser(db, { username: 'sql_only', password: 'sql_only', roles: ['sql_lab'] }, now())
  const { statusCode, body } = await server
    .as('sql_only' as 'gamma', 'session')
    .send('GET', '/superset/dashboard/7/', { headers: { accept: 'text/html' } })
  expect([statusCode, /typeof (\[.*?\]) ===/.exec(body)?.[1]]).toEqual([403, '[]'])
})

it('uses a fresh nonce in page and policy, and is never cached', async () => {
  const answers = [await page('/'), await page('/')]
  const nonces = answers.map(({ headers }) => /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1])
  expect(new Set(nonces).size).toBe(2)
  for (const [at, { body, headers }] of answers.entries()) {
    expect(headers['cache-control']).toBe('no-store')
    expect(body).not.toMatch(/NONCE|BOOT_JSON|CSRF_TOKEN/)
    for (const [, nonce] of body.matchAll(/<script[^>]*nonce="([^"]*)"/g)) expect(nonce).toBe(nonces[at])
  }
})

it('escapes names so that they cannot inject markup', async () => {
  const { db, now } = server.deps
  await addUser(
    db,
    { username: 'evil', password: 'evil', roles: ['Gamma'], first_name: '</script><script>alert(1)//' },
    now(),
  )
  const { body } = await server.as('evil' as 'gamma', 'session').get('/')
  expect(body).not.toContain('<script>alert(1)')
  expect(parseBoot(body).user['firstName']).toBe('</script><script>alert(1)//')
})

/** Pages about an object, which the store of these tests does not have. */
/** Pages of an object, and those of a feature that is off. */
const subjects = new Set<PageName>(['dashboard', 'dashboardPermalink', 'dataset', 'annotations', 'plugins'])

it('serves every page address to users with access; a page of something that does not exist has the status 404', async () => {
  for (const name of Object.keys(pagePaths) as PageName[])
    for (const path of pathsOf(name)) {
      const response = await page(path.replace(/:\w+/g, '1'))
      const isMissing = subjects.has(name) || /:(permalink|slice|key)/.test(path)
      expect([path, response.statusCode]).toEqual([
        path,
        /^\/(login|invitation)\//.test(path) ? 302 : isMissing ? 404 : 200,
      ])
      if (isMissing) expect(parseBoot(response.body).user['username']).toBe('admin')
    }
})

it('regression: a page of an object has the status 200 only for users who can see the object', async () => {
  const { result } = (await server.as('admin').get('/api/v1/dashboard/')).json<{ result: { id: number }[] }>()
  expect(result).toEqual([])
  const { id } = (await server.as('alpha').post('/api/v1/dashboard/', { dashboard_title: 'Mine', slug: 'mine' })).json<{
    id: number
  }>()
  for (const name of [id, 'mine']) {
    expect((await page(`/superset/dashboard/${name}/`)).statusCode).toBe(200)
    expect((await page(`/superset/dashboard/${name}/`, 'gamma')).statusCode).toBe(404)
  }
  expect((await page('/explore/?slice_id=999')).statusCode).toBe(404)
  expect((await page('/explore/')).statusCode).toBe(200)
  expect((await page('/dataset/abc')).statusCode).toBe(404)
})

it.each([
  ['/superset/explore/table/12/', '/explore/?datasource_type=table&datasource_id=12'],
  [
    '/superset/explore/table/12/?slice_id=3&force=1',
    '/explore/?datasource_type=table&datasource_id=12&slice_id=3&force=1',
  ],
  ['/superset/explore/a%2Fb/1%26c', '/explore/?datasource_type=a%2Fb&datasource_id=1%26c'],
])('redirects %s to its new address', async (from, to) => {
  const response = await page(from)
  expect([response.statusCode, response.headers.location]).toEqual([302, to])
})

it('moved addresses lead to existing pages and require sign-in', async () => {
  for (const [path, { to }] of Object.entries(pageRedirects)) {
    expect((await page(to.replace(/:\w+/g, '1'))).statusCode, path).toBe(200)
    expect((await server.as('nobody').get(path.replace(/:\w+/g, '1'))).headers.location, path).toContain('/login/')
  }
})

it.each(['/register/', '/settings/theme/'])('regression: %s, whose page is not built, returns 404', async (path) =>
  expect((await page(path)).statusCode).toBe(404),
)

it('links only to existing pages in its navigation', async () => {
  const { menu, brand, navbar_right } = parseBoot((await page('/')).body).common['menu_data'] as BootCommon['menu_data']
  const items = menu.flatMap(({ url, childs = [] }) => [url, ...childs.map((item) => item !== '-' && item.url)])
  const links = [...items, brand['path'], ...Object.values(navbar_right)].filter(
    (link): link is string => typeof link === 'string' && link.startsWith('/'),
  )
  expect(links.length).toBeGreaterThan(8)
  for (const link of links) expect((await page(link)).statusCode, link).not.toBe(404)
})

it('reports missing and forbidden addresses with a page in the app layout', async () => {
  const browse = (url: string) =>
    server.as('gamma', 'session').send('GET', url, { headers: { accept: 'text/html,*/*;q=0.8' } })
  const missing = await browse('/nowhere/')
  expect([missing.statusCode, parseBoot(missing.body).user['username']]).toEqual([404, 'gamma'])
  const closed = await browse('/superset/sqllab/')
  expect([closed.statusCode, parseBoot(closed.body).common['no_access']]).toEqual([403, true])
  const script = await server.as('gamma', 'session').get('/nowhere/')
  expect([script.statusCode, script.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
})

describe('built files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-dist-'))
  const http = fastify()
  beforeAll(() => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<html>')
    writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
    writeFileSync(join(folder, 'assets/main-D4f3Gh1x.js'), 'plain')
    writeFileSync(join(folder, 'assets/main-D4f3Gh1x.js.br'), 'squeezed')
    writeFileSync(join(folder, '.parquetry'), 'stamp')
    const assets = openAssets(folder)
    http.get('/static/*', (request, reply) => assets.send((request.params as { '*': string })['*'], request, reply))
  })
  afterAll(async () => {
    await http.close()
    rmSync(folder, { recursive: true })
  })
  const get = (url: string, headers = {}) => http.inject({ url, headers })

  it('are cached forever when their name contains a hash, and are sent compressed', async () => {
    const response = await get('/static/assets/main-D4f3Gh1x.js', { 'accept-encoding': 'gzip, br' })
    expect([response.body, response.headers['content-encoding'], response.headers['cache-control']]).toEqual([
      'squeezed',
      'br',
      'public, max-age=31536000, immutable',
    ])
    expect((await get('/static/assets/main-D4f3Gh1x.js')).body).toBe('plain')
  })

  it('without a hash are revalidated, and not sent again when unchanged', async () => {
    const response = await get('/static/favicon.svg')
    expect(response.headers['cache-control']).toBe('no-cache')
    expect((await get('/static/favicon.svg', { 'if-none-match': response.headers.etag })).statusCode).toBe(304)
  })

  it.each([
    '../package.json',
    '%2e%2e/package.json',
    'assets/..%2f..%2fetc/passwd',
    '.parquetry',
    'index.html',
    'assets',
  ])('are the only files served: not %s', async (path) =>
    expect((await get(`/static/${path}`)).statusCode).not.toBe(200),
  )
})
