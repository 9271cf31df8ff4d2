import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { expect, it } from 'vitest'
import { parseArrows, findCycle } from './arrows.ts'

const dependencySection =
  readFileSync('docs/architecture.md', 'utf8')
    .split(/^## /m)
    .find((section) => section.startsWith('Who may know whom')) ?? ''

/**
 * The blocks in docs/architecture.md: arrows between packages, then those between the folders of a root, which the block names
 * first.
 */
const [ofPackages = '', ...ofFolders] = [...dependencySection.matchAll(/^```\n([\s\S]*?)^```/gm)].map(
  ([, block = '']) => block,
)

/** A subpath such as `engines/drivers` is a separate package. */
const arrows = parseArrows(ofPackages)
const roots = Object.fromEntries(
  ofFolders.map((block) => {
    const [root = '', ...lines] = block.split('\n')
    return [root, parseArrows(lines.join('\n'))]
  }),
)

/** Packages that run in the browser as well: they import no Node modules. */
const pure = new Set(['model', 'frame', 'query', 'charts'])
const vendors: Record<string, string> = {
  '@duckdb/node-api': 'engines/drivers',
  '@duckdb/node-bindings': 'engines/drivers',
  '@clickhouse/client': 'engines/drivers',
  pg: 'engines/drivers',
  'pg-cursor': 'engines/drivers',
  mysql2: 'engines/drivers',
  ssh2: 'engines/drivers testing',
  'better-sqlite3': 'engines/drivers server',
  react: 'web ui charts/views',
  fastify: 'server',
}

/** Tests, journeys, and files only for them: `testing.ts`, `x.testing.ts`. */
const isTestFile = (path: string): boolean => /[./](test|testing)\.tsx?$|^apps\/web\/journeys\//.test(path)

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'dist', 'fixtures', 'golden'].includes(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sources(path)
    else if (/\.tsx?$/.test(entry.name) && !isTestFile(path)) yield path
  }
}

/** The unit of a file: its package, or the second entry point of engines and charts. */
function resolveUnit(path: string): string {
  const [, name = '', , ...inside] = path.split('/')
  const file = inside.at(-1) ?? ''
  if (name === 'engines') {
    if (inside[0] === 'channel.ts') return 'engines/channel'
    // This folder has no driver.
    if (inside[0] === 'unsupported') return 'engines'
    if (
      inside[0] === 'drivers.ts' ||
      (inside.length > 1 && !['engine.ts', 'dialect.ts', 'like.ts', 'types.ts', 'safe-names.ts'].includes(file))
    )
      return 'engines/drivers'
  }
  if (name === 'charts') {
    if (inside[0] === 'views' || file.endsWith('.tsx') || inside[1] === 'view') return 'charts/views'
    if (inside[0] === 'draw') return 'charts/draw'
    if (inside[0] === 'legacy') return 'charts/legacy'
    if (inside[0] === 'testing') return 'testing'
  }
  return name
}

const readImports = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '')

const files = ['apps', 'packages'].flatMap((group) => [...sources(group)])

it('no import violates the arrows', () => {
  expect(Object.keys(arrows)).toEqual(expect.arrayContaining(['engines/drivers', 'server', 'web']))
  const wrong: string[] = []
  for (const path of files) {
    const unit = resolveUnit(path)
    const allowed = arrows[unit] ?? []
    for (const target of readImports(path)) {
      let to: string | undefined
      if (target.startsWith('@parquetry/')) {
        const [, name = '', door] = target.split('/')
        to = door && `${name}/${door}` in arrows ? `${name}/${door}` : name
      } else if (target.startsWith('.')) {
        const inner = normalize(join(dirname(path), target))
        if (!/^(apps|packages)\//.test(inner)) wrong.push(`${path} leaves the house: ${target}`)
        to = resolveUnit(inner)
        const from = path.split('/').slice(0, 2).join('/')
        if (relative(from, inner).startsWith('..')) wrong.push(`${path} reaches into another package: ${target}`)
        if (isTestFile(inner)) wrong.push(`${path} uses what is for tests: ${target}`)
        if (to === 'engines/drivers' && unit === 'engines') wrong.push(`${path} (${unit}) -> ${to}`)
        continue
      }
      if (to && to !== unit && to !== unit.split('/')[0] && !allowed.includes(to))
        wrong.push(`${path} (${unit}) -> ${to}`)
    }
  }
  expect(wrong).toEqual([])
})

it('packages of both sides import no Node modules, and each vendor client is used in one place', () => {
  const wrong: string[] = []
  for (const path of files) {
    const unit = resolveUnit(path)
    for (const target of readImports(path)) {
      if (pure.has(unit) && target.startsWith('node:')) wrong.push(`${path} -> ${target}`)
      const home = vendors[target]
      if (home && !home.split(' ').includes(unit) && !(target === 'pg' && path.startsWith('apps/server/src/store/')))
        wrong.push(`${path} -> ${target}`)
    }
  }
  expect(wrong).toEqual([])
})

it('the arrows cover the server and the web, and existing folders', () => {
  expect(Object.keys(roots)).toEqual(['apps/server/src', 'apps/web/src'])
  for (const [root, known] of Object.entries(roots))
    expect(readdirSync(root)).toEqual(expect.arrayContaining([...Object.keys(known), ...Object.values(known).flat()]))
})

it.each([['packages', arrows] as const, ...Object.entries(roots)])('no cycle in the arrows of %s', (_root, known) => {
  expect(findCycle(known)).toBeUndefined()
})

/** The folder below a root that a file is in; undefined for the files beside the folders, which combine them. */
function findFolder(root: string, path: string): string | undefined {
  const [folder, ...rest] = relative(root, path).split('/')
  return rest.length > 0 ? folder : undefined
}

it.each(Object.entries(roots))('no import in %s violates its arrows', (root, known) => {
  const wrong: string[] = []
  for (const path of files.filter((file) => file.startsWith(`${root}/`))) {
    const from = findFolder(root, path)
    if (from === undefined) continue
    for (const target of readImports(path).filter((name) => name.startsWith('.'))) {
      const inner = normalize(join(dirname(path), target))
      const to = findFolder(root, inner)
      if (to === undefined) wrong.push(`${path} knows what puts the folders together: ${target}`)
      else if (to !== '..' && to !== from && !known[from]?.includes(to)) wrong.push(`${path} (${from}) -> ${to}`)
    }
  }
  expect(wrong).toEqual([])
})
