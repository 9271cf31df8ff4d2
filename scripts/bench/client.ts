import { Agent, request } from 'node:http'

export interface TimedResponse {
  status: number
  body: Buffer
  /** Milliseconds until the first byte of the body and until the last. */
  firstMs: number
  ms: number
}

export interface SendOptions {
  body?: unknown
  headers?: Record<string, string>
  /** Receives the pieces as they come; the `body` of the response is then empty. */
  onBytes?: (bytes: Buffer) => void
}

/** A script that stays signed in and keeps its connection, so that only the server is measured. */
export interface Client {
  send(method: string, path: string, options?: SendOptions): Promise<TimedResponse>
  /** Returns the response as JSON. @throws Error unless the status is 2xx */
  json<T>(method: string, path: string, body?: unknown): Promise<T>
  url: string
  headers: Record<string, string>
}

export async function createSignedInClient(url: string, username: string, password = username): Promise<Client> {
  const response = await fetch(`${url}/api/v1/security/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password, provider: 'db' }),
  })
  const { access_token } = (await response.json()) as { access_token?: string }
  if (!access_token) throw new Error(`sign-in of ${username}: ${response.status}`)
  return createClient(url, { Authorization: `Bearer ${access_token}` })
}

export function createClient(url: string, headers: Record<string, string>): Client {
  const agent = new Agent({ keepAlive: true })
  const send: Client['send'] = (method, path, { body, headers: own, onBytes } = {}) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const begun = performance.now()
      let firstMs = 0
      const parts: Buffer[] = []
      const sent = request(
        url + path,
        {
          method,
          agent,
          headers: {
            ...headers,
            ...(text !== undefined && {
              'Content-Type': 'application/json',
              'Content-Length': Buffer.byteLength(text),
            }),
            ...own,
          },
        },
        (response) => {
          response.on('data', (part: Buffer) => {
            firstMs ||= performance.now() - begun
            if (onBytes) onBytes(part)
            else parts.push(part)
          })
          response.on('end', () => {
            const ms = performance.now() - begun
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts), firstMs, ms })
          })
          response.on('error', reject)
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  return {
    send,
    url,
    headers,
    async json<T>(method: string, path: string, body?: unknown): Promise<T> {
      const { status, body: bytes } = await send(method, path, { body })
      if (status < 200 || status > 299)
        throw new Error(`${method} ${path}: ${status} ${bytes.toString().slice(0, 500)}`)
      return JSON.parse(bytes.toString()) as T
    },
  }
}
