import { Agent as HttpAgent, type AgentOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'

type Done = (error: Error | null, stream?: Duplex) => void

/**
 * Returns an agent whose sockets come from `dial`, whatever address a request names: links to other hosts lead back to the same
 * server.
 * @param tls  null for plain HTTP; `host` is the name that the certificate is checked for
 */
export function createHttpAgent(
  dial: () => Promise<Socket>,
  tls: (Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'> & { host: string }) | null,
  options: AgentOptions = {},
): HttpAgent {
  const agent = tls ? new HttpsAgent(options) : new HttpAgent(options)
  const open = async (): Promise<Duplex> => {
    const socket = await dial()
    if (!tls) return socket
    const { host, ...checks } = tls
    return connectTls({ ...checks, socket, host, ...(isIP(host) === 0 && { servername: host }) })
  }
  const createConnection = (_options: unknown, done?: Done): undefined => {
    open().then(
      (stream) => done?.(null, stream),
      (error: unknown) => done?.(error as Error),
    )
    return undefined
  }
  return Object.assign(agent, { createConnection })
}
