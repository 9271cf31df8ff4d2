import { message } from '@parquetry/model/message'
import { notList, TemplateError, tooManyItems, unsafeAccess } from './errors.ts'
import {
  BooleanValue,
  FloatValue,
  toRuntimeValue,
  type RuntimeValue,
  IntegerValue,
  isArray,
  isNumber,
  isObject,
  isString,
  NullValue,
  toPlainValue,
  StringValue,
  type TemplateValue,
  UndefinedValue,
} from './values.ts'

/** Functions of the current template that filters need. */
export interface FilterContext {
  literal(value: TemplateValue): string
  /** Value as printed in the text; a viewer's value as a mark. */
  text(value: RuntimeValue): string
  /** @throws TemplateError when a text of this length would be too long */
  checkLength(length: number): void
  /** Applies another filter by name. */
  apply(operand: RuntimeValue, name: string): RuntimeValue
}

interface Arguments {
  args: RuntimeValue[]
  named: Map<string, RuntimeValue>
}
type Filter = (operand: RuntimeValue, given: Arguments, context: FilterContext) => RuntimeValue

/** Maximum items of a list or object, including nested ones; each costs a thousand times as much as a character. */
export const maxItems = 10_000

const toItems = (operand: RuntimeValue): RuntimeValue[] => {
  if (isArray(operand)) return operand.value
  if (measureLength(operand) > maxItems) throw tooManyItems()
  if (isObject(operand)) return [...operand.value.keys()].map((name) => new StringValue(name))
  if (isString(operand)) return [...operand.value].map((character) => new StringValue(character))
  throw notList(operand)
}

/** Length of a list, an object, or a string in characters. */
function measureLength(operand: RuntimeValue): number {
  if (isArray(operand)) return operand.value.length
  if (isObject(operand)) return operand.value.size
  if (!isString(operand)) throw notList(operand)
  let length = 0
  for (const _ of operand.value) length += 1
  return length
}

/** @param at  -1 for the last item */
function itemAt(operand: RuntimeValue, at: 0 | -1): RuntimeValue {
  const found = isString(operand)
    ? Array.from(at === 0 ? operand.value.slice(0, 2) : operand.value.slice(-2)).at(at)
    : toItems(operand).at(at)
  if (found === undefined) return new UndefinedValue(undefined)
  return typeof found === 'string' ? new StringValue(found) : found
}

const toNumber = (given: RuntimeValue | undefined, otherwise: number): number =>
  given && isNumber(given) ? given.value : otherwise

const sum = (items: RuntimeValue[]): RuntimeValue => {
  const total = items.filter(isNumber).reduce((all, { value }) => all + value, 0)
  return items.every((item) => item instanceof IntegerValue) ? new IntegerValue(total) : new FloatValue(total)
}

function extreme(items: RuntimeValue[], sign: 1 | -1): RuntimeValue {
  const [first, ...others] = items
  if (!first) return new UndefinedValue(undefined)
  return others.reduce((best, item) => {
    const [a, b] = [item.value as number | string, best.value as number | string]
    return (sign === 1 ? a > b : a < b) ? item : best
  }, first)
}

const dateParts = ['%Y', '%m', '%d', '%H', '%M', '%S'] as const

/** Converts a date in a strptime pattern to ISO text; parts that the pattern does not name have their minimum value. */
function parseDate(text: string, pattern: string): string {
  if (pattern.length > 40)
    throw new TemplateError(message('errors.templates.dateFormat', 'A date format can have at most 40 characters.'))
  const order = [...pattern.matchAll(/%[YmdHMS]/g)].map(([part]) => part)
  const source = pattern
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/%([YmdHMS])/g, (_, part: string) => (part === 'Y' ? '(\\d{4})' : '(\\d{1,2})'))
  const match = new RegExp(`^${source}$`).exec(text)
  if (!match)
    throw new TemplateError(
      message('errors.templates.date', "time data '{text}' does not match format '{pattern}'", { text, pattern }),
    )
  const found = new Map(order.map((part, index) => [part as string, match[index + 1] as string]))
  const [year, month, day, ...time] = dateParts.map((part) =>
    (found.get(part) ?? (part === '%m' || part === '%d' ? '1' : '0')).padStart(2, '0'),
  )
  return `${year}-${month}-${day} ${time.join(':')}`
}

/**
 * Filters that the interpreter lacks, supports only for some kinds of values, or does not bound. `where_in` writes literals of
 * the engine, so its output is inserted unchanged; without items it writes `(NULL)`, which matches nothing.
 */
const filterFunctions: Record<string, Filter> = {
  where_in: (operand, _, { literal }) => {
    const items = toItems(operand).map(toPlainValue)
    return new StringValue(`(${(items.length > 0 ? items : [null]).map(literal).join(', ')})`)
  },
  to_datetime: (operand, { args, named }) => {
    const pattern = args[0] ?? named.get('format')
    return isString(operand)
      ? new StringValue(parseDate(operand.value, pattern && isString(pattern) ? pattern.value : '%Y-%m-%d %H:%M:%S'))
      : operand
  },
  default: (operand, { args, named }) => {
    const isFalseToo = args[1] ?? named.get('boolean')
    const isMissing = operand instanceof UndefinedValue || (isFalseToo?.value === true && !operand.__bool__().value)
    return isMissing ? (args[0] ?? named.get('default_value') ?? new StringValue('')) : operand
  },
  join: (operand, { args, named }, { text, checkLength }) => {
    const between = args[0] ?? named.get('d')
    const separator = between ? text(between) : ''
    const parts = toItems(operand).map((item) => text(item))
    checkLength(parts.reduce((all, part) => all + part.length + separator.length, 0))
    return new StringValue(parts.join(separator))
  },
  replace: (operand, { args: [old, by] }, { checkLength }) => {
    if (!isString(operand) || !old || !by || !isString(old) || !isString(by))
      throw new TemplateError(message('errors.templates.replace', 'replace requires two strings'))
    checkLength(operand.value.length * Math.max(1, by.value.length / Math.max(1, old.value.length)))
    return new StringValue(operand.value.replaceAll(old.value, () => by.value))
  },
  indent: (operand, { args }, { checkLength }) => {
    const lines = String(operand.value).split('\n')
    const width = toNumber(args[0], 4)
    checkLength(lines.length * width)
    return new StringValue(lines.join(`\n${' '.repeat(width)}`))
  },
  map: (operand, { args: [filter], named }, { apply }) => {
    const attribute = named.get('attribute')
    if (attribute) return toList(toItems(operand).map((item) => getPart(item, String(attribute.value))))
    if (!filter || !isString(filter))
      throw new TemplateError(message('errors.templates.map', 'map requires the name of a filter or attribute=...'))
    return toList(toItems(operand).map((item) => apply(item, filter.value)))
  },
  list: (operand) => toList(toItems(operand)),
  first: (operand) => itemAt(operand, 0),
  last: (operand) => itemAt(operand, -1),
  length: (operand) => new IntegerValue(measureLength(operand)),
  count: (operand) => new IntegerValue(measureLength(operand)),
  sum: (operand) => sum(toItems(operand)),
  min: (operand) => extreme(toItems(operand), -1),
  max: (operand) => extreme(toItems(operand), 1),
  round: (operand, { args }) => {
    const digits = 10 ** toNumber(args[0], 0)
    return new FloatValue(Math.round(Number(operand.value) * digits) / digits)
  },
  string: (operand, _, { text }) => (isString(operand) ? operand : new StringValue(text(operand))),
  int: (operand, { args }) => {
    const number =
      typeof operand.value === 'boolean' ? Number(operand.value) : Number.parseInt(String(operand.value), 10)
    return new IntegerValue(Number.isNaN(number) ? toNumber(args[0], 0) : number)
  },
  float: (operand, { args }) => {
    const number = typeof operand.value === 'boolean' ? Number(operand.value) : Number.parseFloat(String(operand.value))
    return new FloatValue(Number.isNaN(number) ? toNumber(args[0], 0) : number)
  },
  bool: (operand) => new BooleanValue(operand.__bool__().value),
  safe: (operand) => operand,
}
export const filters: ReadonlyMap<string, Filter> = new Map(Object.entries(filterFunctions))

const toList = (items: RuntimeValue[]): RuntimeValue => {
  const list = toRuntimeValue([])
  list.value = items
  return list
}

const getPart = (item: RuntimeValue, name: string): RuntimeValue => {
  if (name.startsWith('_')) throw unsafeAccess(name, item)
  if (isObject(item)) return item.value.get(name) ?? new UndefinedValue(undefined)
  if (isArray(item)) return item.value[Number(name)] ?? new UndefinedValue(undefined)
  return item instanceof NullValue ? item : new UndefinedValue(undefined)
}
