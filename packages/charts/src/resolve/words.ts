/** Texts of the catalogue by id, in the reader's language; an id that is not there is said in English. Data, so that they travel. */
export type Messages = Readonly<Record<string, string>>

/** Says a text by its id. The second argument is the English one, in ICU's words: `{name}` and `{count, plural, one {} other {}}`. */
export type Say = (id: string, text: string, values?: Record<string, string | number>) => string

/**
 * The words of a picture in a language, the same for a canvas, for a runner and for a test. Understands places, numbers
 * and plurals, which is all that pictures say.
 * @param locale BCP 47 tag, for plurals and counted numbers
 */
export function sayIn({ messages, locale }: { messages: Messages; locale: string }): Say {
  const plurals = new Intl.PluralRules(locale)
  const written = new Intl.NumberFormat(locale)
  return (id, text, values = {}) => {
    const write = (pattern: string, count?: number): string =>
      partsOf(pattern)
        .map((part) => {
          if (typeof part === 'string') return count === undefined ? part : part.replaceAll('#', written.format(count))
          const value = values[part.name] ?? ''
          if (!part.cases) return part.format === 'number' ? written.format(Number(value)) : String(value)
          const chosen = part.cases[`=${value}`] ?? part.cases[plurals.select(Number(value))] ?? part.cases.other ?? ''
          return write(chosen, Number(value))
        })
        .join('')
    return write(messages[id] ?? text)
  }
}

/** English without a catalogue: for tests, and where nobody has a language. */
export const plainSay: Say = sayIn({ messages: {}, locale: 'en' })

interface Argument {
  name: string
  /** `number`, or how else it is written. */
  format?: string
  /** Of a plural: `one`, `other`, `=0` to its text. */
  cases?: Record<string, string>
}

/** A message cut into its texts and places. */
export function partsOf(pattern: string): (string | Argument)[] {
  const parts: (string | Argument)[] = []
  for (let from = 0; from < pattern.length;) {
    const open = pattern.indexOf('{', from)
    if (open !== from) parts.push(pattern.slice(from, open < 0 ? undefined : open))
    if (open < 0) break
    const close = closing(pattern, open)
    parts.push(argumentOf(pattern.slice(open + 1, close)))
    from = close + 1
  }
  return parts
}

function argumentOf(inside: string): Argument {
  const [, name = '', format] = /^\s*(\w+)\s*(?:,\s*(.*))?$/s.exec(inside) ?? []
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

/** Where the brace that opens here is closed; the end of the text where it is not. */
function closing(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Text for HTML, SVG and attributes. Everything a tooltip or a picture shows goes through here. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] as string)
