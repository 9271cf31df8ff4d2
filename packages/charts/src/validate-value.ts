import { message, type Message } from '@parquetry/model/message'
import type { Translate } from '@parquetry/model/translate'
import type { TSchema } from 'typebox'

interface JsonSchema {
  type?: string
  const?: unknown
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: unknown
  patternProperties?: Record<string, JsonSchema>
  minimum?: number
  maximum?: number
  minItems?: number
  minLength?: number
}

/**
 * Returns why a value is invalid, as a message of the controls (CTRL-021 to CTRL-025), or null if it is valid; `formatValidationError`
 * formats it. Supports the keywords that chart forms use; a schema without any of them accepts everything.
 */
export function validateValue(schema: TSchema, value: unknown): Message | null {
  return check(schema as JsonSchema, value)
}

/** Formats the message for the control with this label. */
export const formatValidationError = ({ id, text, values }: Message, label: string, say: Translate): string =>
  say(id, text, { ...values, label })

function check(shape: JsonSchema, value: unknown): Message | null {
  if (shape.anyOf) {
    const reasons = shape.anyOf.map((each) => check(each, value))
    return reasons.includes(null) ? null : (reasons.find((reason) => reason !== other) ?? other)
  }
  if ('const' in shape) return value === shape.const ? null : other
  switch (shape.type) {
    case 'integer':
      return Number.isInteger(value) ? bounds(shape, value as number) : notInteger
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? bounds(shape, value) : notNumber
    case 'boolean':
    case 'string':
      if (value === '' && shape.minLength) return empty
      return typeof value === shape.type ? null : isEmpty(value) ? empty : other
    case 'null':
      return value === null ? null : other
    case 'array':
      return checkList(shape, value)
    case 'object':
      return checkObject(shape, value)
    default:
      return null
  }
}

function checkList(shape: JsonSchema, value: unknown): Message | null {
  if (!Array.isArray(value)) return isEmpty(value) ? empty : other
  if (shape.minItems && value.length < shape.minItems) return empty
  for (const item of value) {
    const reason = shape.items ? check(shape.items, item) : null
    if (reason) return reason
  }
  return null
}

function checkObject(shape: JsonSchema, value: unknown): Message | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return isEmpty(value) ? empty : other
  const fields = value as Record<string, unknown>
  if (shape.required?.some((name) => fields[name] === undefined)) return other
  for (const [name, inner] of Object.entries(shape.properties ?? {})) {
    const reason = fields[name] === undefined ? null : check(inner, fields[name])
    if (reason) return reason
  }
  return null
}

const bounds = ({ minimum, maximum }: JsonSchema, value: number) =>
  minimum !== undefined && value < minimum
    ? message('explore.misfit.tooSmall', '{label} is expected to be at least {min, number}', { min: minimum })
    : maximum !== undefined && value > maximum
      ? message('explore.misfit.tooLarge', '{label} is expected to be at most {max, number}', { max: maximum })
      : null

const notInteger = message('explore.misfit.integer', '{label} is expected to be an integer')
const notNumber = message('explore.misfit.number', '{label} is expected to be a number')
const empty = message('explore.misfit.empty', '{label} cannot be empty')
const other = message('explore.misfit.other', '{label} is not a valid value')
const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
