import { AppError, message, type Message } from '@parquetry/model'
import type { Static, TObject, TSchema } from 'typebox'
import { fieldErrors } from './check-fields.ts'
import { lazyCheck } from './check.ts'
import { parseJson } from './json-body.ts'

const badRequest = (text: string | Message, cause?: unknown): AppError =>
  new AppError('bad_request', { message: text, cause })

function parseJsonField(name: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    throw badRequest(message('errors.http.fieldNotJson', 'The field {name} must contain JSON.', { name }), cause)
  }
}

/** Puts the error into a text, because legacy routes do not return errors by field. */
const formError = (schema: TSchema, value: unknown, field?: string): AppError => {
  const [found] = Object.entries(fieldErrors(schema, value))
  const [name, problem] = found ?? ['', '']
  const path = [field, name === '_schema' ? '' : name].filter(Boolean).join('.')
  return badRequest(`${path || 'The form'}: ${Array.isArray(problem) ? problem.join(' ') : JSON.stringify(problem)}`)
}

/**
 * Reads the form fields in a schema; each value is JSON text. Other fields are ignored.
 * @throws AppError `bad_request`
 */
export function jsonFields<S extends TObject>(schema: S): (form: Record<string, string>) => Promise<Static<S>> {
  const isValid = lazyCheck(schema)
  const names = Object.keys(schema.properties)
  return async (form) => {
    const read: Record<string, unknown> = {}
    for (const name of names) {
      const text = form[name]
      if (text !== undefined) read[name] = parseJsonField(name, text)
    }
    if (!(await isValid(read))) throw formError(schema, read)
    return read as Static<S>
  }
}

/** Reads one required field whose JSON text must match a schema. @throws AppError `bad_request` */
export function jsonField<S extends TSchema>(
  name: string,
  schema: S,
): (form: Record<string, string>) => Promise<Static<S>> {
  const isValid = lazyCheck(schema)
  return async (form) => {
    const text = form[name]
    if (text === undefined)
      throw badRequest(message('errors.http.fieldMissing', 'The field {name} is missing.', { name }))
    const value = parseJsonField(name, text)
    if (!(await isValid(value))) throw formError(schema, value, name)
    return value as Static<S>
  }
}
