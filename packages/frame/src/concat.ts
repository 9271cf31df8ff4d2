import { AppError } from '@parquetry/model/errors'
import { cellAt, isFloat, isNull, isText, storedText, textAt } from './cells.ts'
import { buildColumn, buildText, buildValidity, narrowCodes } from './columns.ts'
import type { Column, DecimalColumn, Frame, NumberColumn, PlainText, Text, TextColumn, TimeColumn } from './frame.ts'
import { packTexts, decodeWords } from './utf8.ts'

/**
 * Concatenates frames with the same columns, keeping the row order. A column may have different widths, dictionaries and scales;
 * if the kinds differ, its values are converted to the narrowest common column.
 * @throws AppError `internal` when the frames have different columns or there are none
 */
export function concat(frames: readonly Frame[]): Frame {
  const [first, ...others] = frames
  if (!first) throw new AppError('internal', { message: 'There are no frames to join.' })
  if (others.some(({ columns }) => columns.length !== first.columns.length))
    throw new AppError('internal', { message: 'Frames with different columns cannot be joined.' })
  // Frames without rows do not affect the kinds unless all frames are empty.
  const filled = frames.filter(({ rows }) => rows > 0)
  if (filled.length <= 1) return filled[0] ?? first
  const rows = filled.reduce((sum, frame) => sum + frame.rows, 0)
  return {
    rows,
    columns: first.columns.map((_, index) =>
      concatColumns(
        filled.map((frame) => frame.columns[index]!),
        filled,
        rows,
      ),
    ),
  }
}

function concatColumns(columns: Column[], frames: Frame[], rows: number): Column {
  const first = columns[0]!
  const validity = joinValidity(columns, frames, rows)
  const same = columns.every(({ kind }) => kind === first.kind)
  if (same && isText(first)) return { ...first, validity, text: joinTexts(columns as TextColumn[], frames, rows) }
  if (same && first.kind === 'decimal') {
    const scaled = joinDecimals(columns as DecimalColumn[], rows)
    if (scaled) return { ...first, validity, ...scaled }
  } else if (same && first.kind === 'number') {
    return { ...first, validity, data: joinNumbers(columns as NumberColumn[], rows) }
  } else if (same) {
    return {
      ...first,
      validity,
      data: joinData(columns as DataColumn[], first, rows),
      ...(first.kind === 'time' && joinNanos(columns as TimeColumn[], rows)),
    } as Column
  }
  const base = { name: first.name, type: first.type, ...(first.parts && { parts: first.parts }) }
  // Integers that exceed 64 bits in some frames only.
  if (columns.every(isExactNumber)) {
    const texts = columns.flatMap((column, index) =>
      Array.from({ length: frames[index]!.rows }, (_, row) => textAt(column, row)),
    )
    return { ...base, kind: 'string', numeric: true, validity, text: buildText(texts) }
  }
  const cells = columns.flatMap((column, index) =>
    Array.from({ length: frames[index]!.rows }, (_, row) => cellAt(column, row)),
  )
  return { ...buildColumn(cells, first.name), ...base }
}

const isExactNumber = (column: Column): boolean =>
  column.kind === 'bigint' ||
  column.kind === 'decimal' ||
  (column.kind === 'number' && !isFloat(column)) ||
  (column.kind === 'string' && column.numeric === true)

type DataColumn = Exclude<Column, TextColumn>

function joinValidity(columns: Column[], frames: Frame[], rows: number): Column['validity'] {
  if (columns.every(({ validity }) => validity === null)) return null
  let frame = 0
  let start = 0
  return buildValidity(rows, (row) => {
    while (row >= start + frames[frame]!.rows) start += frames[frame++]!.rows
    return !isNull(columns[frame]!, row - start)
  })
}

/** Without nanoseconds, a copy of the first column must not keep its own. */
function joinNanos(columns: TimeColumn[], rows: number): Pick<TimeColumn, 'nanos'> | null {
  if (columns.every(({ nanos }) => !nanos)) return null
  const nanos = new Uint16Array(rows)
  let at = 0
  for (const column of columns) {
    if (column.nanos) nanos.set(column.nanos, at)
    at += column.data.length
  }
  return { nanos }
}

function joinNumbers(columns: NumberColumn[], rows: number): NumberColumn['data'] {
  const [first] = columns
  const sameArray = columns.every(({ data }) => data.constructor === first!.data.constructor)
  // Unsigned 32-bit integers only fit doubles as a common array; all other integers fit signed 32 bits.
  const wide = columns.some(
    ({ data }) => data instanceof Float64Array || data instanceof Float32Array || data instanceof Uint32Array,
  )
  const ArrayType = sameArray
    ? (first!.data.constructor as new (length: number) => NumberColumn['data'])
    : wide
      ? Float64Array
      : Int32Array
  const out = new ArrayType(rows)
  let at = 0
  for (const { data } of columns) {
    out.set(data, at)
    at += data.length
  }
  return out
}

function joinData(columns: DataColumn[], first: Column, rows: number): unknown {
  const { data } = first as DataColumn
  const out = new (data.constructor as new (length: number) => BigInt64Array)(rows)
  let at = 0
  for (const column of columns) {
    out.set(column.data as BigInt64Array, at)
    at += column.data.length
  }
  return out
}

/** Scales all values to the largest scale; null when that takes more than 18 digits. */
function joinDecimals(columns: DecimalColumn[], rows: number): { data: BigInt64Array; scale: number } | null {
  const scale = Math.max(...columns.map((column) => column.scale))
  const data = new BigInt64Array(rows)
  const bound = 10n ** 18n
  let at = 0
  for (const column of columns) {
    const factor = 10n ** BigInt(scale - column.scale)
    for (const value of column.data) {
      const scaled = value * factor
      if (scaled >= bound || scaled <= -bound) return null
      data[at++] = scaled
    }
  }
  return { data, scale }
}

function joinTexts(columns: TextColumn[], frames: Frame[], rows: number): Text {
  const texts = columns.map(({ text }) => text)
  if (texts.every((text) => text.as === 'dictionary')) return joinDictionaries(texts, rows)
  const plain = columns.map(({ text }, index): PlainText =>
    text.as === 'plain'
      ? text
      : packTexts(Array.from({ length: frames[index]!.rows }, (_, row) => storedText(columns[index]!, row))),
  )
  const bytes = new Uint8Array(plain.reduce((sum, { offsets }) => sum + (offsets.at(-1)! - offsets[0]!), 0))
  const offsets = new Uint32Array(rows + 1)
  let end = 0
  let at = 0
  for (const part of plain) {
    const start = part.offsets[0]!
    bytes.set(part.bytes.subarray(start, part.offsets.at(-1)), end)
    for (let row = 1; row < part.offsets.length; row++) offsets[++at] = end + part.offsets[row]! - start
    end += part.offsets.at(-1)! - start
  }
  return { as: 'plain', bytes, offsets, ascii: plain.every(({ ascii }) => ascii) }
}

type DictionaryText = Extract<Text, { as: 'dictionary' }>

function joinDictionaries(texts: DictionaryText[], rows: number): Text {
  const codes = new Uint32Array(rows)
  let at = 0
  // The dictionary of a result grows over its frames, so that all codes are valid in the last one.
  const { words: last } = texts.at(-1)!
  if (texts.every(({ words }) => isPrefix(words, last))) {
    for (const { codes: own } of texts) {
      codes.set(own, at)
      at += own.length
    }
    return { as: 'dictionary', codes: narrowCodes(codes, last.offsets.length - 1), words: last }
  }
  const codeOf = new Map<string, number>()
  for (const { codes: own, words } of texts) {
    const moved = Uint32Array.from(decodeWords(words), (text) => {
      let code = codeOf.get(text)
      if (code === undefined) codeOf.set(text, (code = codeOf.size))
      return code
    })
    for (const code of own) codes[at++] = moved[code]!
  }
  return { as: 'dictionary', codes: narrowCodes(codes, codeOf.size), words: packTexts([...codeOf.keys()]) }
}

const isPrefix = (words: PlainText, longer: PlainText): boolean =>
  words === longer || (arrayStartsWith(words.offsets, longer.offsets) && arrayStartsWith(words.bytes, longer.bytes))

function arrayStartsWith(array: Uint8Array | Uint32Array, longer: Uint8Array | Uint32Array): boolean {
  for (let index = 0; index < array.length; index++) if (array[index] !== longer[index]) return false
  return true
}
