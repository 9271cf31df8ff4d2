import { expect, it } from 'vitest'
import {
  toParameters,
  type ConnectionDraft,
  connectionBody,
  buildDefaults,
  hasRepeatedName,
  createConnectionDraft,
  type Engine,
  listFields,
  isSameConnection,
  secretMask,
  newTunnel,
  validationBody,
} from './connection.ts'
import { newOptions, optionsBody, readOptions } from './options.ts'
import { readPastedUri } from './pasted-uri.ts'

const engine = (name: string, schemes: string[], properties: object, required: string[] = []): Engine => ({
  name,
  engine: name.toLowerCase(),
  available_drivers: [],
  preferred: true,
  parquetry: {
    kind: 'network',
    schemes,
    form: { properties: properties as never, required },
    supports: { catalogs: false, estimate: false, createAs: false, impersonate: false },
    query_parameters: ['sslmode'],
  },
})
const host = { type: 'string', title: 'Host' }
const port = { type: 'integer', title: 'Port', default: 5432 }
const query = { type: 'object', title: 'Additional parameters' }
const postgres = engine(
  'PostgreSQL',
  ['postgresql', 'postgresql+psycopg2'],
  { host, port, database: { type: 'string' }, username: {}, password: { type: 'string', secret: true }, query },
  ['host', 'port', 'database'],
)
const trino = engine('Trino', ['trino'], { host, port, catalog: {}, schema: {}, username: {}, encryption: {}, query })
const duckdb = engine('DuckDB', ['duckdb'], { path: { title: 'File' } })
const sheets = engine('Sheets', ['sheets'], { catalog: { type: 'object', title: 'Tables' } })
const all = [postgres, trino, duckdb]

const draft = (own: Partial<ConnectionDraft> = {}): ConnectionDraft => ({ ...createConnectionDraft(postgres), ...own })

it('generates the form from engine metadata: name, kind, default, required', () => {
  expect(listFields(postgres).map(({ name, kind, required }) => [name, kind, required])).toEqual([
    ['host', 'text', true],
    ['port', 'number', true],
    ['database', 'text', true],
    ['username', 'text', false],
    ['password', 'secret', false],
    ['query', 'pairs', false],
  ])
  expect(buildDefaults(postgres)).toEqual({ port: 5432 })
})

it.each([
  [
    'postgresql://me:p%40ss@db.example.com:6000/sales?sslmode=require',
    {
      host: 'db.example.com',
      port: 6000,
      username: 'me',
      password: 'p@ss',
      database: 'sales',
      query: [['sslmode', 'require']],
    },
  ],
  ['POSTGRESQL+psycopg2://[::1]/x', { host: '::1', database: 'x' }],
  [
    'trino://me@host:8443/hive/sales?protocol=https',
    {
      host: 'host',
      port: 8443,
      username: 'me',
      catalog: 'hive',
      schema: 'sales',
      encryption: true,
    },
  ],
  ['duckdb:////data/sales.parquet', { path: '/data/sales.parquet' }],
])('parses the connection string %s into the fields', (text, parameters) => {
  expect(readPastedUri(text, all)?.parameters).toEqual(parameters)
})

it('rejects text that is not a connection string of a supported engine', () => {
  for (const text of ['', 'postgres', 'oracle://a:b@c/d', 'http://example.com', 'postgresql://h:port/x'])
    expect(readPastedUri(text, all)).toBeUndefined()
})

it('regression: never takes a part of a password for another field', () => {
  for (const password of ['12/secret', '12?secret', '12#secret', 'a/b@c'])
    expect(readPastedUri(`postgresql://ana:${password}@db.example.com:5432/shop`, all)?.parameters).toEqual({})
  expect(readPastedUri('postgresql://ana:a@b@db.example.com/shop', all)?.parameters).toMatchObject({
    host: 'db.example.com',
    password: 'a@b',
    database: 'shop',
  })
})

it('DB-007: sends a catalog list as a map from name to value when validating parameters', () => {
  const catalog = [
    ['first', 'https://example.com/a'],
    ['second', 'https://example.com/b'],
    ['', 'nobody'],
  ] as const
  expect(validationBody({ ...createConnectionDraft(sheets), parameters: { catalog } }, sheets)).toMatchObject({
    catalog: { first: 'https://example.com/a', second: 'https://example.com/b' },
    parameters: {},
  })
  expect(connectionBody(draft({ parameters: { query: [['sslmode', 'require']] } }), postgres)).toMatchObject({
    parameters: { query: { sslmode: 'require' } },
  })
  expect(
    validationBody({ ...createConnectionDraft(trino), parameters: { catalog: 'hive' } }, trino),
  ).not.toHaveProperty('catalog')
})

it('sends masks back for unchanged secrets, and only the secret of the chosen method', () => {
  const parameters = toParameters({ host: 'h', password: secretMask, query: { a: '1' } })
  expect(connectionBody(draft({ parameters }), postgres)['parameters']).toEqual({
    host: 'h',
    password: secretMask,
    query: { a: '1' },
  })
  const tunnel = { ...newTunnel(), by: 'private_key' as const, password: 'typed before', private_key: secretMask }
  expect(connectionBody(draft({ tunnel }), postgres)['ssh_tunnel']).toEqual({
    server_address: '',
    server_port: 22,
    username: '',
    private_key: secretMask,
    host_key: null,
  })
})

it('regression: names of parameters must not repeat, since only one value of them could be sent', () => {
  const pairs = (...names: string[]) => names.map((name) => [name, 'x'] as const)
  expect(hasRepeatedName(pairs('sslmode', ' sslmode'))).toBe(true)
  expect(hasRepeatedName(pairs('sslmode', 'application_name', '', ''))).toBe(false)
  expect(hasRepeatedName(undefined)).toBe(false)
})

it('detects whether a change requires a test', () => {
  expect(isSameConnection(draft(), draft({ name: 'other' }), postgres)).toBe(true)
  expect(isSameConnection(draft(), draft({ parameters: { host: 'x' } }), postgres)).toBe(false)
})

it('preserves unknown keys of `extra`', () => {
  const stored = { extra: '{"theirs":1,"metadata_cache_timeout":{"schema_cache_timeout":60}}', expose_in_sqllab: true }
  expect(JSON.parse(optionsBody(readOptions(stored))['extra'] as string)).toEqual({
    theirs: 1,
    metadata_cache_timeout: { schema_cache_timeout: 60 },
  })
  expect(optionsBody({ ...newOptions(), extra: { schemas_allowed_for_file_upload: [] } })['extra']).toBe('{}')
})

it('CTRL-040: sends an unset cache timeout as null', () => {
  const ofTen = { ...newOptions(), cache_timeout: 10 }
  expect([ofTen, { ...ofTen, cache_timeout: null }].map((options) => optionsBody(options)['cache_timeout'])).toEqual([
    10,
    null,
  ])
})
