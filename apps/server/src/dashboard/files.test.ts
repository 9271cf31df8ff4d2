import { type Bundle, readArchive, writeArchive } from '@parquetry/bundle'
import type { DashboardFile } from '@parquetry/model'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadPrincipal } from '../access/load-principal.ts'
import { BundleBuilder } from '../bundle/bundle-builder.ts'
import { importBundle } from '../bundle/import-bundle.ts'
import { readContext } from '../http/serve-resource.ts'
import { createImageForm, png } from '../image/image.testing.ts'
import { defaultConfig, defaultFlags } from '../settings/config.ts'
import { findUser } from '../security/users.ts'
import { type Client, startTestServer, type TestServer, testStores, type TestUser } from '../testing.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><path d="M0 0L8 6"/></svg>'
const hostileSvg = svg.replace('<path', '<script>alert(1)</script><path onclick="alert(2)"')

const createLayout = (...texts: string[]) => {
  const ids = texts.map((_, index) => `MARKDOWN-${index}`)
  const nodes = Object.fromEntries(
    texts.map((code, index) => [
      `MARKDOWN-${index}`,
      { id: `MARKDOWN-${index}`, type: 'MARKDOWN', children: [], meta: { code, width: 4, height: 50 } },
    ]),
  )
  return {
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
    GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['ROW-1'] },
    'ROW-1': { id: 'ROW-1', type: 'ROW', children: ids, meta: {} },
    ...nodes,
  }
}
const createMetadata = (...texts: string[]) => JSON.stringify({ positions: createLayout(...texts) })
const stripFragment = (url: string) => url.split('#')[0] ?? ''

describe.each(testStores)('images of a dashboard, store on %s', (_name, store) => {
  let server: TestServer
  let owner: Client
  let far: Server
  let farAddress: string
  const answers: Record<string, (response: ServerResponse) => void> = {}
  beforeAll(async () => {
    const config = { ...defaultConfig, URL_LOOPBACK_HOSTS: true }
    server = await startTestServer({ store, settings: { config, flags: { ...defaultFlags, DASHBOARD_RBAC: true } } })
    owner = server.as('alpha')
    far = createServer((request, response) => {
      const answer = answers[request.url ?? '']
      if (answer) answer(response)
      else response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve))
    farAddress = `http://127.0.0.1:${(far.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    far.closeAllConnections()
    far.close()
    await server.close()
  })

  const make = async (body: object = {}, client = owner) =>
    (await client.post('/api/v1/dashboard/', { dashboard_title: 'Board', published: true, ...body })).json<{
      id: number
    }>().id
  const send = (id: number, bytes: Buffer, client = owner) =>
    client.send('POST', `/api/v1/dashboard/${id}/files`, createImageForm(bytes))
  const upload = async (id: number, bytes: Buffer, client = owner): Promise<DashboardFile> => {
    const response = await send(id, bytes, client)
    expect(response.statusCode, response.body).toBe(200)
    return response.json<{ result: DashboardFile }>().result
  }
  const uploadFromUrl = (id: number, url: string, client = owner) =>
    client.post(`/api/v1/dashboard/${id}/files`, { url })
  const filesOf = (id: number) =>
    server.deps.db.selectFrom('dashboard_file').select('hash').where('dashboard_id', '=', id).execute()
  const star = async (client: Client, id: number) => {
    const user_id = (await client.get('/api/v1/me/')).json<{ result: { id: number } }>().result.id
    const row = { user_id, kind: 'dashboard' as const, object_id: id, created_on: '2026-01-01T00:00:00' }
    await server.deps.db.insertInto('favorite').values(row).execute()
  }

  it('stores an image once and returns it unchanged', async () => {
    const id = await make()
    const bytes = png(40, 30)
    const file = await upload(id, bytes)
    expect(file).toMatchObject({ media_type: 'image/png', width: 40, height: 30, size: bytes.length })
    expect(file.url).toBe(`/api/v1/dashboard/${id}/files/${file.hash}#40x30`)
    expect(await upload(id, bytes)).toEqual(file)
    expect(await filesOf(id)).toHaveLength(1)
    const read = await owner.get(stripFragment(file.url))
    expect(read.rawPayload.equals(bytes)).toBe(true)
    expect(read.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
      vary: expect.stringContaining('Cookie') as string,
    })
    expect(read.headers['content-security-policy']).toMatch(/^default-src 'none';.*sandbox$/)
    const again = await owner.send('GET', stripFragment(file.url), {
      headers: { 'if-none-match': String(read.headers.etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const { rows } = await sql<{ n: number }>`select count(*) as n from log where action = 'dashboard.file'
      and dashboard_id = ${id}`.execute(server.deps.db)
    expect(Number(rows[0]?.n)).toBe(2)
  })

  it('hostile: an SVG is stored without scripts, and its policy prevents it from doing anything as a page', async () => {
    const file = await upload(await make(), Buffer.from(hostileSvg))
    const read = await owner.get(stripFragment(file.url))
    expect(read.headers['content-type']).toMatch(/^image\/svg\+xml/)
    expect(read.body).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><path d="M0 0L8 6"></path></svg>',
    )
    expect(read.headers['content-security-policy']).toContain('sandbox')
  })

  it('hostile: a file that is not an image is refused, regardless of its name', async () => {
    const id = await make()
    const html = await send(id, Buffer.from('<html><script>alert(1)</script></html>'))
    expect([html.statusCode, html.json()]).toEqual([
      422,
      { message: 'This file is not a supported image. Use PNG, JPEG, GIF, WebP, AVIF or SVG.' },
    ])
    const large = await send(id, Buffer.concat([png(4, 4), Buffer.alloc(6 << 20)]))
    expect([large.statusCode, large.json()]).toEqual([413, { message: 'The image is larger than 5 MB.' }])
    expect((await owner.post(`/api/v1/dashboard/${id}/files`, {})).statusCode).toBe(400)
    expect((await owner.post(`/api/v1/dashboard/${id}/files`, { url: 'x', more: 1 })).statusCode).toBe(400)
    const none = await owner.send('POST', `/api/v1/dashboard/${id}/files`, createImageForm(png(1, 1), 'a.png', 'other'))
    expect([none.statusCode, none.json()]).toEqual([
      400,
      { message: 'No file was sent. Send it in the form field "file".' },
    ])
    expect(await filesOf(id)).toEqual([])
  })

  it('can be added only by users who may edit the dashboard, with a CSRF token in a session', async () => {
    const id = await make()
    const hidden = await make({ published: false })
    await star(server.as('gamma'), id)
    const status = async (which: number, user: TestUser | 'nobody') =>
      (await send(which, png(2, 2), server.as(user))).statusCode
    expect(await status(id, 'gamma')).toBe(403)
    expect(await status(hidden, 'gamma')).toBe(404)
    expect(await status(999_999, 'gamma')).toBe(404)
    expect(await status(id, 'nobody')).toBe(401)
    expect(await status(id, 'admin')).toBe(200)
    const form = createImageForm(png(2, 2))
    const forged = await server
      .as('alpha', 'session')
      .send('POST', `/api/v1/dashboard/${id}/files`, { ...form, headers: { ...form.headers, 'x-csrftoken': 'x' } })
    expect(forged.statusCode).toBe(400)
    expect(await filesOf(hidden)).toEqual([])
  })

  it('hostile: images require the rights of the dashboard; other users get 404', async () => {
    const viewer = server.as('gamma')
    const id = await make()
    const { url, hash } = await upload(id, png(5, 5))
    const nothing = (await viewer.get(`/api/v1/dashboard/${id}/files/${'0'.repeat(64)}`)).body
    const fetchStatus = async (client: Client, address = url) => {
      const response = await client.get(stripFragment(address))
      if (response.statusCode !== 200) expect([response.statusCode, response.body]).toEqual([404, nothing])
      return response.statusCode
    }
    expect(await fetchStatus(viewer), 'published, and not his').toBe(404)
    await star(viewer, id)
    expect(await fetchStatus(viewer), 'starred').toBe(200)
    const slug = `slug-${id}`
    await owner.put(`/api/v1/dashboard/${id}`, { slug })
    expect(await fetchStatus(viewer, url.replace(String(id), slug))).toBe(200)
    await owner.put(`/api/v1/dashboard/${id}`, { published: false })
    expect(await fetchStatus(viewer), 'a draft').toBe(404)
    expect(await fetchStatus(owner)).toBe(200)
    const role = await server.deps.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Gamma')
      .executeTakeFirstOrThrow()
    const admins = await server.deps.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Admin')
      .executeTakeFirstOrThrow()
    await server.as('admin').put(`/api/v1/dashboard/${id}`, { published: true, roles: [admins.id] })
    expect(await fetchStatus(viewer), 'open to another role').toBe(404)
    await server.as('admin').put(`/api/v1/dashboard/${id}`, { roles: [role.id] })
    expect(await fetchStatus(viewer), 'open to his role').toBe(200)
    expect((await server.as('nobody').get(stripFragment(url))).statusCode).toBe(401)
    const other = await make({}, server.as('admin'))
    expect(
      await fetchStatus(server.as('admin'), `/api/v1/dashboard/${other}/files/${hash}`),
      'of another dashboard',
    ).toBe(404)
    const odd = await server.as('admin').get(`/api/v1/dashboard/${id}/files/${hash.slice(1)}x`)
    expect(odd.statusCode).toBe(404)
    const early = await viewer.send('GET', `/api/v1/dashboard/${other}/files/${hash}`, {
      headers: { 'if-none-match': `"${hash}"` },
    })
    expect(early.statusCode).toBe(404)
  })

  it('stay in the trash with their dashboard, are restored with it, and are deleted when it is purged', async () => {
    const id = await make()
    const { url } = await upload(id, png(6, 6))
    await owner.delete(`/api/v1/dashboard/${id}`)
    expect((await owner.get(stripFragment(url))).statusCode).toBe(404)
    expect(await filesOf(id)).toHaveLength(1)
    expect((await owner.post(`/api/v1/trash/dashboard/${id}/restore`, {})).statusCode).toBe(200)
    expect((await owner.get(stripFragment(url))).statusCode).toBe(200)
    await owner.delete(`/api/v1/dashboard/${id}`)
    expect((await owner.delete(`/api/v1/trash/dashboard/${id}`)).statusCode).toBe(200)
    expect(await filesOf(id)).toEqual([])
  })

  it('are still available when an older version is restored', async () => {
    const id = await make()
    const { url } = await upload(id, png(7, 7))
    await owner.put(`/api/v1/dashboard/${id}`, { json_metadata: createMetadata(`![a](${url})`) })
    await owner.put(`/api/v1/dashboard/${id}`, { json_metadata: createMetadata('nothing') })
    const list = await owner.get(`/api/v1/dashboard/${id}/versions/`)
    const versions = list.json<{ result: { n: number }[] }>().result
    const restored = await owner.post(`/api/v1/dashboard/${id}/versions/${versions[1]?.n}/restore`, {})
    expect(restored.statusCode, restored.body).toBe(200)
    const { result } = (await owner.get(`/api/v1/dashboard/${id}`)).json<{ result: { position_json: string } }>()
    expect(result.position_json).toContain(url)
    expect((await owner.get(stripFragment(url))).statusCode).toBe(200)
  })

  it('are copied with their dashboard', async () => {
    const id = await make()
    const [shown, left, foreign] = [
      await upload(id, png(8, 8)),
      await upload(id, png(9, 9)),
      await upload(await make(), png(10, 10)),
    ]
    const body = { dashboard_title: 'Copy', json_metadata: createMetadata(`![a](${shown.url}) ![b](${foreign.url})`) }
    const response = await owner.post(`/api/v1/dashboard/${id}/copy/`, body)
    const copy = response.json<{ result: { id: number } }>().result.id
    const { result } = (await owner.get(`/api/v1/dashboard/${copy}`)).json<{ result: { position_json: string } }>()
    const there = `/api/v1/dashboard/${copy}/files/${shown.hash}`
    expect(result.position_json).toContain(`![a](${there}#8x8) ![b](${foreign.url})`)
    expect(await filesOf(copy)).toEqual([{ hash: shown.hash }])
    await owner.delete(`/api/v1/dashboard/${id}`)
    await owner.delete(`/api/v1/trash/dashboard/${id}`)
    expect((await owner.get(there)).rawPayload.equals(png(8, 8))).toBe(true)
    expect((await owner.get(stripFragment(left.url))).statusCode).toBe(404)
  })

  describe('in a bundle', () => {
    const exportBundle = async (id: number) => {
      const files: Bundle['files'] = new Map()
      const into = new BundleBuilder(readContext(server.app, await admin()), files)
      const row = await server.deps.db
        .selectFrom('dashboard')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await into.addDashboard(row)
      return writeArchive({ metadata: await into.finish('Dashboard', new Date()), files }, 'root')
    }
    const admin = async () => {
      const user = await findUser(server.deps.db, 'admin')
      if (!user) throw new Error('there is no administrator')
      return loadPrincipal(server.deps.db, user)
    }
    const idOf = async (of: TestServer, title: string) =>
      (
        await of.deps.db
          .selectFrom('dashboard')
          .select('id')
          .where('dashboard_title', '=', title)
          .executeTakeFirstOrThrow()
      ).id
    const options = { authorId: null, at: '2026-01-01T00:00:00.000', overwrite: true }

    it('are exported in a folder that other readers ignore, and imported under the id of the new dashboard', async () => {
      const id = await make({ dashboard_title: 'Travels' })
      const bytes = png(11, 11)
      const [shown] = [await upload(id, bytes), await upload(id, png(12, 12))]
      await owner.put(`/api/v1/dashboard/${id}`, {
        json_metadata: createMetadata(`![a](${shown.url})`),
        css: `.a { background: url(${shown.url}) }`,
      })
      const archive = await exportBundle(id)
      const names = [...(await readArchive(archive)).files.keys()]
      expect(names.filter((path) => !path.endsWith('.yaml'))).toEqual([`images/${shown.hash}.png`])
      const elsewhere = await startTestServer({ store })
      try {
        // This store has given the id already, so the dashboard gets another one.
        for (let given = 0; given < id; given++)
          await elsewhere.as('admin').post('/api/v1/dashboard/', { dashboard_title: 'Other' })
        await importBundle(elsewhere.deps.db, await readArchive(archive), options)
        const there = await idOf(elsewhere, 'Travels')
        expect(there).not.toBe(id)
        const response = await elsewhere.as('admin').get(`/api/v1/dashboard/${there}`)
        const { result } = response.json<{ result: { position_json: string; css: string } }>()
        const address = `/api/v1/dashboard/${there}/files/${shown.hash}`
        expect(result.position_json).toContain(`![a](${address}#11x11)`)
        expect(result.css).toContain(address)
        const read = await elsewhere.as('admin').get(address)
        expect(read.rawPayload.equals(bytes)).toBe(true)
      } finally {
        await elsewhere.close()
      }
    })

    it('hostile: a file that is not an image fails the import, and an SVG is sanitized', async () => {
      const id = await make({ dashboard_title: 'Forged' })
      const image = await upload(id, Buffer.from(svg))
      const claimed = '0'.repeat(64)
      await owner.put(`/api/v1/dashboard/${id}`, { json_metadata: createMetadata(`![a](${image.url})`) })
      const importForged = async (bytes: string) => {
        const { metadata, files } = await readArchive(await exportBundle(id))
        // The name of a file is a claim: no image of this dashboard has this hash.
        const renamed = JSON.parse(JSON.stringify([...files]).replaceAll(image.hash, claimed)) as [string, object][]
        const forged = new Map(renamed) as typeof files
        forged.set(`images/${claimed}.svg`, { base64: Buffer.from(bytes).toString('base64') })
        return importBundle(server.deps.db, { metadata, files: forged }, options)
      }
      await expect(importForged('<html/>')).rejects.toMatchObject({
        details: { [`images/${claimed}.svg`]: expect.stringContaining('not a supported image') as string },
      })
      await importForged(hostileSvg.replace('width="8"', 'width="9"'))
      const { result } = (await owner.get(`/api/v1/dashboard/${id}`)).json<{ result: { position_json: string } }>()
      const [address = ''] = /\/api\/v1\/dashboard\/\d+\/files\/[0-9a-f]{64}/.exec(result.position_json) ?? []
      expect(address).not.toContain(image.hash)
      expect((await owner.get(address)).body).not.toContain('script')
    })
  })

  describe('by URL', () => {
    it('is fetched once and stored', async () => {
      const id = await make()
      answers['/a.png'] = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(png(13, 13))
      const answer = await uploadFromUrl(id, `${farAddress}/a.png`)
      expect(answer.statusCode, answer.body).toBe(200)
      const { url } = answer.json<{ result: DashboardFile }>().result
      delete answers['/a.png']
      const read = await owner.get(stripFragment(url))
      expect(read.headers['content-type']).toBe('image/png')
    })

    it('hostile: only an image on the given server is accepted', async () => {
      const id = await make()
      const message = async (url: string) => {
        const response = await uploadFromUrl(id, url)
        expect(response.statusCode).toBeGreaterThanOrEqual(400)
        return response.json<{ message: string }>().message
      }
      let wasAsked = false
      answers['/on'] = (response) => void response.writeHead(302, { location: `${farAddress}/inside` }).end()
      answers['/inside'] = (response) => {
        wasAsked = true
        response.end(png(1, 1))
      }
      answers['/page'] = (response) => void response.end('<html></html>')
      answers['/endless'] = (response) => {
        response.writeHead(200)
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 << 10)));
        }
        response.on('drain', more)
        more()
      }
      answers['/claims'] = (response) => void response.writeHead(200, { 'content-length': String(6 << 20) }).write('x')
      answers['/breaks'] = (response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('x', () => response.destroy())
      }
      expect(await message(`${farAddress}/on`)).toBe(
        `The image URL redirects to ${farAddress}/inside. Enter the URL of the image itself.`,
      )
      expect(wasAsked).toBe(false)
      expect(await message(`${farAddress}/none`)).toMatch(/responded with status 404/)
      expect(await message(`${farAddress}/page`)).toMatch(/not a supported image/)
      expect(await message(`${farAddress}/endless`)).toBe('The image is larger than 5 MB.')
      expect(await message(`${farAddress}/claims`)).toBe('The image is larger than 5 MB.')
      expect(await message(`${farAddress}/breaks`)).toMatch(/^Could not reach/)
      for (const url of [
        'file:///etc/passwd',
        'data:image/png;base64,AAAA',
        'ftp://example.org/x',
        '/static/x.png',
        'x',
      ])
        expect(await message(url), url).toMatch(/^The image URL must start/)
      expect(await message('http://user:pass@example.org/x.png')).toMatch(/password/)
      expect(await filesOf(id)).toEqual([])
    })

    it('hostile: neither this machine nor private networks are reachable, with the same message for all of them', async () => {
      const closed = await startTestServer({ store })
      try {
        const client = closed.as('admin')
        const id = await make({}, client)
        const { port } = far.address() as AddressInfo
        for (const host of [
          `127.0.0.1:${port}`,
          `localhost:${port}`,
          `2130706433:${port}`,
          `[::ffff:127.0.0.1]:${port}`,
          '10.0.0.1',
          '192.168.1.1',
          '[fd00::1]',
          '169.254.169.254',
          '[fe80::1]',
          '0.0.0.0',
          'nobody.invalid',
        ]) {
          const response = await uploadFromUrl(id, `http://${host}/a.png`, client)
          const { host: read } = new URL(`http://${host}`)
          expect([response.statusCode, response.json()], host).toEqual([
            422,
            { message: `Could not reach the server ${read}.` },
          ])
        }
      } finally {
        await closed.close()
      }
    })

    it('hostile: the request to a server that does not respond ends when the caller aborts', async () => {
      const id = await make()
      const pending = new Promise<ServerResponse>((resolve) => {
        answers['/slow'] = resolve
      })
      const address = await server.app.http.listen({ port: 0, host: '127.0.0.1' })
      const login = await fetch(`${address}/api/v1/security/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'alpha', password: 'alpha', provider: 'db' }),
      })
      const { access_token } = (await login.json()) as { access_token: string }
      const leave = new AbortController()
      const call = fetch(`${address}/api/v1/dashboard/${id}/files`, {
        method: 'POST',
        signal: leave.signal,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${access_token}` },
        body: JSON.stringify({ url: `${farAddress}/slow` }),
      })
      const response = await pending
      const left = new Promise<void>((resolve) => response.once('close', () => resolve()))
      leave.abort()
      await expect(call).rejects.toThrow()
      await left
    })
  })

  describe('quota of a user', () => {
    const quotaOf = (mb: number) => void (server.deps.settings.config.IMAGE_QUOTA_MB = mb)
    afterEach(() => quotaOf(defaultConfig.IMAGE_QUOTA_MB))
    const sumUsedBytes = async () => {
      const { bytes } = await server.deps.db
        .selectFrom('dashboard_file')
        .innerJoin('user', 'user.id', 'dashboard_file.created_by_fk')
        .select((is) => is.fn.sum<number | null>('size').as('bytes'))
        .where('username', '=', 'alpha')
        .executeTakeFirstOrThrow()
      return Number(bytes ?? 0)
    }
    const image = (seed: number) => png(40, 40, seed)
    const size = image(1).length
    /** Sets a quota that has room for a number of these images. */
    const leaveRoomFor = async (images: number) => quotaOf(((await sumUsedBytes()) + (images + 0.5) * size) / 2 ** 20)

    it('counts images of all dashboards, and refuses those beyond it with the used space and the way out', async () => {
      const ids = [await make(), await make()]
      await leaveRoomFor(2)
      for (const [at, id] of ids.entries()) await upload(id, image(at + 1))
      const full = await send(ids[0]!, image(3))
      expect([full.statusCode, full.json()]).toEqual([
        413,
        {
          message: expect.stringMatching(
            /^With this, your images on dashboards would use [\d.]+ MB of your [\d.]+ MB\. Delete dashboards .* raise IMAGE_QUOTA_MB\.$/,
          ) as string,
        },
      ])
      expect(await filesOf(ids[0]!)).toHaveLength(1)
      // Images that are stored already, and those of other users, need no space.
      await upload(ids[0]!, image(1))
      await upload(ids[0]!, image(3), server.as('admin'))
    })

    it('is not exceeded by concurrent uploads', async () => {
      const id = await make()
      await leaveRoomFor(2)
      const sent = await Promise.all(Array.from({ length: 6 }, (_, index) => send(id, image(index + 1))))
      const statuses = sent.map(({ statusCode }) => statusCode)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 413, 413, 413, 413])
    })

    it('is freed when a dashboard is purged, and when images are no longer used', async () => {
      const [deleted, kepts] = [await make(), await make()]
      await leaveRoomFor(1)
      await upload(deleted, image(1))
      await owner.delete(`/api/v1/dashboard/${deleted}`)
      expect((await send(kepts, image(2))).statusCode).toBe(413)
      await owner.delete(`/api/v1/trash/dashboard/${deleted}`)
      await upload(kepts, image(2))
      expect((await send(kepts, image(3))).statusCode).toBe(413)
      const old = { created_on: '2020-01-01T00:00:00.000' }
      await server.deps.db.updateTable('dashboard_file').set(old).where('dashboard_id', '=', kepts).execute()
      await upload(kepts, image(3))
    })

    it('includes copies of dashboards', async () => {
      const id = await make()
      const { url } = await upload(id, image(1))
      const json_metadata = createMetadata(`![x](${url})`)
      await owner.put(`/api/v1/dashboard/${id}`, { json_metadata })
      const copy = () => owner.post(`/api/v1/dashboard/${id}/copy/`, { dashboard_title: 'Copy', json_metadata })
      await leaveRoomFor(1)
      expect((await copy()).statusCode).toBe(200)
      expect((await copy()).statusCode).toBe(413)
    })
  })

  it('accepts at most 40 MB and deletes unreferenced images to make space', async () => {
    const id = await make()
    const { db } = server.deps
    const row = (hash: string, size: number, created_on: string) => ({
      dashboard_id: id,
      hash: hash.repeat(64),
      media_type: 'image/png' as const,
      width: 1,
      height: 1,
      size,
      created_on,
      created_by_fk: null,
      bytes: Buffer.from('x'),
    })
    const old = '2020-01-01T00:00:00.000'
    await db
      .insertInto('dashboard_file')
      .values([row('a', 16 << 20, old), row('b', 12 << 20, old), row('c', 12 << 20, '2999-01-01T00:00:00.000')])
      .execute()
    const text = (hash: string) => `![x](/api/v1/dashboard/${id}/files/${hash.repeat(64)})`
    await owner.put(`/api/v1/dashboard/${id}`, { json_metadata: createMetadata(text('a'), text('b')) })
    await owner.put(`/api/v1/dashboard/${id}`, { json_metadata: createMetadata(text('a')) })
    const full = await send(id, png(14, 14))
    expect([full.statusCode, full.json()]).toEqual([
      422,
      {
        message:
          'This dashboard has reached the limit of 500 images or 40 MB in total. Remove images that are no longer needed and try again.',
      },
    ])
    expect(await filesOf(id)).toHaveLength(3)
    await db.deleteFrom('version').where('object_id', '=', id).where('kind', '=', 'dashboard').execute()
    await upload(id, png(14, 14))
    const hashes = (await filesOf(id)).map(({ hash }) => hash)
    expect(hashes).toHaveLength(3)
    expect(hashes).not.toContain('b'.repeat(64))
  })
})
