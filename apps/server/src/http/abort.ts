import type { FastifyReply } from 'fastify'

const signals = new WeakMap<FastifyReply, AbortSignal>()

/** Returns a signal that aborts when the connection closes before the whole response was written. */
export function createAbortSignal(reply: FastifyReply): AbortSignal {
  const existing = signals.get(reply)
  if (existing) return existing
  const controller = new AbortController()
  const onClose = () => {
    if (!reply.raw.writableFinished) controller.abort()
  }
  if (reply.raw.destroyed) onClose()
  else reply.raw.once('close', onClose)
  signals.set(reply, controller.signal)
  return controller.signal
}
