import { ApiError } from '@parquetry/client'
import type { UploadState } from '@parquetry/model'
import { api } from '../shared/api.ts'
import type { TransferState } from './upload-item.ts'

const firstPart = 1 << 20
const largestPart = 16 << 20
const smallestPart = 64 << 10
const shortMs = 800
const longMs = 5000
const waitsMs = [500, 1000, 2000, 4000, 8000, 15_000]
const maxStarts = 3

/** Worth a retry: no response, rate limiting, or a server that is starting. */
const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status)
const isStatus = (error: unknown, status: number): boolean => error instanceof ApiError && error.status === status

/**
 * Sends a file in parts sized for roughly a second of transfer. After a failure it resumes where the server stopped; if the
 * server no longer has the file, it starts over.
 * @throws ApiError for failures that a retry would not fix; AbortError when `signal` aborts
 */
export async function sendFile(
  file: File,
  onProgress: (sent: TransferState) => void,
  signal: AbortSignal,
): Promise<string> {
  let state: UploadState | null = null
  let part = firstPart
  let speed: number | null = null
  let cuts = 0
  let starts = 0
  const report = (waitsFor: TransferState['waitsFor'] = null) =>
    onProgress({ id: state?.id ?? null, received: state?.received ?? 0, speed, waitsFor })
  while (!state || state.received < file.size) {
    const since = performance.now()
    try {
      if (state) {
        const { id, received }: UploadState = state
        const body = file.slice(received, received + part)
        state = await api.put('/api/v1/upload/:id', { params: { id }, query: { offset: received }, body, signal })
        const ms = Math.max(1, performance.now() - since)
        const now = (body.size / ms) * 1000
        speed = speed === null ? now : speed * 0.7 + now * 0.3
        if (ms < shortMs) part = Math.min(largestPart, part * 2)
        else if (ms > longMs) part = Math.max(smallestPart, part / 2)
      } else {
        starts++
        state = await startUpload(file, signal)
      }
      cuts = 0
    } catch (error) {
      if (signal.aborted) throw error
      if (isStatus(error, 404) && starts < maxStarts) state = null
      else if (isTransient(error) || (state && isStatus(error, 409))) {
        report({ reason: error instanceof ApiError && error.status === 429 ? error.message : null })
        await pause(waitsMs[Math.min(cuts++, waitsMs.length - 1)] ?? 0, signal)
        part = Math.max(smallestPart, part / 2)
        if (state) state = await fetchUploadState(state, signal)
      } else throw error
    }
    report()
  }
  return state.id
}

const startUpload = (file: File, signal: AbortSignal): Promise<UploadState> =>
  api.post('/api/v1/upload/', { body: { file_name: file.name, size: file.size }, signal })

async function fetchUploadState(state: UploadState, signal: AbortSignal): Promise<UploadState> {
  try {
    return await api.get('/api/v1/upload/:id', { params: { id: state.id }, signal })
  } catch (error) {
    // The next part retries and reveals the cause.
    if (signal.aborted || !(error instanceof ApiError)) throw error
    return state
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })
