import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
// Packages are resolved from the folder of the output, so it is inside the clone.
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'bundle-'))
const home = mkdtempSync(join(tmpdir(), 'parquetry-bundle-'))

beforeAll(() => void execFileSync(process.execPath, [join(root, 'scripts/bundle.ts'), folder]))
afterAll(() => {
  for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
})

const filesOf = (name: string): string[] =>
  globSync('*.js', { cwd: join(folder, name) }).map((file) => join(folder, name, file))
const matches = (files: string[], pattern: RegExp): string[] => [
  ...new Set(
    files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map((found) => found.slice(1).join('|'))),
  ),
]
/** Names of imported packages and files: of statements at the start of a line, dynamic imports, and calls of `require`. */
const importsOf = (files: string[]): string[] =>
  [
    '^(?:import|export) (?:[^"\\n]* from )?"([^"\\n]+)"',
    '\\bimport\\("([^"\\n]+)"\\)',
    '\\b__require\\("([^"\\n]+)"\\)',
  ].flatMap((pattern) => matches(files, new RegExp(pattern, 'gm')))
/** A file of the package that these names resolve to from the given one; null without the package. */
function resolveFrom(file: string, name: string): string | null {
  const [scope = '', rest = ''] = name.split('/')
  const packageName = scope.startsWith('@') ? `${scope}/${rest}` : scope
  const found = createRequire(file)
    .resolve.paths(packageName)
    ?.map((path) => join(path, packageName, 'package.json'))
    .find((path) => existsSync(path))
  return found ?? null
}

const manifests = globSync('{apps,packages}/*/package.json', { cwd: root }).map((path) => join(root, path))

describe.each(['server', 'runner'])('the bundled %s', (name) => {
  it('imports packages in the versions that its sources import', () => {
    const packages = importsOf(filesOf(name)).filter((found) => /^(@|[a-z])/.test(found) && !found.startsWith('node:'))
    expect(packages.length).toBeGreaterThan(10)
    const isOfNode = (found: string) => process.getBuiltinModule(found) !== undefined
    for (const found of packages.filter((each) => !isOfNode(each))) {
      const resolved = resolveFrom(join(folder, name, 'main.js'), found)
      expect(resolved, found).not.toBeNull()
      for (const manifest of manifests) {
        const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
          dependencies?: Record<string, string>
        }
        if (Object.keys(dependencies).some((each) => found === each || found.startsWith(`${each}/`)))
          expect(resolveFrom(manifest, found), `${found} of ${manifest}`).toBe(resolved)
      }
    }
  })

  it('finds the files that its sources name by their own address', () => {
    const files = filesOf(name)
    const named = matches(files, /new URL\((?:"([^"]+)", )?"(file:[^"]+)"\)/g).map(
      (each) => each.split('|') as [string, string],
    )
    expect(named.length).toBeGreaterThan(1)
    // A client without a build has no web files.
    for (const [file, base] of named.filter(([each]) => !each.endsWith('web/dist/')))
      expect(existsSync(fileURLToPath(new URL(file, base))), `${file} of ${base}`).toBe(true)
  })

  it('imports no module of Node with a statement, which would read all of its exports', () => {
    expect(matches(filesOf(name), /^(?:import|export) .*"(node:[^"]+)"/gm)).toEqual([])
  })
})

it('the bundled server starts its bundled runner and answers', async () => {
  const child = spawn(process.execPath, [join(folder, 'server/main.js'), 'start'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PARQUETRY_HOME: home,
      PARQUETRY_PORT: '0',
      PARQUETRY_EXAMPLES: '0',
      PARQUETRY_ADMIN_USERNAME: 'admin',
      PARQUETRY_ADMIN_PASSWORD: 'bundled server',
    },
  })
  try {
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    const [, url] = /^Parquetry is ready at (\S+)/.exec(line) ?? []
    const call = async (path: string, body?: object, token?: string) => {
      const response = await fetch(`${url}${path}`, {
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as Record<string, unknown>
      expect(response.ok, `${path}: ${JSON.stringify(answer)}`).toBe(true)
      return answer
    }
    const { access_token: token } = await call('/api/v1/security/login', {
      username: 'admin',
      password: 'bundled server',
      provider: 'db',
    })
    // Long SQL is formatted in a runner.
    const sql = `select ${Array(1000).fill('a').join(', ')} from b`
    const { result } = await call('/api/v1/sqllab/format_sql/', { sql }, String(token))
    expect(result).toMatch(/^select\n/i)
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
})
