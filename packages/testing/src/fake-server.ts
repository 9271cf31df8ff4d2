import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeServer {
  host: string
  port: number
  /** `method path` of each request, in order. */
  asked: string[]
  close(): void
}

/** Starts a server with scripted responses, for failures that a real server only shows when something is wrong. */
export async function startFakeServer(answer: RequestListener): Promise<FakeServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
