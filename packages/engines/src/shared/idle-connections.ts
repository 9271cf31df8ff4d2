import type { ConnectionRoute } from './driver.ts'

const idleTtlMs = 30_000
const maxIdle = 4

interface IdleConnection<Client> {
  client: Client
  timer: NodeJS.Timeout
  drop: () => void
}

/** Pool of reset connections, retained for a while for the next job with the same settings and way. */
export class IdleConnections<Client extends Pick<NodeJS.EventEmitter, 'once' | 'off'>> {
  readonly #idle = new Map<string, IdleConnection<Client>[]>()
  readonly #end: (client: Client) => void

  /** @param end  closes a connection that is not needed; a client emits `end` itself when its server has closed */
  constructor(end: (client: Client) => void) {
    this.#end = end
  }

  acquire(settings: object, route: ConnectionRoute): Client | null {
    const found = this.#idle.get(connectionKey(settings, route))?.pop()
    if (!found) return null
    clearTimeout(found.timer)
    found.client.off('end', found.drop)
    return found.client
  }

  /** Adds a connection to the pool, or closes it when the pool is full. */
  release(settings: object, route: ConnectionRoute, client: Client): void {
    const key = connectionKey(settings, route)
    const list = this.#idle.get(key) ?? []
    if (list.length >= maxIdle) return this.#end(client)
    this.#idle.set(key, list)
    const drop = () => {
      const index = list.findIndex((entry) => entry.client === client)
      if (index >= 0) list.splice(index, 1)
      this.#end(client)
    }
    list.push({ client, drop, timer: setTimeout(drop, idleTtlMs).unref() })
    client.once('end', drop)
  }
}

const connectionKey = (settings: object, { routeKey, serverCert }: ConnectionRoute) =>
  JSON.stringify([settings, routeKey, serverCert])
