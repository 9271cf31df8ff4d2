import { testCertificate } from '@parquetry/testing/test-certificate'
import {
  createServer as createHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface HttpReceiver {
  port: number
  requests: ReceivedRequest[]
  close(): Promise<void>
}

/** A local server that records requests. With `https` its certificate is for `localhost`. */
export async function startHttpReceiver(
  scheme: 'http' | 'https',
  answer: (request: ReceivedRequest, response: ServerResponse) => void,
): Promise<HttpReceiver> {
  const requests: ReceivedRequest[] = []
  const listener = (incoming: IncomingMessage, response: ServerResponse) =>
    void buffer(incoming).then(
      (body) => {
        const request = { path: incoming.url ?? '', headers: incoming.headers, body }
        requests.push(request)
        answer(request, response)
      },
      () => undefined,
    )
  const server = scheme === 'https' ? createHttps(testCertificate, listener) : createHttp(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
