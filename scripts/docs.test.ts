import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const pages = [...globSync('*.md'), ...globSync('docs/**/*.md')]

it('every path that the documentation mentions exists', () => {
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\b(?:apps|packages|scripts|messages|docs)\/[\w./<>-]*[\w>/]/g)]
      .map(([path]) => path)
      .filter((path) => !path.includes('<') && !existsSync(path))
      .map((path) => `${page}: ${path}`),
  )
  expect(missing).toEqual([])
})

it('every relative link of the documentation leads to a file', () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !target.startsWith('http') && !existsSync(join(dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

it('every document that the code mentions exists', () => {
  const missing = globSync('{apps,packages,scripts}/**/*.{ts,tsx,mjs,css}', {
    exclude: ['**/node_modules', '**/dist'],
  }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/[\w.][\w./-]*\.md\b/g)]
      .filter(([path]) => !existsSync(path) && !existsSync(join(dirname(file), path)))
      .map(([path]) => `${file}: ${path}`),
  )
  expect(missing).toEqual([])
})

/** A paragraph of "Adding a ..." and the list behind it. */
const recipe = (name: string): string =>
  new RegExp(`\\*\\*${name}\\*\\*:[\\s\\S]*?(?=\\n\\*\\*|\\n## )`).exec(
    readFileSync('docs/architecture.md', 'utf8'),
  )?.[0] ?? ''

it('the recipe of a chart says the files that a chart has', () => {
  const folder = 'packages/charts/src/treemap'
  const said = recipe('Chart type')
  const fixture = /fixtures\/(.+)\.form\.json/
  const cases = globSync(`${folder}/fixtures/*.form.json`).map((path) => fixture.exec(path)?.[1] ?? '')
  const files = globSync(`${folder}/**/*.*`).map((path) => path.slice(folder.length + 1))
  const named = (file: string) => {
    const short = cases.reduce((name, each) => name.replace(`fixtures/${each}.`, '<case>.'), file)
    return said.includes(short.replace('treemap.test.ts', '<name>.test.ts'))
  }
  // thumbnails and examples are written by the script, form.ts is a part of chart.ts
  const own = files.filter((file) => !/thumbnail|^examples\/|^form\.ts$/.test(file))
  expect(own.length).toBeGreaterThan(4)
  expect(own.filter((file) => !named(file))).toEqual([])
  const example = readFileSync(`${folder}/chart.ts`, 'utf8')
  for (const field of /defineChart\(\{ (.+?), \.\.\. \}\)/.exec(said)?.[1]?.split(', ') ?? ['none'])
    expect(example, field).toMatch(new RegExp(`^  ${field}\\b`, 'm'))
})

it('the recipe of a kind of series is that of every kind', () => {
  const said = recipe('Kind of series')
  const families = globSync('packages/charts/src/resolve/families/*/family.ts')
  expect(families.length).toBeGreaterThan(4)
  for (const path of families)
    expect(readFileSync(path, 'utf8'), path).toMatch(/^export default (onAxes|ofItems|byItself|asNotes)\b/m)
  for (const kind of ['bar', 'pie', 'treemap', 'overlay']) {
    expect(said).toContain(`\`${kind}\``)
    expect(existsSync(`packages/charts/src/resolve/families/${kind}/family.ts`)).toBe(true)
  }
})

it('a chart and its kind of series are known nowhere but in their folders, generated files and the order of the gallery', () => {
  const others = globSync('{apps,packages}/**/*.{ts,tsx}', { exclude: ['**/node_modules', '**/dist', '**/*.gen.ts'] })
    // The list of older types is closed (docs/decisions/0083).
    .filter((path) => !/\/treemap\/|\.test\.ts$|gallery\/find-charts\.ts$|charts\/src\/legacy\//.test(path))
    .filter((path) => /treemap/i.test(readFileSync(path, 'utf8')))
  expect(others).toEqual([])
})

it('a filter kind is one folder, and its recipe names every file outside that makes filters of one', () => {
  const said = recipe('Filter kind')
  const kinds = globSync('apps/web/src/dashboard/filters/kinds/*/kind.ts')
  expect(kinds.length).toBeGreaterThan(5)
  const types = kinds.flatMap((path) => /filterType: '(\w+)'/.exec(readFileSync(path, 'utf8'))?.[1] ?? [])
  // A dataset has a field of the same name, which types read as `| 'filter_select'`.
  const named = new RegExp(`(?<!\\| )'(${types.join('|')})'`)
  const knowing = globSync('apps/{web,server}/src/**/*.{ts,tsx}').filter(
    (path) => !/\.(test|gen)\.tsx?$/.test(path) && !kinds.includes(path) && named.test(readFileSync(path, 'utf8')),
  )
  expect(knowing.filter((path) => !said.includes(path))).toEqual([])
})

it('the recipe of a resource is that of the folder to copy', () => {
  const said = recipe('Resource')
  const routes = readFileSync('apps/server/src/css-template/routes.ts', 'utf8')
  for (const call of ['serveReading', 'serve', 'serveRemoving']) {
    expect(said).toContain(`\`${call}\``)
    expect(routes).toContain(`${call}(app, `)
  }
  expect(globSync('apps/server/src/css-template/*.ts').map((path) => path.split('/').at(-1))).toEqual(
    expect.arrayContaining(['css-template-resource.ts', 'routes.ts']),
  )
})
