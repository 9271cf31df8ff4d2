import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
let home: string
const children = new Set<ChildProcess>()
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'parquetry-start-'))
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  rmSync(home, { recursive: true, force: true })
})

interface Run {
  child: ChildProcess
  out: string
  err: string
  code: Promise<number | null>
}

function run(args: string[], env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'], PARQUETRY_HOME: home, PARQUETRY_EXAMPLES: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  const started: Run = { child, out: '', err: '', code: once(child, 'close').then(([code]) => code as number | null) }
  child.stdout?.on('data', (data: Buffer) => (started.out += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (started.err += data.toString()))
  return started
}

async function done(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const started = run(args, env)
  const code = await started.code
  return { code, out: started.out, err: started.err }
}

async function ready(env: Record<string, string> = {}): Promise<Run & { url: string }> {
  const started = run(['start', '--port', '0'], env)
  for (;;) {
    const url = /^Parquetry is ready at (http:\/\/\S+)\n/m.exec(started.out)?.[1]
    if (url) return Object.assign(started, { url })
    const ended = await Promise.race([
      started.code.then(() => true),
      once(started.child.stdout as never, 'data').then(() => false),
    ])
    if (ended) throw new Error(`the server ended: ${started.err}`)
  }
}

const admin = { PARQUETRY_ADMIN_USERNAME: 'admin', PARQUETRY_ADMIN_PASSWORD: 'a long enough secret' }

async function signIn(url: string, username = 'admin', password = admin.PARQUETRY_ADMIN_PASSWORD): Promise<Response> {
  return fetch(`${url}/api/v1/security/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, provider: 'db' }),
  })
}

describe('start', () => {
  it('says the ready line and nothing else, and then answers', async () => {
    const server = await ready(admin)
    expect(server.out).toBe(`Parquetry is ready at ${server.url}\n`)
    expect(await (await fetch(`${server.url}/health`)).text()).toBe('OK')
    expect((await signIn(server.url)).status).toBe(200)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    expect(statSync(join(home, 'parquetry.sqlite')).mode & 0o077).toBe(0)
  })

  it('gives the first administrator a link, on a line of its own and in no log', async () => {
    const server = await ready({ PARQUETRY_LOG: 'trace' })
    await expect.poll(() => server.out.split('\n')[1]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\/link\/[\w-]{43}\/$/)
    const link = server.out.split('\n')[1] ?? ''
    const page = await fetch(link)
    expect(page.status).toBe(200)
    server.child.kill('SIGTERM')
    await server.code
    expect(server.err).toContain('/login/link/:token/')
    expect(server.err).not.toContain(link.split('/')[5])
    const again = await ready()
    await expect.poll(() => again.out.split('\n')[1]).toMatch(/\/login\/link\//)
  })

  it('warns of a weak password and takes it', async () => {
    const server = await ready({ PARQUETRY_ADMIN_USERNAME: 'admin', PARQUETRY_ADMIN_PASSWORD: 'admin' })
    expect((await signIn(server.url, 'admin', 'admin')).status).toBe(200)
    expect(server.err).toMatch(/weak password/)
    expect(server.err).not.toMatch(/"admin":/)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 after %s, also when it comes three times', async (signal) => {
    const server = await ready(admin)
    for (let n = 0; n < 3; n++) server.child.kill(signal)
    expect(await server.code).toBe(0)
    await ready(admin)
  })

  it('exits 2 for a wrong setting', async () => {
    expect(await done(['start'], { PARQUETRY_PORT: 'x' })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^PARQUETRY_PORT .*\n$/) as string,
    })
    expect(await done(['start'], { PARQUETRY_REDIS_URL: 'redis://127.0.0.1' })).toMatchObject({ code: 2 })
    expect(await done(['start', '--colour'])).toMatchObject({ code: 2 })
  })

  it('exits 3 when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    expect(await done(['start', '--port', String(port)])).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining(`Port ${port} on 127.0.0.1 is taken.`) as string,
    })
    other.close()
  })

  it('exits 4 when another server has the home, and not after that one was killed', async () => {
    const first = await ready(admin)
    expect(await done(['start', '--port', '0'])).toMatchObject({
      code: 4,
      err: expect.stringContaining(`(pid ${first.child.pid})`) as string,
    })
    first.child.kill('SIGKILL')
    await first.code
    await ready(admin)
  })

  it('exits 4 when the home cannot be written', async () => {
    writeFileSync(join(home, 'file'), '')
    expect(await done(['start', '--home', join(home, 'file', 'below')])).toMatchObject({ code: 4 })
    chmodSync(home, 0o700)
  })

  it('exits 5 when the store is damaged', async () => {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'parquetry.sqlite'), Buffer.alloc(8192, 7))
    expect(await done(['start', '--port', '0'])).toMatchObject({
      code: 5,
      err: expect.stringMatching(/damaged/) as string,
    })
  })

  it('loses nothing that it has acknowledged when it is killed in the middle of saves', async () => {
    let server = await ready(admin)
    const acknowledged = new Set<string>()
    for (let round = 0; round < 3; round++) {
      let isUp = true
      const before = acknowledged.size
      const saving = Array.from({ length: 4 }, async () => {
        while (isUp) {
          const answer = await signIn(server.url).catch(() => undefined)
          if (answer?.status !== 200) continue
          const { access_token } = (await answer.json().catch(() => ({}))) as { access_token?: string }
          if (access_token) acknowledged.add(access_token)
        }
      })
      await expect.poll(() => acknowledged.size, { timeout: 10_000 }).toBeGreaterThan(before + 10)
      server.child.kill('SIGKILL')
      await server.code
      isUp = false
      await Promise.all(saving)
      server = await ready(admin)
      const statuses = await Promise.all(
        [...acknowledged].map(async (token) => {
          const answer = await fetch(`${server.url}/api/v1/me/`, { headers: { authorization: `Bearer ${token}` } })
          return answer.status
        }),
      )
      // a token is worth its stored session
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
  }, 60_000)
})

describe('commands', () => {
  it('say what they do', async () => {
    for (const args of [
      ['--help'],
      ['start', '--help'],
      ['migrate', '--help'],
      ['backup', '--help'],
      ['user', '--help'],
      ['role', '--help'],
    ])
      expect(await done(args)).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringMatching(/^Usage: parquetry/) as string,
      })
    expect(await done(['dance'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/There is no command dance/) as string,
    })
  })

  it('make, change and list users beside a running server', async () => {
    const server = await ready(admin)
    const add = await done([
      'user',
      'add',
      'ann',
      '--role',
      'Gamma',
      '--role',
      'sql_lab',
      '--password',
      'pw',
      '--first-name',
      'Ann',
    ])
    expect(add).toMatchObject({
      code: 0,
      out: 'User ann is made.\n',
      err: expect.stringMatching(/weak password/) as string,
    })
    expect((await signIn(server.url, 'ann', 'pw')).status).toBe(200)
    expect(await done(['user', 'add', 'ANN', '--role', 'Gamma', '--password', 'x'])).toMatchObject({ code: 2 })
    expect(await done(['user', 'add', 'bob', '--role', 'Nope', '--password', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no role Nope/) as string,
    })
    expect((await done(['user', 'password', 'ann', '--password', 'a better one'])).code).toBe(0)
    expect((await signIn(server.url, 'ann', 'a better one')).status).toBe(200)
    expect((await done(['user', 'link', 'ann'])).out).toMatch(/\/login\/link\/[\w-]{43}\/\n$/)
    expect((await done(['user', 'list'])).out).toMatch(/^admin\tactive\tAdmin\t.*\nann\tactive\tGamma, sql_lab\t/)
    expect((await done(['role', 'add', 'Sales'])).code).toBe(0)
    expect((await done(['role', 'grant', 'Sales', 'can_read', 'Chart'])).code).toBe(0)
    expect((await done(['role', 'list', 'Sales'])).out).toBe('can_read\tChart\n')
    const backup = await done(['backup'])
    expect(statSync(backup.out.trim()).size).toBeGreaterThan(10_000)
  })

  it('migrate an empty store', async () => {
    expect(await done(['migrate'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/from version 0 to/) as string,
    })
    expect(await done(['migrate'])).toMatchObject({ code: 0, out: expect.stringMatching(/already/) as string })
  })
})
