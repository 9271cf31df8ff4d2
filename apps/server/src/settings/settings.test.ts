import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings } from './settings.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parquetry-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('prefers flags over the environment over the defaults', async () => {
  expect(await readSettings({})).toMatchObject({
    host: '127.0.0.1',
    port: 8088,
    timeZone: 'UTC',
    examples: true,
    admin: null,
  })
  const env = { PARQUETRY_PORT: '9000', PARQUETRY_HOST: '0.0.0.0', PARQUETRY_EXAMPLES: '0' }
  expect(await readSettings(env, { port: '0' })).toMatchObject({ port: 0, host: '0.0.0.0', examples: false })
})

it.each([
  [{ PARQUETRY_PORT: 'abc' }, 'PARQUETRY_PORT'],
  [{ PARQUETRY_PORT: '70000' }, 'PARQUETRY_PORT'],
  [{ PARQUETRY_BASE_URL: 'bi.example.com' }, 'PARQUETRY_BASE_URL'],
  [{ PARQUETRY_BASE_URL: 'https://x/path' }, 'PARQUETRY_BASE_URL'],
  [{ PARQUETRY_METADATA_URL: 'mysql://x' }, 'PARQUETRY_METADATA_URL'],
  [{ PARQUETRY_REDIS_URL: 'redis://x' }, 'PARQUETRY_REDIS_URL'],
  [{ PARQUETRY_TIME_ZONE: 'Mars/Base' }, 'PARQUETRY_TIME_ZONE'],
  [{ PARQUETRY_LOG: 'loud' }, 'PARQUETRY_LOG'],
  [{ PARQUETRY_EXAMPLES: 'yes' }, 'PARQUETRY_EXAMPLES'],
  [{ PARQUETRY_ADMIN_USERNAME: 'a' }, 'PARQUETRY_ADMIN_PASSWORD'],
  [{ PARQUETRY_CONFIG: '/nowhere/config.json' }, 'PARQUETRY_CONFIG'],
])('rejects %j and names the setting', async (env, name) => {
  await expect(readSettings(env)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(name) as string,
  })
})

it('names the flag when it sets an invalid port', async () => {
  await expect(readSettings({ PARQUETRY_PORT: '9000' }, { port: 'x' })).rejects.toMatchObject({
    exitCode: 2,
    message: '--port must be a number from 0 to 65535, not "x".',
  })
})

it('reads the API settings by name from a JSON or a TypeScript file', async () => {
  const json = join(folder, 'config.json')
  writeFileSync(json, '{"ROW_LIMIT":10,"FEATURE_FLAGS":{"DASHBOARD_RBAC":true},"SQLLAB_DEFAULT_DBID":3}')
  const fromJson = await readSettings({ PARQUETRY_CONFIG: json, SUPERSET_FEATURE_DRILL_BY: 'true' })
  expect(fromJson.config).toMatchObject({ ROW_LIMIT: 10, SQL_MAX_ROW: 100_000, SQLLAB_DEFAULT_DBID: 3 })
  expect(fromJson.flags).toMatchObject({ DASHBOARD_RBAC: true, DRILL_BY: true, DASHBOARD_NATIVE_FILTERS: true })
  const script = join(folder, 'config.mts')
  writeFileSync(script, 'export const ROW_LIMIT: number = 11\nexport const RATE_LIMITS = { query: 5 }\n')
  const fromScript = await readSettings({ PARQUETRY_CONFIG: script })
  expect(fromScript.config).toMatchObject({ ROW_LIMIT: 11, RATE_LIMITS: { read: 0, query: 5 } })
})

it('PERM-038: the flag of analogous colors is off and has two spellings', async () => {
  expect((await readSettings({})).flags['USE_ANALAGOUS_COLORS']).toBe(false)
  for (const name of ['USE_ANALAGOUS_COLORS', 'USE_ANALOGOUS_COLORS'])
    expect((await readSettings({ [`SUPERSET_FEATURE_${name}`]: '1' })).flags['USE_ANALAGOUS_COLORS']).toBe(true)
})

it('regression: cross-filters are on unless they are switched off', async () => {
  expect((await readSettings({})).flags['DASHBOARD_CROSS_FILTERS']).toBe(true)
  const off = await readSettings({ SUPERSET_FEATURE_DASHBOARD_CROSS_FILTERS: 'false' })
  expect(off.flags['DASHBOARD_CROSS_FILTERS']).toBe(false)
})

it.each([
  ['{"NO_SUCH_SETTING":1}', 'NO_SUCH_SETTING'],
  ['{"ROW_LIMIT":"10"}', 'ROW_LIMIT must be of type number'],
  ['{"FEATURE_FLAGS":{"X":"yes"}}', 'feature flag X'],
  [
    '{"MAP_TILES":[{"url":"https://{s}.example.org/{z}/{x}/{y}.png","name":"a","attribution":"b"}]}',
    'MAP_TILES contains',
  ],
  ['[]', 'object of settings'],
])('rejects the configuration %s', async (text, sentence) => {
  const path = join(folder, 'wrong.json')
  writeFileSync(path, text)
  await expect(readSettings({ PARQUETRY_CONFIG: path })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(sentence) as string,
  })
})

it('regression: reports all wrong settings at once, also those of the file and of its lists', async () => {
  const path = join(folder, 'several.json')
  writeFileSync(
    path,
    '{"ROW_LIMIT":"10","NO_SUCH_SETTING":1,"CSV_EXTENSIONS":["csv",1],"IMAGE_HOSTS":["a b","c/d"],"SUPERSET_WEBSERVER_DOMAINS":["https://e"]}',
  )
  const env = { PARQUETRY_CONFIG: path, PARQUETRY_PORT: 'x', PARQUETRY_TIME_ZONE: 'Mars/Base', PARQUETRY_LOG: 'loud' }
  const error = await readSettings(env).catch((caught: Error) => caught)
  expect(error).toMatchObject({ exitCode: 2 })
  const names = [
    'ROW_LIMIT',
    'NO_SUCH_SETTING',
    'CSV_EXTENSIONS',
    'a b',
    'c/d',
    'https://e',
    'PORT',
    'TIME_ZONE',
    'LOG',
  ]
  for (const name of names) expect((error as Error).message).toContain(name)
  expect((error as Error).message.split('\n')).toHaveLength(names.length)
})

it('ERR-003: error messages of an operator need a known error type and a text', async () => {
  const path = join(folder, 'messages.json')
  writeFileSync(path, JSON.stringify({ ERROR_MESSAGES: { GENERIC_DB_ENGINE_ERROR: 'Call 123.' } }))
  const { config } = await readSettings({ PARQUETRY_CONFIG: path })
  expect(config.ERROR_MESSAGES).toEqual({ GENERIC_DB_ENGINE_ERROR: 'Call 123.' })
  writeFileSync(path, JSON.stringify({ ERROR_MESSAGES: { NO_SUCH_ERROR: 'x', GENERIC_BACKEND_ERROR: ' ' } }))
  await expect(readSettings({ PARQUETRY_CONFIG: path })).rejects.toThrow(/NO_SUCH_ERROR[^]*GENERIC_BACKEND_ERROR/)
})

it('themes of the configuration lose unsafe tokens; what is no theme ends the start and is named', async () => {
  const path = join(folder, 'themes.json')
  const token = { colorPrimary: '#123456', colorText: 'url(//evil.example)' }
  writeFileSync(path, JSON.stringify({ THEME_DEFAULT: { token }, THEME_DARK: null }))
  const { config } = await readSettings({ PARQUETRY_CONFIG: path })
  expect(config).toMatchObject({ THEME_DEFAULT: { token: { colorPrimary: '#123456' } }, THEME_DARK: {} })
  expect(config.THEME_DEFAULT['token']).toEqual({ colorPrimary: '#123456' })
  writeFileSync(path, JSON.stringify({ THEME_DEFAULT: { token: [] }, THEME_DARK: { algorithm: 'bright' } }))
  await expect(readSettings({ PARQUETRY_CONFIG: path })).rejects.toThrow(/THEME_DEFAULT\.token[^]*THEME_DARK/)
})

it('regression: lists variables that look like settings and are none', async () => {
  const env = { PARQUETRY_PROT: '80', PARQUETRY_PORT: '80', PARQUETRY_TEST_POSTGRES: 'x', PATH: '/bin' }
  expect((await readSettings(env, { port: '0' })).unknownVariables).toEqual(['PARQUETRY_PROT'])
})

it('checks the limits of alerts and reports', async () => {
  const path = join(folder, 'reports.json')
  writeFileSync(path, JSON.stringify({ ALERT_MINIMUM_INTERVAL: 300, ALERT_REPORTS_DEFAULT_RETENTION: 30 }))
  expect((await readSettings({ PARQUETRY_CONFIG: path })).config).toMatchObject({ ALERT_MINIMUM_INTERVAL: 300 })
  for (const wrong of [
    { ALERT_MINIMUM_INTERVAL: -1 },
    { REPORT_MINIMUM_INTERVAL: 0.5 },
    { ALERT_REPORTS_DEFAULT_WORKING_TIMEOUT: 0 },
    { ALERT_REPORTS_MIN_CUSTOM_SCREENSHOT_WIDTH: 3000 },
  ]) {
    writeFileSync(path, JSON.stringify(wrong))
    const [name = ''] = Object.keys(wrong)
    await expect(readSettings({ PARQUETRY_CONFIG: path })).rejects.toThrow(name)
  }
})

it('checks the settings of e-mails, whose password may be in the environment', async () => {
  const path = join(folder, 'mail.json')
  const mail = { SMTP_HOST: 'smtp.example.com', SMTP_MAIL_FROM: 'Reports <r@example.com>', SMTP_PASSWORD: 'file' }
  writeFileSync(path, JSON.stringify({ ...mail, ALERT_REPORTS_EMAIL_DOMAINS: ['example.com'] }))
  expect((await readSettings({ PARQUETRY_CONFIG: path })).config).toMatchObject(mail)
  const { config } = await readSettings({ PARQUETRY_CONFIG: path, PARQUETRY_SMTP_PASSWORD: 'environment' })
  expect(config.SMTP_PASSWORD).toBe('environment')
  for (const wrong of [
    { SMTP_HOST: 'smtp://x' },
    { SMTP_PORT: 0 },
    { SMTP_MAIL_FROM: 'nobody' },
    { SMTP_MAIL_FROM: 'a@b\nBcc: c@d' },
    { ALERT_REPORTS_EMAIL_DOMAINS: ['ana@example.com'] },
  ]) {
    writeFileSync(path, JSON.stringify(wrong))
    const [name = ''] = Object.keys(wrong)
    await expect(readSettings({ PARQUETRY_CONFIG: path })).rejects.toThrow(name)
  }
})
