import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Config } from './config.ts'
import { readConfig } from './read-config.ts'
import { SettingErrors, StartError } from './start-error.ts'

/** Startup settings: environment variables, overridden by flags, and the file of PARQUETRY_CONFIG. */
export interface Settings {
  host: string
  /** 0 picks a free port. */
  port: number
  /** Absolute path of the data folder. */
  home: string
  /** `postgres://…`; null means the SQLite file in the home folder. */
  metadataUrl: string | null
  /** Origin of absolute links, without a trailing slash; null means the address that the server listens on. */
  baseUrl: string | null
  /** Addresses whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: string[]
  keysFile: string | null
  admin: { username: string; password: string } | null
  examples: boolean
  /** Absolute paths of folders whose data files may be read. */
  files: string[]
  timeZone: string
  /** Absolute path of a folder with fonts for images; null means Debian's Noto if it is installed. */
  fonts: string | null
  /** Absolute path of the folder that reports may be stored below; null without one. */
  reportsFolder: string | null
  log: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  config: Config
  /** Every feature flag by name; one that is missing is off. */
  flags: Record<string, boolean>
  /** Variables of the environment that look like settings and are none. */
  unknownVariables: string[]
}

/** Settings of the file that can also be set in the environment, with the prefix `PARQUETRY_`. */
const secretSettings = ['SMTP_PASSWORD', 'ALERT_REPORTS_WEBHOOK_SECRET', 'SLACK_API_TOKEN'] as const

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const settingError = (text: string): StartError => new StartError('setting', text)

/** @param name  the setting as the user gave it: the flag or the variable */
function readPort(text: string, name: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw settingError(`${name} must be a number from 0 to 65535, not "${text}".`)
  return port
}

function readOrigin(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch (cause) {
    throw new StartError('setting', `PARQUETRY_BASE_URL must be a URL such as https://bi.example.com, not "${text}".`, {
      cause,
    })
  }
  if (!['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.hash)
    throw settingError('PARQUETRY_BASE_URL must be an http or https URL without a path, query or fragment.')
  return url.origin
}

function readMetadataUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw settingError('PARQUETRY_METADATA_URL must start with postgres://.')
  return text
}

function readTimeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch (cause) {
    throw new StartError('setting', `PARQUETRY_TIME_ZONE must be a time zone such as Europe/Berlin, not "${text}".`, {
      cause,
    })
  }
}

/**
 * Reads the settings of a server start or a command.
 * @param env    environment; the names are those of the README
 * @param flags  command line flags without dashes: `port`, `host`, `home`; they take precedence
 * @throws StartError with exit code 2 and a message that names every wrong setting
 */
export async function readSettings(
  env: Record<string, string | undefined>,
  flags: { port?: string; host?: string; home?: string } = {},
): Promise<Settings> {
  const errors = new SettingErrors()
  const known = new Set<string>()
  const readEnv = (name: string) => {
    known.add(`PARQUETRY_${name}`)
    return env[`PARQUETRY_${name}`] || undefined
  }
  const read = <T>(name: string, reader: (text: string) => T): T | null => {
    const text = readEnv(name)
    return text === undefined ? null : (errors.collect(() => reader(text)) ?? null)
  }
  if (readEnv('REDIS_URL'))
    errors.add(
      'PARQUETRY_REDIS_URL is not supported yet: the queue, the cache and events are part of the server. Unset it to start.',
    )
  // Only commands read them, `parquetry import`.
  for (const name of ['IMPORT_SECRETS', 'IMPORT_SECRETS_FILE']) readEnv(name)
  const username = readEnv('ADMIN_USERNAME')
  const password = readEnv('ADMIN_PASSWORD')
  if ((username === undefined) !== (password === undefined))
    errors.add('PARQUETRY_ADMIN_USERNAME and PARQUETRY_ADMIN_PASSWORD belong together: set both or neither.')
  const log = readEnv('LOG') ?? 'info'
  if (!(logLevels as readonly string[]).includes(log))
    errors.add(`PARQUETRY_LOG must be one of ${logLevels.join(', ')}, not "${log}".`)
  const examples = readEnv('EXAMPLES') ?? '1'
  if (examples !== '0' && examples !== '1') errors.add(`PARQUETRY_EXAMPLES must be 1 or 0, not "${examples}".`)

  const { config, flags: featureFlags } = await readConfig(readEnv('CONFIG'), env, errors)
  // Secrets that administrators may want outside of the file.
  for (const name of secretSettings) config[name] = readEnv(name) ?? config[name]
  const [host, port, home] = [readEnv('HOST'), readEnv('PORT'), readEnv('HOME')]
  const settings: Settings = {
    host: flags.host ?? host ?? '127.0.0.1',
    port:
      errors.collect(() =>
        flags.port === undefined ? readPort(port ?? '8088', 'PARQUETRY_PORT') : readPort(flags.port, '--port'),
      ) ?? 0,
    home: resolve(flags.home ?? home ?? join(homedir(), '.parquetry')),
    metadataUrl: read('METADATA_URL', readMetadataUrl),
    baseUrl: read('BASE_URL', readOrigin),
    trustedProxies:
      read('TRUSTED_PROXIES', (text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      ) ?? [],
    keysFile: read('KEYS_FILE', (text) => resolve(text)),
    admin: username !== undefined && password !== undefined ? { username, password } : null,
    examples: examples === '1',
    files:
      read('FILES', (text) =>
        text
          .split(delimiter)
          .filter(Boolean)
          .map((path) => resolve(path)),
      ) ?? [],
    fonts: read('FONTS', (text) => resolve(text)),
    reportsFolder: read('REPORTS_FOLDER', (text) => resolve(text)),
    timeZone: read('TIME_ZONE', readTimeZone) ?? 'UTC',
    log: log as Settings['log'],
    config,
    flags: featureFlags,
    unknownVariables: Object.keys(env).filter(
      (name) => /^PARQUETRY_(?!TEST_)/.test(name) && !known.has(name) && env[name] !== undefined,
    ),
  }
  errors.throwIfAny()
  return settings
}
