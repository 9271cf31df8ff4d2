import { createRequire } from 'node:module'
import { AppError } from '@parquetry/model'
import { limits } from './limits.ts'

const load = createRequire(import.meta.url)
/** Loaded at first use: its 72 modules would be a part of every start. */
const yaml = () => load('yaml') as typeof import('yaml')

/**
 * Reads one YAML document of a bundle: plain core schema, no custom tags, no duplicate keys, few references.
 * @throws AppError `unprocessable` with the sentence about what is wrong
 */
export function readYaml(text: string, path: string): Record<string, unknown> {
  if (text.length > limits.fileBytes) throw refused(path, `The file is larger than ${limits.fileBytes >> 20} MB.`)
  const document = yaml().parseDocument(text, { schema: 'core', uniqueKeys: true, merge: false })
  const [error] = document.errors
  if (error) throw refused(path, `Not a valid YAML file: ${error.message.split('\n')[0]}`)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: limits.aliases })
  } catch (cause) {
    throw refused(path, 'The file refers to its own parts more often than is allowed.', cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused(path, 'The file holds no document.')
  return value as Record<string, unknown>
}

/** Keys in the order of the object, long texts as blocks, nulls written out. */
export const writeYaml = (document: Record<string, unknown>): string =>
  yaml().stringify(document, { lineWidth: 0, nullStr: 'null' })

const refused = (path: string, message: string, cause?: unknown): AppError =>
  new AppError('unprocessable', { message: 'Error importing the bundle', details: { [path]: message }, cause })
