import type { FastifyReply } from 'fastify'

const signals = new WeakMap<FastifyReply, AbortSignal>()

/** Returns a signal that aborts when the connection closes before the whole response was written. */
export function createAbortSignal(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply)
  if (known) return known
  const controller = new AbortController()
  const leave = () => {
    if (!reply.raw.writableFinished) controller.abort()
  }
  if (reply.raw.destroyed) leave()
  else reply.raw.once('close', leave)
  signals.set(reply, controller.signal)
  return controller.signal
}
