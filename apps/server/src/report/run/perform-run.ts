import { AppError, message, type Message, type ReportOptions } from '@parquetry/model'
import { loadPrincipalById } from '../../access/load-principal.ts'
import type { Principal } from '../../access/principal.ts'
import { toAppError } from '../../store/failure.ts'
import { parseStoredTime } from '../../store/time.ts'
import { loadReportOwner, type ReportRow } from '../report-owner.ts'
import { decideAlert } from './decide-alert.ts'
import { drawContent } from './content.ts'
import { ensureDeliveries, listDeliveries } from './deliveries.ts'
import { type DeliveryRow, failWaiting } from './delivery-record.ts'
import { parseReportExtra } from '../stored-json.ts'
import type { RunDeps } from './deps.ts'
import { finishRun } from './finish-run.ts'
import { buildMessage, describeFailures } from './outgoing-message.ts'
import { createPageLink } from './page-link.ts'
import { persist } from './persist.ts'
import { toText } from './report-texts.ts'
import { RunTakenOverError, releaseRun, type RunClaim, type RunEnd } from './run-record.ts'
import { findUnconfirmedRecipients } from './restricted-recipients.ts'
import { type RunSignals, sendDeliveries } from './send-deliveries.ts'
import { stopReport } from './stop-report.ts'

/** A run whose content could not be drawn for a reason that may pass is repeated this often. */
export const maxDrawAttempts = 4
const drawBackoffMs = [60_000, 300_000, 900_000]
const passing: ReadonlySet<string> = new Set([
  'runner_lost',
  'unavailable',
  'source_busy',
  'queries_waiting',
  'query_timeout',
  'restarting',
  'disk_full',
])

const mayPass = ({ code }: AppError): boolean => passing.has(code)

/** State of a run after an attempt. */
type Outcome = RunEnd | { state: 'later'; at: Date | null }

const tooLong = (seconds: number): Message =>
  message('errors.report.workingTimeout', 'The run did not end within its working timeout of {seconds} seconds.', {
    seconds,
  })
const ownerGone = message(
  'errors.report.ownerGone',
  'The account whose rights this report uses was deactivated or deleted, so the report was switched off.',
)
const switchedOff = message('errors.report.switchedOff', 'The report was switched off before this run started.')
const noRecipients = message('errors.report.noRecipients', 'The report has no recipients.')

/**
 * Works on a run until it ended or has to wait. It never fails: what happened is in the log of the report.
 * @param shutdown  see `RunSignals`; `stop` and `cancel` also happen when the run takes longer than its working timeout
 */
export async function performRun(deps: RunDeps, claim: RunClaim, shutdown: RunSignals): Promise<void> {
  const { log } = deps
  const timeout = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    const report = await loadReport(deps, claim)
    if (!report) return
    const limitMs = Math.min(report.working_timeout * 1000, 2 ** 31 - 1)
    timer = setTimeout(() => timeout.abort(new AppError('query_timeout')), limitMs)
    const signals: RunSignals = {
      stop: AbortSignal.any([shutdown.stop, timeout.signal]),
      cancel: AbortSignal.any([shutdown.cancel, timeout.signal]),
      exit: shutdown.exit,
    }
    const outcome = await attempt(deps, claim, report, signals).catch((error: unknown): Outcome => {
      if (timeout.signal.aborted)
        return { state: 'Error', reason: toText(tooLong(report.working_timeout), deps.settings) }
      if (shutdown.stop.aborted) return { state: 'later', at: null }
      return explainFailure(deps, claim, error)
    })
    await persist(deps, shutdown.exit, () => settle(deps, claim, report, outcome))
  } catch (error) {
    if (error instanceof RunTakenOverError) log.warn({ run: claim.id }, 'a run of a report was taken over')
    else if (!shutdown.exit.aborted) log.error({ err: error, run: claim.id }, 'a run of a report could not be recorded')
  } finally {
    clearTimeout(timer)
  }
}

const loadReport = ({ db }: RunDeps, { report_id }: RunClaim): Promise<ReportRow | undefined> =>
  db.selectFrom('report').selectAll().where('id', '=', report_id).executeTakeFirst()

/** @throws RunTakenOverError, and errors of the store */
function explainFailure({ now, settings, log }: RunDeps, { id, attempts }: RunClaim, error: unknown): Outcome {
  if (error instanceof RunTakenOverError) throw error
  const failure = toAppError(error)
  if (failure.code === 'internal') log.error({ err: error, run: id }, 'a run of a report failed unexpectedly')
  if (mayPass(failure) && attempts < maxDrawAttempts)
    return { state: 'later', at: new Date(now().getTime() + (drawBackoffMs[attempts - 1] ?? 0)) }
  return { state: 'Error', reason: toText(failure.sentence, settings) }
}

async function settle(deps: RunDeps, claim: RunClaim, report: ReportRow, outcome: Outcome): Promise<void> {
  if (outcome.state === 'later') return releaseRun(deps.db, claim, outcome.at)
  if (outcome.state === 'Error' && outcome.reason !== null) await failWaiting(deps, claim, 'all', outcome.reason)
  await finishRun(deps, claim, report, outcome)
}

/** One attempt of a run. It waits for nothing after `stop`. */
async function attempt(deps: RunDeps, claim: RunClaim, report: ReportRow, signals: RunSignals): Promise<Outcome> {
  const { settings } = deps
  const text = (reason: Message) => toText(reason, settings)
  if (claim.trigger === 'schedule' && report.active === 0 && (await listDeliveries(deps, claim)).length === 0)
    return { state: 'Not triggered', reason: text(switchedOff) }
  const owner = await findPrincipal(deps, claim, report)
  if (!owner) {
    if (claim.trigger !== 'test') await stopReport(deps, report)
    return { state: 'Error', reason: text(ownerGone) }
  }
  const { parquetry = {} } = parseReportExtra(report.extra_json)
  const condition = await untilStopped(decideAlert(deps, claim, report, owner, signals.stop), signals.stop)
  if (condition.end) return condition.end
  const deliveries = await ensureDeliveries(deps, claim, report, parquetry, owner.id ?? -1)
  if (deliveries.length === 0) return { state: 'Error', reason: text(noRecipients) }
  const delivered = { report, options: parquetry, owner, value: condition.value }
  const failures = await deliver(deps, claim, delivered, deliveries, signals)
  const outcome = await summarize(deps, claim, signals)
  // The messages and files say the same.
  return outcome.state === 'Success' && failures.length > 0 ? { ...outcome, reason: failures.join('\n') } : outcome
}

/** Whose rights shared content has: those of the owner, or of the user who sends it to themselves. */
const findPrincipal = (
  { db }: RunDeps,
  { trigger, user_id }: RunClaim,
  report: ReportRow,
): Promise<Principal | undefined> =>
  trigger === 'test' ? loadPrincipalById(db, user_id ?? -1) : loadReportOwner(db, report)

interface Delivered {
  report: ReportRow
  options: ReportOptions
  owner: Principal
  value: number | null
}

/** Draws the content once for all who get the same rows, and hands it over to them. @returns why charts failed in the owner's content */
async function deliver(
  deps: RunDeps,
  claim: RunClaim,
  { report, owner, value }: Delivered,
  deliveries: readonly DeliveryRow[],
  signals: RunSignals,
): Promise<string[]> {
  const failures: string[] = []
  const time = deps.now()
  const due = deliveries.filter(
    ({ state, next_attempt_at }) =>
      state === 'waiting' && (next_attempt_at === null || parseStoredTime(next_attempt_at) <= time),
  )
  let postponed: AppError | undefined
  for (const [userId, group] of Map.groupBy(due, ({ user_id }) => user_id ?? -1)) {
    if (signals.stop.aborted) return failures
    try {
      const principal = userId === owner.id ? owner : await loadPrincipalById(deps.db, userId)
      if (!principal) throw new AppError('forbidden', { message: recipientGone })
      const isShared = claim.trigger !== 'test' && userId === owner.id
      const scope = { principal, isShared, signal: signals.stop }
      const content = await untilStopped(drawContent(deps, claim, report, scope), signals.stop)
      if (userId === owner.id) failures.push(...describeFailures(content, deps.settings))
      const allowed = isShared
        ? await keepAllowed(deps, claim, report, owner, group, signals.stop)
        : await keepOwn(deps, claim, principal, group)
      const url = await createPageLink(deps, report, owner)
      const outgoing = buildMessage({ report, content, value, url }, deps.settings)
      await sendDeliveries(deps, claim, allowed, outgoing, signals)
    } catch (error) {
      if (!(error instanceof AppError) || signals.stop.aborted) throw error
      // The other recipients get theirs.
      if (mayPass(error) && claim.attempts < maxDrawAttempts) postponed = error
      else {
        const ids = group.map(({ id }) => id)
        await failWaiting(deps, claim, ids, toText(error.sentence, deps.settings))
      }
    }
  }
  if (postponed) throw postponed
  return failures
}

/** Fails the deliveries to recipients without an account that may not get restricted rows. @returns the others */
async function keepAllowed(
  deps: RunDeps,
  claim: RunClaim,
  report: ReportRow,
  owner: Principal,
  group: readonly DeliveryRow[],
  signal: AbortSignal,
): Promise<readonly DeliveryRow[]> {
  const unconfirmed = await untilStopped(findUnconfirmedRecipients(deps, report, owner, group, signal), signal)
  if (!unconfirmed) return group
  await failWaiting(deps, claim, [...unconfirmed.ids], unconfirmed.reason)
  return group.filter(({ id }) => !unconfirmed.ids.has(id))
}

const rightsChanged = message(
  'errors.report.rightsChanged',
  'The report uses the rights of another user since this run began. Send the report again.',
)

/**
 * Fails the deliveries that are not to the user whose rows they show. They were shared, and the report has changed hands since: what
 * it sends now was chosen by another user. @returns the others
 */
async function keepOwn(
  deps: RunDeps,
  claim: RunClaim,
  { email }: Principal,
  group: readonly DeliveryRow[],
): Promise<readonly DeliveryRow[]> {
  const isOwn = ({ target }: DeliveryRow): boolean => target.toLowerCase() === email.toLowerCase()
  const others = group.filter((delivery) => !isOwn(delivery)).map(({ id }) => id)
  if (others.length > 0) await failWaiting(deps, claim, others, toText(rightsChanged, deps.settings))
  return group.filter(isOwn)
}

const recipientGone = message('errors.report.recipientInactive', 'This account is deactivated.')

/** Waits for work that may ignore the signal. */
async function untilStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const give = () => reject(stop.reason as Error)
  if (stop.aborted) give()
  else stop.addEventListener('abort', give, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    stop.removeEventListener('abort', give)
    work.catch(() => undefined)
  }
}

/** Decides by its deliveries what becomes of a run. */
async function summarize(deps: RunDeps, claim: RunClaim, { stop }: RunSignals): Promise<Outcome> {
  const deliveries = await listDeliveries(deps, claim)
  const waiting = deliveries.filter(({ state }) => state === 'waiting')
  if (waiting.length > 0) {
    stop.throwIfAborted()
    const times = waiting.map(({ next_attempt_at }) => next_attempt_at ?? '')
    const earliest = times.toSorted()[0]
    return { state: 'later', at: earliest ? parseStoredTime(earliest) : null }
  }
  const failed = deliveries.filter(({ state }) => state !== 'sent')
  const [first] = failed
  if (!first) return { state: 'Success', reason: null }
  if (failed.length === deliveries.length && failed.every((each) => each.error_message === first.error_message))
    return { state: 'Error', reason: first.error_message }
  const reason = message(
    'errors.report.deliveries',
    '{failed} of {count} deliveries failed or may have failed: {reason}',
    {
      failed: failed.length,
      count: deliveries.length,
      reason: first.error_message ?? '',
    },
  )
  return { state: 'Error', reason: toText(reason, deps.settings) }
}
