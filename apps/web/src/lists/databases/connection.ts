/** JSON schema of an engine's parameters, as `GET /api/v1/database/available/` sends it. */
export interface ParametersSchema {
  properties?: Record<string, { type?: string; description?: string; nullable?: boolean; maximum?: number }>
  required?: readonly string[]
}

export interface Engine {
  name: string
  engine: string
  available_drivers: string[]
  default_driver?: string
  preferred: boolean
  parameters?: ParametersSchema
  sqlalchemy_uri_placeholder?: string
}

export type Parameters = Record<string, string | number | boolean | Record<string, string>>

export interface ConnectionDraft {
  name: string
  /** By the fields of the engine, or as one text. */
  by: 'fields' | 'uri'
  parameters: Parameters
  uri: string
}

export interface ConnectionField {
  name: string
  kind: 'text' | 'number' | 'secret' | 'flag' | 'pairs'
  required: boolean
  help: string
}

const order = ['host', 'port', 'database', 'username', 'password', 'encryption', 'path', 'query']
/** What the form does not offer yet. */
const left = new Set(['ssh'])

/** The fields of an engine's form, in the order that people know them in. */
export function fieldsOf({ parameters }: Pick<Engine, 'parameters'>): ConnectionField[] {
  const required = new Set(parameters?.required)
  return Object.entries(parameters?.properties ?? {})
    .filter(([name]) => !left.has(name))
    .map(([name, { type, description = '' }]) => ({
      name,
      kind:
        name === 'password' || name.includes('credentials')
          ? ('secret' as const)
          : type === 'boolean'
            ? ('flag' as const)
            : type === 'integer' || type === 'number'
              ? ('number' as const)
              : type === 'object'
                ? ('pairs' as const)
                : ('text' as const),
      required: required.has(name),
      help: saysMore(description) ? description : '',
    }))
    .toSorted((a, b) => place(a.name) - place(b.name))
}

/** Many engines describe a field by its name once more: "Username", "Database port". */
const saysMore = (description: string): boolean => description.trim().split(/\s+/).length > 2

const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)

export const writePairs = (pairs: unknown): string =>
  typeof pairs === 'object' && pairs !== null ? new URLSearchParams(pairs as Record<string, string>).toString() : ''

export const readPairs = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))

/** What a pasted connection text says, for the fields; undefined when it is none of the form `engine://…`. */
export function readUri(uri: string): { engine: string; parameters: Parameters } | undefined {
  const [, engine, rest] = /^\s*([a-z][a-z0-9]*)(?:\+[a-z0-9_]+)?:\/\/(.+)$/i.exec(uri.trim()) ?? []
  if (!engine || rest === undefined) return undefined
  // The scheme decides how URL reads hosts; a web one reads all of them.
  const url = URL.parse(`http://${rest}`)
  if (!url) return undefined
  const parameters: Parameters = {}
  if (url.hostname) parameters['host'] = url.hostname
  const port = /:(\d+)(?:[/?#]|$)/.exec(rest.slice(rest.lastIndexOf('@') + 1))?.[1]
  if (port) parameters['port'] = Number(port)
  const database = decodeURIComponent(url.pathname.slice(1))
  if (database) parameters['database'] = database
  if (url.username) parameters['username'] = decodeURIComponent(url.username)
  if (url.password) parameters['password'] = decodeURIComponent(url.password)
  const query = Object.fromEntries(url.searchParams)
  if (Object.keys(query).length > 0) parameters['query'] = query
  return { engine: engine === 'postgres' ? 'postgresql' : engine, parameters }
}

/** The part of a body that says how the database is reached. */
export const connectionBody = (draft: ConnectionDraft, engine: Engine): Record<string, unknown> =>
  draft.by === 'uri'
    ? { sqlalchemy_uri: draft.uri.trim(), configuration_method: 'sqlalchemy_form' }
    : {
        engine: engine.engine,
        ...(engine.default_driver !== undefined && { driver: engine.default_driver }),
        parameters: draft.parameters,
        configuration_method: 'dynamic_form',
      }
