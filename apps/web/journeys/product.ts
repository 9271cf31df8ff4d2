import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const bundled = 'apps/cli/dist/server/main.js'

/** The program that `scripts/start.sh` runs; its sources where nothing was bundled. */
const program = existsSync(join(root, 'apps/cli/dist/.parquetry')) ? bundled : 'apps/cli/src/main.ts'

/** The flags that `scripts/start.sh` uses. */
const nodeFlags = readFileSync(join(root, 'apps/cli/node-flags'), 'utf8').trim().split(/\s+/)

export interface Product {
  url: string
  home: string
  pid: number
  /** Everything that it wrote to standard output. */
  output(): string
  stop(): Promise<number | null>
}

export interface ProductOptions {
  env?: Record<string, string>
  home?: string
}

/** Environment variable with the home that `prepared-home.ts` created for this run. */
export const preparedHomeVariable = 'PARQUETRY_TEST_PREPARED_HOME'

/** Creates an empty home, or a copy of the prepared one if the examples are needed. */
function newHome(env: Record<string, string>): string {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-home-'))
  const prepared = process.env[preparedHomeVariable]
  if (prepared && env['PARQUETRY_EXAMPLES'] !== '0') cpSync(prepared, home, { recursive: true })
  return home
}

/** Starts the real product in its own process, with its own home and the administrator admin / admin. */
export async function startProduct({ env = {}, home = newHome(env) }: ProductOptions = {}): Promise<Product> {
  const child = spawn(process.execPath, [...nodeFlags, program, 'start'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PARQUETRY_PORT: '0',
      PARQUETRY_HOME: home,
      PARQUETRY_ADMIN_USERNAME: 'admin',
      PARQUETRY_ADMIN_PASSWORD: 'admin',
      ...env,
    },
  })
  let output = ''
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const ready = /Parquetry is ready at (\S+)/.exec(output)
      if (ready?.[1]) resolve(ready[1])
    })
    child.once('exit', (code) => reject(new Error(`the product ended with ${code}:\n${log.slice(-4000)}`)))
  })
  return {
    url,
    home,
    pid: child.pid ?? 0,
    output: () => output,
    stop: async () => {
      const code = await stopProcess(child)
      if (!env['PARQUETRY_HOME']) rmSync(home, { recursive: true, force: true })
      return code
    },
  }
}

function stopProcess(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGTERM')
  })
}

/** Runs a command beside the running product, as an administrator does. */
export function runCommand({ home }: Product, ...args: string[]): void {
  execFileSync(process.execPath, ['apps/cli/src/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, PARQUETRY_HOME: home },
    stdio: 'pipe',
  })
}

/** Adds a user whose password equals the username. */
export function addUser(product: Product, username: string, ...roles: string[]): void {
  runCommand(product, ...addUserArgs(username, ...roles))
}

/** Adds users as `addUser` does, in one process. */
export function addUsers(product: Product, users: Record<string, string[]>): void {
  const calls = Object.entries(users).map(([username, roles]) => addUserArgs(username, ...roles))
  runCommands(product, ...calls)
}

/** The command that adds a user as `addUser` does. */
export function addUserArgs(username: string, ...roles: string[]): string[] {
  const role = roles.flatMap((name) => ['--role', name])
  return ['user', 'add', username, ...role, '--password', username, '--first-name', username]
}

/** Runs several commands of an administrator in one process. */
export function runCommands({ home }: Product, ...calls: string[][]): void {
  const script = `for (const [name, ...args] of ${JSON.stringify(calls)}) {
  const { run } = await import('./apps/cli/src/commands/' + name + '.ts')
  await run(args)
}`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { ...process.env, PARQUETRY_HOME: home },
    stdio: 'pipe',
  })
}

/** An API client with a bearer token, as scripts use it. */
export async function createApiClient(url: string, username: string, password = username) {
  const answer = await fetch(`${url}/api/v1/security/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password, provider: 'db' }),
  })
  if (answer.status !== 200) throw new Error(`sign-in of ${username}: ${answer.status}`)
  const { access_token } = (await answer.json()) as { access_token: string }
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a script would read them
  const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${access_token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
    }
  }
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown) => call('POST', path, body),
    put: (path: string, body: unknown) => call('PUT', path, body),
    delete: (path: string) => call('DELETE', path),
  }
}

/** Waits until the example dashboards are loaded, which happens after the ready line. */
export async function waitForExamples(url: string): Promise<void> {
  const client = await createApiClient(url, 'admin')
  const deadline = Date.now() + 120_000
  for (;;) {
    const { body } = await client.get('/api/v1/dashboard/')
    if (body.count >= 4) return
    if (Date.now() > deadline) throw new Error(`only ${body.count} example dashboards after two minutes`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
