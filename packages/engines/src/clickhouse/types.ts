import type { GenericType } from '@parquetry/model'

/** A parsed type of the server, such as `Map(String, Array(UInt8))`. */
export interface ParsedType {
  name: string
  /**
   * Wrapper types that only define storage or nullability are removed: `Nullable`, `LowCardinality`, `SimpleAggregateFunction`.
   */
  args: readonly string[]
  isNullable: boolean
}

/** Splits `a, Tuple(b, 'c, d')` at the commas outside brackets and quotes. */
function splitArguments(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: mark, index } of text.matchAll(/'(?:[^'\\]|\\[^])*'|`(?:[^`\\]|\\[^])*`|[(),]/g)) {
    if (mark === '(') depth += 1
    if (mark === ')') depth -= 1
    if (mark !== ',' || depth > 0) continue
    parts.push(text.slice(start, index).trim())
    start = index + 1
  }
  return [...parts, text.slice(start).trim()]
}

export function parseType(text: string): ParsedType {
  const [, name = text, inner] = /^(\w+)(?:\(([^]*)\))?$/.exec(text.trim()) ?? []
  const args = inner === undefined ? [] : splitArguments(inner)
  if (name === 'Nullable') return { ...parseType(args[0] ?? ''), isNullable: true }
  if (name === 'LowCardinality') return parseType(args[0] ?? '')
  if (name === 'SimpleAggregateFunction') return parseType(args[1] ?? '')
  return { name, args, isNullable: false }
}

/** Type name shown by the API, in upper case: the type of the values without its wrappers. */
export function formatClickhouseType(text: string): string {
  const { name, args } = parseType(text)
  return (args.length === 0 ? name : `${name}(${args.join(', ')})`).toUpperCase()
}

const numeric = /^(U?INT\d+|FLOAT\d+|BFLOAT16|DECIMAL\d*)\b/
const temporal = /^(DATE(TIME)?(32|64)?|TIME(64)?)\b/

/** Returns the API's generic type for a type name. */
export function genericOf(type: string): GenericType {
  if (numeric.test(type)) return 0
  if (temporal.test(type)) return 2
  return type === 'BOOL' ? 3 : 1
}
