import { message, type Message } from '@parquetry/model/message'
import { findImportedEngine, schemeOf } from './catalog.ts'
import type { Engine } from './engine.ts'
import { maskSecret } from './mask-secret.ts'
import { splitAddress } from './unsupported/address.ts'
import { parseUri } from './uri.ts'

/** Parameters of a URI that the engine's driver does not support. They are shown and exported, and have no effect. */
export function findUnusedParameters({ queryParameters = [] }: Engine, query: Record<string, unknown>): string[] {
  const isKnown = (name: string) =>
    queryParameters.some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    )
  return Object.keys(query).filter((name) => !isKnown(name))
}

/** Text for users about a connection that is not supported. */
export const unsupportedEngineMessage = ({ title }: Pick<Engine, 'title'>): Message =>
  message(
    'errors.engines.unsupported',
    'Parquetry cannot connect to {engine}. The connection was kept so that its datasets and charts stay intact. Change the connection to a supported database to use them.',
    { engine: title },
  )

/**
 * Explains how the address of another installation is read here: as which engine, and which of its parts have another meaning or
 * no effect. Empty for an address as this server writes it.
 * @throws AppError `bad_request` for an address that cannot be read
 */
export function describeUriMapping(uri: string): Message[] {
  const engine = findImportedEngine(uri)
  const scheme = schemeOf(uri)
  if (!engine || scheme === undefined) return []
  const secrets = message(
    'errors.engines.secretParameters',
    'Secrets in the parameters of the connection string were removed.',
  )
  if (engine.isUnsupported)
    return [unsupportedEngineMessage(engine), ...(splitAddress(uri).hasSecretParameters ? [secrets] : [])]
  const { query = {} } = engine.fromUri(uri) as { query?: Record<string, string> }
  const unused = findUnusedParameters(engine, query).filter((name) => !engine.describedParameters?.includes(name))
  return [
    ...(scheme === engine.schemes[0]
      ? []
      : [
          message('errors.engines.mappedDriver', '{driver} is read as {engine}.', {
            driver: scheme,
            engine: engine.title,
          }),
        ]),
    ...(engine.describeUri ? engine.describeUri(parseUri(uri)) : []),
    ...(unused.length === 0
      ? []
      : [
          message(
            'errors.engines.unusedParameters',
            '{n, plural, one {The parameter} other {The parameters}} {names} of the connection string {n, plural, one {has} other {have}} no effect here.',
            { n: unused.length, names: unused.join(', ') },
          ),
        ]),
    ...(unused.some((name) => maskSecret(name, String(query[name])) !== query[name]) ? [secrets] : []),
  ]
}
