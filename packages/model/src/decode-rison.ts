import { AppError } from './errors.ts'
import { message } from './message.ts'
import { readExactNumber } from './number-text.ts'
import { idStart, special } from './encode-rison.ts'

/**
 * Values of Rison, the same as those of JSON. Objects created by `decodeRison` have no prototype, and numbers that JavaScript
 * cannot represent exactly are the text of their digits.
 */
export type Rison = null | boolean | number | string | Rison[] | { [key: string]: Rison }

const limits = { length: 100_000, depth: 64 }
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

const notRison = () =>
  new AppError('bad_request', { message: message('errors.rison.notValid', 'Not a valid rison/json argument') })

class Reader {
  private at = 0
  private readonly text: string
  constructor(text: string) {
    this.text = text
  }

  read(): Rison {
    const value = this.value(0)
    if (this.at < this.text.length) throw this.wrong()
    return value
  }

  private wrong(): AppError {
    return notRison()
  }
  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false
    this.at += 1
    return true
  }

  private value(depth: number): Rison {
    if (depth > limits.depth) throw this.wrong()
    if (this.take('(')) return this.object(depth)
    if (this.take("'")) return this.quoted()
    if (this.take('!')) {
      const sign = this.text[this.at++]
      if (sign === 't') return true
      if (sign === 'f') return false
      if (sign === 'n') return null
      if (sign === '(') return this.list(depth)
      throw this.wrong()
    }
    return this.plain()
  }

  private list(depth: number): Rison[] {
    const items: Rison[] = []
    if (this.take(')')) return items
    do items.push(this.value(depth + 1))
    while (this.take(','))
    if (!this.take(')')) throw this.wrong()
    return items
  }

  private object(depth: number): { [key: string]: Rison } {
    const fields = Object.create(null) as { [key: string]: Rison }
    if (this.take(')')) return fields
    do {
      const key = this.take("'") ? this.quoted() : this.word()
      if (!this.take(':')) throw this.wrong()
      fields[key] = this.value(depth + 1)
    } while (this.take(','))
    if (!this.take(')')) throw this.wrong()
    return fields
  }

  private quoted(): string {
    let text = ''
    for (;;) {
      const char = this.text[this.at++]
      if (char === undefined) throw this.wrong()
      if (char === "'") return text
      if (char !== '!') text += char
      else {
        const escaped = this.text[this.at++]
        if (escaped !== '!' && escaped !== "'") throw this.wrong()
        text += escaped
      }
    }
  }

  private word(): string {
    const from = this.at
    while (this.at < this.text.length && !special.test(this.text[this.at] as string)) this.at += 1
    if (from === this.at) throw this.wrong()
    return this.text.slice(from, this.at)
  }

  private plain(): Rison {
    const word = this.word()
    if (number.test(word)) return readExactNumber(word)
    if (!idStart.test(word[0] as string)) throw this.wrong()
    return word
  }
}

/**
 * Parses Rison from `?q=`.
 * @throws AppError `bad_request` for text that is not Rison, is longer than 100,000 characters or nests deeper than 64
 * @see https://github.com/Nanonid/rison for the grammar
 */
export function decodeRison(text: string): Rison {
  if (text.length > limits.length) throw notRison()
  return new Reader(text).read()
}
