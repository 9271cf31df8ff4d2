import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { chartTextId, controlTextIds, namedTextId } from '../../packages/charts/src/catalog-ids.ts'
import { buildFieldGroups } from '../../packages/charts/src/field-groups.ts'
import { collectControlTexts } from '../../packages/charts/src/explore/translate-control.ts'
import { errorCodes, issueTexts } from '../../packages/model/src/error-codes.ts'
import { formatCaption, listExamples } from '../../packages/charts/src/testing/examples.ts'
import { loadChartFolders } from './charts.ts'
import { pseudoLocalize, pseudoLocale } from './pseudo.ts'

/** Folders with the texts of screens and charts. */
const screens = ['apps/web/src', ...['ui', 'charts', 'pictures', 'model'].map((name) => `packages/${name}/src`)]
/** Folders with error messages: `message('errors.area.name', 'Text')`. */
const failures = [
  'apps/server/src',
  'apps/runner/src',
  ...['bundle', 'engines', 'frame', 'query', 'sql', 'templates'].map((name) => `packages/${name}/src`),
]
const isId = (text: string) => /^[a-zA-Z]\w*(\.[\w-]+)+$/.test(text)

/**
 * Returns `messages/<area>.en.json`, where the area is the first part of an ID. The English texts are in the code: as
 * `t('area.id', 'Text')` (also `say`), as `{ id, defaultMessage }`, and as labels of chart forms. The pseudo-language has each
 * text too.
 */
export async function buildCatalogs(): Promise<Map<string, string>> {
  const messages = new Map<string, string>()
  const add = (id: string, text: string, where: string) => {
    const known = messages.get(id)
    if (known !== undefined && known !== text)
      throw new Error(`${where}: the message ${id} has two texts: “${known}” and “${text}”`)
    messages.set(id, text)
  }
  for (const path of [...screens, ...failures].flatMap((folder) => [...files(folder)])) {
    const isScreen = screens.some((folder) => path.startsWith(folder))
    const { program, errors } = parseSync(path, readFileSync(path, 'utf8'))
    if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
    walk(program, (id, text) => {
      if (isScreen || id.startsWith('errors.')) add(id, text, path)
    })
  }
  for (const [id, text] of chartTexts(await loadChartFolders())) add(id, text, 'charts')
  for (const [code, { message }] of Object.entries(errorCodes)) add(`errors.code.${code}`, message, 'error codes')
  for (const [code, text] of Object.entries(issueTexts)) add(`errors.issue.${code}`, text, 'issue codes')
  const areas = Map.groupBy(
    [...messages].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ([id]) => id.split('.')[0] as string,
  )
  return new Map(
    [...areas].flatMap(([area, entries]) => [
      [`messages/${area}.en.json`, written(entries)] as const,
      [
        `messages/${area}.${pseudoLocale}.json`,
        written(entries.map(([id, text]) => [id, pseudoLocalize(text)] as [string, string])),
      ] as const,
    ]),
  )
}

const written = (entries: [string, string][]) => `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* files(path)
    else if (/\.tsx?$/.test(path) && !/\.(test|gen)\.tsx?$/.test(path)) yield path
  }
}

interface Node {
  type: string
  [key: string]: unknown
}

function walk(node: unknown, found: (id: string, text: string) => void): void {
  if (Array.isArray(node)) for (const each of node) walk(each, found)
  if (typeof node !== 'object' || node === null || !('type' in node)) return
  const own = node as Node
  if (own.type === 'CallExpression') {
    const [id, text] = (own.arguments as Node[]).map(readText)
    if (id && text !== undefined && isId(id)) found(id, text)
  }
  if (own.type === 'ObjectExpression' || own.type === 'JSXOpeningElement') {
    const fields = readFields(own)
    const [id, text] = [fields.get('id'), fields.get('defaultMessage')]
    if (id && text !== undefined && isId(id)) found(id, text)
  }
  for (const value of Object.values(own)) walk(value, found)
}

/** Returns a constant text of the code: a literal, a template without placeholders, or literals joined by `+`. */
function readText(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'JSXExpressionContainer') return readText(node.expression as Node)
  if (node?.type === 'TemplateLiteral' && (node.expressions as Node[]).length === 0)
    return (node.quasis as { value: { cooked: string } }[])[0]?.value.cooked
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [readText(node.left as Node), readText(node.right as Node)]
    return left === undefined || right === undefined ? undefined : left + right
  }
  return undefined
}

function readFields(node: Node): Map<string, string> {
  const pairs = ((node.properties ?? node.attributes) as Node[]).flatMap((property): [string, string][] => {
    const key = (property.key ?? property.name) as { name?: string } | undefined
    const text = readText(property.value as Node)
    return key?.name && text !== undefined ? [[key.name, text]] : []
  })
  return new Map(pairs)
}

type ChartFolder = Awaited<ReturnType<typeof loadChartFolders>>[number]

/** Names, descriptions and control panel texts of all charts, by ID. */
function chartTexts(charts: readonly ChartFolder[]): [id: string, text: string][] {
  const own = charts.flatMap(({ folder, chart }): [string, string | undefined][] => {
    const { viz_type, name, description, category, tags, labelExplanation, queryLabels = {} } = chart
    return [
      [chartTextId(viz_type, 'name'), name],
      [chartTextId(viz_type, 'description'), description],
      [chartTextId(viz_type, 'labelExplanation'), labelExplanation],
      [namedTextId('category', category), category],
      ...tags.map((tag): [string, string] => [namedTextId('tag', tag), tag]),
      ...Object.values(queryLabels).map((label): [string, string] => [namedTextId('section', label), label]),
      ...listExamples(folder, chart).map((each): [string, string] => [
        namedTextId('example', each),
        formatCaption(each),
      ]),
    ]
  })
  return [...own.filter((entry): entry is [string, string] => Boolean(entry[1])), ...controlTexts(charts)]
}

/** A text that several charts have for a part of a control is shared; the others have their own. */
function controlTexts(charts: readonly ChartFolder[]): [id: string, text: string][] {
  const fields = charts.flatMap(({ chart }) =>
    buildFieldGroups(chart.form)
      .flatMap((group) => group.fields)
      .map(({ name, control }) => ({ vizType: chart.viz_type, name, control })),
  )
  const sections = fields.flatMap(({ control: { section } }): [string, string][] =>
    section ? [[namedTextId('section', section), section]] : [],
  )
  const parts = fields.flatMap(({ vizType, name, control }) =>
    [...collectControlTexts(control)].map(([part, text]) => ({ text, ids: controlTextIds(vizType, name, part) })),
  )
  const shared = Map.groupBy(parts, ({ ids }) => ids[1])
  return [
    ...sections,
    ...[...shared].flatMap(([id, uses]) => {
      const common = commonText(uses.map(({ text }) => text))
      const others = uses.filter(({ text }) => text !== common)
      return [...(common === undefined ? [] : [[id, common]]), ...others.map(({ text, ids }) => [ids[0], text])] as [
        string,
        string,
      ][]
    }),
  ]
}

/** The only text, or the most frequent one; undefined if each occurs once. */
function commonText(texts: readonly string[]): string | undefined {
  const [most, second] = [...Map.groupBy(texts, (text) => text)].toSorted(([, a], [, b]) => b.length - a.length)
  return most && (second === undefined || most[1].length > 1) ? most[0] : undefined
}
