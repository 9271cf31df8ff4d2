import {
  AppError,
  type FieldErrors,
  type FieldMessages,
  message,
  type Message,
  webAddressPattern,
} from '@parquetry/model'
import type { TSchema } from 'typebox'

type Node = TSchema & Record<string, unknown>
export type SchemaErrors = Message[] | FieldMessages

const jsonTypeOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'number'
        ? Number.isSafeInteger(value)
          ? 'integer'
          : 'number'
        : typeof value
const typeTexts: Record<string, Message> = {
  string: message('errors.fields.string', 'Not a valid string.'),
  integer: message('errors.fields.integer', 'Not a valid integer.'),
  number: message('errors.fields.number', 'Not a valid number.'),
  boolean: message('errors.fields.boolean', 'Not a valid boolean.'),
  array: message('errors.fields.list', 'Not a valid list.'),
  object: message('errors.fields.mapping', 'Not a valid mapping type.'),
}

export const missingField = message('errors.fields.missing', 'Missing data for required field.')
const unknown = message('errors.fields.unknown', 'Unknown field.')
const wrongInput = message('errors.fields.inputType', 'Invalid input type.')

/** Message for a value whose type differs from the schema. */
export const wrongTypeMessage = (type = ''): Message =>
  typeTexts[type] ?? message('errors.fields.value', 'Invalid value.')

const choiceMessage = (choices: readonly unknown[]): Message =>
  message('errors.fields.choice', 'Must be one of: {choices}.', { choices: choices.join(', ') })

const allowedTypesOf = (schema: Node): string[] => {
  const type = schema['type']
  return Array.isArray(type) ? (type as string[]) : typeof type === 'string' ? [type] : []
}
const matchesType = (types: string[], kind: string): boolean =>
  types.length === 0 || types.includes(kind) || (kind === 'integer' && types.includes('number'))

function lengthError(size: number, minValue: unknown, maxValue: unknown): Message | undefined {
  const [min, max] = [minValue as number | undefined, maxValue as number | undefined]
  if ((min === undefined || size >= min) && (max === undefined || size <= max)) return undefined
  if (min !== undefined && max !== undefined)
    return message('errors.fields.length', 'Length must be between {min} and {max}.', { min, max })
  return min === undefined
    ? message('errors.fields.tooLong', 'Longer than maximum length {max}.', { max })
    : message('errors.fields.tooShort', 'Shorter than minimum length {min}.', { min })
}

function rangeError(value: number, schema: Node): Message | undefined {
  const [min, max] = [schema['minimum'], schema['maximum']] as (number | undefined)[]
  if (min !== undefined && value < min)
    return message('errors.fields.tooSmall', 'Must be greater than or equal to {min}.', { min })
  if (max !== undefined && value > max)
    return message('errors.fields.tooBig', 'Must be less than or equal to {max}.', { max })
  return undefined
}

/** Maximum number of errors reported for one list or object. */
const maxErrors = 100

/** Schema of the values of a record. */
const findPattern = (schema: Node, name: string): Node | undefined =>
  Object.entries((schema['patternProperties'] ?? {}) as Record<string, Node>).find(([pattern]) =>
    new RegExp(pattern, 'u').test(name),
  )?.[1]

function objectErrors(schema: Node, value: Record<string, unknown>): FieldMessages | undefined {
  const errors: FieldMessages = Object.create(null) as FieldMessages
  const properties = (schema['properties'] ?? {}) as Record<string, Node>
  for (const name of (schema['required'] ?? []) as string[])
    if (!Object.hasOwn(value, name)) errors[name] = [missingField]
  let count = 0
  for (const [name, field] of Object.entries(value)) {
    if (count >= maxErrors) break
    const rule = Object.hasOwn(properties, name) ? properties[name] : findPattern(schema, name)
    if (!rule) {
      if (schema['additionalProperties'] === false) {
        errors[name] = [unknown]
        count += 1
      }
      continue
    }
    const found = findErrors(rule, field)
    if (found) {
      errors[name] = found
      count += 1
    }
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

function listErrors(schema: Node, value: unknown[]): SchemaErrors | undefined {
  const length = lengthError(value.length, schema['minItems'], schema['maxItems'])
  if (length) return [length]
  const items = schema['items'] as Node | undefined
  const errors: FieldMessages = {}
  let count = 0
  for (const [at, item] of items && !Array.isArray(items) ? value.entries() : []) {
    if (count >= maxErrors) break
    const found = findErrors(items as Node, item)
    if (!found) continue
    errors[at] = found
    count += 1
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** Finds the errors of a value, with the API's messages; undefined when these rules find none. */
export function findErrors(schema: Node, value: unknown): SchemaErrors | undefined {
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Node[] | undefined
  if (choices) return choiceErrors(choices, value)
  if ('const' in schema)
    return schema['const'] === value
      ? undefined
      : [message('errors.fields.constant', 'Must be equal to {value}.', { value: String(schema['const']) })]
  const kind = jsonTypeOf(value)
  const types = allowedTypesOf(schema)
  if (!matchesType(types, kind)) {
    if (kind === 'null') return [message('errors.fields.null', 'Field may not be null.')]
    const expectedType = types.find((type) => type !== 'null') ?? 'object'
    return expectedType === 'object' && schema['properties']
      ? { _schema: [wrongInput] }
      : [wrongTypeMessage(expectedType)]
  }
  const allowed = schema['enum'] as unknown[] | undefined
  if (allowed && !allowed.includes(value) && kind !== 'null') return [choiceMessage(allowed)]
  if (typeof value === 'string') {
    const length = lengthError([...value].length, schema['minLength'], schema['maxLength'])
    if (length) return [length]
    const pattern = schema['pattern'] as string | undefined
    if (!pattern || new RegExp(pattern, 'u').test(value)) return undefined
    return [
      pattern === webAddressPattern
        ? message('errors.fields.webAddress', 'Not a valid address. It must start with http:// or https://.')
        : message('errors.fields.pattern', 'String does not match expected pattern.'),
    ]
  }
  if (typeof value === 'number') {
    const range = rangeError(value, schema)
    return range ? [range] : undefined
  }
  if (Array.isArray(value)) return listErrors(schema, value)
  return kind === 'object' ? objectErrors(schema, value as Record<string, unknown>) : undefined
}

/** Errors of the union member closest to the value: the same type first, otherwise the first that is not null. */
function choiceErrors(choices: Node[], value: unknown): SchemaErrors | undefined {
  const constants = choices.filter((choice) => 'const' in choice).map((choice) => choice['const'])
  if (constants.length === choices.length) return constants.includes(value) ? undefined : [choiceMessage(constants)]
  const results = choices.map((choice) => ({ choice, errors: findErrors(choice, value) }))
  if (results.some(({ errors }) => !errors)) return undefined
  const closest = results.find(({ choice }) => matchesType(allowedTypesOf(choice), jsonTypeOf(value)))
  return (closest ?? results.find(({ choice }) => !allowedTypesOf(choice).includes('null')) ?? results[0])?.errors
}

/**
 * Returns the API's messages by field for a value that does not match a schema. Called only after the compiled check has failed;
 * if no rule applies, the message is general.
 */
export function fieldMessages(schema: TSchema, value: unknown): FieldMessages {
  const found = findErrors(schema as Node, value)
  return found && !Array.isArray(found) ? found : { _schema: [wrongInput] }
}

/** The same in English, for routes that return one message. */
export const fieldErrors = (schema: TSchema, value: unknown): FieldErrors =>
  new AppError('invalid_payload', { fields: fieldMessages(schema, value) }).fields ?? {}
