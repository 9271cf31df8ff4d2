import { lex, readsBackslashes } from '@parquetry/model/lex'
import { TemplateError } from './errors.ts'

/** Stands in the text for a value that a viewer gave, until its place is known; a word, so that it lies in one token. */
const mark = (nonce: string, at: number): string => `pq${nonce}v${at}x`

/** What may stand outside of quotes whatever the dataset: numbers, and words that name nothing. */
const bare = /^(?:[+-]?\d+(?:\.\d+)?|asc|desc|true|false|null)$/i
const plainName = /^[\p{L}_][\p{L}\p{N}_]*$/u

/**
 * Values of viewers on their way into SQL. A value is written when the whole text is there: between quotes it is escaped for
 * that quote, elsewhere only a number or the name of a column may stand. So no value ends the text that its author put it in.
 */
export class UntrustedWriter {
  readonly #nonce = crypto.randomUUID().replaceAll('-', '')
  readonly #values: string[] = []
  readonly #dialect: string
  readonly #names: ReadonlySet<string>

  /**
   * @param place  `dialect` decides how quotes are read; `names` may stand without them
   */
  constructor({ dialect, names }: { dialect: string; names: readonly string[] }) {
    this.#dialect = dialect
    this.#names = new Set(names)
  }

  /** @returns the text to write in place of the value */
  mark(value: string): string {
    return mark(this.#nonce, this.#values.push(value) - 1)
  }

  /**
   * The finished text with every value in its place.
   * @throws TemplateError for a value that cannot stand where it is
   */
  place(text: string): string {
    if (this.#values.length === 0) return text
    const pattern = new RegExp(`pq${this.#nonce}v(\\d+)x`, 'g')
    let placed = ''
    let at = 0
    for (const { kind, text: spelled, start } of lex(text, this.#dialect)) {
      const end = start + spelled.length
      const original = text.slice(start, end)
      placed += text.slice(at, start)
      at = end
      placed += original.replace(pattern, (_, index: string) =>
        this.#written(this.#values[Number(index)] ?? '', kind, original),
      )
    }
    return placed + text.slice(at)
  }

  #written(value: string, kind: string, token: string): string {
    if (value.includes('\0')) throw new TemplateError('A value must not contain a null byte.')
    if (kind === 'comment') return value.replaceAll(/[^\p{L}\p{N}_ ]/gu, '')
    const quote = /^[eE]?(['"`])/.exec(token)?.[1]
    if (quote && kind !== 'unclosed') {
      const escaped = readsBackslashes(this.#dialect) || /^[eE]'/.test(token) ? value.replaceAll('\\', '\\\\') : value
      return escaped.replaceAll(quote, quote + quote)
    }
    if (token.startsWith('$') && !value.includes('$')) return value
    if (bare.test(value) || (plainName.test(value) && this.#names.has(value))) return value
    throw new TemplateError(
      'A value from the viewer is used outside of quotes, and it is neither a number nor a column of the dataset. Put quotes around it or use the where_in filter.',
    )
  }
}
