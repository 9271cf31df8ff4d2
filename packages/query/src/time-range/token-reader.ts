import { AppError, message, type Message } from '@parquetry/model'

/** Reads the tokens of a range function from left to right. White space is skipped; words are case-insensitive. */
export class TokenReader {
  readonly #source: string
  #at = 0
  constructor(source: string) {
    this.#source = source
  }

  /** Consumes the character if it is the next token. */
  sees(character: string): boolean {
    this.#skipBlanks()
    if (this.#source[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  /** Consumes the word if it is the next token. */
  seesWord(word: string): boolean {
    this.#skipBlanks()
    if (!new RegExp(`^${word}\\b`, 'i').test(this.#source.slice(this.#at))) return false
    this.#at += word.length
    return true
  }

  punctuation(character: '(' | ')' | ','): void {
    if (!this.sees(character)) throw this.#expected(`'${character}'`)
  }

  /** @returns the matching word of the list, in lower case */
  keyword(keywords: readonly string[], expected: string): string {
    this.#skipBlanks()
    const rest = this.#source.slice(this.#at).toLowerCase()
    const keyword = keywords.find((candidate) => rest.startsWith(candidate))
    if (keyword === undefined) throw this.#expected(expected)
    this.#at += keyword.length
    if (/[\w$]/.test(this.#source[this.#at] ?? '')) {
      throw this.#expected(`CaselessKeyword '${keyword}', was immediately followed by keyword character`)
    }
    return keyword
  }

  /** Reads text in single or double quotes. */
  text(): string {
    const [quoted, inside] = this.#take(/^(?:'([^'\n]*)'|"([^"\n]*)")/, 'text_operand')
    return inside ?? quoted.slice(1, -1)
  }

  integer(): number {
    return Number(this.#take(/^[+-]?\d+/, 'int_operand')[0])
  }

  refuse(text: Message): AppError {
    return new AppError('invalid_query', { message: text })
  }

  #take(pattern: RegExp, expected: string): RegExpExecArray {
    this.#skipBlanks()
    const match = pattern.exec(this.#source.slice(this.#at))
    if (!match) throw this.#expected(expected)
    this.#at += match[0].length
    return match
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#source[this.#at] ?? '')) this.#at += 1
  }

  #expected(expectation: string): AppError {
    const rest = this.#source.slice(this.#at)
    const word = /^(?:[a-z0-9]{1,16}|.)/i.exec(rest)?.[0]
    const found = word === undefined ? 'end of text' : word === "'" ? `"'"` : `'${word}'`
    return this.refuse(
      message(
        'errors.query.timeRangeSyntax',
        'Expected {expected}, found {found}  (at char {at}), (line:1, col:{column})',
        { expected: expectation, found, at: this.#at, column: this.#at + 1 },
      ),
    )
  }
}
