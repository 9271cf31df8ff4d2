import { readFileSync, writeFileSync } from 'node:fs'
import type { ApiDocument } from './types.ts'

const file = 'docs/api/released.json'

/** Texts for readers, which break nothing when they change. */
const texts: ReadonlySet<string> = new Set(['summary', 'description'])

const withoutTexts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutTexts)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name, part]) => !(texts.has(name) && typeof part !== 'object'))
  return Object.fromEntries(entries.map(([name, part]) => [name, withoutTexts(part)]))
}

/** A JSON object with one line for each entry, in alphabetical order. */
const writeLines = (object: object): string => {
  const lines = Object.entries(object)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{\n${lines.join(',\n')}\n}`
}

/** The text of a released document: without descriptions, one line for each address and each shared part. */
export function formatReleased(document: ApiDocument): string {
  const { paths, components } = withoutTexts(document) as ApiDocument
  for (const operation of Object.values(paths).flatMap(Object.values<object>)) Reflect.deleteProperty(operation, 'tags')
  const { schemas, responses } = components
  return `{"paths":${writeLines(paths)},\n"components":{"schemas":${writeLines(schemas)},\n"responses":${writeLines(responses)}}}\n`
}

/** The document that clients rely on. */
export const readReleased = (): ApiDocument => JSON.parse(readFileSync(file, 'utf8')) as ApiDocument

export const writeReleased = (document: ApiDocument): void => writeFileSync(file, formatReleased(document))
