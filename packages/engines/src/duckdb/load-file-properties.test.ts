import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { previewTextFile } from '@parquetry/model/table-file/guess'
import { fileTypes, formatsFor, parseValue, type Reading } from '@parquetry/model/table-file/types'
import type { FileColumn } from '@parquetry/model'
import { createRandom, listSeeds, type Random } from '@parquetry/model/testing/random'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadFile } from './load-file.ts'
import { quoteIdentifier } from './session.ts'
import { withEngine } from './write-table.ts'

const home = mkdtempSync(join(tmpdir(), 'parquetry-properties-'))
const folder = join(home, 'data')
const limits = { memoryLimitMb: 512, threads: 2, spillFolder: join(home, 'spill') }
beforeAll(() => {
  mkdirSync(folder)
  mkdirSync(limits.spillFolder)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const digits = (random: Random, length: number): string =>
  Array.from({ length }, (_, index) => String(index === 0 ? 1 + random.int(9) : random.int(10))).join('')
const two = (number: number): string => String(number).padStart(2, '0')

/** Texts of one kind of column, in the number format of the file. */
const kinds: Record<string, (random: Random, decimal: '.' | ',') => string> = {
  whole: (random) => random.pick(['', '-']) + digits(random, 1 + random.int(6)),
  long: (random) => digits(random, 14 + random.int(8)),
  decimal: (random, decimal) => `${random.int(1000)}${decimal}${digits(random, 1 + random.int(18))}`,
  scientific: (random, decimal) =>
    `${random.int(9)}${decimal}${digits(random, 1 + random.int(16))}e${random.pick(['', '-', '+'])}${random.int(30)}`,
  code: (random) => `${random.int(10)}E${random.int(10)}`,
  zeros: (random) => digits(random, 6).padStart(8, '0'),
  plus: (random) => `+${digits(random, 10)}`,
  grouped: (random, decimal) =>
    `${digits(random, 1 + random.int(3))}${decimal === '.' ? ',' : '.'}${digits(random, 3)}`,
  spaced: (random) => `${digits(random, 2)} ${digits(random, 3)}`,
  percent: (random, decimal) => `${random.int(100)}${decimal}${random.int(10)}%`,
  money: (random, decimal) => random.pick([`$${random.int(100)}`, `(${random.int(9)} €)`, `USD 1${decimal}5`]),
  words: (random) => random.pick(['Yes', 'No', 'y', '1', '0']),
  truth: (random) => random.pick(['true', 'FALSE', 'True']),
  iso: (random) => `20${two(random.int(90))}-${1 + random.int(12)}-${1 + random.int(29)}`,
  slashes: (random) => `20${two(random.int(90))}/${two(1 + random.int(12))}/${two(1 + random.int(28))}`,
  isoTime: (random) =>
    `2024-01-${two(1 + random.int(31))}${random.pick(['T', ' '])}${two(random.int(24))}:${two(random.int(60))}${random.pick(['', ':07', ':07.5', ':07.123456', ':07.1234567', ':59Z', ':00+05:30', '-0800', 'Z'])}`,
  ambiguous: (random) => `${1 + random.int(12)}/${1 + random.int(12)}/2024`,
  monthFirst: (random) => `${two(1 + random.int(12))}/${two(1 + random.int(28))}/2024`,
  points: (random) => `${1 + random.int(31)}.${1 + random.int(12)}.2024 0${random.int(10)}:15`,
  twelve: (random) =>
    `${1 + random.int(12)}/${1 + random.int(28)}/2024 ${1 + random.int(13)}:05 ${random.pick(['AM', 'pm'])}`,
  short: (random) => `${two(1 + random.int(28))}/${two(1 + random.int(12))}/${two(random.int(100))}`,
  named: (random) => `${1 + random.int(30)} ${random.pick(['Feb', 'SEP', 'dec'])} ${1990 + random.int(40)}`,
  serial: (random) => `${40_000 + random.int(9000)}${random.pick(['', '.25'])}`,
  odd: (random) =>
    random.pick([
      ' x ',
      '"',
      'a"b',
      'two\nlines',
      'a,b;c\td',
      'Zoë',
      '日付',
      '👩‍🚀',
      "'",
      '\\N',
      '=1+1',
      'NULL',
      '-',
      ' ',
      '\u00a0',
      'n/a',
      '-0',
      '1-2',
      '0000-01-01',
      '1.2.3',
      'inf',
      'NaN',
      '0x1F',
      '1_000',
    ]),
}

const quote = (text: string, delimiter: string): string =>
  text === '' || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text

interface RandomFile {
  text: string
  rows: string[][]
}
function createFile(random: Random): RandomFile {
  const decimal = random.pick(['.', ','] as const)
  const delimiter = random.pick(decimal === ',' ? [';', '\t'] : [',', ';', '\t', '|'])
  const end = random.pick(['\n', '\r\n'])
  const names = Object.keys(kinds)
  const mixed = names.map((name) => ({ name, other: random() < 0.25 ? random.pick(names) : name }))
  const rows = Array.from({ length: 30 }, () =>
    mixed.map(({ name, other }) => (random() < 0.05 ? '' : kinds[random() < 0.9 ? name : other]!(random, decimal))),
  )
  const lines = [names, ...rows].map((row) => row.map((cell) => quote(cell, delimiter)).join(delimiter))
  return { text: `${random.pick(['', '\uFEFF'])}${lines.join(end)}${end}`, rows }
}

let version = 0
/** Loads a file with every problem allowed, and returns the cells of the table as texts. */
async function loadCells(text: string, columns: FileColumn[], look: NonNullable<ReturnType<typeof previewTextFile>>) {
  const path = join(home, `${++version}.csv`)
  writeFileSync(path, text)
  const table = { name: 't', file: `t.${version}.duckdb`, version, format: 'duckdb', table: 'data' } as const
  const { signal } = new AbortController()
  const consent = { values: columns.map(({ name }) => name), lines: false }
  const file = { path, style: look.style, width: look.width, columns, consent }
  const loaded = await loadFile({ folder, table, append: null, signal, onProgress() {}, file }, limits)
  const cells = await withEngine(limits, signal, async ({ run, texts }) => {
    await run(`ATTACH '${join(folder, table.file)}' AS kept (READ_ONLY)`)
    return texts(`SELECT ${columns.map(({ name }) => `${quoteIdentifier(name)}::VARCHAR`).join(', ')} FROM kept.data`)
  })
  return { loaded, cells }
}

const isSame = (cell: string | null, value: string | null, { type }: Reading): boolean =>
  type === 'decimal' && cell !== null && value !== null ? Number(cell) === Number(value) : cell === value

it.each(listSeeds(7))('every value of a random file gives its text back, file %d', async (seed) => {
  const { text, rows } = createFile(createRandom(seed))
  const look = previewTextFile(Buffer.from(text), { format: 'csv', isWhole: true })!
  const { loaded, cells } = await loadCells(text, look.columns, look)
  expect(loaded).toMatchObject({ written: true, rows: rows.length, bad: [] })
  const noted = new Set(look.notes.map(({ source }) => source))
  const wrong = rows.flatMap((row, at) =>
    look.columns.flatMap((column, index) => {
      const [cell, written] = [cells[at]?.[index] ?? null, row[index] ?? '']
      const isEmpty = column.type !== 'text' && written.trim() === ''
      const value = isEmpty ? null : parseValue(written, column, look.style)
      // The digits of a number, and the letters of other texts, are those of the file.
      const bare = (each: string) => each.trim().replace(',', '.')
      const isBack =
        cell === null ||
        noted.has(column.source) ||
        ['boolean', 'date', 'datetime'].includes(column.type) ||
        (column.type === 'decimal'
          ? significant(cell) === significant(bare(written))
          : cell === (column.type === 'text' ? written : bare(written)))
      return isSame(cell, value, column) && isBack ? [] : [{ column, written, cell, value }]
    }),
  )
  expect(wrong).toEqual([])
})

/** Digits of a number without zeros at its ends. More than 15 are those that its double needs. */
function significant(text: string): string {
  const strip = (each: string) =>
    (each.split(/e/i)[0] ?? '').replaceAll(/[^\d]/g, '').replace(/^0+/, '').replace(/0+$/, '')
  return strip(text).length > 15 ? strip(String(Number(text))) : strip(text)
}

it('the engine reads every text in every format as the preview shows it', async () => {
  const random = createRandom(7)
  const values = Object.values(kinds).flatMap((kind) => Array.from({ length: 20 }, () => kind(random, '.')))
  const readings = fileTypes.flatMap((type) =>
    [...formatsFor(type), 'grouped' as const].flatMap((format) =>
      [false, true].map((exact): Reading => ({ type, format, exact })),
    ),
  )
  const text = `v\n${values.map((value) => `"${value.replaceAll('"', '""')}"`).join('\n')}\n`
  const style = { header: true, delimiter: ',', decimal: '.' } as const
  const look = previewTextFile(Buffer.from(text), { format: 'csv', isWhole: true, givenStyle: style })!
  const columns = readings.map((reading, index) => ({ source: 0, name: `c${index}`, ...reading }))
  const { cells } = await loadCells(text, columns, look)
  const wrong = values.flatMap((written, at) =>
    columns.flatMap((column, index) => {
      const cell = cells[at]?.[index] ?? null
      const isEmpty = column.type !== 'text' && written.trim() === ''
      const value = isEmpty ? null : parseValue(written, column, look.style)
      return isSame(cell, value, column) ? [] : [{ column, written, cell, value }]
    }),
  )
  expect(wrong).toEqual([])
})
