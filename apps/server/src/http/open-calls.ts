import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from './identity.ts'
import { InFlight } from './in-flight.ts'
import { onClose } from './on-close.ts'

/** Sessions of requests that last longer are checked, so that a request ends within a second of its session. */
const checkIntervalMs = 500

/**
 * Streams for all who are signed in report the caller's own events, writes have been authorized, and signing in changes rights by
 * itself.
 */
const readsData = ({ routeOptions }: FastifyRequest): boolean => {
  const { contract } = routeOptions.config
  if (contract === undefined || contract.rate === 'write' || contract.rate === 'sign-in') return false
  return contract.isEndless !== true || contract.can !== 'signed-in'
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
  const openCalls = new InFlight<{ request: FastifyRequest; reply: FastifyReply }>()
  let isChecking = false

  async function endOrphanedCalls(): Promise<void> {
    const oldest = performance.now() - checkIntervalMs
    const longRunning = [...openCalls].filter(
      ({ request: { identity, startedAt } }) => identity?.session && startedAt < oldest,
    )
    if (longRunning.length === 0) return
    const liveSessions = await authenticator.living(
      new Set(longRunning.map(({ request }) => request.identity?.session as string)),
    )
    const orphaned = new Set(
      longRunning.filter(({ request }) => !liveSessions.has(request.identity?.session as string)),
    )
    // Calls that began just before a change are never looked at again, so all of them are compared.
    const open = [...openCalls]
    const changed = await authenticator.withChangedRights(
      open.flatMap(({ request }) => (request.identity && readsData(request) ? [request.identity.principal] : [])),
    )
    for (const call of open) {
      const { identity, log } = call.request
      const hasOtherRights = identity !== null && readsData(call.request) && changed.has(identity.principal)
      if (call.reply.raw.closed || (!hasOtherRights && !orphaned.has(call))) continue
      log.info(
        { user: identity?.principal.id },
        hasOtherRights ? 'a call ended because the rights of its user changed' : 'a call ended with its session',
      )
      call.reply.raw.destroy()
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
      onClose(reply.raw, openCalls.add({ request, reply }))
    },
    close: () => clearInterval(timer),
  }
}
