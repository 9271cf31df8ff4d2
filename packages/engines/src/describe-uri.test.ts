import { MessageError } from '@parquetry/model/message'
import { describe, expect, it } from 'vitest'
import { describeUriMapping, findEngineByUri, findImportedEngine, secretMask } from './index.ts'
import { requiresVerification } from './mysql/engine.ts'
import { resolveSslMode } from './postgres/engine.ts'

const notes = (uri: string): string[] => describeUriMapping(uri).map((note) => new MessageError(note).message)

describe('API-091 addresses of other installations', () => {
  it.each([
    ['postgresql+psycopg2://u:p@h/d', 'postgresql'],
    ['postgresql+asyncpg://u:p@h/d?ssl=require', 'postgresql'],
    ['postgresql+pg8000://u:p@h/d', 'postgresql'],
    ['postgres://u:p@h/d', 'postgresql'],
    ['mysql+mysqldb://u:p@h/d?charset=utf8mb4', 'mysql'],
    ['mysql+pymysql://u:p@h/d', 'mysql'],
    ['mysql+mysqlconnector://u:p@h/d', 'mysql'],
    ['mariadb+mariadbconnector://u:p@h/d', 'mysql'],
    ['mariadb://u:p@h/d', 'mysql'],
    ['trino+rest://u@h/c/s', 'trino'],
    ['clickhousedb+connect://u:p@h/d', 'clickhouse'],
    ['clickhouse+http://u:p@h/d', 'clickhouse'],
    ['sqlite+pysqlite:////tmp/a.db', 'sqlite'],
  ])('%s is read as %s, with a note', (uri, engine) => {
    expect(findEngineByUri(uri)?.name).toBe(engine)
    expect(notes(uri)).toEqual([`${uri.replace(/:.*/, '')} is read as ${findEngineByUri(uri)!.title}.`])
  })

  it.each([
    'postgresql://u@h/d?sslmode=require',
    'mysql://u@h/d?charset=utf8',
    'trino://u@h/c',
    'clickhousedb://u@h:8123/d?secure=true',
    'sqlite:////tmp/a.db',
    'duckdb://',
    'duckdb:////tmp/a.parquet',
  ])('has no note about %s', (uri) => expect(notes(uri)).toEqual([]))

  it('names parameters without effect', () => {
    expect(notes('postgresql://u@h/d?sslmode=require&options=-csearch_path%3Da&connect_timeout=3')).toEqual([
      'The parameters options, connect_timeout of the connection string have no effect here.',
    ])
    expect(notes('trino://u@h/c?http_scheme=https&roles=a')).toEqual([
      'The parameter roles of the connection string has no effect here.',
    ])
  })

  it('keeps encryption that other products name differently', () => {
    const settings = (uri: string) => findEngineByUri(uri)?.fromUri(uri)
    expect(settings('trino://u@h:8443/c?http_scheme=https')).toMatchObject({ encryption: true })
    expect(settings('clickhouse+native://u:p@h:9440/d?secure=True')).toMatchObject({ port: 8443, encryption: true })
    expect(settings('postgresql+asyncpg://u@h/d?ssl=require')).toMatchObject({ query: { ssl: 'require' } })
    expect(notes('mysql://u@h/d?ssl_ca=/etc/ca.pem')).toEqual([
      expect.stringMatching(/^The connection is encrypted, but/),
    ])
  })

  it('keeps the checks of the server that other products name differently', () => {
    expect(resolveSslMode({ ssl: 'verify-full' })).toBe('verify-full')
    expect(resolveSslMode({ ssl: 'true' })).toBe('require')
    expect(resolveSslMode({ ssl: 'true', sslmode: 'disable' })).toBe('disable')
    expect(requiresVerification({ ssl_ca: '/etc/ca.pem' })).toBe(true)
    expect(requiresVerification({ ssl_mode: 'verify_ca' })).toBe(true)
    expect(requiresVerification({ ssl: '1' })).toBe(false)
  })

  it('replaces the ports of the native protocol of ClickHouse, which is not spoken', () => {
    const engine = findEngineByUri('clickhouse+native://u@h/d')!
    expect(engine.fromUri('clickhouse+native://u@h:9000/d')).toMatchObject({ port: 8123, encryption: false })
    expect(engine.fromUri('clickhouse+native://u@h:9999/d')).toMatchObject({ port: 9999 })
    expect(engine.fromUri('clickhouse+http://u@h:9000/d')).toMatchObject({ port: 9000 })
    expect(notes('clickhouse+native://u@h:9000/d')[1]).toContain('port 9000 was replaced by 8123')
    expect(notes('clickhouse+native://u@h:9999/d')[1]).toContain('Check that the port')
  })
})

describe('API-091 addresses of products without a driver', () => {
  it.each([
    ['snowflake://me:secret@account/db/schema?warehouse=wh&role=r', 'snowflake', 'Snowflake'],
    ['bigquery://project', 'bigquery', 'Google BigQuery'],
    ['mssql+pyodbc://me:secret@host/db?driver=ODBC+Driver+18', 'mssql', 'Microsoft SQL Server'],
    ['databricks+connector://token:secret@host:443/default?http_path=/sql/1', 'databricks', 'Databricks'],
    ['druid://host:8082/druid/v2/sql/', 'druid', 'Apache Druid'],
    ['redshift+psycopg2://me:secret@host:5439/db', 'redshift', 'Amazon Redshift'],
    ['duckdb:///md:db', 'motherduck', 'MotherDuck'],
    ['mysql+auroradataapi://:@/db', 'mysql+auroradataapi', 'mysql+auroradataapi'],
    ['constructor://host', 'constructor', 'constructor'],
  ])('%s is kept as it is', (uri, name, title) => {
    expect(findEngineByUri(uri)).toBeUndefined()
    const engine = findImportedEngine(uri)!
    expect(engine).toMatchObject({ name, title, isUnsupported: true })
    expect(engine.toUri(engine.fromUri(uri), true)).toBe(uri.replace(':secret@', `:${secretMask}@`))
    expect(engine.toUri(engine.fromUri(uri), false)).toBe(uri)
    expect(notes(uri)).toEqual([expect.stringContaining(`Parquetry cannot connect to ${title}. `)])
  })

  it.each([
    'snowflake://me:sec@ret@account/db',
    'snowflake://me:sec/ret@account/db',
    'snowflake://me:secret@account?password=secret',
    'duckdb:///md:db?motherduck_token=secret',
    'bigquery://project?credentials_base64=secret',
    'trinox://h?access_token=secret&a=b',
    'mssql+pyodbc:///?odbc_connect=DRIVER%3DX%3BUID%3Dme%3BPWD%3Dsecret%3BServer%3Dh',
    'mssql+pyodbc:///?odbc_connect=PWD%3D%7Bse%3Bcret%7D',
  ])('no secret of %s is shown', (uri) => {
    const engine = findImportedEngine(uri)!
    const shown = engine.toUri(engine.fromUri(uri), true)
    expect(shown).not.toMatch(/sec|cret/)
    expect(shown).toContain(secretMask)
  })

  it('reports secrets in parameters, which are not kept', () => {
    expect(notes('snowflake://me@account?token=x')[1]).toContain('were removed')
    const engine = findImportedEngine('snowflake://me@account?token=x')!
    expect(JSON.stringify(engine.fromUri('snowflake://me@account?token=x'))).not.toContain('token=x')
  })

  it('finds no engine for text that is not an address', () => expect(findImportedEngine('snowflake')).toBeUndefined())
})
