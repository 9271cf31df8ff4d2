import { createServer, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ChannelError, type Channel, type Channels, type OutgoingMessage } from '../../channel/channel.ts'

export interface ReceivedMessage {
  id: string
  target: string
  subject: string
  text: string
  html: string | null
  files: { name: string; size: number; text: string }[]
}

/** Reaction of the receiver to a message. `cut` closes the connection after it has read the message. */
export type Behavior = 'accept' | 'refuse' | 'busy' | 'cut' | 'hang'

/** A server that gets messages over HTTP, and can be slow, refuse, or close the connection in the middle. */
export interface MessageReceiver {
  received: ReceivedMessage[]
  /** Number of messages that arrived, whatever happened to them. */
  arrived(): number
  /** By target; `accept` is the default. */
  behave(target: string, behavior: Behavior): void
  /** Waits for this before it answers. */
  gate: { close(): void; open(): void }
  /** Called when a message has been read, before the answer. */
  onArrival: ((target: string) => void) | undefined
  port: number
  channels: Channels
  close(): Promise<void>
}

export async function startMessageReceiver(): Promise<MessageReceiver> {
  const received: ReceivedMessage[] = []
  const behaviors = new Map<string, Behavior>()
  let arrivals = 0
  let way: PromiseWithResolvers<void> | null = null
  const answer = (response: ServerResponse, message: ReceivedMessage) => {
    const behavior = behaviors.get(message.target) ?? 'accept'
    if (behavior === 'accept' || behavior === 'cut') received.push(message)
    if (behavior === 'cut') return void response.destroy()
    if (behavior !== 'hang') response.writeHead({ accept: 200, refuse: 400, busy: 503 }[behavior]).end()
  }
  const server: Server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedMessage
      arrivals += 1
      receiver.onArrival?.(message.target)
      void Promise.resolve(way?.promise).then(() => answer(response, message))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: MessageReceiver = {
    received,
    arrived: () => arrivals,
    behave: (target, behavior) => void behaviors.set(target, behavior),
    gate: {
      close: () => void (way = Promise.withResolvers()),
      open: () => {
        way?.resolve()
        way = null
      },
    },
    onArrival: undefined,
    port,
    channels: receiverChannels(port),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}

/** Channels that hand each message over to a receiver. */
export function receiverChannels(port: number): Channels {
  const create = (type: Channel['type']): Channel => ({
    type,
    missingSettings: () => [],
    checkTarget: () => undefined,
    send: (config, message, signal) => post(port, String(config.target), message, signal),
  })
  return { Email: create('Email'), Slack: create('Slack'), Webhook: create('Webhook'), Folder: create('Folder') }
}

function post(
  port: number,
  target: string,
  { id, subject, text, html, files }: OutgoingMessage,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify({
    id,
    target,
    subject,
    text,
    html,
    files: files.map(({ name, bytes }) => ({ name, size: bytes.byteLength, text: Buffer.from(bytes).toString() })),
  })
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST', signal }, (response) => {
      response.resume()
      const { statusCode = 0 } = response
      if (statusCode === 200) resolve()
      else reject(new ChannelError(statusCode === 503 ? 'unavailable' : 'refused', { message: `Answer ${statusCode}` }))
    })
    outgoing.on('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new ChannelError(cause.code === 'ECONNREFUSED' ? 'unavailable' : 'unknown', {
          message: cause.code === 'ECONNREFUSED' ? 'Nothing answers there.' : 'The connection broke.',
          cause,
        }),
      ),
    )
    outgoing.end(body)
  })
}
