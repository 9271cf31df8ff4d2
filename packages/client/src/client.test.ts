import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Client, createClient } from './client.ts'
import { ApiError, parseErrorResponse } from './errors.ts'

interface ReceivedRequest {
  line: string
  headers: IncomingMessage['headers']
  body: Buffer
}

let received: ReceivedRequest[]
let answer: (response: ServerResponse) => void
const json = (value: unknown, status = 200) => {
  answer = (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function record(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: Buffer.concat(chunks) })
}

const server = createServer((request, response) => void record(request).then(() => answer(response)))

let api: Client
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  api = createClient(async ({ url, ...call }) => {
    const response = await fetch(origin + url, call as RequestInit)
    if (response.ok) return response
    throw await parseErrorResponse(response)
  })
})
afterAll(() => server.close())
beforeEach(() => {
  received = []
})

it('fills the path, writes plain parameters and Rison, and omits null and undefined parameters', async () => {
  json({ result: [] })
  await api.get('/api/v1/dashboard/:id/charts', { params: { id: 'über/uns' } })
  await api.get('/api/v1/explore/', { query: { slice_id: 12, datasource_id: null, form_data_key: undefined } })
  await api.get('/api/v1/chart/', { q: { columns: ['id'], page: 0 } })
  expect(received.map(({ line }) => line)).toEqual([
    'GET /api/v1/dashboard/%C3%BCber%2Funs/charts',
    'GET /api/v1/explore/?slice_id=12',
    'GET /api/v1/chart/?q=%28columns%3A%21%28id%29%2Cpage%3A0%29',
  ])
  expect(received[0]?.headers).toMatchObject({ accept: 'application/json' })
  expect(received[0]?.headers['content-type']).toBeUndefined()
})

it('sends JSON, forms, files and bytes with the matching content type', async () => {
  json({ id: 1 })
  await api.post('/api/v1/dashboard/', { body: { dashboard_title: 'Sales' } })
  await api.post('/kv/store/', { body: new URLSearchParams({ data: '{}' }) })
  const form = new FormData()
  form.append('formData', new Blob(['zip']), 'a.zip')
  await api.post('/api/v1/database/import/', { body: form })
  await api.put('/api/v1/upload/:id', { params: { id: 'u' }, query: { offset: 5 }, body: new Blob(['bytes']) })
  expect(received.map(({ headers }) => headers['content-type']?.split(';')[0])).toEqual([
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/octet-stream',
  ])
  expect(received[0]?.body.toString()).toBe('{"dashboard_title":"Sales"}')
  expect(received[3]).toMatchObject({ line: 'PUT /api/v1/upload/u?offset=5', body: Buffer.from('bytes') })
})

it('returns the JSON of a response, undefined for an empty one, and the raw response with `send`', async () => {
  json({ result: 'OK' })
  expect(await api.post('/api/v1/query/stop', { body: { client_id: 'a' } })).toEqual({ result: 'OK' })
  answer = (response) => void response.writeHead(204).end()
  expect(await api.del('/api/v1/chart/:id', { params: { id: 3 } })).toBeUndefined()
  answer = (response) => void response.writeHead(200, { etag: '"7"' }).end(Buffer.from([1, 2, 3]))
  const frames = await api.send('POST', '/api/v1/chart/data', { body: {}, accept: 'application/x-frames' })
  expect(frames.headers.get('etag')).toBe('"7"')
  expect(new Uint8Array(await frames.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]))
  expect(received[2]?.headers.accept).toBe('application/x-frames')
})

it('is aborted by its signal', async () => {
  answer = () => {}
  const abort = new AbortController()
  const call = api.get('/api/v1/me/', { signal: abort.signal })
  abort.abort()
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
})

it.each([
  [{ message: 'Not found' }, 'Not found'],
  [{ errors: [{ message: 'No such table', error_type: 'X', level: 'error', extra: null }] }, 'No such table'],
  [{ error: 'Gone' }, 'Gone'],
  [{ message: { ssh_tunnel: { username: ['Missing'] } } }, 'Missing'],
  [{ message: { form: { 1: { label: ['Missing'] } } } }, 'Missing'],
])('throws an ApiError with the message of the body for a status of 400 or more: %j', async (body, message) => {
  json(body, 422)
  const error = await api.get('/api/v1/me/').catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 422, message })
})

it('uses the status text when the body is not JSON', async () => {
  answer = (response) => void response.writeHead(502, 'Bad Gateway').end('<html>')
  await expect(api.get('/api/v1/me/')).rejects.toMatchObject({ status: 502, message: 'Bad Gateway' })
})
