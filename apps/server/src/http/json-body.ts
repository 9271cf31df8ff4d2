import { AppError, message } from '@parquetry/model'

const maxDepth = 64
/** Making a value costs more than reading the signs that it is written with. */
const maxValues = 100_000

/** What the text says more of than allowed, nesting outside of strings or values; stops where it has found out. */
function findExcess(text: string): 'depth' | 'values' | null {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) at = findStringEnd(text, at)
    else if (char === 0x7b || char === 0x5b) {
      depth += 1
      values += 1
      if (depth > maxDepth) return 'depth'
    } else if (char === 0x7d || char === 0x5d) depth -= 1
    else if (char === 0x2c) values += 1
    if (values > maxValues) return 'values'
  }
  return null
}

/** Whether JSON text may be read here: a small number of bytes can be a large number of values. */
export const isWithinJsonLimits = (text: string): boolean => findExcess(text) === null

/** The object that a stored text holds; an empty one for any other text, and for one that may not be read. */
export function parseObject(text: string | null): Record<string, unknown> {
  try {
    const read: unknown = text && isWithinJsonLimits(text) ? JSON.parse(text) : null
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Where the quote stands that closes the string, or behind the end of the text. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1
  for (let char = text.charCodeAt(at); char !== 0x22 && at < text.length; char = text.charCodeAt(at))
    at += char === 0x5c ? 2 : 1
  return at
}

/** A key that an object says twice: JSON.parse takes the last one without a word, another reader may take the other. */
function findDuplicateKey(text: string): string | undefined {
  /** Keys of the objects that are open; null for a list. */
  const open: (Set<string> | null)[] = []
  let isKey = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) {
      const start = at
      at = findStringEnd(text, at)
      if (!isKey) continue
      isKey = false
      const keys = open.at(-1)
      const key = unquoteKey(text.slice(start, at + 1))
      if (keys?.has(key)) return key
      keys?.add(key)
    } else if (char === 0x7b || char === 0x5b) {
      isKey = char === 0x7b
      open.push(isKey ? new Set() : null)
    } else if (char === 0x7d || char === 0x5d) {
      open.pop()
      isKey = false
    } else if (char === 0x2c) isKey = Boolean(open.at(-1))
  }
  return undefined
}

function unquoteKey(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted // is refused as no JSON
  }
}

/** PostgreSQL cannot keep the character, in its own tables or in those of users. */
export const holdsNul = (text: string): boolean => text.includes('\0')
export const nulSentence = message('errors.http.nul', 'Text must not contain the NUL character.')

const reviver = (key: string, value: unknown): unknown => {
  if (key === '__proto__')
    throw new AppError('not_json', { message: message('errors.http.protoKey', 'The key __proto__ is not allowed.') })
  if (holdsNul(key) || (typeof value === 'string' && holdsNul(value)))
    throw new AppError('not_json', { message: nulSentence })
  return value
}

/**
 * JSON text of a request.
 * @throws AppError `not_json` for text that is no JSON, nests deeper than 64, says a key twice, has a `__proto__` key or holds NUL;
 *   `too_large` for more values than are read here
 */
export function parseJson(text: string): unknown {
  const excess = findExcess(text)
  if (excess === 'depth')
    throw new AppError('not_json', {
      message: message('errors.http.jsonDepth', 'The JSON is nested more than {max, number} levels deep.', {
        max: maxDepth,
      }),
    })
  if (excess === 'values')
    throw new AppError('too_large', {
      message: message('errors.http.jsonValues', 'The JSON contains more than {max, number} values.', {
        max: maxValues,
      }),
    })
  const twice = findDuplicateKey(text)
  if (twice !== undefined)
    throw new AppError('not_json', {
      message: message('errors.http.keyTwice', 'The key "{key}" occurs twice in one object.', {
        key: twice.slice(0, 100),
      }),
    })
  try {
    return text.includes('__proto__') || text.includes('\\u') ? JSON.parse(text, reviver) : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('not_json', { cause })
  }
}
