import { parseExactJson } from '@parquetry/model/number-text'
import type { Static, TObject, TSchema } from 'typebox'
import type { ChartForm } from './define.ts'
import { validateValue } from './validate-value.ts'

/** Legacy key -> the key that charts read. The legacy key stays, so that a document is exported as it was imported. */
const spellings: Record<string, string> = {
  granularity: 'granularity_sqla',
  limit: 'series_limit',
  timeseries_limit: 'series_limit',
  currencyFormat: 'currency_format',
  numberFormat: 'number_format',
}

/**
 * Parses a form for charts: legacy keys are also available under the new name, JSON texts of lists are parsed. `since` and
 * `until` become the `time_range` over which they take precedence; if they stayed, they would override a range selected later.
 * Adds no defaults and drops nothing else, so the result can be stored in place of the input.
 */
export function readForm(stored: unknown): ChartForm {
  const form: ChartForm = { ...(parse(stored) as ChartForm) }
  for (const [old, name] of Object.entries(spellings))
    if (form[old] !== undefined && form[old] !== null && form[name] === undefined) form[name] = form[old]
  if (form.since || form.until) form.time_range = `${text(form.since)} : ${text(form.until)}`
  delete form.since
  delete form.until
  for (const name of ['adhoc_filters', 'order_by_cols', 'annotation_layers'])
    if (typeof form[name] === 'string') form[name] = parseList(form[name] as string)
  return form
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

function parse(stored: unknown): unknown {
  if (typeof stored !== 'string') return isObject(stored) ? stored : {}
  try {
    const value: unknown = parseExactJson(stored)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseList(value: string): unknown {
  try {
    const list: unknown = parseExactJson(value)
    return Array.isArray(list) ? list : value
  } catch {
    return value
  }
}

/**
 * Returns the form for `queries` and `spec`: every setting of the schema has a valid value. A scalar in place of a list becomes
 * one item, numeric text a number; other invalid values are replaced by the default. Never stored.
 */
export function applyDefaults<F extends TObject>(schema: F, form: ChartForm): Static<F> & ChartForm {
  const settled: ChartForm = { ...form }
  for (const [name, property] of Object.entries(schema.properties as Record<string, TSchema>))
    settled[name] = valueOrDefault(property, form[name])
  return settled as Static<F> & ChartForm
}

/**
 * Returns the effective value of a stored setting: the value if valid, else the default; a map of settings is checked entry by
 * entry.
 */
export function valueOrDefault(schema: TSchema, stored: unknown): unknown {
  const loose = coerceValue(schema, stored)
  const each = Object.values((schema as SchemaHints).patternProperties ?? {})[0]
  const value =
    each?.type === 'object' && isObject(loose) ? applyDefaultsToEntries(each as unknown as TObject, loose) : loose
  const fits = value !== undefined && validateValue(schema, value) === null
  return fits ? value : cloneDefault(defaultOf(schema))
}

const applyDefaultsToEntries = (schema: TObject, entries: object): object =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([name, entry]) =>
      isObject(entry) ? [[name, applyDefaults(schema, entry as ChartForm)]] : [],
    ),
  )

/** Defaults are plain JSON, mostly empty; `structuredClone` takes ten times longer for an empty list. */
const cloneDefault = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(cloneDefault)
    : isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, cloneDefault(entry)]))
      : value

interface SchemaHints {
  type?: string
  anyOf?: SchemaHints[]
  default?: unknown
  minItems?: number
  patternProperties?: Record<string, SchemaHints>
}

const defaultOf = (schema: SchemaHints): unknown => schema.default ?? (schema.type === 'array' ? [] : undefined)

/** Converts a value to the type of the schema when the intent is clear; otherwise returns it unchanged. */
export function coerceValue(schema: TSchema, value: unknown): unknown {
  const kinds = listTypes(schema as SchemaHints)
  if (kinds.has('array')) {
    if (value === null && !kinds.has('null')) return []
    return value === undefined || value === null || Array.isArray(value) ? value : [value]
  }
  if (Array.isArray(value) && value.length <= 1 && !kinds.has('unknown')) return coerceValue(schema, value[0])
  const isNumber = kinds.has('integer') || kinds.has('number')
  if (isNumber && typeof value === 'string' && !kinds.has('string')) {
    if (value.trim() === '') return kinds.has('null') ? null : undefined
    return Number.isNaN(Number(value)) ? value : Number(value)
  }
  if (kinds.has('boolean') && !kinds.has('string') && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

const kindsBySchema = new WeakMap<SchemaHints, ReadonlySet<string>>()

/** Cached by schema: every setting of a form is checked each time its chart is queried or drawn. */
function listTypes(schema: SchemaHints): ReadonlySet<string> {
  const known = kindsBySchema.get(schema)
  if (known) return known
  const found = new Set(
    schema.anyOf ? schema.anyOf.flatMap((each) => [...listTypes(each)]) : [schema.type ?? 'unknown'],
  )
  kindsBySchema.set(schema, found)
  return found
}
