import { message, type Message } from '@parquetry/model'
import { connect, isIP, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { resolveOutgoing } from '../../runners/outgoing.ts'
import { certificateErrors } from '../certificate-errors.ts'
import { ChannelError, type FailedOutcome } from '../channel.ts'
import { pinnedLookup } from '../pinned-lookup.ts'
import type { SmtpServer } from './smtp-server.ts'

/** Limits in milliseconds. */
export interface SmtpLimits {
  /** Until the server has greeted, and encryption has begun. */
  connectMs: number
  /** Without any answer afterwards. */
  silentMs: number
}
const defaultLimits: SmtpLimits = { connectMs: 20_000, silentMs: 120_000 }

/** Sender and recipients as the mail server receives them. */
export interface Envelope {
  from: string
  to: string[]
}

type SmtpError = Error & { code?: string; originalCode?: string; responseCode?: number; response?: string }

/** Where a session has got to: afterwards, the loss of the connection means that the message may have been accepted. */
interface Progress {
  isHandedOver: boolean
}

/**
 * Hands a message over to the mail server in a session of its own.
 * @param authorities  certificates that are trusted instead of the usual ones
 * @throws ChannelError
 */
export async function handOver(
  server: SmtpServer,
  envelope: Envelope,
  bytes: Buffer,
  signal: AbortSignal,
  { limits = defaultLimits, authorities }: { limits?: SmtpLimits; authorities?: string } = {},
): Promise<void> {
  const progress: Progress = { isHandedOver: false }
  let session: SMTPConnection | undefined
  try {
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    const socket = await openSocket(server, signal, limits)
    session = new Connection({
      connection: socket,
      host: server.host,
      secure: server.security === 'tls',
      requireTLS: server.security === 'starttls',
      ignoreTLS: server.security === 'none',
      name: server.idHost,
      connectionTimeout: limits.connectMs,
      greetingTimeout: limits.connectMs,
      socketTimeout: limits.silentMs,
      tls: {
        rejectUnauthorized: server.verifiesCertificate,
        minVersion: 'TLSv1.2',
        ...(authorities !== undefined && { ca: authorities }),
        ...(!isIP(server.host) && { servername: server.host }),
      },
    })
    const info = await converse(session, { server, envelope, bytes, progress, signal })
    session.quit()
    if (info.rejected.length > 0) throw partlyRefused(info.accepted, info.rejected, info.rejectedErrors ?? [])
  } catch (error) {
    session?.close()
    throw error instanceof ChannelError ? error : toChannelError(error as SmtpError, progress)
  }
}

/** Connects to the addresses that the host has now. Operators choose the host, so it may be in a private network. */
async function openSocket({ host, port }: SmtpServer, signal: AbortSignal, { connectMs }: SmtpLimits): Promise<Socket> {
  const addresses = await resolveOutgoing(host, { private: true, loopback: true })
  const limit = AbortSignal.any([signal, AbortSignal.timeout(connectMs)])
  return new Promise((resolve, reject) => {
    limit.throwIfAborted()
    const socket = connect({ host, port, lookup: pinnedLookup(addresses) })
    const abort = () => socket.destroy(new Error('not connected in time'))
    limit.addEventListener('abort', abort, { once: true })
    const settle = (end: () => void) => {
      limit.removeEventListener('abort', abort)
      end()
    }
    socket.once('error', (error) => settle(() => reject(error)))
    socket.once('connect', () => settle(() => resolve(socket)))
  })
}

/** Greets, signs in and sends. */
async function converse(
  session: SMTPConnection,
  task: { server: SmtpServer; envelope: Envelope; bytes: Buffer; progress: Progress; signal: AbortSignal },
): Promise<SMTPConnection.SentMessageInfo> {
  const { server, envelope, bytes, progress, signal } = task
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  // It may fail between two steps.
  failed.catch(() => undefined)
  session.on('error', fail)
  const abort = () => fail(new Error('stopped'))
  signal.addEventListener('abort', abort, { once: true })
  const step = <T>(start: (done: (error?: Error | null, result?: T) => void) => void): Promise<T> =>
    Promise.race([
      failed,
      new Promise<T>((resolve, reject) => start((error, result) => (error ? reject(error) : resolve(result as T)))),
    ])
  try {
    signal.throwIfAborted()
    await step((done) => session.connect(done))
    const { login } = server
    if (login) await step((done) => session.login({ user: login.user, pass: login.password }, done))
    return await step<SMTPConnection.SentMessageInfo>((done) =>
      session.send({ ...envelope, size: bytes.length }, readTracked(bytes, progress), done),
    )
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const pieceBytes = 64 * 1024

/** Reads the message, which begins once the server has agreed to receive it, and records when its last piece is passed on. */
function readTracked(bytes: Buffer, progress: Progress): Readable {
  let position = 0
  return new Readable({
    read() {
      const piece = bytes.subarray(position, position + pieceBytes)
      position += piece.length
      if (position >= bytes.length) progress.isHandedOver = true
      this.push(piece)
      if (position >= bytes.length) this.push(null)
    },
  })
}

const failure = (outcome: FailedOutcome, sentence: Message, cause: unknown): ChannelError =>
  new ChannelError(outcome, { message: sentence, cause })

function toChannelError(error: SmtpError, { isHandedOver }: Progress): ChannelError {
  const { code = '', originalCode = '', responseCode = 0 } = error
  if (code === 'ETLS' && !certificateErrors.test(originalCode)) return notEncrypted(error)
  if (responseCode >= 400) return fromResponse(error, responseCode)
  if (isHandedOver)
    return failure(
      'unknown',
      message(
        'errors.channel.email.unknown',
        'The connection to the mail server ended before it confirmed the message. It may have been sent.',
      ),
      error,
    )
  if (certificateErrors.test(`${code} ${originalCode}`))
    return failure(
      'refused',
      message(
        'errors.channel.email.certificate',
        'The certificate of the mail server could not be verified. An administrator can install its authority, or check SMTP_HOST.',
      ),
      error,
    )
  if (code === 'EMESSAGE')
    return failure(
      'refused',
      message(
        'errors.channel.email.tooLarge',
        'The message is larger than the mail server accepts. Choose a smaller content or format.',
      ),
      error,
    )
  return failure(
    'unavailable',
    message(
      'errors.channel.email.unavailable',
      'Could not reach the mail server. An administrator can check the SMTP settings.',
    ),
    error,
  )
}

const notEncrypted = (cause: unknown): ChannelError =>
  failure(
    'refused',
    message(
      'errors.channel.email.encryption',
      'The connection to the mail server could not be encrypted. An administrator can check SMTP_STARTTLS and SMTP_SSL.',
    ),
    cause,
  )

/** The code of a response and, if it has one, the enhanced code, such as `550 5.1.1`; its text may name internal hosts. */
const describeCode = (response: string | undefined, code: number): string =>
  /^\d{3}(?:[ -](\d\.\d{1,3}\.\d{1,3}))?/.exec(response ?? '')?.[1] === undefined
    ? String(code)
    : `${code} ${/\d\.\d{1,3}\.\d{1,3}/.exec(response ?? '')?.[0]}`

function fromResponse(error: SmtpError, responseCode: number): ChannelError {
  const code = describeCode(error.response, responseCode)
  if (error.code === 'EAUTH')
    return failure(
      responseCode < 500 ? 'unavailable' : 'refused',
      message(
        'errors.channel.email.login',
        'The mail server did not accept the user name or password ({code}). An administrator can check SMTP_USER and SMTP_PASSWORD.',
        { code },
      ),
      error,
    )
  return responseCode < 500
    ? failure(
        'unavailable',
        message('errors.channel.email.later', 'The mail server asked to try again later ({code}).', { code }),
        error,
      )
    : failure(
        'refused',
        message('errors.channel.email.refused', 'The mail server refused the message ({code}).', { code }),
        error,
      )
}

/** Others received the message, so that it is not repeated. */
function partlyRefused(accepted: string[], rejected: string[], errors: SmtpError[]): ChannelError {
  const codes = new Map(
    errors.map((error) => [
      (error as { recipient?: string }).recipient,
      describeCode(error.response, error.responseCode ?? 0),
    ]),
  )
  return failure(
    'refused',
    message('errors.channel.email.partly', 'Sent to {accepted}, but the mail server refused {rejected}.', {
      accepted: accepted.join(', '),
      rejected: rejected.map((address) => `${address} (${codes.get(address) ?? ''})`).join(', '),
    }),
    errors[0],
  )
}
