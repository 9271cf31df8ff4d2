import { type FieldMessages, message } from '@parquetry/model'
import type { TSchema } from 'typebox'
import { findErrors, type SchemaErrors } from './check-fields.ts'

type Fields = Record<string, unknown>
interface Node {
  properties?: Record<string, Schema>
  items?: Schema & { type?: string }
}
type Schema = TSchema & Record<string, unknown> & Node

const readOnly = message(
  'errors.fields.readOnly',
  'Read-only field. Send the value that GET returns, or leave the field out.',
)

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Tests if a sent value is the current one. GET returns the requested parts of an object, so parts may be missing. */
function isUnchanged(sent: unknown, current: unknown): boolean {
  if (Array.isArray(sent))
    return (
      Array.isArray(current) &&
      sent.length === current.length &&
      sent.every((item, index) => isUnchanged(item, current[index]))
    )
  if (!isFields(sent)) return sent === current
  return (
    isFields(current) &&
    Object.entries(sent).every(([name, value]) => Object.hasOwn(current, name) && isUnchanged(value, current[name]))
  )
}

/** Texts such as "2 hours ago" change on their own. */
const isRelativeTime = (name: string): boolean => name.endsWith('_humanized')

export interface Adapted {
  value: unknown
  /** Read-only fields that were changed. */
  errors?: FieldMessages
}

/** A field that GET does not return has no value. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)

/** Tests if a body of PUT contains a field that cannot be changed, also in its lists of objects. */
export function hasUnchangeable(schema: TSchema, body: unknown): boolean {
  const { properties = {} } = schema as Schema
  if (!isFields(body)) return false
  return Object.entries(body).some(([name, value]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!field) return false
    const { readOnly, items } = field
    return readOnly === true || (items && Array.isArray(value) && value.some((item) => hasUnchangeable(items, item)))
  })
}

/**
 * Turns an object as GET returns it into a body of PUT: objects in a list of ids become their ids, and read-only fields with their
 * current value are left out or, if PUT has them, unchanged. Fields that GET does not return stay and are refused as unknown.
 * @param current  the object as GET returns it now
 */
export function adaptReadBack(schema: TSchema, sent: unknown, current: unknown): Adapted {
  if (!isFields(sent) || !isFields(current)) return { value: sent }
  const { properties = {} } = schema as Schema
  // The object was changed since then, which the route reports as a conflict.
  const isStale =
    Object.hasOwn(properties, 'changed_on') &&
    'changed_on' in sent &&
    'changed_on' in current &&
    sent['changed_on'] !== current['changed_on']
  const value: Fields = {}
  const errors: FieldMessages = {}
  for (const [name, sentValue] of Object.entries(sent)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    const isCurrent = Object.hasOwn(current, name)
      ? isUnchanged(sentValue, current[name])
      : field?.['readOnly'] === true && isEmpty(sentValue)
    if (field?.['readOnly'] === true && !isCurrent) {
      if (!isStale) errors[name] = [readOnly]
    } else if (field) {
      const adapted = adaptField(field, sentValue, current[name])
      if (adapted.errors) errors[name] = adapted.errors as SchemaErrors
      else if (!isCurrent || !findErrors(field, adapted.value)) value[name] = adapted.value
    } else if (!Object.hasOwn(current, name)) value[name] = sentValue
    else if (!isCurrent && !isRelativeTime(name) && !isStale) errors[name] = [readOnly]
  }
  return { value, ...(Object.keys(errors).length > 0 && { errors }) }
}

/** Turns the objects in lists of ids into their ids, so that POST accepts the lists that GET returns. */
export function readIds(schema: TSchema, sent: unknown): unknown {
  const { properties = {} } = schema as Schema
  if (!isFields(sent)) return sent
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, field?.items?.type === 'integer' ? adaptField(field, value, undefined).value : value]
    }),
  )
}

function adaptField(schema: Schema, sent: unknown, current: unknown): Adapted {
  const { items } = schema
  if (!Array.isArray(sent) || !items) return { value: sent }
  if (items.type === 'integer')
    return { value: sent.map((item: unknown) => (isFields(item) && 'id' in item ? item['id'] : item)) }
  if (!items.properties || !Array.isArray(current)) return { value: sent }
  const currentById = new Map(current.filter(isFields).map((item) => [item['id'], item]))
  const adapted = sent.map((item: unknown) =>
    adaptReadBack(items, item, isFields(item) ? currentById.get(item['id']) : undefined),
  )
  const errors = Object.fromEntries(adapted.flatMap(({ errors: found }, index) => (found ? [[index, found]] : [])))
  return { value: adapted.map(({ value }) => value), ...(Object.keys(errors).length > 0 && { errors }) }
}
