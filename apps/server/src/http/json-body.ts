import { AppError } from '@parquetry/model'

const maxDepth = 64

/** Whether brackets outside of strings nest deeper than allowed; stops at the first one that does. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) {
      at = text.indexOf('"', at + 1)
      while (at > 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
      if (at < 0) return false
    } else if (char === 0x7b || char === 0x5b) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (char === 0x7d || char === 0x5d) depth -= 1
  }
  return false
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0
  while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes += 1
  return slashes % 2 === 1
}

/** PostgreSQL cannot keep the character, in its own tables or in those of users. */
export const holdsNul = (text: string): boolean => text.includes('\0')
export const nulSentence = 'Text must not hold the character NUL.'

const reviver = (key: string, value: unknown): unknown => {
  if (key === '__proto__') throw new AppError('not_json', { message: 'The key __proto__ is not accepted.' })
  if (holdsNul(key) || (typeof value === 'string' && holdsNul(value)))
    throw new AppError('not_json', { message: nulSentence })
  return value
}

/**
 * JSON text of a request.
 * @throws AppError `not_json` for text that is no JSON, nests deeper than 64, has a `__proto__` key or holds NUL
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new AppError('not_json', { message: `The JSON nests deeper than ${maxDepth} levels.` })
  try {
    return text.includes('__proto__') || text.includes('\\u') ? JSON.parse(text, reviver) : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('not_json', { cause })
  }
}
