import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { RecordedCall } from './recorder.ts'

const shownHeaders = ['authorization', 'cookie', 'x-csrftoken', 'referer', 'accept', 'content-type', 'if-none-match']

const decompress: Record<string, (body: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

function readBody({ body: sent, headers }: { body: Buffer; headers: RecordedCall['headers'] }): unknown {
  if (sent.length === 0) return undefined
  const body = decompress[headers['content-encoding'] ?? '']?.(sent) ?? sent
  const type = headers['content-type'] ?? ''
  if (type.includes('json')) return JSON.parse(body.toString())
  if (/text|urlencoded|html/.test(type)) return body.toString().slice(0, 2000)
  return `${type} ${body.length} bytes`
}

/** Formats calls as readable JSON: bodies as values, and only the headers that matter. */
export function formatCalls(calls: readonly RecordedCall[]): string {
  const readable = calls.map(({ method, path, headers, body, status, answer }) => ({
    call: `${method} ${decodeURIComponent(path)}`,
    headers: Object.fromEntries(shownHeaders.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []))),
    body: readBody({ body, headers }),
    status,
    answer: readBody(answer),
  }))
  return `${JSON.stringify(readable, null, 2)}\n`
}
