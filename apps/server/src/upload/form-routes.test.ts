import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import yazl from 'yazl'
import { createRunners } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { defaultConfig } from '../settings/config.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing.ts'
import { ensureTarget } from './targets.ts'
import { readContext } from '../http/serve-resource.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-forms-'))
let runners: Runners
let server: TestServer
let database: number

beforeAll(async () => {
  runners = createRunners({
    log: pino({ level: 'silent' }),
    memoryLimitMb: 512,
    spillFolder: join(folder, 'spill'),
    cores: 2,
  })
  const { readSettings } = await import('../settings/settings.ts')
  const { config } = await readSettings({}, {})
  server = await startTestServer({ runners, settings: { config: { ...config, UPLOAD_FORM_LIMIT_MB: 20 } } })
  const context = readContext(server.app, { id: 1, permissions: new Set() } as never)
  database = (await ensureTarget(server.deps, { ...context, event: {} as never }, null)).id
})
afterAll(async () => {
  await server.close()
  await runners.close(0)
  rmSync(folder, { recursive: true, force: true })
})

type Fields = Record<string, string>
async function send(
  user: TestUser | 'nobody',
  path: string,
  name: string | null,
  bytes: Buffer | string,
  fields: Fields,
) {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  if (name !== null) form.append('file', new Blob([new Uint8Array(Buffer.from(bytes))]), name)
  const packed = new Response(form)
  const headers = { 'content-type': packed.headers.get('content-type') ?? '' }
  return server.as(user).send('POST', path, { payload: Buffer.from(await packed.arrayBuffer()), headers })
}
const load = (kind: string, name: string, bytes: Buffer | string, fields: Fields, user: TestUser = 'alpha') =>
  send(user, `/api/v1/database/${database}/${kind}/`, name, bytes, fields)

async function findDataset(table: string) {
  const q = `(filters:!((col:table_name,opr:eq,value:${table})))`
  const { result } = (await server.as('alpha').get(`/api/v1/dataset/?q=${q}`)).json()
  const dataset = (await server.as('alpha').get(`/api/v1/dataset/${result[0].id}`)).json().result
  const columns = dataset.columns as { column_name: string; type: string }[]
  const response = await server.as('alpha').post('/api/v1/chart/data', {
    datasource: { id: dataset.id, type: 'table' },
    queries: [{ columns: columns.map(({ column_name }) => column_name), metrics: [], row_limit: 100 }],
  })
  const types = Object.fromEntries(columns.map(({ column_name, type }) => [column_name, type]))
  return { types, rows: response.json().result[0].data as Record<string, unknown>[] }
}

async function workbook(firstSheet?: string): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name)
  add(
    'xl/workbook.xml',
    '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="r1"/><sheet name="B" sheetId="2" r:id="r2"/></sheets></workbook>',
  )
  add(
    'xl/_rels/workbook.xml.rels',
    '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="worksheets/sheet2.xml"/></Relationships>',
  )
  const sheet = (...cells: string[]) => `<worksheet><sheetData>${cells.join('')}</sheetData></worksheet>`
  add(
    'xl/worksheets/sheet1.xml',
    firstSheet ?? sheet('<row><c t="str"><v>x</v></c></row>', '<row><c><v>5</v></c></row>'),
  )
  add(
    'xl/worksheets/sheet2.xml',
    sheet('<row><c t="str"><v>y</v></c><c t="str"><v>z</v></c></row>', '<row><c><v>6</v></c></row>'),
  )
  zip.end()
  const path = join(folder, 'book.xlsx')
  await pipeline(zip.outputStream, createWriteStream(path))
  return readFileSync(path)
}

it('loads a CSV with the options of the form, and creates a dataset from it', async () => {
  const response = await load(
    'csv_upload',
    'people.csv',
    '# note\nname;born;height;x\nAnn;31/12/1990;1,75;1\nBob;-;n.a.;2\n',
    {
      table_name: 'people',
      delimiter: ';',
      skip_rows: '1',
      decimal_character: ',',
      null_values: '-,n.a.',
      columns_read: 'name,born,height',
      schema: 'main',
    },
  )
  expect([response.statusCode, response.json()]).toEqual([201, { message: 'OK' }])
  const { types, rows } = await findDataset('people')
  expect(types).toEqual({ name: 'VARCHAR', born: 'DATE', height: 'DECIMAL(18,2)' })
  expect(rows.toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1))).toEqual([
    { name: 'Ann', born: Date.UTC(1990, 11, 31), height: 1.75 },
    { name: 'Bob', born: null, height: null },
  ])
})

it('fails, replaces or appends according to already_exists', async () => {
  const text = (n: number) => `n\n${n}\n`
  const into = (n: number, already_exists?: string) =>
    load('upload', 'n.csv', text(n), { type: 'csv', table_name: 'n', ...(already_exists && { already_exists }) })
  expect((await into(1)).statusCode).toBe(201)
  const taken = await into(2)
  expect([taken.statusCode, taken.body.includes('already exists')]).toEqual([422, true])
  expect((await into(3, 'append')).statusCode).toBe(201)
  expect((await findDataset('n')).rows).toEqual([{ n: 1 }, { n: 3 }])
  expect((await into(4, 'replace')).statusCode).toBe(201)
  expect((await findDataset('n')).rows).toEqual([{ n: 4 }])
  const named = await load('upload', 'n.csv', text(5), { type: 'csv', table_name: 'main.n' })
  expect([named.statusCode, named.body]).toEqual([422, expect.stringContaining('Table names have')])
})

it('a column with later values of another type stays text; a column with a specified type is rejected with line and value', async () => {
  const lines = Array.from({ length: 100 }, (_, index) => (index === 90 ? 'late' : String(index)))
  const text = `v,w\n${lines.map((line) => `${line},a`).join('\n')}\n`
  expect((await load('csv_upload', 'late.csv', text, { table_name: 'late' })).statusCode).toBe(201)
  expect((await findDataset('late')).types['v']).toBe('VARCHAR')
  const told = await load('csv_upload', 'late.csv', text, { table_name: 'told', column_data_types: "{'v':'int64'}" })
  expect(told.statusCode).toBe(422)
  expect(told.json().message).toContain('Line 92: "late" in v')
})

it('fills lines that are too short, and reports one that is too long', async () => {
  expect((await load('csv_upload', 'a.csv', 'a,b\n1\n2,3\n', { table_name: 'short' })).statusCode).toBe(201)
  const long = await load('csv_upload', 'a.csv', 'a,b\n1,2\n3,4,5\n', { table_name: 'long' })
  expect([long.statusCode, long.json().message]).toEqual([422, expect.stringContaining('Line 3')])
})

it('reads the requested rows, sheet and header', async () => {
  expect(
    (await load('csv_upload', 'r.csv', '1,a\n2,b\n3,c\n', { table_name: 'r', header_row: '', rows_to_read: '2' }))
      .statusCode,
  ).toBe(201)
  expect((await findDataset('r')).rows).toHaveLength(2)
  const book = await workbook()
  expect((await load('excel_upload', 'b.xlsx', book, { table_name: 'sheet_b', sheet_name: 'B' })).statusCode).toBe(201)
  expect((await findDataset('sheet_b')).rows).toEqual([{ y: 6, z: null }])
  const metadata = await send('alpha', '/api/v1/database/excel_metadata/', 'b.xlsx', book, {})
  expect(metadata.json()).toEqual({
    result: {
      items: [
        { sheet_name: 'A', column_names: ['x'] },
        { sheet_name: 'B', column_names: ['y', 'z'] },
      ],
    },
  })
})

it('regression: one bad or empty sheet does not fail the whole workbook', async () => {
  for (const first of ['<worksheet><sheetData/></worksheet>', '<worksheet><sheetData><row></c></row>']) {
    const metadata = await send('alpha', '/api/v1/database/excel_metadata/', 'b.xlsx', await workbook(first), {})
    expect(metadata.json()).toEqual({
      result: {
        items: [
          { sheet_name: 'A', column_names: [] },
          { sheet_name: 'B', column_names: ['y', 'z'] },
        ],
      },
    })
  }
})

it('regression: dates whose order is not certain stay text, unless the form says which order they have', async () => {
  const text = 'd,v\n1/2/2024,1\n3/4/2024,2\n'
  const typeOf = async (table_name: string, fields: Fields) => {
    expect((await load('csv_upload', 'd.csv', text, { table_name, ...fields })).statusCode).toBe(201)
    const { types, rows } = await findDataset(table_name)
    const days = rows.map(({ d }) => (typeof d === 'number' ? new Date(d).toISOString().slice(0, 10) : String(d)))
    return [types['d'], days.toSorted()]
  }
  expect(await typeOf('unordered', {})).toEqual(['VARCHAR', ['1/2/2024', '3/4/2024']])
  expect(await typeOf('day_first', { day_first: 'true' })).toEqual(['DATE', ['2024-02-01', '2024-04-03']])
  expect(await typeOf('month_first', { column_dates: 'd' })).toEqual(['DATE', ['2024-01-02', '2024-03-04']])
})

it('C018: bits are numbers and words stay words, so that other ones can follow', async () => {
  const first = await load('csv_upload', 'b.csv', 'rev,ok,mix\n1,Yes,2\n0,No,true\n1,Yes,false\n', {
    table_name: 'bits',
  })
  expect(first.statusCode).toBe(201)
  const more = { table_name: 'bits', already_exists: 'append' }
  expect((await load('csv_upload', 'b.csv', 'rev,ok,mix\n3,Maybe,7\n', more)).statusCode).toBe(201)
  const { types, rows } = await findDataset('bits')
  expect(types).toEqual({ rev: 'BIGINT', ok: 'VARCHAR', mix: 'VARCHAR' })
  expect(rows.reduce((sum, { rev }) => sum + Number(rev), 0)).toBe(5)
  expect(rows.map(({ ok }) => String(ok)).toSorted()).toEqual(['Maybe', 'No', 'Yes', 'Yes'])
})

it('loads Parquet unchanged, and reports a broken file without its path', async () => {
  const bytes = readFileSync(
    join(dirname(createRequire(import.meta.url).resolve('vega-datasets')), '../data/flights-3m.parquet'),
  )
  expect((await load('columnar_upload', 'f.parquet', bytes, { table_name: 'flights' })).statusCode).toBe(201)
  const { types, rows } = await findDataset('flights')
  expect(types).toMatchObject({ date: expect.stringContaining('TIMESTAMP') as string, origin: 'VARCHAR' })
  expect(rows).toHaveLength(100)
  const broken = await load('columnar_upload', 'f.parquet', bytes.subarray(0, 1000), { table_name: 'f' })
  expect(broken.statusCode).toBe(422)
  expect(broken.body).not.toContain(server.home)
})

it('metadata of a CSV names its columns, whatever the order of the form', async () => {
  const response = await send('alpha', '/api/v1/database/upload_metadata/', 'm.csv', 'a|b c\n1|2\n', { type: 'csv' })
  expect(response.json()).toEqual({ result: { items: [{ sheet_name: null, column_names: ['a', 'b c'] }] } })
})

it.each([
  ['no file', null, { table_name: 't' }, 400, 'Field is required'],
  ['no name', 'a.csv', {}, 400, 'table_name'],
  ['an odd ending', 'a.exe', { table_name: 't' }, 400, 'File extension is not allowed.'],
  ['an odd strategy', 'a.csv', { table_name: 't', already_exists: 'merge' }, 400, 'already_exists'],
  ['an index', 'a.csv', { table_name: 't', dataframe_index: 'true' }, 400, 'not supported'],
  [
    'another schema',
    'a.csv',
    { table_name: 't', schema: 'pg_catalog' },
    422,
    'cannot be loaded into the schema pg_catalog',
  ],
  ['columns that are not there', 'a.csv', { table_name: 't', columns_read: 'zz' }, 400, 'no column zz'],
] as [string, string | null, Fields, number, string][])(
  'reports what is wrong: %s',
  async (_what, name, fields, status, words) => {
    const response = await send('alpha', `/api/v1/database/${database}/csv_upload/`, name, 'a,b\n1,2\n', fields)
    expect([response.statusCode, response.body]).toEqual([status, expect.stringContaining(words)])
  },
)

it('LIST-025: requires the permission for the kind of file before the file is read', async () => {
  for (const kind of ['upload', 'csv_upload', 'excel_upload', 'columnar_upload'])
    expect((await load(kind, 'a.csv', 'a\n1\n', { table_name: 't', type: 'csv' }, 'gamma')).statusCode).toBe(403)
  expect((await send('nobody', '/api/v1/database/csv_metadata/', 'a.csv', 'a\n1\n', {})).statusCode).toBe(401)
})

it('rejects a file beyond the limit, and leaves none behind', async () => {
  const response = await load('csv_upload', 'a.csv', `a\n${'x'.repeat(21 * 2 ** 20)}\n`, { table_name: 'big' })
  expect(response.statusCode).toBe(413)
  expect(readdirSync(join(server.home, 'uploads'))).toEqual([])
  expect(defaultConfig.UPLOAD_FORM_LIMIT_MB).toBe(100)
})
