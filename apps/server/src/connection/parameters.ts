import { type Engine, secretMask } from '@parquetry/engines'
import type { DatabaseRow } from './source.ts'

type Property = Record<string, unknown> & { type?: string; title?: string; description?: string }

const properties = ({ settings }: Engine): [string, Property][] =>
  Object.entries(settings.properties as Record<string, Property>).filter(([, { title }]) => title !== undefined)

/** Descriptions in the API of fields that most engines have; clients know these texts. */
const commonProperties: Record<string, Property> = {
  database: { description: 'Database name', type: 'string' },
  encryption: { description: 'Use an encrypted connection to the database', type: 'boolean' },
  host: { description: 'Hostname or IP address', type: 'string' },
  password: { description: 'Password', nullable: true, type: 'string' },
  port: { description: 'Database port', format: 'int32', maximum: 65536, minimum: 0, type: 'integer' },
  query: { additionalProperties: {}, description: 'Additional parameters', type: 'object' },
  username: { description: 'Username', nullable: true, type: 'string' },
}
const ssh: Property = { description: 'Use an ssh tunnel connection to the database', type: 'boolean' }

/** Schema of an engine's connection form, worded as in the API. */
export function parametersSchema(engine: Engine) {
  const fields = properties(engine).map(([name, { type, title, description }]): [string, Property] => [
    name,
    commonProperties[name] ?? { type: type ?? 'string', description: description ?? title ?? name },
  ])
  return {
    type: 'object',
    properties: { ...Object.fromEntries(fields), ...(engine.kind === 'network' && !engine.isFileBased && { ssh }) },
    required: requiredParameters(engine),
  }
}

/** Names of the required settings, sorted. */
export const requiredParameters = ({ settings }: Engine): string[] =>
  [...((settings as { required?: string[] }).required ?? [])].toSorted()

/** Schema of the settings for our own form: labels, help, defaults, limits and secrets. */
export const formSchema = (engine: Engine) => ({
  type: 'object',
  properties: Object.fromEntries(properties(engine)),
  required: requiredParameters(engine),
})

export const driverOf = (engine: Pick<Engine, 'drivers'>, settings: Record<string, unknown>): string | null =>
  typeof settings['driver'] === 'string' ? settings['driver'] : (engine.drivers[0] ?? null)

/** `unsupported` is ours: the product that a stored connection belongs to and that cannot be connected to. */
export const engineInformation = ({ kind, isFileBased, isUnsupported, title }: Engine) => ({
  supports_file_upload: !isUnsupported,
  disable_ssh_tunneling: kind === 'embedded' || isFileBased === true,
  ...(isUnsupported && { unsupported: title }),
})

/** Settings of a stored connection as the API's `parameters`, with masked secrets. */
export function maskedParameters(engine: Engine, row: Pick<DatabaseRow, 'settings'>): Record<string, unknown> {
  const { driver: _, ...settings } = JSON.parse(row.settings) as Record<string, unknown>
  const isSupported = (name: string) => Object.hasOwn(engine.settings.properties, name)
  return {
    ...(isSupported('query') && { query: {} }),
    ...(isSupported('encryption') && { encryption: false }),
    ...settings,
  }
}

/** Replaces the secrets in settings with masks. */
export const withMasks = (settings: Record<string, unknown>, secrets: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, secrets.includes(name) ? secretMask : value]),
  )
