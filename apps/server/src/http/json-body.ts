import { AppError, message, parseExactJson } from '@parquetry/model'

const maxDepth = 64
/** Creating values costs more than reading their characters. */
const maxValues = 100_000

/** Returns which limit the text exceeds, nesting outside of strings or number of values; stops at the first excess. */
function findExcess(text: string): 'depth' | 'values' | null {
  let depth = 0
  let values = 0
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (char === 0x22) index = findStringEnd(text, index)
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

/** Tests if JSON text is within the limits: a few bytes can contain many values. */
export const isWithinJsonLimits = (text: string): boolean => findExcess(text) === null

/** Parses the object in a stored text without rounding; empty for any other text and for text beyond the limits. */
export function parseObject(text: string | null): Record<string, unknown> {
  try {
    const read: unknown = text && isWithinJsonLimits(text) ? parseExactJson(text) : null
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Index of the quote that closes the string, or past the end of the text. */
function findStringEnd(text: string, start: number): number {
  for (let index = text.indexOf('"', start + 1); index >= 0; index = text.indexOf('"', index + 1)) {
    let backslashes = 0
    while (text.charCodeAt(index - 1 - backslashes) === 0x5c) backslashes += 1
    if (backslashes % 2 === 0) return index
  }
  return text.length
}

/** Finds a duplicate key: JSON.parse silently uses the last value, another parser may use the first. */
function findDuplicateKey(text: string): string | undefined {
  /** Keys of the open objects; null for a list. */
  const openObjects: (Set<string> | null)[] = []
  let isKey = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (char === 0x22) {
      const start = index
      index = findStringEnd(text, index)
      if (!isKey) continue
      isKey = false
      const keys = openObjects.at(-1)
      const key = unquoteKey(text.slice(start, index + 1))
      if (keys?.has(key)) return key
      keys?.add(key)
    } else if (char === 0x7b || char === 0x5b) {
      isKey = char === 0x7b
      openObjects.push(isKey ? new Set() : null)
    } else if (char === 0x7d || char === 0x5d) {
      openObjects.pop()
      isKey = false
    } else if (char === 0x2c) isKey = Boolean(openObjects.at(-1))
  }
  return undefined
}

function unquoteKey(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted // JSON.parse refuses the text later
  }
}

/** PostgreSQL cannot store this character, in our tables or in those of users. */
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
 * Parses JSON text of a request. Numbers that JavaScript cannot represent exactly are the text of their digits.
 * @throws AppError `not_json` for text that is not JSON, is nested deeper than 64, has a duplicate key, a `__proto__` key or a
 * NUL character; `too_large` for too many values
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
  const duplicate = findDuplicateKey(text)
  if (duplicate !== undefined)
    throw new AppError('not_json', {
      message: message('errors.http.keyTwice', 'The key "{key}" occurs twice in one object.', {
        key: duplicate.slice(0, 100),
      }),
    })
  try {
    return parseExactJson(text, text.includes('__proto__') || text.includes('\\u') ? reviver : undefined)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('not_json', { cause })
  }
}
