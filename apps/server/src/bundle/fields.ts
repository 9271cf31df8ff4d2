import { AppError, type FieldMessages, message, type Message, parseExactJson } from '@parquetry/model'
import { holdsNul, isWithinJsonLimits, nulSentence } from '../http/json-body.ts'
import { missingField, wrongTypeMessage } from '../http/check-fields.ts'

type Document = Record<string, unknown>

/**
 * Readers for the fields of a document. Missing fields count as null; a field of the wrong type is reported as a problem of the
 * file.
 */
export const createFieldReader = (document: Document, path: string) => ({
  text: (name: string, maxLength?: number): string | null => readText(document, path, name, maxLength),
  integer: (name: string): number | null => {
    const value = read<number>(document, path, name, 'number')
    if (value !== null && !(Number.isInteger(value) && Math.abs(value) <= maxInteger))
      throw problem(path, name, wrongTypeMessage('integer'))
    return value
  },
  truth: (name: string, otherwise = false): number =>
    Number(read<boolean>(document, path, name, 'boolean') ?? otherwise),
  /** Returns an object as JSON text; text is returned unchanged. */
  json: (name: string): string | null => {
    const value = document[name]
    if (value === undefined || value === null) return null
    return typeof value === 'string' ? readText(document, path, name) : JSON.stringify(value)
  },
  list: (name: string): Document[] => {
    const value = document[name] ?? []
    if (!Array.isArray(value) || !value.every(isObject)) throw problem(path, name, wrongTypeMessage('array'))
    return value
  },
  /** A list of texts; null when it is missing. */
  texts: (name: string): string[] | null => {
    const value = document[name] ?? null
    if (value !== null && !(Array.isArray(value) && value.every((each) => typeof each === 'string')))
      throw problem(path, name, wrongTypeMessage('array'))
    if (value?.some(holdsNul)) throw problem(path, name, nulSentence)
    return value
  },
  /** An object, or JSON text of one; empty when it is missing. */
  object: (name: string): Document => {
    const field = document[name] ?? {}
    const value = typeof field === 'string' ? parseObjectText(field) : field
    if (!isObject(value)) throw problem(path, name, wrongTypeMessage('object'))
    return value
  },
  required: (name: string, maxLength?: number): string => {
    const value = readText(document, path, name, maxLength)
    if (!value) throw problem(path, name, missingField)
    return value
  },
})

/** Highest value of an integer column. */
const maxInteger = 2 ** 31 - 1

/** @throws AppError `unprocessable` for text that cannot be stored */
function readText(document: Document, path: string, name: string, maxLength = Infinity): string | null {
  const value = read<string>(document, path, name, 'string')
  if (value !== null && holdsNul(value)) throw problem(path, name, nulSentence)
  if (value !== null && value.length > maxLength)
    throw problem(path, name, message('errors.fields.tooLong', 'Longer than maximum length {max}.', { max: maxLength }))
  return value
}

function read<T>(document: Document, path: string, name: string, type: 'string' | 'number' | 'boolean'): T | null {
  const value = document[name]
  if (value === undefined || value === null) return null
  if (typeof value !== type) throw problem(path, name, wrongTypeMessage(type === 'number' ? 'integer' : type))
  return value as T
}

function parseObjectText(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return isWithinJsonLimits(text) ? parseExactJson(text) : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const problem = (path: string, name: string, reason: Message): AppError => fileProblem(path, { [name]: [reason] })

/** Error that names what is wrong with one file. */
export const fileProblem = (path: string, problems: FieldMessages[string]): AppError =>
  new AppError('unprocessable', {
    message: message('errors.bundle.import', 'Error importing the bundle'),
    detailMessages: { [path]: problems },
  })

/** Message by which clients recognize an existing object, therefore not translated. */
export const formatAlreadyExists = (kind: string): string =>
  `${kind} already exists and \`overwrite=true\` was not passed`

export const databaseNotInBundle = message(
  'errors.bundle.noDatabase',
  'The bundle does not contain this database, or it is not imported.',
)
