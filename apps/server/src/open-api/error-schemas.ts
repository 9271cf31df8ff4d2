import type { Components } from './components.ts'

const sentence = { type: 'string' }
const byField = { type: 'object', additionalProperties: true }

const typedError = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['message', 'error_type', 'level', 'extra'],
        properties: {
          message: sentence,
          error_type: sentence,
          level: { type: 'string', enum: ['error', 'warning', 'info'] },
          extra: { type: ['object', 'null'], additionalProperties: true },
        },
      },
    },
  },
}

/** Texts, or texts by field for a body that is not valid. */
const plainError = {
  type: 'object',
  required: ['message'],
  properties: { message: { anyOf: [sentence, byField, { type: 'array' }] }, msg: sentence, severity: sentence },
}

const legacyError = { type: 'object', required: ['error'], properties: { error: sentence } }

/** The body of a failed call: one of two shapes, and a third one for the oldest calls. */
export function referToError(components: Components, isLegacy: boolean): object {
  const shapes = [
    components.add('schemas', 'PlainError', plainError),
    components.add('schemas', 'TypedError', typedError),
  ]
  return isLegacy
    ? components.add('schemas', 'LegacyCallError', {
        anyOf: [...shapes, components.add('schemas', 'LegacyError', legacyError)],
      })
    : components.add('schemas', 'CallError', { anyOf: shapes })
}
