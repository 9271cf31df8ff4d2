import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import type { Product } from '../../../apps/web/journeys/product.ts'
import { addressOf } from './viewers.ts'

/** Folder of the checkout whose server is measured: `PARQUETRY_BENCH_ROOT`, or this one. */
export const root = process.env['PARQUETRY_BENCH_ROOT'] ?? process.cwd()

export interface MeasuredServer extends Omit<Product, 'output'> {
  env: Record<string, string>
}

/** Starts the server of `root` in its own process. */
export async function startServer(env: Record<string, string>): Promise<MeasuredServer> {
  const nodeFlags = readFileSync(join(root, 'apps/cli/node-flags'), 'utf8').trim().split(/\s+/)
  const all = {
    PARQUETRY_PORT: '0',
    PARQUETRY_ADMIN_USERNAME: 'admin',
    PARQUETRY_ADMIN_PASSWORD: 'admin',
    PARQUETRY_LOG: 'error',
    ...env,
  }
  const bundled = 'apps/cli/dist/server/main.js'
  const program = existsSync(join(root, bundled)) ? bundled : 'apps/cli/src/main.ts'
  const child = spawn(process.execPath, [...nodeFlags, program, 'start'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...all },
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const [, ready] = /Parquetry is ready at (\S+)/.exec(output) ?? []
      if (ready) resolve(ready)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  return {
    url,
    home: env['PARQUETRY_HOME'] ?? '',
    pid: child.pid ?? 0,
    env: all,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve)
        child.kill('SIGTERM')
      }),
  }
}

/** Runs commands of an administrator beside the running server, in one process. */
export function runCommands({ env }: MeasuredServer, calls: readonly (readonly string[])[]): void {
  const script = `for (const [name, ...args] of ${JSON.stringify(calls)})
    await (await import('./apps/cli/src/commands/' + name + '.ts')).run(args)`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const agent = new Agent({ keepAlive: false })

interface PageResponse {
  status: number
  location: string | undefined
  cookies: string[]
  text: string
}

const send = (url: string, method: string, viewer: number, cookie: string, body = ''): Promise<PageResponse> =>
  new Promise((resolve, reject) => {
    const headers = { Cookie: cookie, Origin: new URL(url).origin, 'Sec-Fetch-Site': 'same-origin' }
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(body) }
    const sent = request(
      url,
      { method, agent, localAddress: addressOf(viewer), headers: { ...headers, ...(body !== '' && form) } },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const cookies = (response.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]!)
          const text = Buffer.concat(parts).toString()
          resolve({ status: response.statusCode ?? 0, location: response.headers.location, cookies, text })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

/** Signs in as a browser does, from the address of the viewer. @returns the cookie of the session */
export async function signIn(
  url: string,
  viewer: number,
  { username, password }: { username: string; password: string },
): Promise<string> {
  const page = await send(`${url}/login/`, 'GET', viewer, '')
  const [, csrf_token = ''] = /name="csrf_token"[^>]*value="([^"]+)"/.exec(page.text) ?? []
  const form = new URLSearchParams({ username, password, csrf_token }).toString()
  const answer = await send(`${url}/login/`, 'POST', viewer, page.cookies.join('; '), form)
  if (answer.status !== 302 || answer.location !== '/' || answer.cookies.length === 0)
    throw new Error(`sign-in of ${username}: ${answer.status} to ${answer.location}`)
  return answer.cookies.join('; ')
}
