import { utf8 } from '../utf8.ts'
import { putInteger } from './digits.ts'

/** Opening tags of a row and its cells, with the cell references that some readers need. */
export class RowReferences {
  /** `<row r="1">` */
  openRow: Uint8Array = new Uint8Array(0)
  /** `<c r="A1` for each column */
  openCells: readonly Uint8Array[] = []
  #columns = 0
  #row = 0
  #digits = 0
  readonly #number = new Uint8Array(8)

  start(columns: number): void {
    this.#columns = columns
  }

  /** Moves to the next row. Usually only the last digit differs, and is replaced in place. */
  next(): void {
    this.#row += 1
    const digits = putInteger(this.#number, 0, this.#row)
    if (digits === this.#digits) {
      const first = this.#row % 10 === 0 ? 0 : digits - 1
      this.#replaceDigits(this.openRow, this.openRow.length - 2, first)
      for (const cell of this.openCells) this.#replaceDigits(cell, cell.length, first)
      return
    }
    this.#digits = digits
    this.openRow = utf8.encode(`<row r="${this.#row}">`)
    this.openCells = Array.from({ length: this.#columns }, (_, index) =>
      utf8.encode(`<c r="${formatColumn(index)}${this.#row}`),
    )
  }

  /** Replaces the digits of the row number that ends at `end`, beginning with the digit `first`. */
  #replaceDigits(bytes: Uint8Array, end: number, first: number): void {
    const start = end - this.#digits
    for (let digit = first; digit < this.#digits; digit++) bytes[start + digit] = this.#number[digit]!
  }
}

/** Formats the index of a column: A to Z, AA to XFD. */
export function formatColumn(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : `${formatColumn(Math.floor(index / 26) - 1)}${last}`
}
