import { AppError, message } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../settings/settings.ts'

/** A host name or IP address with an optional port. */
const host = /^(?:[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Scheme and host that the user's browser connects to: the configured URL, otherwise that of the request.
 * @throws AppError `bad_request` for an invalid Host header, which would appear in links
 */
export function resolveOrigin(settings: Pick<Settings, 'baseUrl'>, request: FastifyRequest): string {
  if (settings.baseUrl !== null) return settings.baseUrl
  if (!host.test(request.host))
    throw new AppError('bad_request', {
      message: message('errors.http.hostHeader', 'The Host header is not a valid host.'),
    })
  return `${request.protocol}://${request.host}`
}
