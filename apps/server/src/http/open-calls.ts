import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from './identity.ts'

/** Sessions of requests that last longer are checked, so that a request ends within a second of its session. */
const checkIntervalMs = 500

/** Calls without an end report the caller's own events, writes have been authorized, and signing in changes rights by itself. */
const readsData = ({ routeOptions }: FastifyRequest): boolean => {
  const { contract } = routeOptions.config
  return (
    contract !== undefined && contract.rate !== 'write' && contract.rate !== 'sign-in' && contract.isEndless !== true
  )
}

/** Requests whose response is not complete. */
export interface OpenCalls {
  add(request: FastifyRequest, reply: FastifyReply): void
  close(): void
}

/**
 * Ends the open requests of a session (events, streams, exports, uploads) after the session ended on any server. One query of the
 * store checks all of them, and none runs while every request is short. Requests that read data also end when the rights of their
 * user have changed: the rows that they still send are those of before.
 */
export function watchOpenCalls(authenticator: Pick<Authenticator, 'living' | 'withChangedRights'>): OpenCalls {
  const openCalls = new Map<FastifyReply, FastifyRequest>()
  let isChecking = false

  async function endOrphanedCalls(): Promise<void> {
    const oldest = performance.now() - checkIntervalMs
    const longRunning = [...openCalls].filter(([, { identity, startedAt }]) => identity?.session && startedAt < oldest)
    if (longRunning.length === 0) return
    const liveSessions = await authenticator.living(
      new Set(longRunning.map(([, { identity }]) => identity?.session as string)),
    )
    const orphaned = new Set(
      longRunning.filter(([, { identity }]) => !liveSessions.has(identity?.session as string)).map(([reply]) => reply),
    )
    // Calls that began just before a change are never looked at again, so all of them are compared.
    const open = [...openCalls]
    const changed = await authenticator.withChangedRights(
      open.flatMap(([, request]) => (request.identity && readsData(request) ? [request.identity.principal] : [])),
    )
    for (const [reply, request] of open) {
      const { identity, log } = request
      const hasOtherRights = identity !== null && readsData(request) && changed.has(identity.principal)
      if (!openCalls.has(reply) || (!hasOtherRights && !orphaned.has(reply))) continue
      log.info(
        { user: identity?.principal.id },
        hasOtherRights ? 'a call ended because the rights of its user changed' : 'a call ended with its session',
      )
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
