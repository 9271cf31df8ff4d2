import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, sep } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-clone-'))
const clone = join(folder, 'clone')
const children: ChildProcess[] = []

/** The environment of a user's shell: without our settings and the Node of `npm test`, but with access to the registry. */
const shell: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(HOME|LANG|npm_config_\w+|\w+_proxy|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS)$/i.test(name),
    ),
  ),
  PATH: buildUserPath(),
  npm_config_prefer_offline: 'true',
  PARQUETRY_PORT: '0',
  PARQUETRY_HOME: join(folder, 'home'),
  PARQUETRY_EXAMPLES: '0',
}

function buildUserPath(): string {
  const all = (process.env['PATH'] ?? '').split(delimiter)
  const own = all.filter((path) => !path.includes(`${sep}parquetry${sep}node-`) && !path.includes('node_modules'))
  return (own.some((path) => existsSync(join(path, 'node'))) ? own : all).join(delimiter)
}

interface Started {
  url: string
  child: ChildProcess
  /** Standard error until it was ready. */
  errorOutput: string
}

async function start(program: string, args: string[], cwd: string, env = shell): Promise<Started> {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let [out, errorOutput] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => (errorOutput += chunk.toString()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      const [, ready] = /^Parquetry is ready at (\S+)$/m.exec(out) ?? []
      if (ready) resolve(ready)
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${out}${errorOutput}`)))
  })
  return { url, child, errorOutput }
}

/** Waits until all processes of the group have ended. @returns the exit code */
async function end({ child }: Started, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal)
  const [code] = (await once(child, 'exit')) as [number | null]
  const isGone = () => {
    try {
      process.kill(-(child.pid ?? 0), 0)
      return false
    } catch {
      return true
    }
  }
  await expect.poll(isGone).toBe(true)
  return code
}

/** Prepares the clone and returns whether that requires a build, which is aborted. */
async function builds(): Promise<boolean> {
  const child = spawn('node', ['scripts/prepare.mjs'], { cwd: clone, env: shell, detached: true })
  children.push(child)
  let errorOutput = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput += chunk.toString()
    if (errorOutput.includes('Building the web interface')) process.kill(-(child.pid ?? 0), 'SIGKILL')
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(errorOutput).not.toContain('Installing')
  if (code === null) return true
  expect([code, errorOutput]).toEqual([0, ''])
  return false
}

describe('a fresh clone', () => {
  beforeAll(() => {
    // On build machines the checkout may belong to another user.
    const mayRead = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' }
    execFileSync('git', ['clone', '--quiet', process.cwd(), clone], { env: { ...process.env, ...mayRead } })
  })
  afterAll(() => {
    for (const { pid } of children) {
      try {
        if (pid) process.kill(-pid, 'SIGKILL')
      } catch {
        // It has ended as expected.
      }
    }
    rmSync(folder, { recursive: true, force: true })
  })

  it('needs only npm start to be ready, and leaves no process behind', { timeout: 240_000 }, async () => {
    const server = await start('npm', ['start'], clone)
    expect(server.errorOutput).toContain('Installing packages')
    expect(server.errorOutput).toContain('Building the web interface')
    const health = await fetch(`${server.url}/health`)
    expect([health.status, await health.text()]).toEqual([200, 'OK'])
    const page = await (await fetch(`${server.url}/login/`)).text()
    const [script = ''] = /\/static\/assets\/[^"]+\.js/.exec(page) ?? []
    expect((await fetch(server.url + script)).status).toBe(200)
    expect(readFileSync(join(clone, 'apps/web/dist/.compress'), 'utf8')).toMatch(/^[0-9a-f]{64}$/)
    expect(await end(server, 'SIGTERM')).toBe(0)
  })

  it('starts with sh from any folder, and prepares nothing if nothing has changed', { timeout: 60_000 }, async () => {
    const server = await start('sh', [join(clone, 'scripts/start.sh')], '/')
    expect(server.errorOutput).not.toMatch(/Downloading|Installing|Building/)
    const added = spawnSync(
      'npx',
      ['parquetry', 'user', 'add', 'ann', '--role', 'Alpha', '--password', 'a-long-password'],
      {
        cwd: clone,
        env: shell,
        encoding: 'utf8',
      },
    )
    expect(added).toMatchObject({ status: 0, stdout: 'User ann created.\n' })
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect(await end(server, 'SIGINT')).toBe(0)
  })

  it('becomes the server itself when a service runs it, without npm', { timeout: 60_000 }, async () => {
    const server = await start(join(clone, 'apps/cli/bin/parquetry.sh'), ['start'], '/')
    const processes = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [])
      .filter(([, , group]) => group === String(server.child.pid))
    expect(processes.map(([, pid, , args]) => [pid, args])).toEqual([
      [String(server.child.pid), expect.stringMatching(/node .*apps\/cli\/dist\/server\/main\.js start$/)],
    ])
    expect(await end(server, 'SIGTERM')).toBe(0)
  })

  it('accepts options after --, and exits 2 with a message for invalid ones', { timeout: 60_000 }, async () => {
    const server = await start('npm', ['start', '--', '--port', '0', '--home', join(folder, 'other')], clone)
    expect(existsSync(join(folder, 'other', 'parquetry.sqlite'))).toBe(true)
    expect(await end(server, 'SIGINT')).toBe(0)
    const wrong = spawnSync('npm', ['start', '--', '--port', 'x'], { cwd: clone, env: shell, encoding: 'utf8' })
    expect(wrong.status).toBe(2)
    expect(wrong.stderr).toContain('"x"')
  })

  it('builds again after changed contents or an aborted build, but not after changed modification times', async () => {
    const text = join(clone, 'messages/app.en.json')
    for (const path of [text, join(clone, 'package-lock.json')]) utimesSync(path, new Date(), new Date())
    expect(await builds()).toBe(false)
    appendFileSync(text, '\n')
    expect(await builds()).toBe(true)
    execFileSync('git', ['checkout', '--', 'messages'], { cwd: clone })
    expect(await builds()).toBe(true)
  })

  it('leaves the working tree clean', () => {
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })).toBe('')
  })
})

it.each(['README.md', 'CONTRIBUTING.md'])('the commands in %s are commands of package.json', (page) => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const named = readFileSync(page, 'utf8').matchAll(/(?:^|`)npm (?:run )?([a-z]+)/gm)
  const ofNpm = ['install', 'ci']
  const unknown = [...named].filter(([, name = '']) => !(name in scripts) && !ofNpm.includes(name))
  expect(unknown.map(([text]) => text)).toEqual([])
})

const unit = /```ini\n([^]*?)```/.exec(readFileSync('docs/deploying.md', 'utf8'))?.[1]?.replaceAll(/^ {3}/gm, '') ?? ''

it('the unit in docs/deploying.md starts the script that exists', () => {
  const [, program = ''] = /^ExecStart=\/opt\/parquetry\/(\S+) start$/m.exec(unit) ?? []
  expect(program).toBe('apps/cli/bin/parquetry.sh')
  expect(statSync(program).mode & 0o111).toBe(0o111)
})

if (existsSync('/usr/bin/systemd-analyze'))
  it('systemd accepts the unit in docs/deploying.md', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'parquetry-unit-')), 'parquetry.service')
    // The program of a unit must exist, and so must its user.
    const here = unit.replaceAll('/opt/parquetry', process.cwd()).replaceAll(/^(User|Group)=.*\n/gm, '')
    writeFileSync(file, here)
    const checked = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    rmSync(dirname(file), { recursive: true })
    const own = checked.stderr.split('\n').filter((line) => line.includes('parquetry.service'))
    expect([checked.status, own]).toEqual([0, []])
  })
