import { AppError, type RouteContract } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requesterKey } from '../access/principal.ts'
import { PerUserSemaphore } from '../concurrency/per-user-semaphore.ts'
import { RoundRobin } from '../concurrency/round-robin.ts'
import { createAbortSignal } from './abort.ts'
import type { Identity } from './identity.ts'
import { onClose } from './on-close.ts'

/** The slot of a call in progress. */
export interface CallSlot {
  release(): void
  /** The handler has not returned yet. */
  isWorking: boolean
}

interface UserCall {
  identity: Identity
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Shares the server's own thread among users. Each user has a limited number of calls in progress; further calls wait. The steps
 * of a call (start, parsing its body, its handler) begin in turn with those of other users.
 */
export interface CallSlots {
  /**
   * Waits for a slot of the caller, which is released when the response is complete. Reads, writes, queries and transfers of
   * files have separate slots: calls that wait for a database or a slow network do not delay others, such as the call that stops a
   * query. Then `startStep` of the request waits until its next step may begin.
   * @throws AppError when the client disconnects
   */
  enter(contract: RouteContract, call: UserCall): Promise<void>
  /** A call whose client has disconnected keeps its slot while its handler works. @returns a function that ends the work */
  beginWork(call: Pick<UserCall, 'request' | 'reply'>): () => void
}

/** Health checks, sign-in and files of the web client are short; streams of events last as long as a page is open. */
const isUnlimited = ({ can, isEndless }: RouteContract): boolean => can === 'anyone' || isEndless === true

const kindOf = ({ body, rate }: RouteContract): string =>
  body === 'multipart' || body === 'octets' ? 'transfer' : rate

/**
 * Key by which slots and turns are shared. Guests of an embedding page may share a name but have tokens of their own; anonymous
 * visitors have only an address.
 */
function callSlotKey({ identity: { principal, via }, request }: UserCall): string {
  if (via === 'guest token') return `guest ${String(request.headers['x-guesttoken'])}`
  return principal.kind === 'user' ? requesterKey(principal) : `${principal.kind} ${request.ip}`
}

/** @param max  calls of one user and kind in progress; 0 means no limit */
export function createCallSlots(max: number): CallSlots {
  const slots = new PerUserSemaphore(max)
  const roundRobin = new RoundRobin()

  async function acquire(contract: RouteContract, call: UserCall): Promise<() => void> {
    const { reply } = call
    try {
      const user = `${kindOf(contract)} ${callSlotKey(call)}`
      const release = slots.tryAcquire(user) ?? (await slots.acquire(user, createAbortSignal(reply)))
      if (!reply.raw.destroyed) return release
      release()
    } catch (cause) {
      throw new AppError('bad_request', { cause })
    }
    throw new AppError('bad_request')
  }

  return {
    async enter(contract, call) {
      if (isUnlimited(contract)) return
      if (max > 0) {
        const slot = { release: await acquire(contract, call), isWorking: false }
        call.request.slot = slot
        onClose(call.reply.raw, () => {
          if (!slot.isWorking) slot.release()
        })
      }
      const key = callSlotKey(call)
      call.request.startStep = () => roundRobin.start(key)
      await call.request.startStep()
    },
    beginWork({ request: { slot }, reply }) {
      if (slot) slot.isWorking = true
      return () => {
        if (!slot) return
        slot.isWorking = false
        if (reply.raw.destroyed) slot.release()
      }
    },
  }
}
