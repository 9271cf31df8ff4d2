import type { FastifyRequest } from 'fastify'
import type { Settings } from '../settings.ts'

/** Scheme and host that the user's browser talks to: the configured address, else what the request was sent to. */
export const originOf = (settings: Settings, request: FastifyRequest): string =>
  settings.baseUrl ?? `${request.protocol}://${request.host}`
