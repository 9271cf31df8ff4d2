import { lex, readsBackslashes } from '@parquetry/model/lex'
import { message } from '@parquetry/model/message'
import { TemplateError } from './errors.ts'

/** Placeholder for a viewer's value until its position is known; a word, so that it stays within one token. */
const mark = (nonce: string, at: number): string => `pq${nonce}v${at}x`

/** Allowed outside of quotes for every dataset: numbers, and words that name nothing. */
const bare = /^(?:[+-]?\d+(?:\.\d+)?|asc|desc|true|false|null)$/i
const plainName = /^[\p{L}_][\p{L}\p{N}_]*$/u

interface MissingValue {
  quoted: string
}

/**
 * Inserts values of viewers into SQL. Values are written once the whole text is known: inside quotes they are escaped for that
 * quote; elsewhere only numbers and column names are allowed. Therefore no value can end the string in which its author placed
 * it.
 */
export class UntrustedWriter {
  readonly #nonce = crypto.randomUUID().replaceAll('-', '')
  readonly #values: (string | MissingValue)[] = []
  readonly #dialect: string
  readonly #names: ReadonlySet<string>

  /** @param place  `dialect` determines the quoting rules; `names` are allowed outside of quotes */
  constructor({ dialect, names }: { dialect: string; names: readonly string[] }) {
    this.#dialect = dialect
    this.#names = new Set(names)
  }

  /** @returns the placeholder to write instead of the value */
  mark(value: string): string {
    return mark(this.#nonce, this.#values.push(value) - 1)
  }

  /** @returns the placeholder to write instead of a value that is missing: NULL outside of quotes, else `quoted` */
  markMissing(quoted: string): string {
    return mark(this.#nonce, this.#values.push({ quoted }) - 1)
  }

  /**
   * Finished text with all values inserted.
   * @throws TemplateError for a value that is not allowed in its position
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

  #written(value: string | MissingValue, kind: string, token: string): string {
    if (typeof value !== 'string') return kind === 'comment' || /^[eE]?['"`]|^\$/.test(token) ? value.quoted : 'NULL'
    if (value.includes('\0'))
      throw new TemplateError(message('errors.templates.nullByte', 'A value must not contain a null byte.'))
    if (kind === 'comment') return value.replaceAll(/[^\p{L}\p{N}_ ]/gu, '')
    const quote = /^[eE]?(['"`])/.exec(token)?.[1]
    if (quote && kind !== 'unclosed') {
      const escaped = readsBackslashes(this.#dialect) || /^[eE]'/.test(token) ? value.replaceAll('\\', '\\\\') : value
      return escaped.replaceAll(quote, quote + quote)
    }
    if (token.startsWith('$') && !value.includes('$')) return value
    if (bare.test(value) || (plainName.test(value) && this.#names.has(value))) return value
    throw new TemplateError(
      message(
        'errors.templates.unquoted',
        'A value from the viewer is used outside of quotes, and it is neither a number nor a column of the dataset. Put quotes around it or use the where_in filter.',
      ),
    )
  }
}
