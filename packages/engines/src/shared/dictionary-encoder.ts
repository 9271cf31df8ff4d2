import type { Text } from '@parquetry/frame'
import { TextBuilder } from './text-builder.ts'

/** Number of rows after which a dictionary must have paid off. */
const trialRows = 4096
const maxEntries = 65_536

/**
 * The texts of one column over the frames of one result: dictionary-encoded as long as they repeat, then plain. The entries of a
 * later frame begin with those of an earlier one.
 */
export class DictionaryEncoder {
  #codeOf = new Map<string, number>()
  #rowsSeen = 0
  #isWorthIt = true
  #words: Extract<Text, { as: 'plain' }> | null = null

  /** Null represents a row without a value. */
  encode(values: readonly (string | null)[]): Text {
    const codes = this.#isWorthIt ? this.#codes(values) : null
    this.#rowsSeen += values.length
    const size = this.#codeOf.size
    this.#isWorthIt = codes !== null && (this.#rowsSeen < trialRows || size * 2 < this.#rowsSeen)
    if (codes === null || size === 0) return encodePlain(values)
    if (this.#words?.offsets.length !== size + 1) this.#words = encodePlain([...this.#codeOf.keys()])
    return { as: 'dictionary', codes, words: this.#words }
  }

  #codes(values: readonly (string | null)[]): Uint16Array | null {
    const codes = new Uint16Array(values.length)
    for (let row = 0; row < values.length; row++) {
      const value = values[row]
      if (value === null || value === undefined) continue
      let code = this.#codeOf.get(value)
      if (code === undefined) {
        code = this.#codeOf.size
        if (code >= maxEntries) return null
        this.#codeOf.set(value, code)
      }
      codes[row] = code
    }
    return codes
  }
}

function encodePlain(values: readonly (string | null)[]) {
  const texts = new TextBuilder(values.length)
  for (const value of values) {
    if (value === null) texts.pushNull()
    else texts.push(value)
  }
  return texts.build()
}
