import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { AppError } from '@parquetry/model/errors'

/** The longest that opening a socket may take, whatever the server does or does not answer. */
export const dialTimeoutMs = 8000

const openSocket = (to: NetConnectOpts, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ ...to, keepAlive: true, noDelay: true })
    const fail = (cause: unknown) => {
      socket.destroy()
      reject(new AppError('connection_failed', { cause }))
    }
    const abort = () => fail(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', fail)
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort)
      socket.off('error', fail)
      resolve(socket)
    })
  })

/**
 * A connected socket to the first of the addresses that answers; no name is looked up. Refused, filtered and unreachable are
 * one message, so that nobody learns from it what stands in a network.
 * @throws AppError `connection_failed`
 */
export async function dialAddresses(addresses: readonly string[], port: number): Promise<Socket> {
  const signal = AbortSignal.timeout(dialTimeoutMs)
  let last = new AppError('connection_failed')
  for (const host of addresses) {
    try {
      return await openSocket({ host, port }, signal)
    } catch (error) {
      last = error as AppError
      if (signal.aborted) break
    }
  }
  throw last
}

/** A connected socket to one end on this machine. @throws AppError `connection_failed` */
export const dialPath = (path: string): Promise<Socket> => openSocket({ path }, AbortSignal.timeout(dialTimeoutMs))
