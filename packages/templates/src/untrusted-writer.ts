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

/** A value that is written as this literal outside of quotes. */
interface LiteralValue {
  value: string
  literal: string
}

/** Characters that must not touch a literal: they could change its meaning, as in `E'...'`. */
const joins = /[\p{L}\p{N}_&@$\\'"`]/u

/**
 * Inserts values of viewers into SQL. Values are written once the whole text is known: inside quotes they are escaped for that
 * quote; elsewhere only numbers and column names are allowed. Therefore no value can end the string in which its author placed
 * it.
 */
export class UntrustedWriter {
  readonly #nonce = crypto.randomUUID().replaceAll('-', '')
  readonly #values: (string | MissingValue | LiteralValue)[] = []
  readonly #dialect: string
  readonly #names: ReadonlySet<string>

  /** @param place  `dialect` determines the quoting rules; `names` are allowed outside of quotes */
  constructor({ dialect, names }: { dialect: string; names: readonly string[] }) {
    this.#dialect = dialect
    this.#names = new Set(names)
  }

  /**
   * @param literal  the value as a SQL literal, which is written outside of quotes; null for one that is refused there
   * @returns the placeholder to write instead of the value
   */
  mark(value: string, literal: string | null = null): string {
    return mark(this.#nonce, this.#values.push(literal === null ? value : { value, literal }) - 1)
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
      const isAlone = !joins.test(text[start - 1] ?? '') && !joins.test(text[end] ?? '')
      placed += original.replace(pattern, (placeholder, index: string) =>
        this.#written(this.#values[Number(index)] ?? '', kind, original, isAlone && placeholder === original),
      )
    }
    return placed + text.slice(at)
  }

  /** @param isAlone  nothing touches the value */
  #written(found: string | MissingValue | LiteralValue, kind: string, token: string, isAlone: boolean): string {
    if (typeof found !== 'string' && 'quoted' in found)
      return kind === 'comment' || /^[eE]?['"`]|^\$/.test(token) ? found.quoted : 'NULL'
    const value = typeof found === 'string' ? found : found.value
    if (value.includes('\0'))
      throw new TemplateError(message('errors.templates.nullByte', 'A value must not contain a null byte.'))
    if (kind === 'comment') return value.replaceAll(/[^\p{L}\p{N}_ ]/gu, '')
    const quote = /^[eE]?(['"`])/.exec(token)?.[1]
    if (quote && kind !== 'unclosed') {
      const escaped = readsBackslashes(this.#dialect) || /^[eE]'/.test(token) ? value.replaceAll('\\', '\\\\') : value
      return escaped.replaceAll(quote, quote + quote)
    }
    if (token.startsWith('$') && !value.includes('$')) return value
    if (typeof found !== 'string' && isAlone) return found.literal
    if (bare.test(value) || (plainName.test(value) && this.#names.has(value))) return value
    throw new TemplateError(
      message(
        'errors.templates.unquoted',
        'A value from the viewer is used outside of quotes, and it is neither a number nor a column of the dataset. Put quotes around it or use the where_in filter.',
      ),
    )
  }
}
