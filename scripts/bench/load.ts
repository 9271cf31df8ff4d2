import { connect } from 'node:net'

export interface LoadResult {
  answers: number
  seconds: number
  /** Milliseconds of each response. */
  times: number[]
}

/**
 * Sends the same request on many connections concurrently, again after each response. Uses bare sockets, to leave most of the
 * machine to the server.
 */
export async function runLoad(
  url: string,
  { method, path, headers, body }: { method: string; path: string; headers: Record<string, string>; body: string },
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoadResult> {
  const { hostname, port, host } = new URL(url)
  const head = Object.entries({ Host: host, ...headers, 'Content-Length': String(Buffer.byteLength(body)) })
  const question = Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
  const times: number[] = []
  const begun = performance.now()
  const end = begun + seconds * 1000
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(Number(port), hostname)
          let startedAt = 0
          let got: Buffer = Buffer.alloc(0)
          const ask = (): void => {
            startedAt = performance.now()
            socket.write(question)
          }
          socket.on('connect', ask)
          socket.on('error', reject)
          socket.on('data', (bytes: Buffer) => {
            got = got.length > 0 ? Buffer.concat([got, bytes]) : bytes
            const length = parseLength(got)
            if (length === null || got.length < length) return
            if (!got.subarray(0, 12).equals(okStart)) return reject(new Error(got.subarray(0, 300).toString('latin1')))
            got = got.subarray(length)
            times.push(performance.now() - startedAt)
            if (performance.now() < end) ask()
            else {
              socket.destroy()
              resolve()
            }
          })
        }),
    ),
  )
  return { answers: times.length, seconds: (performance.now() - begun) / 1000, times }
}

const okStart = Buffer.from('HTTP/1.1 200')

/** Bytes of head and body together; null until the head is complete. */
function parseLength(bytes: Buffer): number | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [, length = '0'] = /content-length: (\d+)/i.exec(bytes.subarray(0, end).toString('latin1')) ?? []
  return end + 4 + Number(length)
}
