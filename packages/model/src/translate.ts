/**
 * Catalog texts by id in the reader's language; missing ids fall back to English. Plain data, so that it can be sent between
 * processes.
 */
export type Messages = Readonly<Record<string, string>>

/** Values for the placeholders of a text. Null and undefined become empty text. */
export type TextValues = Readonly<Record<string, string | number | boolean | Date | null | undefined>>

/**
 * Translates a text by its id. The second argument is the English text in ICU syntax: `{name}` and `{count, plural, one {} other
 * {}}`.
 */
export type Translate = (id: string, text: string, values?: TextValues) => string

/**
 * Creates the translator for a language, shared by pages, canvases, runners and tests. Supports the parts of ICU messages that
 * the catalog uses (`scripts/gen/messages.test.ts` parses each of them): placeholders, numbers, percentages, times of day and
 * plurals.
 * @param locale BCP 47 tag, for plurals, numbers and times
 */
export function createTranslator({ messages, locale }: { messages: Messages; locale: string }): Translate {
  const writers = new Map<string, Formatter>()
  const writerOf = (format: string): Formatter => {
    const writer = writers.get(format) ?? (argumentFormats[format] ?? plainFormatter)(locale)
    writers.set(format, writer)
    return writer
  }
  let plurals: Intl.PluralRules | undefined
  return (id, text, values = {}) => {
    const write = (pattern: string, count?: number): string =>
      parseCached(pattern)
        .map((part) => {
          if (typeof part === 'string')
            return count === undefined ? part : part.replaceAll('#', writerOf('number')(count))
          const value = values[part.name]
          if (!part.cases) return writerOf(part.format ?? '')(value)
          const chosen =
            part.cases[`=${String(value)}`] ??
            part.cases[(plurals ??= new Intl.PluralRules(locale)).select(Number(value))] ??
            part.cases.other ??
            ''
          return write(chosen, Number(value))
        })
        .join('')
    return write(messages[id] ?? text)
  }
}

/** English without a catalog, for tests and where no language is known. */
export const englishTranslator: Translate = createTranslator({ messages: {}, locale: 'en' })

type Formatter = (value: TextValues[string]) => string
const plainFormatter = (): Formatter => (value) => String(value ?? '')
const numberFormatter =
  (options: Intl.NumberFormatOptions) =>
  (locale: string): Formatter => {
    const { format } = new Intl.NumberFormat(locale, options)
    return (value) => format(Number(value ?? 0))
  }
/** Supported placeholder formats, by the text after the name. */
export const argumentFormats: Readonly<Record<string, (locale: string) => Formatter>> = {
  number: numberFormatter({}),
  'number, percent': numberFormatter({ style: 'percent' }),
  // The Swedish locale writes times as ISO 8601 does: `14:05`.
  'time, short': () => {
    const { format } = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' })
    return (value) => format(value instanceof Date ? value : new Date(Number(value)))
  },
}

const parts = new Map<string, (string | Argument)[]>()
/** Caches the parsed parts of each message. */
function parseCached(pattern: string): (string | Argument)[] {
  const known = parts.get(pattern) ?? parsePattern(pattern)
  parts.set(pattern, known)
  return known
}

interface Argument {
  name: string
  /** `number`, `number, percent` or `time, short`. */
  format?: string
  /** Plural texts by case: `one`, `other`, `=0`. */
  cases?: Record<string, string>
}

/** Splits a message into texts and placeholders. */
export function parsePattern(pattern: string): (string | Argument)[] {
  const parts: (string | Argument)[] = []
  for (let from = 0; from < pattern.length;) {
    const open = pattern.indexOf('{', from)
    if (open !== from) parts.push(pattern.slice(from, open < 0 ? undefined : open))
    if (open < 0) break
    const close = closing(pattern, open)
    parts.push(parseArgument(pattern.slice(open + 1, close)))
    from = close + 1
  }
  return parts
}

/** Text that is not a placeholder is returned as written: `{{ metric }}`. */
function parseArgument(inside: string): Argument | string {
  const [, name, format] = /^\s*(\w+)\s*(?:,\s*(.*))?$/s.exec(inside) ?? []
  if (name === undefined) return `{${inside}}`
  const cases = /^plural\s*,(.*)$/s.exec(format ?? '')?.[1]
  if (cases === undefined) return { name, ...(format && { format }) }
  const found: Record<string, string> = {}
  for (let from = 0, open = cases.indexOf('{'); open >= 0; open = cases.indexOf('{', from)) {
    const close = closing(cases, open)
    found[cases.slice(from, open).trim()] = cases.slice(open + 1, close)
    from = close + 1
  }
  return { name, cases: found }
}

/** Returns the index of the matching closing brace, or the end of the text if there is none. */
function closing(text: string, open: number): number {
  let depth = 0
  for (let index = open; index < text.length; index++) {
    if (text[index] === '{') depth += 1
    if (text[index] === '}') depth -= 1
    if (depth === 0) return index
  }
  return text.length
}
