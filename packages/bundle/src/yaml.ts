import { createRequire } from 'node:module'
import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import type { Event, YAMLException } from 'js-yaml'
import { jsYaml } from './js-yaml.ts'
import { bundleLimits } from './limits.ts'
import { exactSchema } from './scalars.ts'

const load = createRequire(import.meta.url)
/** Loaded on first use: its 72 modules would slow down every start. */
const yaml = () => load('yaml') as typeof import('yaml')

/**
 * Reads one YAML document of a bundle: plain core schema, no custom tags, no duplicate keys, few aliases. User-supplied text may
 * take seconds: run it in a runner where it would block other requests.
 * @throws AppError `unprocessable` with a message that describes the problem
 */
export function readYaml(text: string, path: string): Record<string, unknown> {
  const value = readYamlValue(text, path)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw importError(path, message('errors.bundle.noMapping', 'The file does not contain a YAML mapping.'))
  return value as Record<string, unknown>
}

/** Like `readYaml`, for a document that may be a list or a single value; undefined for an empty one. */
export function readYamlValue(text: string, path: string): unknown {
  if (text.length > bundleLimits.fileBytes) throw importError(path, fileTooLarge)
  return parse(text.replace(/^\uFEFF/, ''), path)
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
 * Checks the number of values of a document, including itself, their depth, and the length of their texts; a referenced value
 * counts once per reference. @throws AppError `unprocessable`
 */
export function checkSize(document: unknown, path: string): void {
  let values = 0
  let characters = 0
  const open: [value: unknown, depth: number][] = [[document, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    if (++values > bundleLimits.values) throw importError(path, tooMany)
    if (typeof value === 'string') characters += value.length
    if (typeof value === 'object' && value !== null) {
      if (depth >= bundleLimits.depth) throw importError(path, tooDeep)
      for (const [key, part] of Object.entries(value)) {
        characters += key.length
        open.push([part, depth + 1])
      }
    }
    if (characters > bundleLimits.fileBytes) throw importError(path, fileTooLarge)
  }
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

/** Events of which a value has at most three: its key, and the start and end of a list or mapping. */
const eventsPerValue = 3

function parse(text: string, path: string): unknown {
  const { constructFromEvents, EVENT_ID, parseEvents, YAMLException } = jsYaml()
  try {
    const events: Event[] = parseEvents(text, { maxDepth: bundleLimits.depth })
    if (events.length > bundleLimits.values * eventsPerValue) throw importError(path, tooMany)
    const documents = constructFromEvents(events, {
      source: text,
      schema: exactSchema(),
      maxAliases: bundleLimits.aliases,
    })
    if (documents.length > 1)
      throw importError(path, message('errors.bundle.yamlDocuments', 'The file contains several YAML documents.'))
    // Without aliases a document has no more values than events, and no more text than the file.
    if (events.length > bundleLimits.values || events.some(({ type }) => type === EVENT_ID.ALIAS))
      checkSize(documents[0], path)
    return documents[0]
  } catch (error) {
    throw error instanceof YAMLException ? importError(path, describeProblem(error), error) : error
  }
}

/** The library tells problems apart only by their texts. */
function describeProblem({ reason, mark }: YAMLException): Message {
  if (reason.startsWith('nesting exceeded')) return tooDeep
  if (reason.startsWith('aliases exceeded'))
    return message('errors.bundle.yamlAliases', 'The file uses YAML aliases more often than allowed.')
  const line = (mark?.line ?? 0) + 1
  if (reason.startsWith('duplicated mapping key'))
    return message('errors.bundle.yamlKeys', 'Not a valid YAML file: Map keys must be unique at line {line}.', { line })
  return message('errors.bundle.yaml', 'Not a valid YAML file: {reason}, at line {line}.', { reason, line })
}
