import { type Engine, secretMask } from '@parquetry/engines'
import type { DatabaseRow } from './source.ts'

type Property = Record<string, unknown> & { type?: string; title?: string; description?: string }

const properties = ({ settings }: Engine): [string, Property][] =>
  Object.entries(settings.properties as Record<string, Property>).filter(([, { title }]) => title !== undefined)

/** How the API describes the fields that most engines have; its clients know these sentences. */
const known: Record<string, Property> = {
  database: { description: 'Database name', type: 'string' },
  encryption: { description: 'Use an encrypted connection to the database', type: 'boolean' },
  host: { description: 'Hostname or IP address', type: 'string' },
  password: { description: 'Password', nullable: true, type: 'string' },
  port: { description: 'Database port', format: 'int32', maximum: 65536, minimum: 0, type: 'integer' },
  query: { additionalProperties: {}, description: 'Additional parameters', type: 'object' },
  username: { description: 'Username', nullable: true, type: 'string' },
}
const ssh: Property = { description: 'Use an ssh tunnel connection to the database', type: 'boolean' }

/** The fields of an engine's connection form in the API's words. */
export function parametersSchema(engine: Engine) {
  const fields = properties(engine).map(([name, { type, title, description }]): [string, Property] => [
    name,
    known[name] ?? { type: type ?? 'string', description: description ?? title ?? name },
  ])
  return {
    type: 'object',
    properties: { ...Object.fromEntries(fields), ...(engine.kind === 'network' && !engine.isFileBased && { ssh }) },
    required: requiredParameters(engine),
  }
}

/** Names of the settings that a connection cannot do without, by name. */
export const requiredParameters = ({ settings }: Engine): string[] =>
  [...((settings as { required?: string[] }).required ?? [])].toSorted()

/** The settings as our own form draws them: labels, help, defaults, limits, and which are secret. */
export const formSchema = (engine: Engine) => ({
  type: 'object',
  properties: Object.fromEntries(properties(engine)),
  required: requiredParameters(engine),
})

export const driverOf = (engine: Engine, settings: Record<string, unknown>): string | null =>
  typeof settings['driver'] === 'string' ? settings['driver'] : (engine.drivers[0] ?? null)

export const engineInformation = ({ kind, isFileBased }: Engine) => ({
  supports_file_upload: true,
  disable_ssh_tunneling: kind === 'embedded' || isFileBased === true,
})

/** The settings of a stored connection as the API's `parameters`; masks stand for its secrets. */
export function maskedParameters(engine: Engine, row: Pick<DatabaseRow, 'settings'>): Record<string, unknown> {
  const { driver: _, ...settings } = JSON.parse(row.settings) as Record<string, unknown>
  const has = (name: string) => Object.hasOwn(engine.settings.properties, name)
  return { ...(has('query') && { query: {} }), ...(has('encryption') && { encryption: false }), ...settings }
}

/** Settings with masks in place of the secrets. */
export const withMasks = (settings: Record<string, unknown>, secrets: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, secrets.includes(name) ? secretMask : value]),
  )
