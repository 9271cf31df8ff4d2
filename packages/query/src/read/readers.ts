import { toPlainText } from '@parquetry/model'
/** Problems of a value: messages, or the same for each field or index inside it. */
export type Problem = string[] | { [place: string]: Problem }

/** Parses one value as loosely as the API does and returns the intended value or the problem. */
export type Reader = (value: unknown) => { value: unknown } | { problem: Problem }

const wrong = (message: string): { problem: Problem } => ({ problem: [message] })

export const any: Reader = (value) => ({ value })

export const text: Reader = (value) => (typeof value === 'string' ? { value } : wrong('Not a valid string.'))

const trueValues = ['t', 'true', 'on', 'y', 'yes', '1', 1, true]
const falseValues = ['f', 'false', 'off', 'n', 'no', '0', 0, false]

export const boolean: Reader = (value) => {
  const normalized = typeof value === 'string' ? value.toLowerCase() : value
  if (trueValues.includes(normalized as string)) return { value: true }
  return falseValues.includes(normalized as string) ? { value: false } : wrong('Not a valid boolean.')
}

/** Truncates decimals and parses numeric text. */
export const integer: Reader = (value) => {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value))
  const number = isNumber ? Math.trunc(Number(value)) : NaN
  return Number.isSafeInteger(number) ? { value: number } : wrong('Not a valid integer.')
}

export const atLeastZero =
  (name: string): Reader =>
  (value) => {
    const read = integer(value)
    if ('problem' in read || (read.value as number) >= 0) return read
    return wrong(`\`${name}\` must be greater than or equal to 0`)
  }

export const oneOf =
  (
    choices: readonly string[],
    { anyCase = false, unlisted = [] }: { anyCase?: boolean; unlisted?: readonly string[] } = {},
  ): Reader =>
  (value) => {
    if (typeof value !== 'string') return wrong('Not a valid string.')
    const name = anyCase ? value.toUpperCase() : value
    const isChoice = choices.includes(name) || unlisted.includes(name)
    return isChoice ? { value } : wrong(`Must be one of: ${choices.join(', ')}.`)
  }

export const enumeration =
  (choices: readonly string[]): Reader =>
  (value) =>
    choices.includes(value as string) ? { value } : wrong(`Invalid enum value ${toPlainText(value)}`)

export const nullable =
  (reader: Reader): Reader =>
  (value) =>
    value === null ? { value } : reader(value)

export const list =
  (item: Reader, { most = Infinity } = {}): Reader =>
  (value) => {
    if (!Array.isArray(value)) return wrong('Not a valid list.')
    if (value.length > most) return wrong(`Longer than maximum length ${most}.`)
    return collectValues(
      value.map((one: unknown, index) => [String(index), item(one)] as const),
      (values) => values.map(([, one]) => one),
    )
  }

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const dictionary: Reader = (value) => (isObject(value) ? { value } : wrong('Not a valid mapping type.'))

/** Object whose unknown fields are returned unchanged, or rejected when `isClosed`. */
export const object =
  (fields: Record<string, Reader>, required: readonly string[] = [], { isClosed = false } = {}): Reader =>
  (value) => {
    if (!isObject(value)) return { problem: { _schema: ['Invalid input type.'] } }
    const given = Object.entries(value).filter(([, one]) => one !== undefined)
    const missing = required.filter((name) => !given.some(([one]) => one === name))
    const read = given.map(([name, one]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (field === undefined) return [name, isClosed ? wrong('Unknown field.') : { value: one }] as const
      return [name, one === null ? notNull(field) : field(one)] as const
    })
    const absent = missing.map((name) => [name, wrong('Missing data for required field.')] as const)
    return collectValues([...absent, ...read], (values) => Object.fromEntries(values))
  }

const notNull = (field: Reader) => {
  const read = field(null)
  return 'problem' in read ? wrong('Field may not be null.') : read
}

/** List of exactly these items, in order. */
export const tuple =
  (...items: Reader[]): Reader =>
  (value) => {
    if (!Array.isArray(value)) return wrong('Not a valid tuple.')
    if (value.length !== items.length) return wrong(`Length must be ${items.length}.`)
    const read = items.map((item, index) => {
      const one: unknown = value[index]
      return [String(index), one === null ? notNull(item) : item(one)] as const
    })
    return collectValues(read, (values) => values.map(([, one]) => one))
  }

type Read = ReturnType<Reader>

function collectValues(read: (readonly [string, Read])[], build: (values: [string, unknown][]) => unknown): Read {
  const problems = read.flatMap(([path, one]) => ('problem' in one ? [[path, one.problem] as const] : []))
  if (problems.length > 0) return { problem: Object.fromEntries(problems) }
  return {
    value: build(read.flatMap(([path, one]) => ('value' in one ? [[path, one.value] as [string, unknown]] : []))),
  }
}
