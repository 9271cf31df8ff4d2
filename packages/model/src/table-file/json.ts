const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the records of a JSON list of objects, or of consecutive objects, as texts; nested values stay JSON.
 * @param isWhole  false: the text may end in the middle of a record, which is dropped
 * @returns null when it is neither; fields without a value are omitted from their record
 */
export function parseJsonRows(text: string, isWhole: boolean, limit: number): Record<string, string>[] | null {
  const records: Record<string, string>[] = []
  for (const piece of splitObjects(text, limit)) {
    let value: unknown
    try {
      value = parseExactly(piece)
    } catch {
      return isWhole || records.length === 0 ? null : records
    }
    if (!isObject(value)) return null
    records.push(toTexts(value))
  }
  return records
}

/** A number in the notation of the file, which may have more digits than a number of JavaScript. */
class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown
/** Parses JSON; numbers whose text a number of JavaScript would change become `NumberText`. */
function parseExactly(text: string): unknown {
  const revive: Reviver = (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined && context.source !== String(value)
      ? new NumberText(context.source)
      : value
  return JSON.parse(text, revive)
}

/** Writes nested values as JSON, with numbers as in the file. */
function writeExactly(value: unknown): string {
  if (value instanceof NumberText) return value.text
  if (Array.isArray(value)) return `[${value.map(writeExactly).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${writeExactly(item)}`)
    .join(',')}}`
}

function toTexts(record: Record<string, unknown>): Record<string, string> {
  const texts = Object.create(null) as Record<string, string>
  for (const [key, value] of Object.entries(record))
    if (value !== null && value !== undefined) texts[key] = typeof value === 'string' ? value : writeExactly(value)
  return texts
}

/** Yields the texts of the top-level objects, in a list or not. Anything that is not an object is one piece. */
function* splitObjects(text: string, limit: number): Generator<string> {
  let at = /^[\s\uFEFF]*\[?/.exec(text)?.[0].length ?? 0
  for (let found = 0; found < limit; found++) {
    while (at < text.length && /[\s,]/.test(text[at] ?? '')) at++
    if (at >= text.length || text[at] === ']') return
    const end = text[at] === '{' ? findObjectEnd(text, at) : text.length
    if (end < 0) return
    yield text.slice(at, end)
    at = end
  }
}

/** Returns the index after the closing brace of the object, or -1 when the text ends before it. */
function findObjectEnd(text: string, start: number): number {
  let depth = 0
  let inText = false
  for (let index = start; index < text.length; index++) {
    const sign = text[index]
    if (inText) {
      if (sign === '\\') index++
      else if (sign === '"') inText = false
    } else if (sign === '"') inText = true
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return index + 1
  }
  return -1
}
