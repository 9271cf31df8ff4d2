import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeServer {
  host: string
  port: number
  /** `method path` of each request, in order. */
  requests: string[]
  close(): void
}

/** Starts a server with scripted responses, for failures that a real server only shows when something is wrong. */
export async function startFakeServer(answer: RequestListener): Promise<FakeServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    requests,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
