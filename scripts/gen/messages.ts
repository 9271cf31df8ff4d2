import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { controlsOf } from '../../packages/charts/src/controls-of.ts'
import { textId } from '../../packages/charts/src/text-id.ts'
import { captionOf, examplesOf } from '../../packages/charts/src/testing/examples.ts'
import { chartFolders } from './charts.ts'
import { pseudo, pseudoLanguage } from './pseudo.ts'

const sources = ['apps/web/src', 'packages/ui/src', 'packages/charts/src', 'packages/pictures/src']
const isId = (text: string) => /^[a-zA-Z]\w*(\.[\w-]+)+$/.test(text)

/**
 * `messages/<area>.en.json`, an area being the first part of an id. English stands in the code: as `t('area.id', 'Text')` (also
 * `say`), as `{ id, defaultMessage }`, and as labels of chart forms. Each text stands in the pseudo-language too.
 */
export async function catalogues(): Promise<Map<string, string>> {
  const messages = new Map<string, string>()
  const add = (id: string, text: string, where: string) => {
    const known = messages.get(id)
    if (known !== undefined && known !== text)
      throw new Error(`${where}: the message ${id} has two texts: “${known}” and “${text}”`)
    messages.set(id, text)
  }
  for (const path of sources.flatMap((folder) => [...files(folder)])) {
    const { program, errors } = parseSync(path, readFileSync(path, 'utf8'))
    if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
    walk(program, (id, text) => add(id, text, path))
  }
  for (const text of await chartTexts()) add(textId(text), text, 'charts')
  const areas = Map.groupBy(
    [...messages].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ([id]) => id.split('.')[0] as string,
  )
  return new Map(
    [...areas].flatMap(([area, entries]) => [
      [`messages/${area}.en.json`, written(entries)] as const,
      [
        `messages/${area}.${pseudoLanguage}.json`,
        written(entries.map(([id, text]) => [id, pseudo(text)] as [string, string])),
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
    const [id, text] = (own.arguments as Node[]).map(textOf)
    if (id && text !== undefined && isId(id)) found(id, text)
  }
  if (own.type === 'ObjectExpression' || own.type === 'JSXOpeningElement') {
    const fields = fieldsOf(own)
    const [id, text] = [fields.get('id'), fields.get('defaultMessage')]
    if (id && text !== undefined && isId(id)) found(id, text)
  }
  for (const value of Object.values(own)) walk(value, found)
}

/** A text that stands as it is in the code: a literal, a template without places, or literals joined by `+`. */
function textOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'JSXExpressionContainer') return textOf(node.expression as Node)
  if (node?.type === 'TemplateLiteral' && (node.expressions as Node[]).length === 0)
    return (node.quasis as { value: { cooked: string } }[])[0]?.value.cooked
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(node.left as Node), textOf(node.right as Node)]
    return left === undefined || right === undefined ? undefined : left + right
  }
  return undefined
}

function fieldsOf(node: Node): Map<string, string> {
  const pairs = ((node.properties ?? node.attributes) as Node[]).flatMap((property): [string, string][] => {
    const key = (property.key ?? property.name) as { name?: string } | undefined
    const text = textOf(property.value as Node)
    return key?.name && text !== undefined ? [[key.name, text]] : []
  })
  return new Map(pairs)
}

/** Names, descriptions and everything that the control panels of all charts say. */
async function chartTexts(): Promise<Set<string>> {
  const texts = new Set<string>()
  for (const { folder, chart } of await chartFolders()) {
    const { name, description, category, tags, labelExplanation = '' } = chart
    const captions = examplesOf(folder, chart).map(captionOf)
    for (const text of [name, description, category, labelExplanation, ...tags, ...captions]) if (text) texts.add(text)
    for (const { control } of controlsOf(chart.form).flatMap(({ fields }) => fields)) {
      texts.add(control.label)
      if (control.section) texts.add(control.section)
      if (control.description) texts.add(control.description)
      for (const text of Object.values(control.options ?? {})) texts.add(text)
      for (const [, text] of control.configures ?? []) texts.add(text)
      for (const [value, text] of control.presets ?? [])
        if (String(value) !== text && /[a-z]{3}/i.test(text)) texts.add(text)
    }
  }
  return texts
}
