import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkTheme } from '@parquetry/charts'
import { errorCodes, readMapTiles, subjectTypes } from '@parquetry/model'
import { checkChannelSettings } from './check-channels.ts'
import { checkReportSettings } from './check-reports.ts'
import { type Config, defaultConfig, defaultFlags } from './config.ts'
import { parseRate } from './parse-rate.ts'
import { type SettingErrors, StartError } from './start-error.ts'

const settingError = (text: string, cause?: unknown) => new StartError('setting', text, { cause })

async function load(path: string): Promise<Record<string, unknown>> {
  let found: unknown
  try {
    if (/\.[cm]?[jt]s$/.test(path)) {
      const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
      found = module.default ?? { ...module }
    } else found = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw settingError(
      `PARQUETRY_CONFIG: ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    )
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw settingError(`PARQUETRY_CONFIG: ${path} must contain an object of settings.`)
  return found as Record<string, unknown>
}

const jsonTypeOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value)

/** Items of lists of strings. Lists whose items have another type are checked by their users. */
const stringLists = new Set<keyof Config>([
  'VIZ_TYPE_DENYLIST',
  'TIME_GRAIN_DENYLIST',
  'EXCLUDE_USERS_FROM_LISTS',
  'CSV_EXTENSIONS',
  'EXCEL_EXTENSIONS',
  'COLUMNAR_EXTENSIONS',
  'ALLOWED_EXTENSIONS',
  'FAB_API_KEY_PREFIXES',
  'AUTH_PASSWORD_COMMON_BLOCKLIST',
  'ALERT_REPORTS_EMAIL_DOMAINS',
])

const errorTypes: ReadonlySet<string> = new Set(Object.values(errorCodes).map(({ type }) => type))

/** Sentences by error type; a type that no error has would never be shown. */
function readErrorMessages(value: unknown, errors: SettingErrors): Record<string, string> {
  const sentences = Object.entries((value ?? {}) as Record<string, unknown>)
  for (const [type, sentence] of sentences) {
    if (!errorTypes.has(type)) errors.add(`PARQUETRY_CONFIG: ERROR_MESSAGES: no error has the type ${type}.`)
    else if (typeof sentence !== 'string' || sentence.trim() === '')
      errors.add(`PARQUETRY_CONFIG: ERROR_MESSAGES: ${type} must be a sentence.`)
  }
  return Object.fromEntries(sentences) as Record<string, string>
}

/** A theme without the tokens that cannot be used. */
function readConfiguredTheme(name: string, value: unknown, errors: SettingErrors): unknown {
  const read = checkTheme(value ?? {})
  if (!read.error) return read.theme
  const at = 'path' in read.error && read.error.path !== '' ? `${name}.${read.error.path}` : name
  return errors.add(`PARQUETRY_CONFIG: ${at} is not valid in a theme.`)
}

/** The value of a setting in the file; undefined and an error if it is wrong. */
function readValue(name: string, value: unknown, errors: SettingErrors): unknown {
  if (!Object.hasOwn(defaultConfig, name)) return errors.add(`PARQUETRY_CONFIG: unknown setting ${name}.`)
  const known = defaultConfig[name as keyof Config]
  const [expectedType, actualType] = [jsonTypeOf(known), jsonTypeOf(value)]
  if (expectedType !== actualType && expectedType !== 'null' && actualType !== 'null')
    return errors.add(`PARQUETRY_CONFIG: ${name} must be of type ${expectedType}, not ${actualType}.`)
  if (Array.isArray(value) && stringLists.has(name as keyof Config)) {
    const wrong = value.find((item) => typeof item !== 'string') as unknown
    if (wrong !== undefined)
      return errors.add(`PARQUETRY_CONFIG: ${name} must contain only strings, not ${JSON.stringify(wrong)}.`)
  }
  if (name.startsWith('SUBJECTS_RELATED_TYPES') && Array.isArray(value)) {
    const wrong = value.find((item) => !Object.hasOwn(subjectTypes, String(item))) as unknown
    if (wrong !== undefined)
      return errors.add(
        `PARQUETRY_CONFIG: ${name} can contain ${Object.keys(subjectTypes).join(', ')}, not ${JSON.stringify(wrong)}.`,
      )
  }
  if (name === 'ERROR_MESSAGES') return readErrorMessages(value, errors)
  if (name === 'THEME_DEFAULT' || name === 'THEME_DARK') return readConfiguredTheme(name, value, errors)
  return expectedType === 'object' && value !== null ? { ...(known as object), ...(value as object) } : value
}

/**
 * Reads the API's settings: defaults, then the JSON or TypeScript file of PARQUETRY_CONFIG; feature flags also from
 * `SUPERSET_FEATURE_<NAME>` in the environment, like the API's own server.
 * @param errors  receives what is wrong with the file
 */
export async function readConfig(
  path: string | undefined,
  env: Record<string, string | undefined>,
  errors: SettingErrors,
): Promise<{ config: Config; flags: Record<string, boolean> }> {
  const config: Record<string, unknown> = structuredClone(defaultConfig)
  const loaded =
    path === undefined
      ? {}
      : await load(resolve(path)).catch((error: unknown) => {
          if (!(error instanceof StartError)) throw error
          errors.add(error.message, error.cause)
          return {}
        })
  for (const [name, sent] of Object.entries(loaded)) {
    const value = readValue(name, sent, errors)
    if (value !== undefined) config[name] = value
  }
  if (!parseRate(String(config['AUTH_RATE_LIMIT'])))
    errors.add('PARQUETRY_CONFIG: AUTH_RATE_LIMIT must be a string such as "10 per 5 minutes".')
  const minLength = config['AUTH_PASSWORD_MIN_LENGTH']
  if (!Number.isInteger(minLength) || (minLength as number) < 1 || (minLength as number) > 128)
    errors.add('PARQUETRY_CONFIG: AUTH_PASSWORD_MIN_LENGTH must be a whole number from 1 to 128.')
  for (const name of ['IMPORT_UPLOAD_LIMIT_MB', 'IMPORT_OBJECT_LIMIT', 'IMPORT_FILE_LIMIT', 'IMPORT_UNPACKED_LIMIT_MB'])
    if (!Number.isInteger(config[name]) || (config[name] as number) < 1)
      errors.add(`PARQUETRY_CONFIG: ${name} must be a whole number of at least 1.`)
  const prefixes = (config['FAB_API_KEY_PREFIXES'] ?? []) as unknown[]
  if (prefixes.length === 0 || prefixes.some((prefix) => !/^[a-z][a-z\d]*_$/i.test(String(prefix))))
    errors.add('PARQUETRY_CONFIG: FAB_API_KEY_PREFIXES must contain prefixes such as "sst_".')
  try {
    config['MAP_TILES'] = readMapTiles(config['MAP_TILES'])
  } catch (cause) {
    errors.add(`PARQUETRY_CONFIG: MAP_TILES ${(cause as Error).message}`, cause)
  }
  checkChannelSettings(config, errors)
  checkReportSettings(config, errors)
  // They are inserted unchanged into the policy of every page.
  for (const name of ['IMAGE_HOSTS', 'SUPERSET_WEBSERVER_DOMAINS'])
    for (const host of (config[name] ?? []) as unknown[])
      if (typeof host !== 'string' || !/^[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/i.test(host))
        errors.add(`PARQUETRY_CONFIG: ${name} contains ${String(host)}, which is not a hostname.`)
  const flags = { ...defaultFlags }
  for (const [name, value] of Object.entries((config['FEATURE_FLAGS'] ?? {}) as object)) {
    if (typeof value === 'boolean') flags[name] = value
    else errors.add(`PARQUETRY_CONFIG: the feature flag ${name} must be true or false.`)
  }
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith('SUPERSET_FEATURE_') && value !== undefined)
      flags[name.slice('SUPERSET_FEATURE_'.length)] = ['1', 'true', 'yes', 'on', 'y', 't'].includes(value.toLowerCase())
  }
  // Later releases of the API spell this flag correctly.
  if (flags['USE_ANALOGOUS_COLORS'] === true) flags['USE_ANALAGOUS_COLORS'] = true
  return { config: config as Config, flags }
}
