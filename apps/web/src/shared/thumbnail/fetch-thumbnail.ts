import { api } from '../api.ts'
import type { ThumbnailTarget } from './thumbnail-target.ts'

/** Delays before the server is asked again for a thumbnail that it is still drawing. */
const retryDelaysMs = [1000, 2000, 4000, 8000, 16_000]

/** Calls at a time, so that thumbnails do not delay other calls of the page. */
const maxCalls = 2
let running = 0
const waiting: (() => void)[] = []

async function takeTurn<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  if (running >= maxCalls) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    signal.throwIfAborted()
    return await call()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })

/**
 * The image that the server draws of a chart or dashboard with what the user may see; null when it takes too long.
 * @throws ApiError for example when the user may not see its data
 */
export async function fetchThumbnail(target: ThumbnailTarget, signal: AbortSignal): Promise<Blob | null> {
  const [kind, id] = target.kind === 'chart' ? (['chart', target.id] as const) : (['dashboard', target.name] as const)
  // Any other digest than the current one redirects to it.
  const params = { id: String(id), digest: 'current' }
  for (const delay of [...retryDelaysMs, null]) {
    const response = await takeTurn(signal, () =>
      api.send('GET', `/api/v1/${kind}/:id/thumbnail/:digest/`, { params, quiet: true, signal }),
    )
    if (response.status === 200) return response.blob()
    if (response.status !== 202 || delay === null) return null
    await sleep(delay, signal)
  }
  return null
}
