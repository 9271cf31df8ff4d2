import { AppError, message, type RecipientConfig, type RecipientType } from '@parquetry/model'
import { ChannelError, type OutgoingMessage } from '../../channel/channel.ts'
import { toAppError } from '../../store/failure.ts'
import { beginDelivery, type DeliveryEnd, type DeliveryRow, recordDelivery } from './delivery-record.ts'
import type { RunDeps } from './deps.ts'
import { persist } from './persist.ts'
import { channelOf } from './recipients.ts'
import { toText } from './report-texts.ts'
import { maxBackoffMs, type RunClaim } from './run-record.ts'

/** When work on a run ends early. */
export interface RunSignals {
  /** Nothing new begins: the server stops, or the run took too long. */
  stop: AbortSignal
  /** Messages that are being handed over are given up as well. */
  cancel: AbortSignal
  /** The process ends. What could not be written by then is found by the next start. */
  exit: AbortSignal
}

/** Messages of one run that are handed over at the same time. */
const concurrency = 4
export const maxDeliveryAttempts = 5
/** Waiting times before the second and further attempts. */
const backoffMs = [60_000, 300_000, 900_000, 1_800_000]

/** Hands a message over to recipients, each at most once. */
export async function sendDeliveries(
  deps: RunDeps,
  claim: RunClaim,
  deliveries: readonly DeliveryRow[],
  outgoing: Omit<OutgoingMessage, 'id'>,
  signals: RunSignals,
): Promise<void> {
  const waiting = [...deliveries]
  const work = async () => {
    for (let next = waiting.shift(); next && !signals.stop.aborted; next = waiting.shift())
      await sendDelivery(deps, claim, next, outgoing, signals)
  }
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(concurrency, waiting.length) }, work))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

async function sendDelivery(
  deps: RunDeps,
  claim: RunClaim,
  delivery: DeliveryRow,
  outgoing: Omit<OutgoingMessage, 'id'>,
  { cancel, exit }: RunSignals,
): Promise<void> {
  const attempt = delivery.attempts + 1
  const hasBegun = await persist(deps, exit, () => beginDelivery(deps, claim, delivery))
  if (!hasBegun) return
  const end = await handOver(deps, delivery, { ...outgoing, id: delivery.uuid }, cancel)
  await persist(deps, exit, () => recordDelivery(deps, claim, delivery, attempt, end))
}

const withoutChannel = message('errors.report.channel', 'This channel is not set up: {settings} is missing.')
const unexpected = message(
  'errors.report.unexpected',
  'Something went wrong while this message was handed over. It may have been sent, so it is not repeated automatically.',
)
const interrupted = message('errors.report.interrupted', 'The run ended before this message was handed over.')
const givenUp = message(
  'errors.report.givenUp',
  'The other side did not answer in time. The message may have been sent, so it is not repeated automatically.',
)

async function handOver(
  deps: RunDeps,
  { type, config_json, attempts }: DeliveryRow,
  outgoing: OutgoingMessage,
  cancel: AbortSignal,
): Promise<DeliveryEnd> {
  const { channels, settings, log, now } = deps
  const channel = channels[channelOf(type as RecipientType)]
  const missing = channel.missingSettings()
  if (missing.length > 0)
    return {
      state: 'failed',
      reason: toText({ ...withoutChannel, values: { settings: missing.join(', ') } }, settings),
    }
  const config = JSON.parse(config_json) as RecipientConfig
  try {
    await channel.checkTarget(config)
  } catch (error) {
    return { state: 'failed', reason: toText(toAppError(error).sentence, settings) }
  }
  // Nothing was handed over yet.
  if (cancel.aborted) return { state: 'waiting', reason: toText(interrupted, settings), at: now() }
  try {
    await untilCanceled(channel.send(config, outgoing, cancel), cancel)
    return { state: 'sent' }
  } catch (error) {
    if (!(error instanceof ChannelError)) {
      log.error({ err: error, delivery: outgoing.id }, 'a delivery failed unexpectedly')
      return { state: 'unknown', reason: toText(error instanceof AppError ? error.sentence : unexpected, settings) }
    }
    const reason = toText(error.sentence, settings)
    if (error.outcome === 'refused') return { state: 'failed', reason }
    if (error.outcome === 'unknown') return { state: 'unknown', reason }
    const wait = Math.min(maxBackoffMs, Math.max(error.retryAfterMs ?? 0, backoffMs[attempts] ?? maxBackoffMs))
    if (attempts + 1 >= maxDeliveryAttempts) return { state: 'failed', reason }
    return { state: 'waiting', reason, at: new Date(now().getTime() + wait) }
  }
}

/** A channel gets this long to end after it was canceled, and to say what it knows. */
const cancelMs = 2000

/** Waits for a channel, but not forever after it was canceled. */
async function untilCanceled(sending: Promise<void>, cancel: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const give = () => {
    timer = setTimeout(() => reject(new ChannelError('unknown', { message: givenUp })), cancelMs)
  }
  if (cancel.aborted) give()
  else cancel.addEventListener('abort', give, { once: true })
  try {
    await Promise.race([sending, promise])
  } finally {
    clearTimeout(timer)
    cancel.removeEventListener('abort', give)
    sending.catch(() => undefined)
  }
}
