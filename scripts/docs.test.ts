import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const pages = [...globSync('*.md'), ...globSync('docs/**/*.md')]
const rootFolders = 'apps|packages|scripts|messages|docs'

const vocabulary = existsSync('docs/vocabulary.md') ? readFileSync('docs/vocabulary.md', 'utf8') : ''
/** From this heading on, the vocabulary lists names that no longer exist. */
const oldNamesHeading = '\n## Old names'
const oldNames = vocabulary.slice(vocabulary.indexOf(oldNamesHeading))

/** A page without the names that it lists because they no longer exist. */
const readPage = (page: string): string =>
  page.endsWith('docs/vocabulary.md') ? (vocabulary.split(oldNamesHeading)[0] ?? '') : readFileSync(page, 'utf8')

/** A decision may name a file as it was called then, if the vocabulary lists its new name. */
const isKnown = (path: string, page: string): boolean =>
  existsSync(path) || (page.startsWith('docs/decisions/') && oldNames.includes(`\`${path}`))

it('every path that the documentation mentions exists', () => {
  const missing = pages.flatMap((page) =>
    [...readPage(page).matchAll(new RegExp(String.raw`\b(?:${rootFolders})/[\w./<>-]*[\w>/]`, 'g'))]
      .map(([path]) => path)
      .filter((path) => !path.includes('<') && !isKnown(path, page))
      .map((path) => `${page}: ${path}`),
  )
  expect(missing).toEqual([])
})

/** Anchors of the headings of a page, as GitHub builds them. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

it('every relative link of the documentation leads to a file and a heading', () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => {
        if (/^[a-z]+:/.test(target)) return false
        const [file = '', anchor] = target.split('#')
        const path = file === '' ? page : join(dirname(page), file)
        if (!existsSync(path)) return true
        return anchor !== undefined && !anchorsOf(readFileSync(path, 'utf8')).includes(anchor)
      })
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

it('every page about features and recipes is linked from the architecture page', () => {
  const architecture = readFileSync('docs/architecture.md', 'utf8')
  const unlinked = globSync('docs/{adding,features}/*.md').filter(
    (page) => !architecture.includes(`](${page.slice('docs/'.length)})`),
  )
  expect(unlinked).toEqual([])
})

it('every function in a table of the documentation is in the file beside it', () => {
  const rows = ['docs/architecture.md', ...globSync('docs/features/*.md')].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\| `((?:apps|packages)\/[\w./-]+\.tsx?)` \| `(\w+)` \|/g)].map(
      ([, path = '', name = '']) => ({ page, path, name }),
    ),
  )
  expect(rows.length).toBeGreaterThan(40)
  const wrong = rows.filter(({ path, name }) => !new RegExp(String.raw`\b${name}\b`).test(readFileSync(path, 'utf8')))
  expect(wrong).toEqual([])
})

interface Recipe {
  /** Folders of the example: paths in the recipe may be relative to them, and each of their files is named there. */
  folders?: readonly string[]
  /** Values of `<name>` in paths; `*` matches any. */
  values?: Readonly<Record<string, string>>
  /** Code that knows the example. Files outside the folders that match are places to edit, so the recipe names them. */
  knownBy?: RegExp
  /** Paths of files that match but are no places to edit. */
  ignore?: RegExp
}

const recipes: Readonly<Record<string, Recipe>> = {
  chart: { folders: ['packages/charts/src/treemap'], values: { name: 'treemap', case: '*' } },
  'series-type': { folders: ['packages/charts/src/resolve/families/treemap'] },
  'country-map': {},
  'post-processing-step': { values: { name: 'rank' }, knownBy: /from '\.\/rank\.ts'/ },
  'filter-kind': { folders: ['apps/web/src/dashboard/filters/kinds/range'] },
  engine: {
    folders: ['packages/engines/src/clickhouse'],
    values: { name: 'clickhouse', case: '*' },
    knownBy: /'clickhouse'|^\s*clickhouse: |\/clickhouse\.ts'|\/clickhouse\/|@clickhouse\//m,
  },
  resource: {
    folders: ['apps/server/src/css-template', 'apps/web/src/lists/annotations'],
    values: { resource: 'css-template' },
    knownBy: /css_template|CssTemplate\b|\/css-template/,
    // The recipe about migrations covers these.
    ignore: /^apps\/server\/src\/store\//,
  },
  page: { folders: ['apps/web/src/dataset'] },
  setting: { knownBy: /\bIMAGE_HOSTS\b|\bfonts: read\(/ },
  message: { values: { area: 'home', language: 'en' } },
  migration: {
    values: { number: '0003', name: 'annotations' },
    knownBy: /\bAnnotationTable\b|0003-annotations/,
    // Only the store defines tables; other files use them.
    ignore: /^(?!apps\/server\/src\/store\/)/,
  },
}

const sources = globSync('{apps,packages,scripts}/**/*.{ts,tsx}', { exclude: ['**/node_modules', '**/dist'] }).filter(
  (path) => !/\.(test|testing|gen)\.tsx?$/.test(path),
)

it('tests every recipe', () => {
  expect(Object.keys(recipes).toSorted()).toEqual(
    globSync('docs/adding/*.md')
      .map((page) => page.slice('docs/adding/'.length, -'.md'.length))
      .toSorted(),
  )
})

describe.each(Object.entries(recipes))('recipe: %s', (name, { folders = [], values = {}, knownBy, ignore }) => {
  const text = readFileSync(`docs/adding/${name}.md`, 'utf8')
  const isFile = /^[\w<>*./-]+\.(tsx?|json|svg|sql|css|md|mjs)$/
  const named = [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => isFile.test(code) && !code.startsWith('.'))
  const fill = (path: string): string => path.replaceAll(/<(\w+)>/g, (all, word: string) => values[word] ?? all)
  const isRooted = (path: string): boolean => new RegExp(`^(${rootFolders})/`).test(path) || existsSync(path)
  const found = (path: string): string[] =>
    (isRooted(path) ? [fill(path)] : folders.map((folder) => `${folder}/${fill(path)}`)).flatMap((pattern) =>
      globSync(pattern),
    )

  it('names only files that exist', () => {
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => found(path).length === 0)).toEqual([])
  })

  if (folders.length > 0)
    it('names every file of its example', () => {
      const covered = new Set(named.flatMap(found))
      for (const folder of folders) expect(text).toContain(`\`${folder}\``)
      const files = folders.flatMap((folder) => globSync(`${folder}/**/*.*`))
      expect(files.length).toBeGreaterThan(1)
      expect(files.filter((file) => !covered.has(file))).toEqual([])
    })

  if (knownBy)
    it('names every file outside of its example that knows it', () => {
      const knowing = sources
        .filter((path) => !ignore?.test(path) && !folders.some((folder) => path.startsWith(`${folder}/`)))
        .filter((path) => knownBy.test(readFileSync(path, 'utf8')))
      expect(knowing.length).toBeGreaterThan(0)
      const covered = new Set(named.flatMap(found))
      expect(knowing.filter((path) => !covered.has(path))).toEqual([])
    })
})

const recipe = (name: string): string => readFileSync(`docs/adding/${name}.md`, 'utf8')

it('the recipe of a chart type names fields of a definition', () => {
  const fields = /defineChart\(\{ (.+?), \.\.\. \}\)/.exec(recipe('chart'))?.[1]?.split(', ') ?? []
  expect(fields.length).toBeGreaterThan(4)
  const example = readFileSync('packages/charts/src/treemap/chart.ts', 'utf8')
  for (const field of fields) expect(example, field).toMatch(new RegExp(`^  ${field}\\b`, 'm'))
})

it('the recipe of a series type lists the functions and examples of all families', () => {
  const text = recipe('series-type')
  const listed = new Set([...text.matchAll(/`(define\w+Family)`/g)].map(([, name = '']) => name))
  const families = globSync('packages/charts/src/resolve/families/*/family.ts')
  expect(families.length).toBeGreaterThan(4)
  const used = families.map((path) => {
    const [, name] = /^export default (\w+)/m.exec(readFileSync(path, 'utf8')) ?? []
    expect(listed, path).toContain(name)
    return name
  })
  expect(new Set(used)).toEqual(listed)
  for (const family of ['bar', 'boxplot', 'pie', 'treemap', 'chord', 'overlay', 'bullet']) {
    expect(text).toContain(`\`${family}\``)
    expect(existsSync(`packages/charts/src/resolve/families/${family}/family.ts`)).toBe(true)
  }
})

it('a chart type and its series type are known only in their folders, generated files and the order of the gallery', () => {
  const others = globSync('{apps,packages}/**/*.{ts,tsx}', { exclude: ['**/node_modules', '**/dist', '**/*.gen.ts'] })
    // The list of legacy types is closed (docs/decisions/0083).
    .filter((path) => !/\/treemap\/|\.test\.ts$|gallery\/find-charts\.ts$|charts\/src\/legacy\//.test(path))
    .filter((path) => /treemap/i.test(readFileSync(path, 'utf8')))
  expect(others).toEqual([])
})

it('the recipe of a filter kind names every file outside of the folder that creates or allows filters of a kind', () => {
  const text = recipe('filter-kind')
  const kinds = globSync('apps/web/src/dashboard/filters/kinds/*/kind.ts')
  expect(kinds.length).toBeGreaterThan(5)
  const types = kinds.flatMap((path) => /filterType: '(\w+)'/.exec(readFileSync(path, 'utf8'))?.[1] ?? [])
  // A dataset has a field `filter_select`, which types read as `| 'filter_select'`.
  const keys = types.filter((type) => type !== 'filter_select')
  const names = new RegExp(`(?<!\\| )'(${types.join('|')})'|^\\s*(${keys.join('|')}): `, 'm')
  const knowing = globSync('apps/{web,server}/src/**/*.{ts,tsx}').filter(
    (path) =>
      !/\.(test|testing|gen)\.tsx?$/.test(path) && !kinds.includes(path) && names.test(readFileSync(path, 'utf8')),
  )
  expect(knowing.length).toBeGreaterThan(2)
  expect(knowing.filter((path) => !text.includes(path))).toEqual([])
})

it('the recipe of a resource names the functions that serve its example', () => {
  const text = recipe('resource')
  const routes = readFileSync('apps/server/src/css-template/routes.ts', 'utf8')
  for (const call of ['serveReading', 'serve', 'serveRemoving']) {
    expect(text).toContain(`\`${call}\``)
    expect(routes).toContain(`${call}(app, `)
  }
})

it('the example of the recipe of a message is in the catalog', () => {
  const [, id = '', english] = /`t\('([\w.]+)', '([^']+)'\)`/.exec(recipe('message')) ?? []
  const catalog = JSON.parse(readFileSync(`messages/${id.split('.')[0]}.en.json`, 'utf8')) as Record<string, string>
  expect(catalog[id]).toBe(english)
})
