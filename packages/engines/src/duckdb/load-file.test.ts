import { mkdirSync, mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError, type EmbeddedTable, type FileLoadResult, type FileStyle, type FileToLoad } from '@parquetry/model'
import { previewTextFile } from '@parquetry/model/table-file/guess'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadFile } from './load-file.ts'
import { withEngine } from './write-table.ts'

const home = mkdtempSync(join(tmpdir(), 'parquetry-load-file-'))
const folder = join(home, 'data')
const limits = { memoryLimitMb: 512, threads: 2, spillFolder: join(home, 'spill') }
let version = 0

beforeAll(() => {
  mkdirSync(folder)
  mkdirSync(limits.spillFolder)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const writeTestFile = (text: string, name = `${++version}.csv`): string => {
  const path = join(home, name)
  writeFileSync(path, text)
  return path
}
const newTable = (): EmbeddedTable => ({
  name: 'orders',
  file: `orders.${++version}.duckdb`,
  version,
  format: 'duckdb',
  table: 'data',
})

interface LoadOptions {
  style?: Partial<FileStyle>
  types?: Record<string, 'text' | 'integer' | 'decimal' | 'boolean' | 'date' | 'datetime'>
  consent?: FileToLoad['consent']
  append?: EmbeddedTable
  format?: 'csv' | 'json'
  signal?: AbortSignal
  limits?: typeof limits
}

async function load(
  text: string,
  { style, types = {}, consent, append, format = 'csv', signal, limits: own = limits }: LoadOptions = {},
) {
  const look = previewTextFile(Buffer.from(text), { format, isWhole: true, givenStyle: style ?? {} })
  if (!look) throw new Error('no table')
  const table = newTable()
  const columns = look.columns.map((column) => {
    const type = types[column.name]
    return type ? { source: column.source, name: column.name, type, format: null } : column
  })
  const loaded = await loadFile(
    {
      folder,
      table,
      append: append ?? null,
      signal: signal ?? new AbortController().signal,
      onProgress() {},
      file: {
        path: writeTestFile(text),
        style: look.style,
        width: look.width,
        columns,
        consent: consent ?? { values: [], lines: false },
      },
    },
    own,
  )
  return { table, loaded, look }
}

const readRows = ({ file }: EmbeddedTable, columns = 'COLUMNS(*)::VARCHAR'): Promise<(string | null)[][]> =>
  withEngine(limits, new AbortController().signal, async ({ run, texts }) => {
    await run(`ATTACH '${join(folder, file)}' AS kept (READ_ONLY)`)
    return texts(`SELECT ${columns} FROM kept.data`)
  })
const readTypes = async ({ file }: EmbeddedTable): Promise<Record<string, string | null>> =>
  withEngine(limits, new AbortController().signal, async ({ run, texts }) => {
    await run(`ATTACH '${join(folder, file)}' AS kept (READ_ONLY)`)
    const rows = await texts(`SELECT column_name, column_type FROM (DESCRIBE kept.data)`)
    return Object.fromEntries(rows.map(([name, type]) => [name, type ?? null]))
  })

it('reads a byte order mark, CRLF, empty lines, quotes, quoted line breaks and names in any script', async () => {
  const text =
    '\uFEFFMenge,Straße,日付,"a ""quoted"" name"\r\n1,"Haupt, 5",2024-01-31,x\r\n\r\n2,"two\nlines",2024-02-29,"""y"""\r\n3,,2024-03-01,\r\n'
  const { table, loaded } = await load(text)
  expect(loaded).toMatchObject({ written: true, rows: 3, bad: [], badLines: { short: 0, long: 0 } })
  expect(await readTypes(table)).toEqual({
    Menge: 'BIGINT',
    Straße: 'VARCHAR',
    日付: 'DATE',
    'a "quoted" name': 'VARCHAR',
  })
  expect(await readRows(table)).toEqual([
    ['1', 'Haupt, 5', '2024-01-31', 'x'],
    ['2', 'two\nlines', '2024-02-29', '"y"'],
    ['3', null, '2024-03-01', null],
  ])
})

it('LIST-024: writes nothing without consent when values cannot be parsed, and reports line and value', async () => {
  const rows = Array.from({ length: 40 }, (_, index) => `${index},${index % 20 === 7 ? 'oops' : index * 1.5}`)
  const text = `n,revenue\n"1\n",3\n${rows.join('\n')}\n`.replace('"1\n"', '1')
  const { table, loaded } = await load(text, { types: { revenue: 'decimal' } })
  expect(loaded.written).toBe(false)
  expect(loaded.bad).toEqual([{ name: 'revenue', type: 'decimal', count: 2 }])
  expect(loaded.samples).toEqual([
    { line: 10, column: 'revenue', value: 'oops' },
    { line: 30, column: 'revenue', value: 'oops' },
  ])
  expect(readdirSync(folder)).not.toContain(table.file)

  const again = await load(text, { types: { revenue: 'decimal' }, consent: { values: ['revenue'], lines: false } })
  expect(again.loaded).toMatchObject({ written: true, rows: 41 })
  const empty = await readRows(again.table, 'count_if(revenue IS NULL)::VARCHAR, count(revenue)::VARCHAR')
  expect(empty).toEqual([['2', '39']])
  expect(Object.keys(await readTypes(again.table))).toEqual(['n', 'revenue'])
})

it('regression: two tables are written into a folder at the same time', async () => {
  const text = `a,b\n${Array.from({ length: 300_000 }, (_, index) => `${index},text ${index}`).join('\n')}\n`
  const long = load(text)
  await expect.poll(() => readdirSync(folder).some((file) => file.endsWith('.tmp')), { interval: 1 }).toBe(true)
  const short = await load('a,b\n1,2\n')
  const both = [short, await long]
  expect(both.map(({ loaded }) => [loaded.written, loaded.rows])).toEqual([
    [true, 1],
    [true, 300_000],
  ])
})

it('regression: values that are appended to a decimal of the table keep all digits', async () => {
  const table = newTable()
  await withEngine(limits, new AbortController().signal, async ({ run }) => {
    await run(`ATTACH '${join(folder, table.file)}' AS made`)
    await run('CREATE TABLE made.data AS SELECT 1.50::DECIMAL(20,2) AS price, 1::HUGEINT AS id')
    await run('DETACH made')
  })
  const more = await load('price,id\n123456789012345678.25,9223372036854775807\n2.500,2\n', { append: table })
  expect(more.loaded).toMatchObject({ written: true, rows: 2, bad: [] })
  expect(await readRows(more.table)).toEqual([
    ['1.50', '1'],
    ['123456789012345678.25', '9223372036854775807'],
    ['2.50', '2'],
  ])
  const wider = await load('price,id\n2.505,1\n', { append: table })
  expect(wider.loaded).toMatchObject({ written: true, bad: [] })
  expect(await readRows(wider.table)).toEqual([
    ['1.500', '1'],
    ['2.505', '1'],
  ])
  const lost = await load('price,id\n2.50000000001,1\n', { append: table })
  expect(lost.loaded).toMatchObject({ written: false, bad: [{ name: 'price', count: 1 }] })
})

it('regression: amounts are added exactly, in a type with the decimal places of the file', async () => {
  const text = `amount,price,rate,count,share\n${'0.10,"1,234.50",0.12345,1.0,5%\n0.20,7.25,0.5,2.0,12%\n'.repeat(50)}`
  const { table, loaded } = await load(text)
  expect(loaded).toMatchObject({ written: true, rows: 100, bad: [] })
  expect(await readTypes(table)).toEqual({
    amount: 'DECIMAL(18,2)',
    price: 'DECIMAL(18,2)',
    rate: 'DOUBLE',
    count: 'DOUBLE',
    share: 'VARCHAR',
  })
  expect(await readRows(table, 'sum(amount)::VARCHAR, sum(price)::VARCHAR')).toEqual([['15.00', '62087.50']])
})

it('regression: a decimal whose later values have more places than the first ones becomes a double', async () => {
  const text = `id,amount,fee\n${'1,0.10,0.5\n'.repeat(5000)}1,0.12345,0.25\n`
  const { table, loaded } = await load(text)
  expect(loaded).toMatchObject({ written: true, rows: 5001, bad: [] })
  expect(await readTypes(table)).toEqual({ id: 'BIGINT', amount: 'DOUBLE', fee: 'DOUBLE' })
  expect(await readRows(table, 'max(amount)::VARCHAR')).toEqual([['0.12345']])
  const bad = await load('amount\n0.10\noops\n', {
    types: { amount: 'decimal' },
    consent: { values: ['amount'], lines: false },
  })
  expect([bad.loaded.bad, await readTypes(bad.table)]).toEqual([
    [{ name: 'amount', type: 'decimal', count: 1 }],
    { amount: 'DECIMAL(18,2)' },
  ])
})

it('regression: quoted empty texts are no nulls, unless the style says so', async () => {
  const text = 'id,note\n1,""\n"",\n3,x\n'
  const { table } = await load(text)
  expect(await readRows(table)).toEqual([
    ['1', ''],
    [null, null],
    ['3', 'x'],
  ])
  for (const nulls of [[''], ['', 'x']]) {
    const other = await load(text, { style: { nulls } })
    expect((await readRows(other.table, 'note')).map(([note]) => note)).toEqual([
      null,
      null,
      nulls.includes('x') ? null : 'x',
    ])
  }
  const json = await load('[{"id":1,"note":""},{"id":2,"note":null}]', { format: 'json' })
  expect(await readRows(json.table)).toEqual([
    ['1', ''],
    ['2', null],
  ])
})

it('regression: lines before the column names are no records', async () => {
  const empty = await load('\n\na,b\nx,y\n')
  expect(await readRows(empty.table)).toEqual([['x', 'y']])
  const titles = await load('Report "2024"\n\na,b\nx,1\n')
  expect(await readRows(titles.table)).toEqual([['x', '1']])
})

it('regression: names the line of a quotation mark that is never closed, and reads the file without quotes', async () => {
  const text = 'a,b\n1,"5 inch\n2,y\n3,z\n'
  await expect(load(text, { consent: { values: [], lines: true } })).rejects.toThrow(/mark in line 2 is never closed/)
  const { table } = await load(text, { style: { quote: '' } })
  expect((await readRows(table)).map(([, b]) => b)).toEqual(['"5 inch', 'y', 'z'])
  const { loaded } = await load('a,b\n1,"x" y\n2,z\n')
  expect(loaded).toMatchObject({ written: false, badLines: { long: 1 } })
})

it('regression: a cell of several megabytes is a value, not a broken line', async () => {
  const { loaded } = await load(`a,b\n1,${'x'.repeat(3_000_000)}\n2,y\n`)
  expect(loaded).toMatchObject({ written: true, rows: 2 })
})

it('regression: counts empty lines of a file with one column as the engine does', async () => {
  const { loaded } = await load('a\n1\n\n2\nbad\n', { types: { a: 'integer' } })
  expect(loaded.samples).toEqual([{ line: 5, column: 'a', value: 'bad' }])
})

it('counts lines as an editor does, across multi-line values', async () => {
  const text = 'a,b\n1,"x\ny\nz"\n\n2,w\nbad,v\n3,u\n4,t\n5,s\n'
  const { loaded } = await load(text, { types: { a: 'integer' } })
  expect(loaded.samples).toEqual([{ line: 7, column: 'a', value: 'bad' }])
})

it('reports lines that are too long or too short, and skips or fills them only with consent', async () => {
  const text = 'a,b,c\n1,2,3\n4,5\n6,7,8,9\n10,11,12\n'
  const refused = await load(text)
  expect(refused.loaded).toMatchObject({ written: false, badLines: { short: 1, long: 1 } })
  expect(refused.loaded.samples).toEqual([
    { line: 3, column: null, value: '4,5' },
    { line: 4, column: null, value: '6,7,8,9' },
  ])
  const { table, loaded } = await load(text, { consent: { values: [], lines: true } })
  expect(loaded).toMatchObject({ written: true, rows: 3, badLines: { short: 1, long: 1 } })
  expect(await readRows(table)).toEqual([
    ['1', '2', '3'],
    ['4', '5', null],
    ['10', '11', '12'],
  ])
})

it.each([
  ['1,234.50', '.', '1234.50'],
  ['1.234,50', ',', '1234.50'],
  ['1 234,5', ',', '1234.5'],
  ['12,5', ',', '12.5'],
  ["1'234", '.', '1234.0'],
  ['1e3', '.', '1000.0'],
  ['-.5', '.', '-0.5'],
  ['-1.234.567,8', ',', '-1234567.8'],
  ['+7', ',', '7.0'],
])('parses the decimal %s with separator %s', async (text, decimal, value) => {
  const { table, loaded } = await load(`x;y\n"${text}";a\n`, {
    style: { delimiter: ';', decimal: decimal as '.' },
    types: { x: 'decimal' },
  })
  expect(loaded.bad).toEqual([])
  expect(await readRows(table, 'x::VARCHAR')).toEqual([[value]])
})

it.each([
  ['1.5', 'integer'],
  ['0x1F', 'integer'],
  ['99999999999999999999', 'integer'],
  ['inf', 'decimal'],
  ['1e999', 'decimal'],
  ['1,5', 'integer'],
  ['1,23', 'decimal'],
  ['2024-02-30', 'date'],
  ['2024-01-01 10:00', 'date'],
  ['25:00', 'datetime'],
  ['maybe', 'boolean'],
] as const)('rejects %s as %s', async (text, type) => {
  const { loaded } = await load(`x,y\n"${text}",a\n`, { style: { header: true, decimal: '.' }, types: { x: type } })
  expect(loaded).toMatchObject({ written: false, bad: [{ name: 'x', type, count: 1 }] })
})

it('reads dates in the order of the file, times with zones as UTC, and keeps yes and no as words', async () => {
  const { table, loaded } = await load(
    'd,t,ok\n31/12/2023,2024-01-01T10:00:00+02:00,yes\n1/2/2024,2024-01-01 08:00:00,no\n',
  )
  expect(loaded.bad).toEqual([])
  expect(await readTypes(table)).toEqual({ d: 'DATE', t: 'TIMESTAMP', ok: 'VARCHAR' })
  expect(await readRows(table)).toEqual([
    ['2023-12-31', '2024-01-01 08:00:00', 'yes'],
    ['2024-02-01', '2024-01-01 08:00:00', 'no'],
  ])
})

it('keeps codes with leading zeros as text, and reads common null texts as null only with consent', async () => {
  const text = 'zip,n\n01234,1\n99999,NA\n00001,\n'
  const asked = await load(text, { types: { n: 'integer' } })
  expect(asked.loaded).toMatchObject({
    written: false,
    bad: [{ name: 'n', type: 'integer', count: 1 }],
    samples: [{ line: 3, column: 'n', value: 'NA' }],
  })
  const { table } = await load(text, { types: { n: 'integer' }, consent: { values: 'usual', lines: false } })
  expect(await readRows(table)).toEqual([
    ['01234', '1'],
    ['99999', null],
    ['00001', null],
  ])
})

it('reads 300 columns and reports a bad value in the last one', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `c${index}`)
  const lines = [names, names.map((_, index) => String(index)), names.map((_, index) => (index === 299 ? 'x' : '1'))]
  const { loaded } = await load(lines.map((line) => line.join(',')).join('\n'), {
    types: Object.fromEntries(names.map((name) => [name, 'integer'])),
  })
  expect(loaded.bad).toEqual([{ name: 'c299', type: 'integer', count: 1 }])
  expect(loaded.samples).toEqual([{ line: 3, column: 'c299', value: 'x' }])
})

it('reads JSON arrays and JSON lines, with nested values as JSON', async () => {
  for (const text of ['[{"a":1,"b":{"x":[1,2]}},{"a":2,"c":"é"}]', '{"a":1,"b":{"x":[1,2]}}\n\n{"a":2,"c":"é"}\n']) {
    const { table, loaded } = await load(text, { format: 'json' })
    expect(loaded).toMatchObject({ written: true, rows: 2 })
    expect(await readRows(table)).toEqual([
      ['1', '{"x":[1,2]}', null],
      ['2', null, 'é'],
    ])
  }
})

it('appends to the columns of the same name, in the types of the table', async () => {
  const { table } = await load('id,name,price\n1,a,1.5\n2,b,2.5\n')
  const more = await load('NAME,id\nc,3\nd,4\n', { append: table })
  expect(more.loaded).toMatchObject({ written: true, rows: 2 })
  expect(await readRows(more.table)).toEqual([
    ['1', 'a', '1.5'],
    ['2', 'b', '2.5'],
    ['3', 'c', null],
    ['4', 'd', null],
  ])
  const wrong = await load('id,name\nfive,e\n', { append: table })
  expect(wrong.loaded).toMatchObject({ written: false, bad: [{ name: 'id', type: 'integer', count: 1 }] })
  await expect(load('id,colour\n1,red\n', { append: table })).rejects.toMatchObject({ code: 'unprocessable' })
})

it('reports problems of a file without revealing its path', async () => {
  const failed = await load('{"a":1}\n{"a":', { format: 'json', style: {} }).catch((error: unknown) => error)
  const told = failed instanceof AppError ? failed.message : String(failed)
  expect(told).not.toContain(home)
  const latin = join(home, 'latin.csv')
  writeFileSync(latin, Buffer.from('a,b\n1,caf\xe9\n', 'latin1'))
  const look = previewTextFile(Buffer.from('a,b\n1,x\n'), { format: 'csv', isWhole: true })!
  const request = { folder, table: newTable(), append: null, signal: new AbortController().signal, onProgress() {} }
  const file = { path: latin, ...look, consent: { values: [], lines: false } }
  await expect(loadFile({ ...request, file }, limits)).rejects.toMatchObject({
    message: expect.stringContaining('Line 2 is not valid in the selected encoding') as string,
  })
})

it.each([
  ['a text that is no CSV', 'a,b\n1,"x"y"z\n"', /quotes|values/],
  ['JSON that is cut', '[{"a":1},{"a":', /^Could not read the file: Malformed JSON in the file/],
])('describes the problem in a sentence for %s', async (what, text, sentence) => {
  const format = what.includes('JSON') ? 'json' : 'csv'
  const look = previewTextFile(Buffer.from(format === 'json' ? '[{"a":1}]' : text), { format, isWhole: true })!
  const request = { folder, table: newTable(), append: null, signal: new AbortController().signal, onProgress() {} }
  const file = { path: writeTestFile(text), ...look, consent: { values: [], lines: false } }
  const failed: unknown = await loadFile({ ...request, file }, limits).catch((error: unknown) => error)
  const said = failed instanceof AppError ? failed.message : 'values'
  expect(said).toMatch(sentence)
  expect(said).not.toMatch(/state machine|Possible fixes|strict_mode/)
})

it('leaves nothing behind when it is stopped', async () => {
  const text = `a,b\n${Array.from({ length: 200_000 }, (_, index) => `${index},text ${index}`).join('\n')}\n`
  const controller = new AbortController()
  const before = readdirSync(folder)
  const watcher = watch(folder, () => controller.abort(new AppError('query_stopped')))
  await expect(load(text, { signal: controller.signal })).rejects.toMatchObject({ code: 'query_stopped' })
  watcher.close()
  expect(readdirSync(folder)).toEqual(before)
})

it('loads a file that is larger than its memory limit', async () => {
  const lines = Array.from(
    { length: 500_000 },
    (_, index) => `${index},${index / 7},some text of the line ${index},2024-01-31`,
  )
  const text = `n,x,t,d\n${lines.join('\n')}\n`
  const few = { ...limits, memoryLimitMb: 100 }
  expect(text.length).toBeGreaterThan(30_000_000)
  const { table, loaded } = await load(text, { limits: few })
  expect(loaded).toMatchObject({ written: true, rows: 500_000, bad: [] })
  expect(await readRows(table, `count(DISTINCT n)::VARCHAR, min(d)::VARCHAR, max(t)`)).toEqual([
    ['500000', '2024-01-31', 'some text of the line 99999'],
  ])
}, 60_000)

it('escapes quotes and brackets in names', async () => {
  const { table, loaded } = await load(`"x"");DROP TABLE data;--",'y'\n1,2\n`)
  expect((loaded satisfies FileLoadResult).rows).toBe(1)
  expect(Object.keys(await readTypes(table))).toEqual([`x");DROP TABLE data;--`, `'y'`])
})
