import { type Engine, mask } from '@parquetry/engines'

/** What the API says of an engine that is reached by host and port: the fields of its connection form. */
const hostParameters = {
  type: 'object',
  properties: {
    database: { description: 'Database name', type: 'string' },
    encryption: { description: 'Use an encrypted connection to the database', type: 'boolean' },
    host: { description: 'Hostname or IP address', type: 'string' },
    password: { description: 'Password', nullable: true, type: 'string' },
    port: { description: 'Database port', format: 'int32', maximum: 65536, minimum: 0, type: 'integer' },
    query: { additionalProperties: {}, description: 'Additional parameters', type: 'object' },
    ssh: { description: 'Use an ssh tunnel connection to the database', type: 'boolean' },
    username: { description: 'Username', nullable: true, type: 'string' },
  },
  required: ['database', 'host', 'port', 'username'],
} as const

const fileParameters = {
  type: 'object',
  properties: { path: { description: 'A Parquet, CSV or JSON file, or a folder of such files', type: 'string' } },
  required: [],
} as const

export const parametersSchema = ({ kind }: Engine) => (kind === 'network' ? hostParameters : fileParameters)
export const driverOf = (engine: Engine, settings: Record<string, unknown>): string | null =>
  typeof settings['driver'] === 'string' ? settings['driver'] : (engine.drivers[0] ?? null)

export const engineInformation = ({ kind }: Engine) => ({
  supports_file_upload: true,
  disable_ssh_tunneling: kind === 'embedded',
})

/** Settings as the API's `parameters`; secrets masked. */
export function maskedParameters({ kind }: Engine, settings: Record<string, unknown>, hasPassword: boolean): object {
  if (kind === 'embedded') return settings['path'] === undefined ? {} : { path: settings['path'] }
  const { host, port, database, username, query = {}, encryption = false } = settings
  return { host, port, database, username, query, encryption, ...(hasPassword && { password: mask }) }
}

/** Place and account of a connection: what decides whether a masked secret may be kept. */
export const placeOf = (engine: Engine, settings: Record<string, unknown>): string =>
  JSON.stringify([engine.name, settings['host'], settings['port'], settings['username'], driverOf(engine, settings)])
