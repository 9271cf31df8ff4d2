import { isAscii } from 'node:buffer'
import type { PlainText } from '@parquetry/frame'

/** Collects the texts of one column of one frame, row by row. */
export class TextBuilder {
  #bytes = Buffer.allocUnsafe(4096)
  #used = 0
  #offsets: Uint32Array
  #rows = 0

  constructor(rows: number) {
    this.#offsets = new Uint32Array(rows + 1)
  }

  push(text: string): void {
    this.#room(text.length * 3)
    this.#used += this.#bytes.write(text, this.#used)
    this.#offsets[++this.#rows] = this.#used
  }

  pushBytes(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#used)
    this.#used += bytes.length
    this.#offsets[++this.#rows] = this.#used
  }

  pushNull(): void {
    this.#offsets[++this.#rows] = this.#used
  }

  build(): PlainText {
    const bytes = new Uint8Array(this.#bytes.subarray(0, this.#used))
    return { as: 'plain', bytes, offsets: this.#offsets, ascii: isAscii(bytes) }
  }

  #room(more: number): void {
    if (this.#used + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#used + more))
    larger.set(this.#bytes.subarray(0, this.#used))
    this.#bytes = larger
  }
}
