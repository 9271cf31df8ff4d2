import { createRequire } from 'node:module'
import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import { readExactNumber } from '@parquetry/model/number-text'
import type { Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { bundleLimits } from './limits.ts'

const load = createRequire(import.meta.url)
/** Loaded on first use: its 72 modules would slow down every start. */
const yaml = () => load('yaml') as typeof import('yaml')

/**
 * Reads one YAML document of a bundle: plain core schema, no custom tags, no duplicate keys, few aliases. User-supplied text may
 * take seconds: run it in a runner where it would block other requests.
 * @throws AppError `unprocessable` with a message that describes the problem
 */
export function readYaml(text: string, path: string): Record<string, unknown> {
  if (text.length > bundleLimits.fileBytes) throw importError(path, fileTooLarge)
  checkMarks(text, path)
  const value = toValue(parseDocument(text.replace(/^\uFEFF/, ''), path), path)
  countValues(value, path)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw importError(path, message('errors.bundle.noMapping', 'The file does not contain a YAML mapping.'))
  return value as Record<string, unknown>
}

/** Writes YAML with the keys in object order, long texts as blocks and explicit nulls. */
export function writeYaml(document: Record<string, unknown>): string {
  // Other tools read YAML 1.1, in which dates, `No`, `12:30:45` and `1_000` are no texts.
  const written = new (yaml().Document)(document, { version: '1.1' })
  yaml().visit(written, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && (ambiguous.test(node.value) || blank.test(node.value)))
        node.type = 'QUOTE_DOUBLE'
    },
  })
  return written.toString({ lineWidth: 0, nullStr: 'null' }).replace(/^%YAML 1\.1\n---\n/, '')
}

/** Texts that one of the versions of YAML reads as something else, and that the library writes without quotes. */
const ambiguous = /^(=|<<|[-+]?0o[0-7]+|[-+]?\d+(\.\d*)?[eE][-+]?\d+)$/

/** Blank texts, of which the library loses the spaces when it writes several lines. */
const blank = /^\s+$/

/**
 * Counts the values of a document, including itself; a referenced value counts once per reference. @throws AppError
 * `unprocessable`
 */
export function countValues(document: unknown, path: string): number {
  let count = 0
  const open: [value: unknown, depth: number][] = [[document, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    if (++count > bundleLimits.values) throw importError(path, tooMany)
    if (typeof value !== 'object' || value === null) continue
    if (depth >= bundleLimits.depth) throw importError(path, tooDeep)
    for (const part of Object.values(value)) open.push([part, depth + 1])
  }
  return count
}

export const importError = (path: string, sentence: Message, cause?: unknown): AppError =>
  new AppError('unprocessable', {
    message: message('errors.bundle.import', 'Error importing the bundle'),
    detailMessages: { [path]: sentence },
    cause,
  })

export const fileTooLarge = message('errors.bundle.fileTooLarge', 'The file is larger than {mb, number} MB.', {
  mb: bundleLimits.fileBytes >> 20,
})
const tooMany = message('errors.bundle.fileValues', 'The file contains more than {max, number} values.', {
  max: bundleLimits.values,
})
const tooDeep = message('errors.bundle.fileDepth', 'The file is nested more than {max, number} levels deep.', {
  max: bundleLimits.depth,
})

/** Tokens of which a value has at most three: its key, the colon, and its list marker or opening bracket. */
const marks = new Set(['\u001f', '-', '?', ':', ',', '[', '{'])
const marksPerValue = 3

/** Tokenizes the text without building values, so that a file with too many values is rejected early. */
function checkMarks(text: string, path: string): void {
  let count = 0
  let depth = 0
  for (const token of new (yaml().Lexer)().lex(text)) {
    if (marks.has(token) && ++count > bundleLimits.values * marksPerValue) throw importError(path, tooMany)
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > bundleLimits.depth) throw importError(path, tooDeep)
  }
}

function parseDocument(text: string, path: string): Document {
  let document: Document
  try {
    // The parser compares each key of a map with all others; `findDuplicateKey` uses a set instead.
    document = yaml().parseDocument(text, { schema: 'core', uniqueKeys: false, merge: false })
  } catch (cause) {
    if (cause instanceof RangeError) throw importError(path, tooDeep, cause)
    throw cause
  }
  const [error] = document.errors
  if (error)
    throw importError(
      path,
      message('errors.bundle.yaml', 'Not a valid YAML file: {reason}', { reason: error.message.split('\n')[0] }),
    )
  yaml().visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'number' && node.source !== undefined)
        node.value = code.test(node.source) ? node.source : (readExactNumber(node.source) ?? node.value)
    },
  })
  const doubled = findDuplicateKey(document.contents)
  if (doubled) {
    const line = text.slice(0, doubled.range?.[0]).split('\n').length
    throw importError(
      path,
      message('errors.bundle.yamlKeys', 'Not a valid YAML file: Map keys must be unique at line {line}.', { line }),
    )
  }
  return document
}

/** Numbers that are codes, such as postal codes. */
const code = /^[-+]?0\d/

function findDuplicateKey(contents: Node | null): Scalar | undefined {
  const { isMap, isPair, isScalar, isSeq } = yaml()
  const open: unknown[] = [contents]
  while (open.length > 0) {
    const node = open.pop()
    if (isPair(node)) open.push((node as Pair).key, (node as Pair).value)
    if (!isMap(node) && !isSeq(node)) continue
    const keys = new Set<unknown>()
    for (const item of (node as YAMLMap | YAMLSeq).items) {
      open.push(item)
      if (!isPair(item) || !isScalar(item.key)) continue
      if (keys.has(item.key.value)) return item.key
      keys.add(item.key.value)
    }
  }
  return undefined
}

function toValue(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: bundleLimits.aliases })
  } catch (cause) {
    throw importError(
      path,
      message('errors.bundle.yamlAliases', 'The file uses YAML aliases more often than allowed.'),
      cause,
    )
  }
}
