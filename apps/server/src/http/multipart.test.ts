import { once } from 'node:events'
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readMultipart } from './multipart.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-forms-'))
const path = join(folder, 'received')
/** Status of each form that was read, in their order. */
let statuses: number[] = []

const server = createServer((raw, response) => {
  const tooLarge = () => new AppError('too_large')
  const file = { fields: ['formData'], path, limit: 4 << 20, tooLarge }
  void readMultipart({ raw, headers: raw.headers } as FastifyRequest, { limit: 1000, file }).then(
    () => response.writeHead(statuses.push(200) && 200).end(),
    (error: AppError) => response.writeHead(statuses.push(error.status) && error.status).end(),
  )
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(() => {
  statuses = []
  rmSync(path, { force: true })
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const open = () =>
  send({
    port: (server.address() as AddressInfo).port,
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  }).on('error', () => undefined)
const start = (field: string) => `--b\r\ncontent-disposition: form-data; name="${field}"; filename="a.zip"\r\n\r\n`
const end = '\r\n--b--\r\n'
const post = async (...pieces: string[]): Promise<number | undefined> => {
  const call = open()
  const answered = once(call, 'response') as Promise<[{ statusCode?: number; resume(): void }]>
  for (const piece of pieces) call.write(piece)
  call.end()
  const [response] = await answered
  response.resume()
  return response.statusCode
}
const megabyte = 'x'.repeat(1 << 20)

it('writes the file of a form to disk', async () => {
  expect(await post(start('formData'), megabyte, end)).toBe(200)
  expect(readFileSync(path, 'utf8')).toBe(megabyte)
})

it('regression: answers when the disk is full, and leaves no file', async () => {
  symlinkSync('/dev/full', path)
  expect(await post(start('formData'), megabyte, megabyte, end)).toBe(new AppError('disk_full').status)
  expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined()
})

it('leaves no file that is too large', async () => {
  expect(await post(start('formData'), ...Array.from({ length: 5 }, () => megabyte), end)).toBe(413)
  expect(existsSync(path)).toBe(false)
})

it('regression: leaves no file when the connection is lost', async () => {
  const call = open()
  call.write(start('formData') + megabyte)
  await expect.poll(() => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(1000)
  call.destroy()
  await expect.poll(() => statuses).toEqual([400])
  expect(existsSync(path)).toBe(false)
})

it.each(['formData', 'other'])(
  'regression: a form that ends inside of the file %s does not end the server',
  async (field) => {
    expect(await post(start(field), megabyte)).toBe(400)
    expect(existsSync(path)).toBe(false)
    expect(await post(start('formData'), megabyte, end)).toBe(200)
  },
)
