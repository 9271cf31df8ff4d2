import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface ReceivedMail {
  to: string[]
  subject: string
  /** The whole message, with the line ends of quoted-printable text removed. */
  source: string
  files: { name: string; bytes: Buffer }[]
}

export interface MailReceiver {
  port: number
  mails: ReceivedMail[]
  close(): void
}

/** A mail server without encryption that keeps what it gets. */
export async function startMailReceiver(): Promise<MailReceiver> {
  const mails: ReceivedMail[] = []
  const server: Server = createServer((socket) => receive(socket, mails))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, mails, close: () => server.close() }
}

function receive(socket: Socket, mails: ReceivedMail[]): void {
  let text = ''
  let to: string[] = []
  let isData = false
  const say = (line: string): void => void socket.write(`${line}\r\n`)
  say('220 receiver')
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    for (;;) {
      const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      const part = text.slice(0, end)
      text = text.slice(end + (isData ? 5 : 2))
      if (isData) {
        mails.push(readMail(to, part))
        isData = false
        to = []
        say('250 received')
      } else if (/^DATA/i.test(part)) {
        isData = true
        say('354 go on')
      } else {
        const recipient = /^RCPT TO:<([^>]+)>/i.exec(part)?.[1]
        if (recipient) to.push(recipient)
        say(/^QUIT/i.test(part) ? '221 end' : '250 ok')
      }
    }
  })
}

/** Subject and attachments of a message, without a full parser: base64 parts with a file name. */
function readMail(to: string[], source: string): ReceivedMail {
  const parts = source.split(/\r\n--/).slice(1)
  return {
    to,
    subject: /^Subject: (.*)$/im.exec(source)?.[1]?.trim() ?? '',
    source: source.replaceAll('=\r\n', '').replaceAll('=3D', '='),
    files: parts.flatMap((part) => {
      const [head = '', body = ''] = part.split('\r\n\r\n', 2)
      const name = /filename\*?(?:0\*?)?="?([^"\r\n;]+)"?/i.exec(head)?.[1]
      return name ? [{ name, bytes: Buffer.from(body, 'base64') }] : []
    }),
  }
}
