import { describe, expect, it } from 'vitest'
import { guessDelimiter, splitCsv } from './csv.ts'
import { decodeText, guessEncoding } from './encoding.ts'
import { uploadFormatOf, previewTextFile } from './guess.ts'
import { toColumnNames, toTableName } from './names.ts'
import { findMismatches } from './mismatches.ts'
import { guessType } from './guess-type.ts'
import { parseValue } from './types.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const preview = (text: string, givenStyle = {}) =>
  previewTextFile(bytes(text), { format: 'csv', isWhole: true, givenStyle })
const readValues = (text: string, isWhole = true) =>
  splitCsv(text, { delimiter: ',', quote: '"' }, { isWhole }).map(({ values }) => values)

describe('CSV records', () => {
  it('reads quotes, doubled quotes, and line breaks inside quotes', () => {
    expect(readValues('a,"b ""c"""\r\n"1\n2",3\r')).toEqual([
      ['a', 'b "c"'],
      ['1\n2', '3'],
    ])
  })
  it('skips empty lines, and tells empty quotes from no value', () => {
    expect(readValues('a,b\n\n,\n\r\n1,\n2,""\n')).toEqual([
      ['a', 'b'],
      [null, null],
      ['1', null],
      ['2', ''],
    ])
  })
  it('drops a record cut by the end of the sample, in quotes or not', () => {
    expect(readValues('a,b\n1,2\n3', false)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
    expect(readValues('a,b\n1,"2', false)).toEqual([['a', 'b']])
  })
  it('returns the line on which each record begins', () => {
    const lines = splitCsv('a\n"1\n2"\n\n3\n', { delimiter: ',', quote: '"' }).map(({ line }) => line)
    expect(lines).toEqual([1, 2, 5])
  })
  it.each([
    ['a,b\n1,2\n', ','],
    ['a;b\n1,5;2\n3,5;4\n', ';'],
    ['a\tb, c\n1\t2\n', '\t'],
    ['a|b\n1|2\n', '|'],
    ['only\n1\n2\n', ','],
    ['name;note\nx;"a,b,c"\ny;"d,e,f"\n', ';'],
  ])('splits %j by %j', (text, delimiter) => {
    expect(guessDelimiter(text)).toBe(delimiter)
  })
})

describe('encodings', () => {
  it.each([
    ['utf-8', bytes('\uFEFFé')],
    ['utf-16le', new Uint8Array([0xff, 0xfe, 0xe9, 0x00])],
    ['utf-16be', new Uint8Array([0xfe, 0xff, 0x00, 0xe9])],
    ['latin-1', new Uint8Array([0xe9, 0x20])],
  ] as const)('detects and decodes %s', (encoding, text) => {
    expect(guessEncoding(text)).toBe(encoding)
    expect(decodeText(text, encoding).trim()).toBe('é')
  })
  it('detects UTF-16 without a byte order mark by its zero bytes', () => {
    expect(guessEncoding(new Uint8Array([...'a,b\n1,2\n'].flatMap((sign) => [sign.charCodeAt(0), 0])))).toBe('utf-16le')
  })
  it.each([
    ['C022: gbk', 'gbk', 's8fK0CzK/Qqxsb6pLDEKyc+6oywyCg==', '城市,数'],
    ['C022: latin-1', 'latin-1', 'R3L232U7UHJlaXMggApuYe92ZTsxCmNhZuk7Mgo=', 'Größe;Preis €'],
    ['shift-jis', 'shift-jis', 'k/qVdCyDZoNYg2cKMSyCoAo=', '日付,デスト'],
    ['windows-1251', 'windows-1251', '4+7w7uQs9+jx6+4KzO7x6uLgLDEK', 'город,число'],
    [
      'euc-kr',
      'euc-kr',
      'tbW9wyzAzrG4Crytv+8ssbi56bvnvcq4uAq6zrvqLLvvuem7773KuLgKtOuxuCzAzLnpu+e9yri4CsDOw7Usu++56bi4Cg==',
      '도시,인구',
    ],
  ] as const)('%s is recognized without a mark', (_name, encoding, base64, head) => {
    const sample = Buffer.from(base64, 'base64')
    expect(guessEncoding(sample)).toBe(encoding)
    expect(decodeText(sample, encoding).split('\n')[0]).toBe(head)
  })
  it('ignores a character cut by the end of the sample', () => {
    expect(guessEncoding(bytes('abcé').subarray(0, 4))).toBe('utf-8')
  })
})

describe('types', () => {
  const guess = (...values: string[]) => guessType(values, { decimal: '.' })
  it.each([
    [['1', '-2', '3'], 'integer', null],
    [['1', '2.5'], 'decimal', null],
    [['1.2e3', '.5', '7.', '-2e-7'], 'decimal', null],
    [['0', '1', '0'], 'integer', null],
    [['true', 'FALSE', ''], 'boolean', null],
    [['2024-01-31', '2024/2/1', ''], 'date', 'iso'],
    [['2024-01-31 10:00', '2024-01-31T10:00:00.123Z'], 'datetime', 'iso'],
    [['31/12/2023', '1/2/2024'], 'date', '%d/%m/%Y'],
    [['12/31/2023', '1/2/2024'], 'date', '%m/%d/%Y'],
    [['31.12.2023 08:15'], 'datetime', '%d.%m.%Y %H:%M'],
    [['12/31/2023 8:15 PM', '1/2/2024 12:00 am'], 'datetime', '%m/%d/%Y %I:%M %p'],
    [['3 Jan 2024'], 'date', '%d %b %Y'],
    [['2024-02-30', '2024-01-01'], 'text', null],
    [['', 'NA'], 'text', null],
    [['a', '1'], 'text', null],
  ] as const)('%j is %s', (values, wanted, format) => {
    expect(guess(...values)).toMatchObject({ type: wanted, format, note: null })
  })
  it.each([
    [['01', '02'], 'zeros', 'integer'],
    [['+4915112345678', '+12025550123'], 'plus', 'integer'],
    [['123456789012345678', '1.5'], 'digits', 'decimal'],
    [['99999999999999999999'], 'digits', 'decimal'],
    [['123456789012345678', '1E5'], 'digits', 'decimal'],
    [['1', '0', 'true'], 'words', 'boolean'],
    [['10E5', '12345'], 'scientific', 'decimal'],
    [['12.5%', '7 %'], 'percent', 'decimal'],
    [['$1,234.50', '(€12)', 'USD 7'], 'currency', 'decimal'],
    [['yes', 'No', ''], 'words', 'boolean'],
    [['2024-01-01 10:00:00.1234567'], 'fraction', 'datetime'],
    [['31/12/23'], 'century', 'date'],
    [['1,5', '2,75'], 'separator', undefined],
    [['007', 'n/a'], 'zeros', 'integer'],
    [['13/01/2024', '01/13/2024'], 'formats', undefined],
  ] as const)('%j stays text, with the note %s', (values, kind, instead) => {
    const { type, note } = guess(...values)
    expect([type, note?.kind, note?.readings[1]?.type]).toEqual(['text', kind, instead])
  })
  it.each([
    [
      ['1/2/2024', '3/4/2024'],
      'order',
      [
        ['date', '%d/%m/%Y'],
        ['date', '%m/%d/%Y'],
        ['text', null],
      ],
    ],
    [
      ['1,234', '5'],
      'grouped',
      [
        ['integer', 'grouped'],
        ['text', null],
      ],
    ],
    [
      ['2024-01-01T10:00:00+02:00'],
      'zone',
      [
        ['datetime', 'iso'],
        ['text', null],
      ],
    ],
  ] as const)('%j is read with the note %s and its alternatives', (values, kind, readings) => {
    const { type, format, note } = guess(...values)
    expect([type, format, note?.kind]).toEqual([...(readings[0] ?? []), kind])
    expect(note?.readings.map((reading) => [reading.type, reading.format])).toEqual(readings)
  })
  it('holds for every value: one word among many numbers makes a column text', () => {
    const many = Array.from({ length: 100 }, (_, index) => (index === 47 ? 'oops' : String(index)))
    expect(guess(...many).type).toBe('text')
  })
  it('reads numbers only in the style of the file', () => {
    const decimal = { type: 'decimal', format: null } as const
    expect(parseValue('1.234,5', decimal, { decimal: ',' })).toBe('1234.5')
    expect(parseValue('1.234,5', decimal, { decimal: '.' })).toBeNull()
    expect(parseValue('12,34', decimal, { decimal: '.' })).toBeNull()
  })
  it.each([
    ['12.5%', 'decimal', 'percent', '0.125'],
    ['7 %', 'decimal', 'percent', '0.07'],
    ['$ -1,234.50', 'decimal', 'currency', '-1234.5'],
    ['(12 USD)', 'integer', 'currency', '-12'],
    ['12345678901234567.5', 'decimal', null, null],
    ['12345678901234567.5', 'decimal', 'rounded', '12345678901234568'],
    ['0.30000000000000004', 'decimal', null, '0.30000000000000004'],
    // The double of both is halfway between them, and the engine writes it with the even digit.
    ['714879262662944.3', 'decimal', null, null],
    ['714879262662944.2', 'decimal', null, '714879262662944.2'],
    ['9007199254740993', 'integer', null, '9007199254740993'],
    ['-9223372036854775808', 'integer', null, '-9223372036854775808'],
    ['9223372036854775808', 'integer', null, null],
    ['1/2/2024 12:05 AM', 'datetime', '%d/%m/%Y %I:%M %p', '2024-02-01 00:05:00'],
    ['31/12/68', 'date', '%d/%m/%y', '2068-12-31'],
    ['31/12/69', 'date', '%d/%m/%y', '1969-12-31'],
    ['45351', 'date', 'excel-1900', '2024-02-29'],
    ['45351.75', 'datetime', 'excel-1900', '2024-02-29 18:00:00'],
    ['45351', 'date', 'excel-1904', '2028-03-01'],
    ['59', 'date', 'excel-1900', '1900-02-28'],
    ['60', 'date', 'excel-1900', null],
    ['61', 'date', 'excel-1900', '1900-03-01'],
    ['2024-01-01T01:30:00+02:00', 'datetime', 'iso', '2023-12-31 23:30:00'],
    ['2024-01-01 10:00:00.1234567', 'datetime', 'iso', '2024-01-01 10:00:00.123456'],
    ['Yes', 'boolean', null, 'true'],
    ['maybe', 'boolean', null, null],
  ] as const)('reads %s as %s in the format %s as %s', (text, type, format, value) => {
    expect(parseValue(text, { type, format }, { decimal: '.' })).toBe(value)
  })
})

describe('detection from the start of a file', () => {
  it('regression: skips titles and empty lines before the column names, as an assumption that can be changed', () => {
    const text = '\nSales,\nCreated 2024-01-01\n\nregion,amount\nNorth,1.5\nSouth,2.5\n'
    const found = preview(text)
    expect(found?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['region', 'text'],
      ['amount', 'decimal'],
    ])
    expect([found?.style.skip, found?.assumptions]).toEqual([4, ['titles']])
    const read = preview(text, { skip: 0 })
    expect([read?.columns[0]?.name, read?.style.skip, read?.assumptions]).toEqual(['Sales', 1, []])
  })
  it.each([
    ['name\n"Bob, Jr."\nCarl\nDora, Eve\n', ['name']],
    ['name,\nAnn,x\nBob,y\n', ['name', 'column_2']],
    ['id,,\n1,2,3\n4,5,6\n', ['id', 'column_2', 'column_3']],
    ['region,2021,2022\nN,1,2\nS,3,2021\n', ['region', '2021', '2022']],
    ['region,2021,2022\nN,2023,2024\nS,2020,2021\n', ['column_1', 'column_2', 'column_3']],
    ['2024-01-31,x\n2024-02-01,y\n', ['column_1', 'column_2']],
    ['region,2024-01-31\nN,5\n', ['region', '2024-01-31']],
  ])('finds the column names of %j', (text, names) => {
    expect(preview(text)?.columns.map(({ name }) => name)).toEqual(names)
  })
  it('regression: reports empty quotes in text columns as an assumption, and keeps them apart from null', () => {
    const found = preview('id,note\n1,""\n"",\n3,x\n')
    expect(found?.columns.map(({ type }) => type)).toEqual(['integer', 'text'])
    expect(found?.assumptions).toEqual(['empty-texts'])
    expect(found?.rows).toEqual([
      ['1', ''],
      ['', null],
      ['3', 'x'],
    ])
  })
  it('regression: delimiters without values at the end of a line are no values', () => {
    const text = 'a,b\n1,2,\n3,4,,\n5,6,""\n'
    expect(findMismatches(bytes(text), preview(text)!, [], true)?.lines).toEqual({ short: 0, long: 1 })
  })
  it('regression: reports a guessed encoding, and reads Central European letters', () => {
    const polish = new Uint8Array([0x69, 0x64, 0x2c, 0x62, 0x0a, 0x31, 0x2c, 0xa3, 0xf3, 0x64, 0x9f, 0x0a])
    const found = previewTextFile(polish, { format: 'csv', isWhole: true })
    expect(found?.rows).toEqual([['1', 'Łódź']])
    expect(found?.assumptions).toEqual(['encoding'])
    expect(preview('id\nŁódź\n')?.assumptions).toEqual([])
    const cubicMeters = new Uint8Array([0x78, 0x0a, 0x6d, 0xb3, 0x0a, 0xa3, 0x35, 0x0a])
    expect(guessEncoding(cubicMeters)).toBe('latin-1')
  })
  it('regression: a column of dates with a word for null has no note about other formats', () => {
    expect(guessType(['2024-01-01', '2024-01-02', 'n/a'], { decimal: '.' })).toMatchObject({ type: 'text', note: null })
  })
  it('regression: names keep the joiners of scripts and emoji', () => {
    expect(toColumnNames(['می\u200cشود', '👩\u200d👧', 'a\u202eb'])).toEqual(['می\u200cشود', '👩\u200d👧', 'a b'])
  })
  it('detects names, types and first rows', () => {
    const found = preview('\uFEFFMenge;Preis;Tag\n1;2,5;31.12.2023\n2;;1.1.2024\n')
    expect(found).toMatchObject({
      style: { delimiter: ';', decimal: ',', header: true, encoding: 'utf-8' },
      width: 3,
      columns: [
        { source: 0, name: 'Menge', type: 'integer', exact: true },
        { source: 1, name: 'Preis', type: 'decimal', exact: true },
        { source: 2, name: 'Tag', type: 'date', format: '%d.%m.%Y', exact: true },
      ],
      rows: [
        ['1', '2,5', '31.12.2023'],
        ['2', null, '1.1.2024'],
      ],
    })
  })
  it('does not treat a first line of numbers as a header', () => {
    expect(preview('1,2\n3,4\n')).toMatchObject({
      style: { header: false },
      columns: [{ name: 'column_1' }, { name: 'column_2' }],
      rows: [
        ['1', '2'],
        ['3', '4'],
      ],
    })
  })
  it('applies the options set by the user', () => {
    expect(preview('x\ny\na,b\n1,2\n', { skip: 2 })?.columns.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(preview('a,b\n1,2\n', { header: false })?.rows).toHaveLength(2)
  })
  it('takes the delimiter from a first line for Excel', () => {
    expect(preview('sep=;\r\na;b\r\n1,2;3\r\n')).toMatchObject({
      style: { delimiter: ';', skip: 1 },
      columns: [{ name: 'a' }, { name: 'b' }],
    })
  })
  it('finds no table in a workbook under a wrong name', () => {
    expect(preview('PK\u0003\u0004\n,a')).toBeNull()
    expect(preview('P\n1\n')).not.toBeNull()
  })
  it('returns null for an empty file and for empty first lines', () => {
    expect([preview(''), preview('\n\n'), preview(',,\n1,2,3\n')]).toEqual([null, null, null])
  })
  it('reads JSON lists and lines of objects, nested values as JSON, and returns null for other JSON', () => {
    const json = (text: string, isWhole = true) => previewTextFile(bytes(text), { format: 'json', isWhole })
    for (const text of ['[{"a":1,"b":{"x":[1]}},{"b":null,"c":"z"}]', '{"a":1,"b":{"x":[1]}}\n{"b":null,"c":"z"}'])
      expect(json(text)).toMatchObject({
        columns: [
          { source: 'a', type: 'integer' },
          { source: 'b', type: 'text' },
          { source: 'c', type: 'text' },
        ],
        rows: [
          ['1', '{"x":[1]}', null],
          [null, null, 'z'],
        ],
      })
    expect(json('[{"a":1},{"a":', false)?.rows).toEqual([['1']])
    const long = json('[{"id":12345678901234567890,"x":1.10,"y":{"z":[9007199254740993]}}]')
    expect(long?.rows).toEqual([['12345678901234567890', '1.10', '{"z":[9007199254740993]}']])
    expect([json('3'), json('[1,2]'), json('{"a":'), json('')]).toEqual([null, null, null, null])
  })
  it('does not let field names change the prototype', () => {
    const found = previewTextFile(bytes('[{"__proto__":1,"constructor":2}]'), { format: 'json', isWhole: true })
    expect(found?.rows).toEqual([['1', '2']])
    expect(({} as Record<string, unknown>)['1']).toBeUndefined()
  })
})

it('counts and lists values and lines that do not match', () => {
  const text = 'n,v\n1,2\n2,x\n3\n4,5,6\n'
  const found = preview(text)!
  const columns = found.columns.map((column) => ({ ...column, type: 'integer' as const, format: null }))
  expect(findMismatches(bytes(text), found, columns, true)).toEqual({
    columns: [{ source: 1, type: 'integer', format: null, exact: false, count: 1, of: 4, isWhole: true }],
    lines: { short: 1, long: 1 },
    samples: [
      { line: 3, source: 1, value: 'x' },
      { line: 4, source: null, value: '3' },
      { line: 5, source: null, value: '4,5,6' },
    ],
  })
})

it('a line with too few values does not change the types of columns', () => {
  const text = 'day,phone\n1/2/2024,+49123456\nTotal\n'
  const found = preview(text)!
  expect(found.columns[0]).toMatchObject({ type: 'date', format: '%d/%m/%Y' })
  expect(findMismatches(bytes(text), found, found.columns, true)).toMatchObject({
    columns: [],
    lines: { short: 1, long: 0 },
  })
})

it('reports the few values that make a column text', () => {
  const text = `v,s,zip\n${Array.from({ length: 30 }, (_, index) => `${index % 4 ? index : 'none'},s${index},0${index}`).join('\n')}\n`
  const found = preview(text)!
  expect(found.columns.map(({ type }) => type)).toEqual(['text', 'text', 'text'])
  const { columns } = findMismatches(bytes(text), found, found.columns, true)!
  expect(columns).toEqual([{ source: 0, type: 'integer', format: null, exact: true, count: 8, of: 30, isWhole: true }])
})

it('reports the few values that keep a column from being dates', () => {
  const text = 'd\n2024-02-30\n2024-01-01\n2024-01-02\n'
  const found = preview(text)!
  expect(findMismatches(bytes(text), found, found.columns, true)).toMatchObject({
    columns: [{ source: 0, type: 'date', format: 'iso', count: 1, of: 3 }],
    samples: [{ line: 2, source: 0, value: '2024-02-30' }],
  })
})

it.each(['\n', '\r\n'])(
  'regression: skipped lines at the start lose no record and shift no line number, with line ending %j',
  (end) => {
    const text = ['one', 'two', 'three', 'v', '1', 'x', ''].join(end)
    const found = preview(text, { skip: 3 })!
    expect(found.rows).toEqual([['1'], ['x']])
    const columns = [{ source: 0, name: 'v', type: 'integer' as const, format: null }]
    expect(findMismatches(bytes(text), found, columns, true)).toMatchObject({
      columns: [{ source: 0, count: 1, of: 2 }],
      lines: { short: 0, long: 0 },
      samples: [{ line: 6, source: 0, value: 'x' }],
    })
  },
)

it('column names are non-empty, short, single-line and unique', () => {
  expect(toColumnNames(['a', 'A', '', ' b\n c ', 'x'.repeat(300), '日付'])).toEqual([
    'a',
    'A_2',
    'column_3',
    'b c',
    'x'.repeat(120),
    '日付',
  ])
})

it.each([
  ['orders.csv', 'orders'],
  ['My Orders (2).xlsx', 'My_Orders_2'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\data\\2024.csv', 't_2024'],
  ['Umsätze 2024.csv', 'Umsätze_2024'],
  ['.csv', 'csv'],
  ['"; DROP TABLE x;--.csv', 'DROP_TABLE_x'],
  ['...', 'upload'],
])('the file %s becomes the table %s', (file, table) => {
  expect(toTableName(file)).toBe(table)
})

it('detects the format by file extension', () => {
  expect(['A.CSV', 'a.tsv', 'a.ndjson', 'a.parquet', 'a.xlsx', 'a.xls', 'a'].map(uploadFormatOf)).toEqual([
    'csv',
    'csv',
    'json',
    'parquet',
    'xlsx',
    null,
    null,
  ])
})
