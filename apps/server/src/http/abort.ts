import type { FastifyReply } from 'fastify'
import { onClose } from './on-close.ts'

const abortSignal = Symbol('abort signal')

type AbortableReply = FastifyReply & { [abortSignal]?: AbortSignal }

/** Returns a signal that aborts when the connection closes before the whole response was written. */
export function createAbortSignal(reply: AbortableReply): AbortSignal {
  const existing = reply[abortSignal]
  if (existing) return existing
  const controller = new AbortController()
  const abort = () => {
    if (!reply.raw.writableFinished) controller.abort()
  }
  if (reply.raw.destroyed) abort()
  else onClose(reply.raw, abort)
  reply[abortSignal] = controller.signal
  return controller.signal
}
