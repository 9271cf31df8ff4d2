import type { Translate } from '@parquetry/ui'
import { type JsonSchema, schemaName } from './api-document.ts'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const join = (parts: readonly string[], t: Translate): string =>
  [...new Set(parts)].reduce((before, part) => t('apiReference.or', '{a} or {b}', { a: before, b: part }))

/** The type of a value in a few words: `integer or null`, `ChartPut`, `array of string`. */
export function describeType(schema: JsonSchema, t: Translate): string {
  const name = schemaName(schema)
  if (name !== null) return name
  const branches = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined
  if (branches && branches.length > 0)
    return join(
      branches.map((branch) => describeType(branch, t)),
      t,
    )
  if (schema['const'] !== undefined) return textOf(schema['const'])
  if (schema['contentSchema'] !== undefined)
    return t('apiReference.jsonText', 'JSON text of {type}', {
      type: describeType(schema['contentSchema'] as JsonSchema, t),
    })
  if (schema['format'] === 'binary') return t('apiReference.file', 'file')
  const types = [schema['type'] ?? t('apiReference.any', 'any value')].flat().map(String)
  return join(
    types.map((type) =>
      type === 'array' && schema['items'] !== undefined
        ? t('apiReference.arrayOf', 'array of {type}', { type: describeType(schema['items'] as JsonSchema, t) })
        : type,
    ),
    t,
  )
}

/** The limits of a value: `at most 250 characters`, `one of: asc, desc`. */
export function describeLimits(schema: JsonSchema, t: Translate): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema as Record<string, number>
  const { enum: values, pattern, readOnly } = schema as { enum?: unknown[]; pattern?: string; readOnly?: boolean }
  const limits = [
    values && t('apiReference.oneOf', 'one of: {values}', { values: values.map(textOf).join(', ') }),
    minLength !== undefined && t('apiReference.minLength', 'at least {n, number} characters', { n: minLength }),
    maxLength !== undefined && t('apiReference.maxLength', 'at most {n, number} characters', { n: maxLength }),
    minItems !== undefined && t('apiReference.minItems', 'at least {n, number} entries', { n: minItems }),
    maxItems !== undefined && t('apiReference.maxItems', 'at most {n, number} entries', { n: maxItems }),
    minimum !== undefined && t('apiReference.minimum', 'at least {n, number}', { n: minimum }),
    maximum !== undefined && t('apiReference.maximum', 'at most {n, number}', { n: maximum }),
    pattern !== undefined && t('apiReference.pattern', 'matches {pattern}', { pattern }),
    readOnly === true && t('apiReference.readOnly', 'cannot be changed'),
  ]
  return limits.filter((text) => typeof text === 'string')
}
