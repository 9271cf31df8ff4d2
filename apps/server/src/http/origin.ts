import { AppError, message } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../settings/settings.ts'

/** A name or a number, with a port or none. */
const host = /^(?:[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Scheme and host that the user's browser talks to: the configured address, else what the request was sent to.
 * @throws AppError `bad_request` for a header that is no host: it would go into links
 */
export function resolveOrigin(settings: Pick<Settings, 'baseUrl'>, request: FastifyRequest): string {
  if (settings.baseUrl !== null) return settings.baseUrl
  if (!host.test(request.host))
    throw new AppError('bad_request', {
      message: message('errors.http.hostHeader', 'The Host header is not a valid host.'),
    })
  return `${request.protocol}://${request.host}`
}
