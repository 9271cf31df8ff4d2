import { csrfToken } from '../shared/csrf.ts'
import type { ApiRequest } from './build-request.ts'

/** The start of a response that is shown; the rest is left out. */
const maxShownBytes = 256 * 1024

export interface ApiAnswer {
  status: number
  statusText: string
  ms: number
  /** Bytes that were read. */
  bytes: number
  isCut: boolean
  contentType: string
  /** Null for content that is not text. */
  text: string | null
}

const isText = (contentType: string): boolean =>
  contentType === '' || /json|text|xml|yaml|csv|javascript/.test(contentType)

/** Indents JSON; other texts stay as they are. */
function format(text: string, contentType: string, isCut: boolean): string {
  if (!contentType.includes('json') || isCut) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

async function readStart(body: ReadableStream<Uint8Array>): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const reader = body.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      parts.push(value)
      length += value.length
      if (length > maxShownBytes) {
        await reader.cancel()
        break
      }
    }
  } catch (error) {
    // The user stopped a response that does not end: what has arrived is shown.
    if (length === 0) throw error
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return { bytes: bytes.subarray(0, maxShownBytes), isCut: length > maxShownBytes }
}

/**
 * Sends a call with the session of the page to this server, and returns the response whatever its status is.
 * @throws TypeError when no response arrives or the address leads elsewhere; AbortError when `signal` aborts before the first byte
 */
export async function sendRequest(method: string, request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
  const url = new URL(request.url, location.origin)
  if (url.origin !== location.origin) throw new TypeError(request.url)
  const start = performance.now()
  const response = await fetch(url, {
    method,
    headers: {
      ...request.headers,
      accept: 'application/json, */*',
      ...(method !== 'GET' && { 'X-CSRFToken': csrfToken() }),
    },
    ...(request.body !== undefined && { body: request.body }),
    signal,
  })
  const { bytes, isCut } = response.body ? await readStart(response.body) : { bytes: new Uint8Array(), isCut: false }
  const contentType = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    statusText: response.statusText,
    ms: performance.now() - start,
    bytes: bytes.length,
    isCut,
    contentType,
    text: isText(contentType) ? format(new TextDecoder().decode(bytes), contentType, isCut) : null,
  }
}
