import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from './identity.ts'

/** Sessions of requests that last longer are checked, so that a request ends within a second of its session. */
const checkIntervalMs = 500

/** Requests whose response is not complete. */
export interface OpenCalls {
  add(request: FastifyRequest, reply: FastifyReply): void
  close(): void
}

/**
 * Ends the open requests of a session (events, streams, exports, uploads) after the session ended on any server. One query of the
 * store checks all of them, and none runs while every request is short.
 */
export function watchOpenCalls(authenticator: Pick<Authenticator, 'living'>): OpenCalls {
  const openCalls = new Map<FastifyReply, FastifyRequest>()
  let isChecking = false

  async function endOrphanedCalls(): Promise<void> {
    const oldest = performance.now() - checkIntervalMs
    const longRunning = [...openCalls].filter(([, { identity, startedAt }]) => identity?.session && startedAt < oldest)
    if (longRunning.length === 0) return
    const liveSessions = await authenticator.living(
      new Set(longRunning.map(([, { identity }]) => identity?.session as string)),
    )
    for (const [reply, { identity, log }] of longRunning) {
      if (!identity?.session || liveSessions.has(identity.session) || !openCalls.has(reply)) continue
      log.info({ user: identity.principal.id }, 'a call ended with its session')
      reply.raw.destroy()
    }
  }
  const timer = setInterval(() => {
    if (isChecking) return
    isChecking = true
    endOrphanedCalls()
      .catch(() => undefined) // without a response from the store, no request is ended
      .finally(() => (isChecking = false))
  }, checkIntervalMs).unref()

  return {
    add(request, reply) {
      openCalls.set(reply, request)
      reply.raw.once('close', () => openCalls.delete(reply))
    },
    close: () => clearInterval(timer),
  }
}
