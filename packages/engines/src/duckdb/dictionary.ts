import type { PlainText } from '@parquetry/frame'

/** Number of distinct 16-bit codes. */
const maxEntries = 65_536

function hashWords(a: number, b: number, c: number, d: number): number {
  const hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b) ^ Math.imul(d, 0xc2b2ae35), 0x27d4eb2f)
  return hash ^ (hash >>> 15)
}

/**
 * Distinct texts of one column, found by the four 32-bit integers in which DuckDB stores a text of at most 12 bytes (length, then
 * zero-padded bytes), so that no string is created per row. It grows over the frames of one result: the entries of a later frame
 * begin with those of an earlier one.
 */
export class Dictionary {
  #slots = new Int32Array(1024).fill(-1)
  #keys = new Uint32Array(4 * 256)
  #bytes = new Uint8Array(4096)
  #offsets = new Uint32Array(257)
  #count = 0
  #isAscii = true
  #words: PlainText | null = null

  get size(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#count >= maxEntries
  }

  /** Returns the code of the text at index `at` of `words`; `raw` is the same memory as bytes. */
  code(words: Uint32Array, raw: Uint8Array, index: number): number {
    const a = words[index]!
    const b = words[index + 1]!
    const c = words[index + 2]!
    const d = words[index + 3]!
    const mask = this.#slots.length - 1
    let slot = hashWords(a, b, c, d) & mask
    for (;;) {
      const code = this.#slots[slot]!
      if (code < 0) break
      const key = code * 4
      const keys = this.#keys
      if (keys[key] === a && keys[key + 1] === b && keys[key + 2] === c && keys[key + 3] === d) return code
      slot = (slot + 1) & mask
    }
    return this.#add(slot, a, b, c, d, raw.subarray(index * 4 + 4, index * 4 + 4 + a))
  }

  /** Returns the same object until an entry is added. */
  words(): PlainText {
    if (this.#words?.offsets.length !== this.#count + 1) {
      const offsets = this.#offsets.slice(0, this.#count + 1)
      this.#words = { as: 'plain', bytes: this.#bytes.slice(0, offsets[this.#count]), offsets, ascii: this.#isAscii }
    }
    return this.#words
  }

  #add(slot: number, a: number, b: number, c: number, d: number, bytes: Uint8Array): number {
    const code = this.#count++
    if (code * 4 >= this.#keys.length) {
      this.#keys = growArray(this.#keys)
      const offsets = new Uint32Array(this.#keys.length / 4 + 1)
      offsets.set(this.#offsets)
      this.#offsets = offsets
    }
    this.#keys.set([a, b, c, d], code * 4)
    const start = this.#offsets[code]!
    while (start + bytes.length > this.#bytes.length) this.#bytes = growArray(this.#bytes)
    this.#bytes.set(bytes, start)
    this.#offsets[code + 1] = start + bytes.length
    if (((b | c | d) & 0x80808080) !== 0) this.#isAscii = false
    this.#slots[slot] = code
    if (this.#count * 2 > this.#slots.length) this.#rehash()
    return code
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 4).fill(-1)
    const mask = this.#slots.length - 1
    for (let code = 0; code < this.#count; code++) {
      const key = code * 4
      let slot = hashWords(this.#keys[key]!, this.#keys[key + 1]!, this.#keys[key + 2]!, this.#keys[key + 3]!) & mask
      while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask
      this.#slots[slot] = code
    }
  }
}

function growArray<T extends Uint8Array | Uint32Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2)
  larger.set(array)
  return larger
}
