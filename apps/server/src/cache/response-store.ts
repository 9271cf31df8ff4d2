import { LRUCache } from 'lru-cache'
import type { CachedRun } from './run-cached.ts'
import type { Cache } from './cache.ts'

/** Response to a call as sent, compressed where worthwhile. */
export interface EncodedResponse {
  type: string
  encoding: string | null
  body: Buffer
}

export interface StoredResponse extends EncodedResponse {
  /**
   * Results that it contains: the response is valid only while the same results are cached. The cache decides when to evict their
   * bytes.
   */
  runs: readonly Pick<CachedRun, 'key' | 'header'>[]
  /** Time in ms from which the response would differ. */
  until: number
}

/** Where a response is stored: what was asked, and the hash of everything else that determines the response. */
export interface ResponsePlace {
  key: string
  fingerprint: string
  /** Dashboard of the request, for the audit log. */
  dashboardId?: number
}

/** A call as its reader repeats it. */
export interface RepeatableRequest {
  /** Identifies what was asked, by the bytes of the body. */
  key: string
  /** State of the metadata store when the request arrived, see `changeCountOf`; undefined when it is unknown. */
  changes: number | undefined
}

const maxVariants = 16
const maxPerReader = 300

/**
 * Finished responses of one process, found in two ways: by place, which all who may see the same share, and by a reader who
 * repeats a request while the metadata store is unchanged.
 */
export class ResponseStore {
  readonly #cache: Pick<Cache, 'holdsEntries'>
  readonly #now: () => Date
  readonly #responses: LRUCache<string, ReadonlyMap<string, StoredResponse>>
  #places = new WeakMap<object, { changes: number; byKey: Map<string, ResponsePlace> }>()
  #hits = 0
  #misses = 0

  constructor({ cache, now }: { cache: Pick<Cache, 'holdsEntries'>; now(): Date }, maxBytes = 32 << 20) {
    this.#cache = cache
    this.#now = now
    this.#responses = new LRUCache<string, ReadonlyMap<string, StoredResponse>>({
      maxSize: maxBytes,
      sizeCalculation: (variants) =>
        [...variants.values()].reduce((all, { body, runs }) => all + body.byteLength + 1024 + 64 * runs.length, 256),
    })
  }

  /** Tests if there is a response for this key, whether valid or not. */
  has(key: string): boolean {
    return this.#responses.has(key)
  }

  /** Returns a response that is still valid. */
  async find(place: ResponsePlace): Promise<StoredResponse | undefined> {
    const found = await this.#findValid(place)
    if (found) this.#hits += 1
    else this.#misses += 1
    return found
  }

  /** Tests if there is a valid response; does not count as a look-up. */
  async holds(place: ResponsePlace): Promise<boolean> {
    return (await this.#findValid(place)) !== undefined
  }

  async #findValid({ key, fingerprint }: ResponsePlace): Promise<StoredResponse | undefined> {
    const found = this.#responses.get(key)?.get(fingerprint)
    if (!found || found.until <= this.#now().getTime()) return undefined
    return (await this.#cache.holdsEntries(found.runs)) ? found : undefined
  }

  /**
   * Returns where the response to a request was, if nothing in the metadata store can have changed since.
   * @param reader  object of a principal with the rights of now
   */
  findPlace(reader: object, { key, changes }: RepeatableRequest): ResponsePlace | undefined {
    const known = this.#places.get(reader)
    return known !== undefined && known.changes === changes ? known.byKey.get(key) : undefined
  }

  /** Remembers where the response to a request of a reader is, until the metadata store changes. */
  remember(reader: object, { key, changes }: RepeatableRequest, place: ResponsePlace): void {
    if (changes === undefined) return
    let known = this.#places.get(reader)
    if (known?.changes !== changes || known.byKey.size >= maxPerReader) {
      known = { changes, byKey: new Map() }
      this.#places.set(reader, known)
    }
    known.byKey.set(key, place)
  }

  set({ key, fingerprint }: ResponsePlace, response: StoredResponse): void {
    const now = this.#now().getTime()
    const others = [...(this.#responses.peek(key) ?? [])].filter(
      ([other, { until }]) => other !== fingerprint && until > now,
    )
    this.#responses.set(key, new Map([[fingerprint, response], ...others.slice(0, maxVariants - 1)]))
  }

  stats(): { entries: number; bytes: number; hits: number; misses: number } {
    const { size, calculatedSize } = this.#responses
    return { entries: size, bytes: calculatedSize, hits: this.#hits, misses: this.#misses }
  }
}
