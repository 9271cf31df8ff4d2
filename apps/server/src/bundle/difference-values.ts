import { type Difference, parseJsonObject } from '@parquetry/model'

type Content = Readonly<Record<string, unknown>>

/** Longest pair of values, and longest values that are part of a sentence. */
const [maxLength, maxShort] = [20_000, 80]

const rowOf = (content: Content, of: 'column' | 'metric', name: string): unknown => {
  const rows = content[`${of}s`]
  if (!Array.isArray(rows)) return undefined
  const found = (rows as Content[]).find((row) => row[`${of}_name`] === name)
  if (!found) return undefined
  const { id: _id, uuid: _uuid, ...row } = found
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== ''))
}

/** The value that a difference is about; undefined where it has no readable one. */
function findValue(content: Content, { of, what }: Difference): unknown {
  switch (of) {
    case 'field':
      return what.endsWith('_id') || typeof content[what] === 'object' ? undefined : content[what]
    case 'control':
      return parseJsonObject(content['params'])[what]
    case 'setting':
      return parseJsonObject(content['json_metadata'])[what]
    case 'column':
    case 'metric':
      return rowOf(content, of, what)
    case 'node':
    case 'filter':
      return undefined
  }
}

const toText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)

const isShort = (text: string): boolean => text !== '' && text.length <= maxShort && !text.includes('\n')

/** Adds the values before and after a difference, such as the SQL of a dataset or a setting of a chart. */
export function addValues(difference: Difference, before: Content, after: Content): Difference {
  if (difference.before !== undefined || difference.after !== undefined || difference.how === 'moved') return difference
  const [was, is] = [toText(findValue(before, difference)), toText(findValue(after, difference))]
  if (was === is || was.length + is.length > maxLength) return difference
  return isShort(was) && isShort(is)
    ? { ...difference, before: was, after: is }
    : { ...difference, long: { before: was, after: is } }
}
