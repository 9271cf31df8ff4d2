import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { admin, Program, signIn } from './testing.ts'

let program: Program
beforeEach(() => {
  program = new Program()
})
afterEach(() => program.dispose())

describe('start', { timeout: 120_000 }, () => {
  it('prints only the ready line, and then serves requests', async () => {
    const server = await program.startServer(admin)
    expect(server.out).toBe(`Parquetry is ready at ${server.url}\n`)
    expect(await (await fetch(`${server.url}/health`)).text()).toBe('OK')
    expect((await signIn(server.url)).status).toBe(200)
    expect(statSync(program.home).mode & 0o777).toBe(0o700)
    expect(statSync(join(program.home, 'parquetry.sqlite')).mode & 0o077).toBe(0)
  })

  it('regression: the ready line was printed before older log lines', async () => {
    const path = join(program.home, 'output')
    const file = openSync(path, 'a')
    const { child, code } = program.run(['start', '--port', '0'], admin, file)
    const lines = () => readFileSync(path, 'utf8').split('\n')
    await expect
      .poll(() => lines().some((line) => line.startsWith('Parquetry is ready')), { timeout: 60_000 })
      .toBe(true)
    child.kill('SIGTERM')
    await code
    closeSync(file)
    const at = (text: string) => lines().findIndex((line) => line.includes(text))
    expect(at('Server listening')).toBeGreaterThan(-1)
    expect(at('Server listening')).toBeLessThan(at('Parquetry is ready'))
    expect(at('"stopped"')).toBeGreaterThan(at('Parquetry is ready'))
  })

  it('prints a link for the first administrator on its own line and never logs it', async () => {
    const server = await program.startServer({ PARQUETRY_LOG: 'trace' })
    await expect.poll(() => server.out.split('\n')[1]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\/link\/[\w-]{43}\/$/)
    const link = server.out.split('\n')[1] ?? ''
    const page = await fetch(link)
    expect(page.status).toBe(200)
    server.child.kill('SIGTERM')
    await server.code
    expect(server.err).toContain('/login/link/:token/')
    expect(server.err).not.toContain(link.split('/')[5])
    const again = await program.startServer()
    await expect.poll(() => again.out.split('\n')[1]).toMatch(/\/login\/link\//)
  })

  it('accepts a weak password with a warning', async () => {
    const server = await program.startServer({ PARQUETRY_ADMIN_USERNAME: 'admin', PARQUETRY_ADMIN_PASSWORD: 'admin' })
    expect((await signIn(server.url, 'admin', 'admin')).status).toBe(200)
    expect(server.err).toMatch(/weak password/)
    expect(server.err).not.toMatch(/"admin":/)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('exits 0 after %s, even when it is sent three times', async (signal) => {
    const server = await program.startServer(admin)
    for (let n = 0; n < 3; n++) server.child.kill(signal)
    expect(await server.code).toBe(0)
    await program.startServer(admin)
  })

  it('regression: ends with 0 after SIGTERM, even when nobody reads its log', async () => {
    const server = await program.startServer({ ...admin, PARQUETRY_LOG: 'trace', PARQUETRY_PROT: '1' })
    expect(server.err).toMatch(/PARQUETRY_PROT.*not a setting/)
    server.child.stderr?.pause()
    const long = `${server.url}/${'x'.repeat(8000)}`
    for (let sent = 0; sent < 100; sent++) await (await fetch(long)).arrayBuffer()
    server.child.kill('SIGTERM')
    const [code] = (await once(server.child, 'exit')) as [number | null]
    expect(code).toBe(0)
  })

  it('exits 2 for an invalid setting', async () => {
    expect(await program.runToEnd(['start'], { PARQUETRY_PORT: 'x' })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^PARQUETRY_PORT .*\n$/) as string,
    })
    expect(await program.runToEnd(['start', '--port', 'x'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^--port .*\n$/) as string,
    })
    expect(await program.runToEnd(['start'], { PARQUETRY_REDIS_URL: 'redis://127.0.0.1' })).toMatchObject({ code: 2 })
    expect(await program.runToEnd(['start', '--colour'])).toMatchObject({ code: 2 })
  })

  it('exits 3 when the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    expect(await program.runToEnd(['start', '--port', String(port)])).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining(`Port ${port} on 127.0.0.1 is already in use.`) as string,
    })
    other.close()
  })

  it('exits 4 while another server uses the home, but not after that server was killed', async () => {
    const first = await program.startServer(admin)
    expect(await program.runToEnd(['start', '--port', '0'])).toMatchObject({
      code: 4,
      err: expect.stringContaining(`(pid ${first.child.pid})`) as string,
    })
    first.child.kill('SIGKILL')
    await first.code
    await program.startServer(admin)
  })

  it('regression: exits 4 when the disk of the home is full', async (test) => {
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', program.home])
    if (status !== 0) test.skip('this user may not mount a file system')
    try {
      writeFileSync(join(program.home, 'filling'), Buffer.alloc(60 << 10))
      expect(await program.runToEnd(['start', '--port', '0'])).toMatchObject({
        code: 4,
        out: '',
        err: expect.stringMatching(/^The disk of the home folder .* is full\. .*\n$/) as string,
      })
    } finally {
      spawnSync('umount', ['-l', program.home])
    }
  })

  it('exits 4 when the home is not writable', async () => {
    writeFileSync(join(program.home, 'file'), '')
    expect(await program.runToEnd(['start', '--home', join(program.home, 'file', 'below')])).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringMatching(/^The home folder .* is not writable \(\w+\)\./) as string,
    })
  })
})

describe('commands', { timeout: 120_000 }, () => {
  it('print their usage', async () => {
    for (const args of [
      ['--help'],
      ['start', '--help'],
      ['migrate', '--help'],
      ['backup', '--help'],
      ['user', '--help'],
      ['role', '--help'],
    ])
      expect(await program.runToEnd(args)).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringMatching(/^Usage: parquetry/) as string,
      })
    expect(await program.runToEnd(['dance'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Unknown command: dance/) as string,
    })
  })

  it('create, change and list users while a server is running', async () => {
    const server = await program.startServer(admin)
    const add = await program.runToEnd([
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
      out: 'User ann created.\n',
      err: expect.stringMatching(/weak password/) as string,
    })
    expect((await signIn(server.url, 'ann', 'pw')).status).toBe(200)
    expect(await program.runToEnd(['user', 'add', 'ANN', '--role', 'Gamma', '--password', 'x'])).toMatchObject({
      code: 2,
    })
    expect(await program.runToEnd(['user', 'add', 'bob', '--role', 'Nope', '--password', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Role Nope does not exist/) as string,
    })
    expect((await program.runToEnd(['user', 'password', 'ann', '--password', 'a better one'])).code).toBe(0)
    expect((await signIn(server.url, 'ann', 'a better one')).status).toBe(200)
    expect((await program.runToEnd(['user', 'link', 'ann'])).out).toMatch(/\/login\/link\/[\w-]{43}\/\n$/)
    expect((await program.runToEnd(['user', 'list'])).out).toMatch(
      /^admin\tactive\tAdmin\t.*\nann\tactive\tGamma, sql_lab\t/,
    )
  })

  it('create roles and back up the store while a server is running', async () => {
    await program.startServer(admin)
    expect((await program.runToEnd(['role', 'add', 'Sales'])).code).toBe(0)
    expect((await program.runToEnd(['role', 'grant', 'Sales', 'can_read', 'Chart'])).code).toBe(0)
    expect((await program.runToEnd(['role', 'list', 'Sales'])).out).toBe('can_read\tChart\n')
    const backup = await program.runToEnd(['backup'])
    expect(statSync(backup.out.trim()).size).toBeGreaterThan(10_000)
  })

  it('migrate an empty store', async () => {
    expect(await program.runToEnd(['migrate'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/from version 0 to/) as string,
    })
    expect(await program.runToEnd(['migrate'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/already/) as string,
    })
  })
})
