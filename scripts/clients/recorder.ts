import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call of a client with its answer. */
export interface RecordedCall {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  status: number
  answer: { headers: IncomingHttpHeaders; body: Buffer }
}

export interface Recorder {
  /** Address that clients use. */
  url: string
  calls: RecordedCall[]
  close(): Promise<void>
}

/** Starts a proxy that passes every call on to a server unchanged, and records it. */
export async function startRecorder(target: string): Promise<Recorder> {
  const calls: RecordedCall[] = []
  const server = createServer((incoming, outgoing) => {
    const sent: Buffer[] = []
    const forwarded = request(
      target + (incoming.url ?? '/'),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        const received: Buffer[] = []
        answer.on('data', (part: Buffer) => {
          received.push(part)
          outgoing.write(part)
        })
        answer.on('end', () => {
          const { method = '', url: path = '', headers } = incoming
          const { statusCode: status = 0, headers: answered } = answer
          const body = Buffer.concat(received)
          calls.push({
            method,
            path,
            headers,
            body: Buffer.concat(sent),
            status,
            answer: { headers: answered, body },
          })
          outgoing.end()
        })
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    incoming.on('data', (part: Buffer) => {
      sent.push(part)
      forwarded.write(part)
    })
    incoming.on('end', () => forwarded.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
