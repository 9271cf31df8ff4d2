import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '@parquetry/model'
import { createDecoder, type FileEncoding, fileEncodings } from '@parquetry/model/table-file/encoding'
import { defaultFileStyle } from '@parquetry/model/table-file/file-preview'
import { afterAll, expect, it } from 'vitest'
import yazl from 'yazl'
import { previewFile } from './preview-file.ts'
import { prepareFile } from './prepare-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-workbook-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const limits = { memoryLimitMb: 128, threads: 1, spillFolder: join(folder, 'spill') }
mkdirSync(limits.spillFolder)
const neverAborted = new AbortController().signal
let count = 0

interface Book {
  /** Sheet name -> rows of cells as XML. */
  sheets: Record<string, string>
  shared?: string
  styles?: string
  date1904?: boolean
  hidden?: string[]
  parts?: Record<string, string | Buffer>
}

async function write({ sheets, shared, styles, date1904, hidden = [], parts = {} }: Book): Promise<string> {
  const zip = new yazl.ZipFile()
  const add = (name: string, text: string | Buffer) => zip.addBuffer(Buffer.from(text), name)
  const names = Object.keys(sheets)
  add(
    'xl/workbook.xml',
    `<?xml version="1.0"?><workbook xmlns:r="r">${date1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${names
      .map(
        (name, index) =>
          `<sheet name="${name}"${hidden.includes(name) ? ' state="hidden"' : ''} sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
  )
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships>${names
      .map((_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`)
      .join('')}</Relationships>`,
  )
  names.forEach((name, index) =>
    add(`xl/worksheets/sheet${index + 1}.xml`, `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`),
  )
  if (shared) add('xl/sharedStrings.xml', `<sst>${shared}</sst>`)
  if (styles) add('xl/styles.xml', styles)
  for (const [name, text] of Object.entries(parts)) add(name, text)
  zip.end()
  const path = join(folder, `${++count}.xlsx`)
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}

const preview = (path: string, givenStyle = {}) =>
  previewFile({ path, format: 'xlsx', givenStyle }, limits, neverAborted)
const readErrorMessage = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof AppError ? error.message : `unexpected: ${String(error)}`),
  )

const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="#,##0.00 &quot;days&quot;"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs></styleSheet>`

it('reads texts, numbers, dates by their styles, booleans and results of formulas, and leaves gaps', async () => {
  const path = await write({
    styles,
    shared:
      '<si><t>day</t></si><si><r><t>na</t></r><r><t>me</t></r><rPh sb="0" eb="1"><t>ナ</t></rPh></si><si><t xml:space="preserve"> Zoë &amp; Co </t></si>',
    sheets: {
      Orders: `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="inlineStr"><is><t>price</t></is></c><c r="D2" t="str"><v>paid</v></c><c r="E2" t="str"><v>at</v></c><c r="F2" t="str"><v>time</v></c></row>
        <row r="3"><c r="A3" s="1"><v>45292</v></c><c r="B3" t="s"><v>2</v></c><c r="C3" s="3"><f>1+1</f><v>0.30000000000000004</v></c><c r="D3" t="b"><v>1</v></c><c r="E3" s="2"><v>45292.5</v></c><c r="F3" s="4"><v>0.75</v></c></row>
        <row r="5"><c r="A5" s="1"><v>45293</v></c><c r="C5"><v>1234567890123</v></c><c r="D5" t="b"><v>0</v></c></row>`,
    },
  })
  const { columns, rows, sheets, style } = await preview(path)
  expect(sheets).toEqual(['Orders'])
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ['day', 'date'],
    ['name', 'text'],
    ['price', 'decimal'],
    ['paid', 'boolean'],
    ['at', 'datetime'],
    ['time', 'text'],
  ])
  expect(rows).toEqual([
    ['2024-01-01', ' Zoë & Co ', '0.30000000000000004', 'true', '2024-01-01 12:00:00', '18:00:00'],
    ['2024-01-02', null, '1234567890123', 'false', null, null],
  ])
  const prepared = await prepareFile(
    { path, style, width: 6, columns, consent: { values: [], lines: false } },
    limits.spillFolder,
    neverAborted,
  )
  expect(await readFile(prepared.file.path, 'utf8')).toBe(
    'day,name,price,paid,at,time\n2024-01-01, Zoë & Co ,0.30000000000000004,true,2024-01-01 12:00:00,18:00:00\n2024-01-02,,1234567890123,false,,\n',
  )
  await prepared.remove()
})

it('reads the requested sheet, and lists all sheets', async () => {
  const path = await write({
    sheets: {
      First: '<row><c t="str"><v>a</v></c></row><row><c><v>1</v></c></row>',
      'Über 2': '<row><c t="str"><v>b</v></c></row><row><c t="str"><v>x</v></c></row>',
    },
  })
  expect((await preview(path)).columns[0]?.name).toBe('a')
  expect((await preview(path, { sheet: 'Über 2' })).columns[0]).toMatchObject({ name: 'b', type: 'text' })
  expect(await readErrorMessage(preview(path, { sheet: 'None' }))).toContain('no sheet "None"')
})

it('regression: reads the start of a long sheet without reading to its end', async () => {
  const row = (index: number) => `<row><c><v>${index}</v></c><c t="str"><v>${'word '.repeat(20)}</v></c></row>`
  const rows = Array.from({ length: 20_000 }, (_, index) => row(index)).join('')
  const { columns, rows: shown } = await preview(await write({ sheets: { S: rows } }))
  expect(columns.map(({ type }) => type)).toEqual(['integer', 'text'])
  expect(shown).toHaveLength(20)
})

it('C026: reads a workbook as people make it', async () => {
  const formats = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd.mm.yyyy"/><numFmt numFmtId="165" formatCode="0.0%"/><numFmt numFmtId="166" formatCode="[h]:mm"/></numFmts>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`
  const text = (value: string) => `<c t="str"><v>${value}</v></c>`
  const head = ['Day', 'Share', 'Code', 'Open', 'Double', 'Bad', 'Id', 'Hours'].map(text).join('')
  const data = `<row r="1">${text('Report of March')}</row><row r="3">${head}</row>
    <row r="4"><c s="1"><v>45351</v></c><c s="2"><v>0.125</v></c>${text('00123')}<c t="b"><v>1</v></c><c><f>B4*2</f><v>0.25</v></c><c t="e"><v>#N/A</v></c><c><v>9007199254740993</v></c><c s="3"><v>1.5</v></c></row>
    <row r="5"><c s="1"><v>45351.75</v></c><c s="2"><v>1</v></c>${text('00124')}<c t="b"><v>0</v></c><c><v>2</v></c><c><v>5</v></c><c><v>9007199254740995</v></c><c s="3"><v>0.25</v></c></row>`
  const sheets = { Notes: `<row>${text('some text')}</row>`, 'Data 2024': data }
  const options = { sheet: 'Data 2024', skip: 2 }
  const found = await preview(await write({ sheets, styles: formats }), options)
  expect(found.columns.map(({ name, type }) => [name, type])).toEqual([
    ['Day', 'datetime'],
    ['Share', 'decimal'],
    ['Code', 'text'],
    ['Open', 'boolean'],
    ['Double', 'decimal'],
    ['Bad', 'integer'],
    ['Id', 'integer'],
    ['Hours', 'text'],
  ])
  expect(found.rows).toEqual([
    ['2024-02-29', '0.125', '00123', 'true', '0.25', null, '9007199254740993', '36:00:00'],
    ['2024-02-29 18:00:00', '1', '00124', 'false', '2', '5', '9007199254740995', '06:00:00'],
  ])
  expect(found.mismatches).toEqual({ columns: [], lines: { short: 0, long: 0 }, samples: [] })
  const mac = await preview(await write({ sheets, styles: formats, date1904: true }), options)
  expect(mac.rows[0]?.[0]).toBe('2028-03-01')
})

it('begins with the first visible sheet that has a table; an empty or damaged one hides no other', async () => {
  const data = '<row><c t="str"><v>a</v></c></row><row><c><v>1</v></c></row>'
  const sheets = { Secret: data.replace('>a<', '>s<'), Empty: '', Broken: '<row></c>', Data: data }
  const path = await write({ sheets, hidden: ['Secret'] })
  const found = await preview(path)
  expect([found.style.sheet, found.sheets]).toEqual(['Data', ['Empty', 'Broken', 'Data', 'Secret']])
  expect(await readErrorMessage(preview(path, { sheet: 'Broken' }))).toContain('damaged')
  expect(await readErrorMessage(preview(path, { sheet: 'Empty' }))).toContain('No table')
})

it('counts days from 1904 if the workbook does', async () => {
  const sheets = { S: '<row><c t="str"><v>d</v></c></row><row><c s="1"><v>0</v></c></row>' }
  expect((await preview(await write({ sheets, styles, date1904: true }))).rows).toEqual([['1904-01-01']])
  const leap = {
    S: '<row><c t="str"><v>d</v></c></row><row><c s="1"><v>59</v></c></row><row><c s="1"><v>61</v></c></row>',
  }
  expect((await preview(await write({ sheets: leap, styles }))).rows).toEqual([['1900-02-28'], ['1900-03-01']])
})

it('regression: skips titles above a table, and reports formulas without a result and errors', async () => {
  const path = await write({
    sheets: {
      A:
        '<row r="1"><c t="str"><v>Report</v></c></row><row r="4"><c t="str"><v>name</v></c><c t="str"><v>n</v></c><c t="str"><v>twice</v></c></row>' +
        '<row r="5"><c t="str"><v>x</v></c><c><v>1.5</v></c><c><f>B5*2</f><v/></c></row>' +
        '<row r="6"><c t="str"><f>""</f><v></v></c><c><v>2</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>',
    },
  })
  const preview = await previewFile({ path, format: 'xlsx', givenStyle: {} }, limits, neverAborted)
  expect(preview.style.skip).toBe(3)
  expect(preview.columns.map(({ name, type }) => [name, type])).toEqual([
    ['name', 'text'],
    ['n', 'decimal'],
    ['twice', 'text'],
  ])
  expect(preview.assumptions).toEqual(['titles', 'formulas', 'errors'])
  const { width, columns, style } = preview
  const file = { path, style, width, columns, consent: { values: [], lines: false } }
  const prepared = await prepareFile(file, folder, neverAborted)
  expect(await readFile(prepared.file.path, 'utf8')).toBe('name,n,twice\nx,1.5,\n,2,\n')
  await prepared.remove()
})

it('reads formula cells as the text they show, and never runs them', async () => {
  const path = await write({
    sheets: {
      S: '<row><c t="str"><v>x</v></c></row><row><c t="str"><f>WEBSERVICE("http://a")</f><v>=cmd|x</v></c></row>',
    },
  })
  expect((await preview(path)).rows).toEqual([['=cmd|x']])
})

it('rejects external entities and every other document type', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
  const path = await write({
    sheets: { S: '<row><c t="str"><v>x</v></c></row>' },
    parts: { 'xl/sharedStrings.xml': `${bomb}<sst><si><t>&f;</t></si></sst>` },
  })
  expect(await readErrorMessage(preview(path))).toContain('document type')
})

it('stops at a part that unpacks to more than the ratio allows, whatever the archive claims', async () => {
  const path = await write({
    sheets: { S: `<row><c t="str"><v>${' '.repeat(30 * 2 ** 20)}</v></c></row>` },
  })
  expect(await readErrorMessage(preview(path))).toContain('unpacked workbook is larger')
})

it('rejects workbooks with too many parts', async () => {
  const parts = Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`xl/x${index}.xml`, 'x']))
  const path = await write({ sheets: { S: '<row><c t="str"><v>x</v></c></row>' }, parts })
  expect(await readErrorMessage(preview(path))).toContain('more parts')
}, 120_000)

it.each([
  ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'Save the file as .xlsx'],
  ['no archive', Buffer.from('a,b\n1,2\n'), 'not a workbook'],
  ['an empty file', Buffer.alloc(0), 'empty'],
  ['half an archive', Buffer.from('504b0304140000000800', 'hex'), 'not a workbook'],
])('says what is wrong with %s', async (_what, bytes, words) => {
  const path = join(folder, `${++count}.xlsx`)
  writeFileSync(path, bytes)
  expect(await readErrorMessage(preview(path))).toContain(words)
})

it('rejects files with more columns than the engine can write', async () => {
  const path = join(folder, `${++count}.csv`)
  writeFileSync(path, `${Array.from({ length: 2001 }, (_, index) => `c${index}`).join(',')}\n`)
  await expect(previewFile({ path, format: 'csv', givenStyle: {} }, limits, neverAborted)).rejects.toMatchObject({
    message: 'The file has 2,001 columns. At most 2,000 can be added.',
  })
})

it('rejects an archive that is not a workbook or has no table', async () => {
  const zip = new yazl.ZipFile()
  zip.addBuffer(Buffer.from('x'), 'a.txt')
  zip.end()
  const path = join(folder, `${++count}.xlsx`)
  await pipeline(zip.outputStream, createWriteStream(path))
  expect(await readErrorMessage(preview(path))).toContain('not an Excel workbook')
  const away = await write({
    sheets: { S: '<row/>' },
    parts: { 'xl/_rels/workbook.xml.rels.bak': '' },
  })
  expect(await readErrorMessage(preview(away))).toContain('No table')
})

it('converts UTF-16 and Latin-1 to UTF-8 without the byte order mark', async () => {
  const text = 'Straße,Preis\nGrün,1 €\n'
  const files = [
    ['utf-16le', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])],
    ['utf-16be', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()])],
    ['latin-1', Buffer.from('Stra\xdfe,Preis\nGr\xfcn,1 \x80\n', 'latin1')],
  ] as const
  for (const [encoding, bytes] of files) {
    const path = join(folder, `${++count}.csv`)
    writeFileSync(path, bytes)
    const found = await previewFile({ path, format: 'csv', givenStyle: {} }, limits, neverAborted)
    expect(found.style.encoding).toBe(encoding)
    expect(found.rows).toEqual([['Grün', '1 €']])
    const prepared = await prepareFile(
      { path, style: found.style, width: 2, columns: found.columns, consent: { values: [], lines: false } },
      limits.spillFolder,
      neverAborted,
    )
    expect(await readFile(prepared.file.path, 'utf8')).toBe(text)
    await prepared.remove()
  }
})

it('regression: gives the engine one kind of line ends outside of quotes, and JSON without a byte order mark', async () => {
  const prepared = async (text: string, format: 'csv' | 'json') => {
    const path = join(folder, `${++count}.${format}`)
    writeFileSync(path, text)
    const style = { ...defaultFileStyle, format }
    const file = { path, style, width: 2, columns: [], consent: { values: [], lines: false } }
    const { file: ready, remove } = await prepareFile(file, limits.spillFolder, neverAborted)
    const result = await readFile(ready.path, 'utf8')
    await remove()
    return result
  }
  expect(await prepared('a,b\r\n1,"x\ry\r\nz"\n3,4\r5,6\r', 'csv')).toBe('a,b\n1,"x\ry\r\nz"\n3,4\n5,6\n')
  const long = Array.from({ length: 30_000 }, (_, index) => `${index},b${index % 3 ? '\r\n' : '\n'}`).join('')
  expect(await prepared(long, 'csv')).toBe(long.replaceAll('\r\n', '\n'))
  expect(await prepared('a,b\r\n1,2\r\n', 'csv')).toBe('a,b\r\n1,2\r\n')
  expect(await prepared('\uFEFF[{"a":1}]', 'json')).toBe('[{"a":1}]')
})

it('reports the line of bytes that are not valid in the encoding', async () => {
  const path = join(folder, `${++count}.csv`)
  writeFileSync(
    path,
    Buffer.concat([Buffer.from('a,b\n1,\n2,'), Buffer.from('b3c70a', 'hex'), Buffer.from([0xff, 0x0a])]),
  )
  const style = { ...defaultFileStyle, encoding: 'gbk' as const }
  const file = { path, style, width: 2, columns: [], consent: { values: [], lines: false } }
  expect(await readErrorMessage(prepareFile(file, limits.spillFolder, neverAborted))).toContain('Line 4 is not valid')
})

it('converts every encoding to UTF-8 without a change', async () => {
  const samples: Partial<Record<FileEncoding, string>> = {
    'windows-1250': 'Łódź',
    'windows-1251': 'Москва',
    'windows-1253': 'Αθήνα',
    'windows-1254': 'İzmir',
    'windows-1255': 'חיפה',
    'windows-1256': 'مكة',
    'windows-1257': 'Rīga',
    'windows-1258': 'Đà',
    'iso-8859-2': 'Łódź',
    'koi8-r': 'Москва',
    gbk: '北京',
    big5: '台北',
    'shift-jis': '東京カナ',
    'euc-jp': '東京カナ',
    'euc-kr': '서울',
  }
  for (const encoding of fileEncodings.filter((each) => !/^(utf|latin)/.test(each))) {
    const word = samples[encoding] ?? ''
    const path = join(folder, `${++count}.csv`)
    writeFileSync(path, Buffer.concat([Buffer.from('a\n'), encode(word, encoding), Buffer.from('\n')]))
    const style = { ...defaultFileStyle, encoding }
    const file = { path, style, width: 1, columns: [], consent: { values: [], lines: false } }
    const prepared = await prepareFile(file, limits.spillFolder, neverAborted)
    expect([encoding, await readFile(prepared.file.path, 'utf8')]).toEqual([encoding, `a\n${word}\n`])
    await prepared.remove()
  }
})

/** Encodes a text by looking for the one or two bytes of each character. */
function encode(text: string, encoding: FileEncoding): Buffer {
  const bytesOf = (character: string): number[] => {
    for (let first = 0x80; first < 0x100; first++) {
      if (createDecoder(encoding).decode(Uint8Array.of(first)) === character) return [first]
      for (let second = 0x40; second < 0xff; second++)
        if (createDecoder(encoding).decode(Uint8Array.of(first, second)) === character) return [first, second]
    }
    throw new Error(`${encoding} has no ${character}`)
  }
  return Buffer.from([...text].flatMap((each) => (each < '\u0080' ? [each.charCodeAt(0)] : bytesOf(each))))
}
