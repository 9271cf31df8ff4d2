import type { Way } from './driver.ts'

const keepMs = 30_000
const keepMost = 4

interface Kept<Client> {
  client: Client
  timer: NodeJS.Timeout
  drop: () => void
}

/** Connections that were reset, kept for a while for the next job of the same settings and way. */
export class KeptClients<Client extends Pick<NodeJS.EventEmitter, 'once' | 'off'>> {
  readonly #kept = new Map<string, Kept<Client>[]>()
  readonly #end: (client: Client) => void

  /** @param end  closes one for which there is no use; a client says `end` itself when its server is gone */
  constructor(end: (client: Client) => void) {
    this.#end = end
  }

  take(settings: object, way: Way): Client | null {
    const found = this.#kept.get(keyOf(settings, way))?.pop()
    if (!found) return null
    clearTimeout(found.timer)
    found.client.off('end', found.drop)
    return found.client
  }

  /** Keeps it or, when there are enough, ends it. */
  give(settings: object, way: Way, client: Client): void {
    const key = keyOf(settings, way)
    const list = this.#kept.get(key) ?? []
    if (list.length >= keepMost) return this.#end(client)
    this.#kept.set(key, list)
    const drop = () => {
      const at = list.findIndex((entry) => entry.client === client)
      if (at >= 0) list.splice(at, 1)
      this.#end(client)
    }
    list.push({ client, drop, timer: setTimeout(drop, keepMs).unref() })
    client.once('end', drop)
  }
}

const keyOf = (settings: object, { way, serverCert }: Way) => JSON.stringify([settings, way, serverCert])
