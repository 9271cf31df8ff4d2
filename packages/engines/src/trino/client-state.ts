import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'

/**
 * Encodes a text for a header, which carries bytes: UTF-8 as the server reads it. @throws AppError `bad_request` for characters
 * that a header cannot contain
 */
function headerText(value: string): string {
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001F\u007F]/.test(value))
    throw new AppError('bad_request', {
      message: message(
        'errors.engines.controlCharacter',
        'A name in this connection contains a line break or a control character.',
      ),
    })
  return Buffer.from(value).toString('latin1')
}

/** Form encoding: a plus is a space. */
const decoded = (value: string): string => decodeURIComponent(value.replaceAll('+', ' '))

interface Start {
  user: string
  source: string
  catalog: string | null
  schema: string | null
  properties: Readonly<Record<string, string>>
}

/**
 * Session state that a client of this protocol maintains, because the server has no sessions: responses report changes (USE, SET
 * SESSION, PREPARE, START TRANSACTION), and the next request repeats all of it.
 */
export class ClientState {
  readonly #start: Start
  #catalog: string | null
  #schema: string | null
  /** Set by statements; our own properties take precedence. */
  readonly #properties = new Map<string, string>()
  readonly #prepared = new Map<string, string>()
  readonly #roles = new Map<string, string>()
  transaction: string | null = null

  constructor(start: Start) {
    this.#start = start
    this.#catalog = start.catalog
    this.#schema = start.schema
  }

  headers(): Record<string, string> {
    const { user, source, properties } = this.#start
    const list = (entries: Iterable<[string, string]>) =>
      [...entries].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join(',')
    const session = list([...this.#properties, ...Object.entries(properties)])
    return {
      'X-Trino-User': headerText(user),
      'X-Trino-Source': headerText(source),
      'X-Trino-Time-Zone': 'UTC',
      'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
      'X-Trino-Transaction-Id': this.transaction ?? 'NONE',
      ...(this.#catalog !== null && { 'X-Trino-Catalog': headerText(this.#catalog) }),
      ...(this.#catalog !== null && this.#schema !== null && { 'X-Trino-Schema': headerText(this.#schema) }),
      ...(session !== '' && { 'X-Trino-Session': session }),
      ...(this.#prepared.size > 0 && { 'X-Trino-Prepared-Statement': list(this.#prepared) }),
      ...(this.#roles.size > 0 && { 'X-Trino-Role': list(this.#roles) }),
    }
  }

  note(headers: IncomingHttpHeaders): void {
    const each = (name: string) => [headers[name] ?? []].flat().flatMap((value) => value.split(','))
    const pairs = (name: string) =>
      each(name).map((pair) => {
        const cut = pair.indexOf('=')
        return [pair.slice(0, cut).trim(), decoded(pair.slice(cut + 1).trim())] as const
      })
    for (const catalog of each('x-trino-set-catalog')) this.#catalog = catalog
    for (const schema of each('x-trino-set-schema')) this.#schema = schema
    for (const [name, value] of pairs('x-trino-set-session')) this.#properties.set(name, value)
    for (const name of each('x-trino-clear-session')) this.#properties.delete(name)
    for (const [name, value] of pairs('x-trino-added-prepare')) this.#prepared.set(name, value)
    for (const name of each('x-trino-deallocated-prepare')) this.#prepared.delete(decoded(name))
    for (const [name, value] of pairs('x-trino-set-role')) this.#roles.set(name, value)
    for (const id of each('x-trino-started-transaction-id')) this.transaction = id
    if (each('x-trino-clear-transaction-id').length > 0) this.transaction = null
  }
}
