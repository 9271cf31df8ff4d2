import { request as requestHttp, type Agent, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { resultTooLarge } from '../shared/too-large.ts'

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string | string[]>
  body?: string
  agent: Agent
  /** Limit for the whole response. */
  maxBytes: number
  signal: AbortSignal
}

export interface HttpResponse {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

/** Sends one request and reads the whole response; redirects are not followed. @throws AppError `result_too_large` */
export async function sendRequest(url: URL, { body, maxBytes, ...options }: HttpRequest): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const outgoing = send(url, options, resolve)
  outgoing.on('error', reject)
  outgoing.end(body)
  const incoming = await promise
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    text: await readBody(incoming, maxBytes),
  }
}

async function readBody(incoming: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) {
      incoming.destroy()
      throw resultTooLarge(maxBytes)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
