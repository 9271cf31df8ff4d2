import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readMapTiles } from '@parquetry/model'
import { type Config, defaultConfig, defaultFlags } from './config.ts'
import { parseRate } from './parse-rate.ts'
import { StartError } from './start-error.ts'

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

/**
 * Reads the API's settings: defaults, then the JSON or TypeScript file of PARQUETRY_CONFIG; feature flags also from
 * `SUPERSET_FEATURE_<NAME>` in the environment, like the API's own server.
 */
export async function readConfig(
  path: string | undefined,
  env: Record<string, string | undefined>,
): Promise<{ config: Config; flags: Record<string, boolean> }> {
  const config: Record<string, unknown> = structuredClone(defaultConfig)
  for (const [name, value] of Object.entries(path ? await load(resolve(path)) : {})) {
    if (!Object.hasOwn(defaultConfig, name)) throw settingError(`PARQUETRY_CONFIG: unknown setting ${name}.`)
    const [expectedType, actualType] = [jsonTypeOf(config[name]), jsonTypeOf(value)]
    if (expectedType !== actualType && expectedType !== 'null' && actualType !== 'null')
      throw settingError(`PARQUETRY_CONFIG: ${name} must be of type ${expectedType}, not ${actualType}.`)
    config[name] =
      expectedType === 'object' && value !== null ? { ...(config[name] as object), ...(value as object) } : value
  }
  if (!parseRate(String(config['AUTH_RATE_LIMIT'])))
    throw settingError('PARQUETRY_CONFIG: AUTH_RATE_LIMIT must be a string such as "10 per 5 minutes".')
  try {
    config['MAP_TILES'] = readMapTiles(config['MAP_TILES'])
  } catch (cause) {
    throw settingError(`PARQUETRY_CONFIG: MAP_TILES ${(cause as Error).message}`, cause)
  }
  // They are inserted unchanged into the policy of every page.
  const hosts = config['IMAGE_HOSTS'] as unknown[]
  const invalidHost = hosts.find(
    (host) => typeof host !== 'string' || !/^[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/i.test(host),
  )
  if (invalidHost !== undefined)
    throw settingError(`PARQUETRY_CONFIG: IMAGE_HOSTS contains ${String(invalidHost)}, which is not a hostname.`)
  const flags = { ...defaultFlags }
  for (const [name, value] of Object.entries(config['FEATURE_FLAGS'] as object)) {
    if (typeof value !== 'boolean')
      throw settingError(`PARQUETRY_CONFIG: the feature flag ${name} must be true or false.`)
    flags[name] = value
  }
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith('SUPERSET_FEATURE_') && value !== undefined)
      flags[name.slice('SUPERSET_FEATURE_'.length)] = ['1', 'true', 'yes', 'on', 'y', 't'].includes(value.toLowerCase())
  }
  return { config: config as Config, flags }
}
