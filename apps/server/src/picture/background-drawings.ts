import type { AppError } from '@parquetry/model'
import { LRUCache } from 'lru-cache'
import { toAppError } from '../store/failure.ts'
import type { DrawingInput } from './chart-picture.ts'
import { drawingKey } from './drawing-key.ts'

/** Memory for images that were drawn. */
const maxBytes = 32 << 20
/** Requested images that are remembered. */
const maxKnown = 5000
/** Images that wait; more are not added until there is room, and are asked for again. */
const maxWaiting = 200
/** Images that are prepared or drawn at the same time. */
const concurrent = 2
/** After this, the data is queried again in the background, and an image that would differ is drawn. */
const refreshMs = 60_000
/** An image that fails is tried again after this. */
const timeoutMs = 120_000

export interface DrawnImage {
  bytes: Buffer
  etag: string
}

interface Job {
  prepare: (signal: AbortSignal) => Promise<DrawingInput>
}

interface Options {
  draw: (input: DrawingInput, signal: AbortSignal) => Promise<Buffer>
  /** In milliseconds. */
  now: () => number
}

/**
 * Draws images in the background, a few at a time, so that nothing waits for them. Images are stored by what they show: requests that
 * would show the same share one.
 */
export class BackgroundDrawings {
  readonly #options: Options
  readonly #images = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: ({ byteLength }) => byteLength + 1024,
  })
  /** By request: which image it has, or why it has none. */
  readonly #known = new LRUCache<string, { image: string | null; error: AppError | null; checkedAt: number }>({
    max: maxKnown,
  })
  readonly #waiting = new Map<string, Job>()
  readonly #running = new Set<string>()

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Returns the image of a request, or null while it is drawn. An older image is returned while its data is queried again.
   * @param request  identifies what is drawn and the rights with which its data is read
   * @throws AppError why it could not be drawn
   */
  find(request: string, prepare: Job['prepare']): DrawnImage | null {
    const known = this.#known.get(request)
    const bytes = known?.image == null ? undefined : this.#images.get(known.image)
    const isCurrent = known && this.#options.now() - known.checkedAt < refreshMs && (bytes || known.error)
    if (!isCurrent) this.#enqueue(request, { prepare })
    if (bytes) return { bytes, etag: `"${known!.image}"` }
    if (known?.error) throw known.error
    return null
  }

  /** Draws the image of a request again, even if the one that it has is recent. It has none until then. */
  redraw(request: string, prepare: Job['prepare']): void {
    this.#known.delete(request)
    if (!this.#waiting.has(request) && this.#waiting.size >= maxWaiting) return
    this.#waiting.set(request, { prepare })
    this.#startNext()
  }

  #enqueue(request: string, job: Job): void {
    if (this.#waiting.has(request) || this.#running.has(request) || this.#waiting.size >= maxWaiting) return
    this.#waiting.set(request, job)
    this.#startNext()
  }

  #startNext(): void {
    while (this.#running.size < concurrent) {
      // One that is being drawn with older data may be waiting to be drawn again.
      const next = [...this.#waiting].find(([waiting]) => !this.#running.has(waiting))
      if (!next) return
      const [request, job] = next
      this.#waiting.delete(request)
      this.#running.add(request)
      void this.#run(request, job).finally(() => {
        this.#running.delete(request)
        this.#startNext()
      })
    }
  }

  async #run(request: string, { prepare }: Job): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const input = await prepare(signal)
      const image = drawingKey(input)
      if (!this.#images.has(image)) this.#images.set(image, await this.#options.draw(input, signal))
      this.#known.set(request, { image, error: null, checkedAt: this.#options.now() })
    } catch (error) {
      this.#known.set(request, { image: null, error: toAppError(error), checkedAt: this.#options.now() })
    }
  }
}
