import { statSync } from 'node:fs'
import type { BadValue, EmbeddedTable, FileColumn, FileLoadResult, FileToLoad } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { LineCounts } from '@parquetry/model/table-file/file-preview'
import { nullMarkers } from '@parquetry/model/table-file/types'
import type { InstanceLimits, LoadFileRequest } from '../shared/driver.ts'
import {
  castSql,
  decimalPlacesSql,
  engineTypes,
  nullableTextSql,
  numberSql,
  plainNumberSql,
  toFileType,
} from './cast.ts'
import { quoteLiteral } from './files.ts'
import { findLineNumbers } from './line-numbers.ts'
import { quoteIdentifier } from './session.ts'
import { type EngineConnection, writeTable } from './write-table.ts'

const samples = 20
/** Lines that do not fit are counted up to this number. */
const maxRejects = 1000
/** Longer lines are rejected. */
const maxLineBytes = 8_000_000
/** The engine reads files through buffers of this size. */
const bufferBytes = 4 * maxLineBytes
const maskBits = 60
const progressEveryMs = 250
/** Number of records that decide how many places a decimal column has, and of their values in wide files. */
const scaleRecords = 5000
const scaleValues = 500_000
/** Columns of new tables with at most that many decimal places are exact; others are doubles. */
const maxScale = 4
/** Exact columns of a table take appended values with up to that many decimal places. */
const maxAppendedScale = 10
const decimalWidth = 18
const maxDecimalWidth = 38
/** Above this width a single thread is used, because each thread writes into a block of every column. */
const wideColumns = 100

/**
 * Creates a table file from a user's file, in one pass and in bounded memory. Values that cannot be parsed as their column's type
 * become null and are counted; without the user's consent nothing is written, and the result lists them.
 * @throws AppError `unprocessable` with a message for a file that cannot be read; `disk_full`; `query_stopped`
 */
export async function loadFile(
  { folder, table, file, append, signal, onProgress }: LoadFileRequest,
  limits: InstanceLimits,
): Promise<FileLoadResult> {
  const fill = async (writing: EngineConnection) => {
    let highest = 0
    // The progress of the short final statements starts again from zero.
    const reportProgress = () => onProgress((highest = Math.max(highest, Math.min(99, writing.progress()))))
    const timer = setInterval(reportProgress, progressEveryMs)
    try {
      const result = await new TableLoader(writing, table, file).fill(append !== null)
      return { isKept: result.written, result }
    } catch (error) {
      throw redactFileError(error, file.path)
    } finally {
      clearInterval(timer)
    }
  }
  return writeTable(folder, { table, base: append, fill }, limits, signal)
}

interface TargetColumn extends FileColumn {
  /** Engine type of the table's column. */
  engineType: string
  /** The file's values already have this type. */
  isTyped: boolean
  /** The engine type is an assumption from the first values. */
  isGuessed: boolean
}

class TableLoader {
  #writing: EngineConnection
  #file: FileToLoad
  #target: string
  /** Column types of a Parquet file. */
  #native = new Map<unknown, string>()
  /** Decimal columns whose later values do not fit the places of the first ones. */
  #doubles = new Set<FileColumn['source']>()

  constructor(writing: EngineConnection, table: EmbeddedTable, file: FileToLoad) {
    this.#writing = writing
    this.#file = file
    this.#target = `draft.main.${quoteIdentifier(table.table)}`
  }

  async fill(isAppended: boolean): Promise<FileLoadResult> {
    const { run, texts } = this.#writing
    const { columns, consent } = this.#file
    const first = isAppended
      ? Number((await texts(`SELECT CAST(count(*) AS VARCHAR) FROM ${this.#target}`))[0]?.[0])
      : 0
    if (this.#file.width > wideColumns) await run('SET threads = 1')
    const targets = await this.#targets(isAppended)
    const masks = createRejectMasks(targets)
    const select = this.#select(targets, masks)
    if (isAppended) {
      for (const { name } of masks)
        await run(`ALTER TABLE ${this.#target} ADD COLUMN ${quoteIdentifier(name)} BIGINT DEFAULT 0`)
      await run(`INSERT INTO ${this.#target} BY NAME ${select}`)
    } else await run(`CREATE TABLE ${this.#target} AS ${select}`)

    if (consent.lines === true) await this.#findShortLines()
    const badLines = await this.#badLines()
    const counts = masks.flatMap(({ name, bits }) =>
      bits.map((_, bit) => `CAST(count_if((${quoteIdentifier(name)} >> ${bit}) & 1 = 1) AS VARCHAR)`),
    )
    const [figures = []] = await texts(
      `SELECT ${['CAST(count(*) AS VARCHAR)', ...counts].join(', ')} FROM ${this.#target} WHERE rowid >= ${first}`,
    )
    const [rows = 0, ...rejectCounts] = figures.map(Number)
    const found = masks
      .flatMap(({ bits }) => bits)
      .map(({ target, isMisfit }, index) => ({ ...target, isMisfit, count: rejectCounts[index] ?? 0 }))
      .filter(({ count }) => count > 0)
    const misfits = found.filter(({ isMisfit }) => isMisfit)
    if (misfits.length > 0) {
      for (const { source } of misfits) this.#doubles.add(source)
      await run(`DROP TABLE ${this.#target}`)
      return this.fill(false)
    }
    const bad = found.map(({ name, type, count }) => ({ name, type, count }))
    const mayBeNull = consent.values === 'usual' ? [] : consent.values.map((name) => name.toLowerCase())
    const written =
      bad.every(({ name }) => mayBeNull.includes(name.toLowerCase())) &&
      (consent.lines === true ||
        (badLines.counts.long === 0 && (badLines.counts.short === 0 || consent.lines !== false)))
    const bads = bad.length === 0 ? [] : await this.#badValues(targets, masks, first)
    if (written)
      for (const { name } of masks) await run(`ALTER TABLE ${this.#target} DROP COLUMN ${quoteIdentifier(name)}`)
    if (rows === 0 && badLines.counts.short + badLines.counts.long === 0 && columns.length === 0)
      throw new AppError('unprocessable', {
        message: message('errors.engines.fileWithoutTable', 'The file does not contain a table.'),
      })
    return {
      written,
      rows,
      bad,
      badLines: badLines.counts,
      samples: [...badLines.samples, ...bads].slice(0, samples),
    }
  }

  /** Returns the target of each column of the file: as configured, or as the table defines it. */
  async #targets(isAppended: boolean): Promise<TargetColumn[]> {
    const { texts } = this.#writing
    const { columns, style } = this.#file
    if (style.format === 'parquet')
      for (const [name, type] of await texts(
        `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${this.#source()})`,
      ))
        this.#native.set(name, type ?? '')
    const there = new Map<string, { name: string; type: string }>()
    if (isAppended)
      for (const [name, type] of await texts(`SELECT column_name, column_type FROM (DESCRIBE ${this.#target})`))
        there.set(String(name).toLowerCase(), { name: String(name), type: type ?? '' })
    const scales = await this.#scales()
    for (const { name, source } of columns) {
      const known = there.get(name.toLowerCase())
      const widened = known && widenDecimal(known.type, scales.get(source) ?? 0)
      if (!widened) continue
      await this.#writing.run(`ALTER TABLE ${this.#target} ALTER ${quoteIdentifier(known.name)} TYPE ${widened}`)
      known.type = widened
    }
    return columns.map((column) => {
      const known = there.get(column.name.toLowerCase())
      if (isAppended && !known)
        throw new AppError('unprocessable', {
          message: message(
            'errors.engines.columnNotInTable',
            'The table has no column "{column}". Exclude the column or rename it to a column of the table.',
            { column: column.name },
          ),
        })
      const type = known ? toFileType(known.type) : column.type
      const own = this.#native.get(column.source)
      // Numbers of another type could be rounded or overflow.
      const isSameNumber = known === undefined || known.type === own || (type !== 'integer' && type !== 'decimal')
      const isTyped = own !== undefined && toFileType(own) === type && !isNested(own) && isSameNumber
      const scale = this.#doubles.has(column.source) ? undefined : scales.get(column.source)
      const isGuessed = !known && !isTyped && type === 'decimal' && scale !== undefined && scale <= maxScale
      const newType = isGuessed ? `DECIMAL(${decimalWidth},${scale})` : isTyped ? own : engineTypes[type]
      return {
        ...column,
        type,
        name: known?.name ?? column.name,
        isTyped,
        isGuessed,
        engineType: known?.type ?? newType,
      }
    })
  }

  /**
   * Numbers of decimal places of the first values of decimal columns, so that amounts of money are stored and added exactly. Columns
   * of whole numbers, of percentages and of numbers that a user wants rounded are left out.
   */
  async #scales(): Promise<Map<FileColumn['source'], number>> {
    const { style } = this.#file
    const columns = this.#file.columns.filter(
      ({ type, format }) => type === 'decimal' && (format === null || format === 'grouped' || format === 'currency'),
    )
    if (columns.length === 0) return new Map()
    const texts = columns.map(({ source }, index) => `${this.#text(this.#column(source), source)} AS t${index}`)
    const numbers = columns.map((column, index) => {
      const text = nullableTextSql(`t${index}`, 'decimal', style.nulls)
      return `${plainNumberSql(text, column, style) ?? text} AS n${index}`
    })
    const [found = []] = await this.#writing.texts(
      `SELECT ${columns.map((_, index) => `CAST(${decimalPlacesSql(`n${index}`)} AS VARCHAR)`).join(', ')}
       FROM (SELECT ${numbers.join(', ')} FROM (SELECT ${texts.join(', ')} FROM ${this.#source()} LIMIT ${Math.min(scaleRecords, Math.ceil(scaleValues / columns.length))}))`,
    )
    return new Map(
      columns.flatMap(({ source }, index) => {
        const places = found[index]
        return places === null || places === undefined ? [] : [[source, Number(places)] as const]
      }),
    )
  }

  #select(targets: readonly TargetColumn[], masks: readonly RejectMask[]): string {
    const { style, limit, consent } = this.#file
    const usual = consent.values === 'usual' ? nullMarkers : []
    const texts = targets.map(({ source, type, isTyped }, index) => {
      const value = this.#column(source)
      return `${isTyped ? value : nullableTextSql(this.#text(value, source), type, type === 'text' ? style.nulls : [...style.nulls, ...usual])} AS t${index}`
    })
    /** Numbers that are rewritten first. Each level of the query holds memory for every column. */
    const numbers = new Map<number, string>()
    const values = targets.map((target, index) => {
      if (target.isTyped) return `t${index} AS v${index}`
      const { type, engineType } = target
      if (type !== 'integer' && type !== 'decimal')
        return `TRY_CAST(${castSql(`t${index}`, target)} AS ${engineType}) AS v${index}`
      const plain = plainNumberSql(`t${index}`, target, style)
      if (plain !== null) numbers.set(index, `${plain} AS n${index}`)
      const value = numberSql(plain === null ? `t${index}` : `n${index}`, target, style, engineType)
      return `TRY_CAST(${value} AS ${engineType}) AS v${index}`
    })
    const source = `SELECT ${texts.join(', ')} FROM ${this.#source()}${limit === undefined ? '' : ` LIMIT ${limit}`}`
    const index = new Map(targets.map((target, index) => [target, index]))
    const markSql = ({ target, isMisfit }: RejectBit) => {
      const at = index.get(target) ?? 0
      const number = numbers.has(at) ? `n${at}` : `t${at}`
      const asDouble = isMisfit ? ` AND ${numberSql(number, target, style, engineTypes.decimal)} IS NOT NULL` : ''
      return `CASE WHEN t${at} IS NOT NULL AND v${at} IS NULL${asDouble} THEN 1 ELSE 0 END`
    }
    const found = masks.map(
      ({ name, bits }) =>
        `CAST(${bits.map((each, bit) => `(CAST(${markSql(each)} AS BIGINT) << ${bit})`).join(' | ')} AS BIGINT) AS ${quoteIdentifier(name)}`,
    )
    const named = targets.map(({ name }, index) => `v${index} AS ${quoteIdentifier(name)}`)
    const from = numbers.size > 0 ? `SELECT *, ${[...numbers.values()].join(', ')} FROM (${source})` : source
    return `SELECT ${[...named, ...found].join(', ')} FROM (SELECT *, ${values.join(', ')} FROM (${from}))`
  }

  #column(source: FileColumn['source']): string {
    return quoteIdentifier(
      this.#file.style.format === 'csv' || this.#file.style.format === 'xlsx' ? `c${source}` : String(source),
    )
  }

  #text(value: string, source: FileColumn['source']): string {
    const type = this.#native.get(source)
    if (type === undefined) return value
    // Lists and structs become JSON.
    return isNested(type)
      ? `CASE WHEN ${value} IS NOT NULL THEN CAST(to_json(${value}) AS VARCHAR) END`
      : `CAST(${value} AS VARCHAR)`
  }

  /** The table function call that reads the file; all values are text, except in Parquet. */
  #source(fillsShortLines = this.#file.consent.lines !== false): string {
    const { path, style, width, columns } = this.#file
    if (style.format === 'parquet') return `read_parquet(${quoteLiteral(path)})`
    if (style.format === 'json') {
      const fields = columns.map(({ source }) => `${quoteLiteral(String(source))}: 'VARCHAR'`)
      return `read_json(${quoteLiteral(path)}, format = 'auto', columns = {${fields.join(', ')}})`
    }
    const fields = Array.from({ length: width }, (_, index) => `'c${index}': 'VARCHAR'`)
    return `read_csv(${quoteLiteral(path)}, auto_detect = false, header = ${style.header}, skip = ${style.skip},
      delim = ${quoteLiteral(style.delimiter)}, quote = ${quoteLiteral(style.quote)}, escape = ${quoteLiteral(style.quote)}, allow_quoted_nulls = false,
      columns = {${fields.join(', ')}}, store_rejects = true, rejects_limit = ${maxRejects}, max_line_size = ${maxLineBytes}, buffer_size = ${bufferBytes}
      ${fillsShortLines ? ', null_padding = true, parallel = false' : ''})`
  }

  /** Records the lines that were filled, which the engine does not report: another pass that fills none rejects them. */
  async #findShortLines(): Promise<void> {
    const { format } = this.#file.style
    if (format === 'csv' || format === 'xlsx') await this.#writing.run(`SELECT count(*) FROM ${this.#source(false)}`)
  }

  /** Lines with too few values count as short, all other lines that were rejected as long. */
  async #badLines(): Promise<{ counts: LineCounts; samples: BadValue[] }> {
    const { format, quote } = this.#file.style
    if (format !== 'csv' && format !== 'xlsx') return { counts: { short: 0, long: 0 }, samples: [] }
    const { texts } = this.#writing
    const [[encoding, unclosed, short, long] = []] = await texts(
      `SELECT CAST(min(line) FILTER (is_encoding) AS VARCHAR), CAST(min(line) FILTER (is_unclosed) AS VARCHAR), CAST(count_if(is_short) AS VARCHAR),
         CAST(count_if(NOT is_short) AS VARCHAR)
       FROM (SELECT line, bool_and(error_type = 'MISSING COLUMNS') AS is_short,
         bool_or(error_type = 'INVALID ENCODING') AS is_encoding,
         bool_or(error_type = 'UNQUOTED VALUE' AND contains(rtrim(csv_line, chr(10)), chr(10))
           AND length(csv_line) % 2 <> length(replace(csv_line, ${quoteLiteral(quote)}, '')) % 2) AS is_unclosed FROM reject_errors GROUP BY line)`,
    )
    if (encoding) {
      throw new AppError('unprocessable', {
        message: message(
          'errors.engines.wrongEncoding',
          'Line {line} is not valid in the selected encoding. Choose another encoding, such as Latin-1.',
          { line: encoding },
        ),
      })
    }
    if (unclosed) {
      throw new AppError('unprocessable', {
        message: message(
          'errors.engines.unclosedQuote',
          'The quotation mark in line {line} is never closed, so the lines after it cannot be read. Close it, or choose another quotation mark.',
          { line: unclosed },
        ),
      })
    }
    const lines = await texts(
      `SELECT CAST(line AS VARCHAR), min(csv_line) FROM reject_errors GROUP BY line ORDER BY line LIMIT ${samples}`,
    )
    return {
      counts: { short: Number(short ?? 0), long: Number(long ?? 0) },
      samples: lines.map(([line, value]) => ({
        line: Number(line),
        column: null,
        value: shorten((value ?? '').trim()),
      })),
    }
  }

  /**
   * Returns the first values that could not be parsed. They are read from the file again, since the table contains nulls in their
   * place.
   */
  async #badValues(targets: readonly TargetColumn[], masks: readonly RejectMask[], first: number): Promise<BadValue[]> {
    const { texts } = this.#writing
    const { path, style, width, consent } = this.#file
    const marks = masks.map(({ name }) => quoteIdentifier(name))
    const rows = await texts(
      `SELECT CAST(rowid - ${first} AS VARCHAR), ${marks.map((mark) => `CAST(${mark} AS VARCHAR)`).join(', ')}
       FROM ${this.#target} WHERE rowid >= ${first} AND (${marks.map((mark) => `${mark} <> 0`).join(' OR ')})
       ORDER BY rowid LIMIT ${samples}`,
    )
    const wanted = rows.map(([row]) => Number(row))
    const raws = targets.map(({ source }) => this.#text(this.#column(source), source))
    const values = await texts(
      `SELECT ${raws.join(', ')} FROM (SELECT row_number() OVER () - 1 AS at_row, * FROM ${this.#source()})
       WHERE at_row IN (${wanted.join(', ')}) ORDER BY at_row`,
    )
    const isCsv = style.format === 'csv'
    const lines = isCsv
      ? await findLineNumbers(path, wanted, { ...style, width, leftOut: consent.lines !== false })
      : []
    return rows.flatMap((row, index) =>
      masks.flatMap(({ bits }, mask) => {
        const set = BigInt(row[mask + 1] ?? 0)
        return bits.flatMap(({ target, isMisfit }, bit) =>
          !isMisfit && (set >> BigInt(bit)) & 1n
            ? [
                {
                  line: lines[index] ?? (wanted[index] ?? 0) + 1,
                  column: target.name,
                  value: shorten(values[index]?.[targets.indexOf(target)] ?? ''),
                },
              ]
            : [],
        )
      }),
    )
  }
}

interface RejectMask {
  name: string
  bits: RejectBit[]
}

/** Marks the values of a column that are not of its type, or those that are but do not fit its assumed decimal places. */
interface RejectBit {
  target: TargetColumn
  isMisfit: boolean
}

/** Columns whose bits mark the values of a row that could not be parsed. */
function createRejectMasks(targets: readonly TargetColumn[]): RejectMask[] {
  const checked = targets
    .filter(({ isTyped, engineType }) => !isTyped && engineType !== 'VARCHAR')
    .flatMap((target) =>
      [false, ...(target.isGuessed ? [true] : [])].map((isMisfit): RejectBit => ({ target, isMisfit })),
    )
  let prefix = '_bad'
  while (targets.some(({ name }) => name.toLowerCase().startsWith(prefix))) prefix = `_${prefix}`
  return Array.from({ length: Math.max(1, Math.ceil(checked.length / maskBits)) }, (_, index) => ({
    name: `${prefix}${index}`,
    bits: checked.slice(index * maskBits, (index + 1) * maskBits),
  })).filter(({ bits }) => bits.length > 0)
}

/**
 * A decimal type with at least `scale` places and as many digits before the point; null if the type has them, is another one, or
 * would become too wide.
 */
function widenDecimal(type: string, scale: number): string | null {
  const [, width, places] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type)?.map(Number) ?? []
  if (width === undefined || places === undefined || scale <= places || scale > maxAppendedScale) return null
  const widened = width + scale - places
  return widened > maxDecimalWidth ? null : `DECIMAL(${widened},${scale})`
}

const isNested = (type: string): boolean => /^(STRUCT|MAP|UNION)|\]$/.test(type)

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** Converts an engine error about a file to a message without its path. */
export function redactFileError(error: unknown, path: string): unknown {
  if (!(error instanceof AppError) || !['query_failed', 'syntax_error'].includes(error.code)) return error
  if (String(error.cause).includes('Out of Memory'))
    return new AppError('unprocessable', {
      message: message('errors.engines.fileMemory', 'Reading this file needs more memory than the server allows.'),
      cause: error,
    })
  const [firstParagraph = ''] = error.message.replaceAll(path, 'the file').split('\n\n')
  const reason = firstParagraph
    .replace(/^\w+( \w+)* Error: /, '')
    .replace(/ Try setting .*$/s, '')
    .replace(/\s*Possible fixes:.*$/s, '')
    .replace(/^No magic bytes found at end of file .*$/, 'it is damaged or incomplete.')
    .replace(/^The CSV Parser state machine reached an invalid state\.?$/, 'its quotes are not valid CSV.')
    .replace('file "the file"', 'the file')
    .trim()
  return new AppError('unprocessable', {
    message: fileExists(path)
      ? `Could not read the file: ${reason}`
      : message('errors.engines.fileGone', 'The file no longer exists.'),
    cause: error,
  })
}

function fileExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
