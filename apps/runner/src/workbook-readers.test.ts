import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildFrame, type Frame } from '@parquetry/frame'
import { afterAll, expect, it } from 'vitest'
import { zipWorkbook } from './write-workbook.ts'
import { createXlsxWriter } from './xlsx-writer.ts'

const python = process.env['PARQUETRY_TEST_PYTHON']
const folder = mkdtempSync(join(tmpdir(), 'parquetry-workbooks-'))
afterAll(() => rmSync(folder, { recursive: true }))

const values = {
  whole: [1, null, 3],
  long: [9007199254740995n, -1n, null],
  text: ['=1+1', '', 'ü & <b>'],
  yes: [true, false, null],
  float: [0.1, Infinity, null],
}
const frame = (): Frame => ({
  rows: 3,
  columns: [
    ...buildFrame(values).columns,
    {
      name: 'at',
      kind: 'time',
      type: null,
      unit: 'datetime',
      validity: null,
      data: Float64Array.of(Date.UTC(2024, 1, 29, 12), 0, Date.UTC(1999, 11, 31)),
    },
  ],
})

/** Widest sheet that tests the letters of columns. */
const wide = (): Frame =>
  buildFrame(Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`c${index}`, [index]])))

const read = `
import sys, json, openpyxl, pandas
book = openpyxl.load_workbook(sys.argv[1])
own = {s.title: [[str(c) for c in row] for row in s.iter_rows(values_only=True)] for s in book}
other = {name: [[str(c) for c in row] for row in sheet.astype(object).where(sheet.notna(), None).values.tolist()]
         for name, sheet in pandas.read_excel(sys.argv[1], engine='calamine', sheet_name=None, header=None, keep_default_na=False, na_values=['']).items()}
print(json.dumps({'openpyxl': own, 'calamine': other}))
`

function readers(path: string): { openpyxl: Record<string, string[][]>; calamine: Record<string, string[][]> } {
  const { stdout, stderr } = spawnSync(python!, ['-W', 'error', '-c', read, path], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as ReturnType<typeof readers>
}

const heading = ['whole', 'long', 'text', 'yes', 'float', 'at']

async function writeOneSheet(name: string, content: Frame): Promise<string> {
  const path = join(folder, name)
  const writer = createXlsxWriter(path, content.columns)
  await writer.frame(content)
  await writer.end()
  await writer.close()
  return path
}

it.skipIf(!python)('regression: a downloaded table opens in openpyxl and calamine with the same values', async () => {
  const { openpyxl, calamine } = readers(await writeOneSheet('table.xlsx', frame()))
  expect(openpyxl).toEqual({
    Sheet1: [
      heading,
      ['1', '9007199254740995', '=1+1', 'True', '0.1', '2024-02-29 12:00:00'],
      ['None', '-1', '', 'False', 'Infinity', '1970-01-01 00:00:00'],
      ['3', 'None', 'ü & <b>', 'None', 'None', '1999-12-31 00:00:00'],
    ].map((row) => row.map((text) => (text === '' ? expect.stringMatching(/^(None)?$/) : text) as string)),
  })
  expect(calamine['Sheet1']?.map((row) => row.slice(1, 4))).toEqual([
    ['long', 'text', 'yes'],
    ['9007199254740995', '=1+1', 'True'],
    ['-1', 'None', 'False'],
    ['None', 'ü & <b>', 'None'],
  ])
  expect(calamine['Sheet1']?.map((row) => row[5])).toEqual([
    'at',
    '2024-02-29 12:00:00',
    '1970-01-01 00:00:00',
    '1999-12-31 00:00:00',
  ])
})

it.skipIf(!python)(
  'regression: a wide table and a workbook of several sheets open in openpyxl and calamine',
  async () => {
    const one = readers(await writeOneSheet('wide.xlsx', wide()))
    for (const sheets of [one.openpyxl, one.calamine])
      expect([sheets['Sheet1']?.[0]?.[799], sheets['Sheet1']?.[1]?.[799]]).toEqual(['c799', '799'])
    const path = join(folder, 'dashboard.xlsx')
    const sheets = ['Sales & more', 'Empty'].map((name, index) => {
      const own = index === 0 ? frame() : buildFrame({ none: [] as number[] })
      return { name, frame: own, looks: own.columns.map(() => ({ format: '0.00%', width: 12 })), chart: null }
    })
    const cover = {
      name: 'Contents',
      rows: [[{ value: 'All & more', isHeading: true }], [{ value: 'Empty', sheet: 'Empty' }, { value: 3 }]],
    }
    writeFileSync(path, await zipWorkbook({ cover, sheets }, () => Promise.resolve()))
    expect(readFileSync(path).subarray(0, 2).toString()).toBe('PK')
    const { openpyxl, calamine } = readers(path)
    for (const found of [openpyxl, calamine]) {
      expect(Object.keys(found)).toEqual(['Contents', 'Sales & more', 'Empty'])
      expect(found['Sales & more']?.[0]).toEqual(heading)
      expect(found['Empty']).toEqual([['none']])
    }
  },
)
