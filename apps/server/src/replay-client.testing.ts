import { randomUUID } from 'node:crypto'
import type { Response } from 'light-my-request'
import { expect } from 'vitest'
import type { TestServer } from './testing.ts'

/**
 * Parts of a response that a client reads: `zip`, `{ contains: [text] }`, or the JSON body with a type for each value. `string?` is
 * a text or null, `json` is text with JSON, `=text` is exactly this text. A list with one entry describes all entries, of which
 * there is at least one; an empty list has none.
 */
type Reads = 'zip' | { contains: string[] } | object

/** A call of a client. `$name` in its texts stands for an id or a value of an earlier response. */
export interface ClientCall {
  call: string
  headers?: Record<string, string>
  json?: unknown
  form?: Record<string, string>
  multipart?: Record<string, unknown>
  /** Files of a multipart body by field, each with its file name and its content. */
  files?: Record<string, { name: string; content: string }>
  status: number
  reads?: Reads
  /** Values for later calls, each with its path in the response. */
  keeps?: Record<string, string>
  /** Name of a field of an HTML form, whose value is kept under the same name. */
  keepsInput?: string
  /** Name for the response itself, a binary file whose bytes are kept as Latin-1 text. */
  keepsFile?: string
}

export interface RecordedClient {
  client: string
  /** Headers of every call, as soon as their values are known. */
  headers: Record<string, string>
  calls: ClientCall[]
}

type Values = Record<string, string | number>

/** Replaces `$name` in texts. A text that is only `$name` becomes the value itself. */
function fill(value: unknown, values: Values): unknown {
  if (Array.isArray(value)) return value.map((each) => fill(each, values))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, values)]))
  if (typeof value !== 'string') return value
  const whole = /^\$(\w+)$/.exec(value)?.[1]
  if (whole && whole in values) return values[whole]
  return value.replaceAll(/\$(\w+)/g, (text, name: string) => String(values[name] ?? text))
}

const types: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  'string?': (value) => value === null || typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  json: (value) => typeof value === 'string' && JSON.parse(value) !== undefined,
}

/** Lists the values of a response that differ from the expected ones, with their paths. */
function listDifferences(value: unknown, reads: unknown, path = ''): string[] {
  if (typeof reads === 'string') {
    const fits = reads.startsWith('=') ? value === reads.slice(1) : types[reads]!(value)
    return fits ? [] : [`${path} should be ${reads}: ${JSON.stringify(value)}`]
  }
  if (Array.isArray(reads)) {
    if (!Array.isArray(value) || value.length > 0 !== reads.length > 0)
      return [`${path} should be ${reads.length > 0 ? 'a list' : 'an empty list'}: ${JSON.stringify(value)}`]
    return value.flatMap((each, index) => listDifferences(each, reads[0], `${path}.${index}`))
  }
  if (typeof reads !== 'object' || reads === null) return value === reads ? [] : [`${path} should be ${String(reads)}`]
  if (typeof value !== 'object' || value === null) return [`${path} should be an object: ${JSON.stringify(value)}`]
  return Object.entries(reads).flatMap(([name, part]) =>
    listDifferences((value as Record<string, unknown>)[name], part, `${path}.${name}`),
  )
}

function encodeBody(
  { json, form, multipart, files }: ClientCall,
  values: Values,
): { payload?: string | Buffer; type?: string } {
  if (json !== undefined) return { payload: JSON.stringify(fill(json, values)), type: 'application/json' }
  if (form) {
    const fields = fill(form, values) as Record<string, string>
    return { payload: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' }
  }
  if (!multipart) return {}
  const part = (name: string, content: string): string =>
    `--bundle-boundary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
  const parts = Object.entries(multipart).map(([name, value]) => part(name, JSON.stringify(fill(value, values))))
  const sent = Object.entries(files ?? {}).map(([name, file]) =>
    part(`${name}"; filename="${file.name}`, String(fill(file.content, values))),
  )
  const payload = Buffer.from(`${[...parts, ...sent].join('')}--bundle-boundary--\r\n`, 'latin1')
  return { payload, type: 'multipart/form-data; boundary=bundle-boundary' }
}

function checkBody(response: Response, reads: Reads, title: string): void {
  if (reads === 'zip') {
    expect(response.headers['content-type'], title).toContain('application/zip')
    expect(response.rawPayload.subarray(0, 2).toString(), title).toBe('PK')
  } else if (typeof reads === 'object' && 'contains' in reads)
    for (const text of reads.contains as string[]) expect(response.body, title).toContain(text)
  else {
    expect(response.headers['content-type'], title).toContain('application/json')
    expect(listDifferences(response.json(), reads), title).toEqual([])
  }
}

/**
 * Sends the calls of a client in order, and checks the status and the parts that the client reads.
 * @param ids  ids of existing objects, by the names that the calls use
 */
export async function replayClient(server: TestServer, { headers, calls }: RecordedClient, ids: Values): Promise<void> {
  const values: Values = { ...ids }
  for (const one of calls) {
    values['unique'] = randomUUID().slice(0, 10)
    const call = String(fill(one.call, values))
    const { payload, type } = encodeBody(one, values)
    const known = Object.entries({ ...headers, ...one.headers })
      .map(([name, value]) => [name, String(fill(value, values))] as const)
      .filter(([, value]) => !value.includes('$'))
    const [method, path] = [call.slice(0, call.indexOf(' ')), call.slice(call.indexOf(' ') + 1)]
    const response = await server.app.http.inject({
      method: method as 'GET',
      url: encodeURI(path),
      headers: { ...Object.fromEntries(known), ...(type && { 'content-type': type }) },
      ...(payload !== undefined && { payload }),
    })
    const title = `${call}: ${response.body.slice(0, 500)}`
    expect(response.statusCode, title).toBe(one.status)
    if (one.reads !== undefined) checkBody(response, one.reads, title)
    const cookie = response.cookies.find(({ name }) => name === 'session')
    if (cookie) values['cookie'] = `session=${cookie.value}`
    for (const [name, path] of Object.entries(one.keeps ?? {})) {
      const found = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], response.json())
      values[name] = found as string | number
    }
    if (one.keepsFile) values[one.keepsFile] = response.rawPayload.toString('latin1')
    if (one.keepsInput)
      values[one.keepsInput] = new RegExp(`name="${one.keepsInput}"[^>]*value="([^"]+)"`).exec(response.body)?.[1] ?? ''
  }
}
