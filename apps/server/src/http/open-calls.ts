import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from './identity.ts'

/** A call that lasts longer is asked about, so that it ends within a second of its session. */
const checkIntervalMs = 500

/** Calls that are not answered yet, or not in full. */
export interface OpenCalls {
  add(request: FastifyRequest, reply: FastifyReply): void
  close(): void
}

/**
 * Ends what a session has under way once the session is over, on whichever server: events, streams, exports, uploads. The store is
 * asked once for all of them, and not at all while every call is short.
 */
export function watchOpenCalls(authenticator: Pick<Authenticator, 'living'>): OpenCalls {
  const open = new Map<FastifyReply, FastifyRequest>()
  let isLooking = false

  async function look(): Promise<void> {
    const oldest = performance.now() - checkIntervalMs
    const long = [...open].filter(([, { identity, startedAt }]) => identity?.session && startedAt < oldest)
    if (long.length === 0) return
    const living = await authenticator.living(new Set(long.map(([, { identity }]) => identity?.session as string)))
    for (const [reply, { identity, log }] of long) {
      if (!identity?.session || living.has(identity.session) || !open.has(reply)) continue
      log.info({ user: identity.principal.id }, 'a call ended with its session')
      reply.raw.destroy()
    }
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      .catch(() => undefined) // a store that does not answer ends nothing
      .finally(() => (isLooking = false))
  }, checkIntervalMs).unref()

  return {
    add(request, reply) {
      open.set(reply, request)
      reply.raw.once('close', () => open.delete(reply))
    },
    close: () => clearInterval(timer),
  }
}
