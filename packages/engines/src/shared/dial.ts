import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { AppError } from '@parquetry/model/errors'

/** Time limit for opening a socket, even if the server does not respond. */
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
 * Returns a socket connected to the first of the addresses that accepts; no name is resolved. Refused, filtered and unreachable
 * addresses give the same error, so that it reveals nothing about a network.
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

/** Returns a socket connected to a path on this machine. @throws AppError `connection_failed` */
export const dialPath = (path: string): Promise<Socket> => openSocket({ path }, AbortSignal.timeout(dialTimeoutMs))
