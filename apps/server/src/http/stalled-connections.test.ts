import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { closeStalledConnections } from './stalled-connections.ts'

let server: Server
/** Resolves when the server sees the end of a call, with whether its response was complete. */
let ended: Promise<boolean>
beforeEach(async () => {
  server = createServer((request, response) => {
    ended = new Promise((resolve) => response.once('close', () => resolve(response.writableFinished)))
    if (request.url === '/large') {
      const chunk = Buffer.alloc(1 << 20)
      const write = () => {
        while (response.write(chunk));
        response.once('drain', write)
      }
      write()
    } else if (request.url === '/waiting')
      setTimeout(() => request.resume().once('end', () => response.end('done')), 900)
    else request.resume().once('end', () => response.end('done'))
  })
  closeStalledConnections(server, { stallMs: 300, bodyMs: 300, bodyBytes: 100, checkMs: 30 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => server.close())

async function open(text: string): Promise<{ socket: Socket; closed: Promise<void> }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  socket.write(text)
  return { socket, closed }
}
const head = (path: string, length = 10) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`

it('regression: closes a connection that does not send the rest of its body', async () => {
  const { closed } = await open(`${head('/body')}12345`)
  await closed
  expect(await ended).toBe(false)
})

it('regression: closes a connection that sends its body byte by byte', async () => {
  const { socket, closed } = await open(head('/body', 1000))
  const timer = setInterval(() => socket.write('1'), 20)
  await closed
  clearInterval(timer)
  expect(await ended).toBe(false)
})

it('regression: closes a connection that does not read its response', async () => {
  const { socket } = await open('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
  socket.pause()
  await new Promise<void>((resolve) => server.once('request', () => resolve()))
  expect(await ended).toBe(false)
  socket.destroy()
})

it('leaves a slow client alone, and one whose body the server does not read yet', async () => {
  const slow = await open(head('/body', 1000))
  for (let sent = 0; sent < 10; sent++) {
    slow.socket.write('1'.repeat(100))
    await sleep(100)
  }
  expect(await ended).toBe(true)
  slow.socket.destroy()
  const waiting = await open(`${head('/waiting')}12345`)
  const text = new Promise<string>((resolve) => waiting.socket.once('data', (data) => resolve(String(data))))
  await sleep(700)
  waiting.socket.write('67890')
  expect(await text).toContain('done')
  waiting.socket.destroy()
})
