import {
  AppError,
  type AppErrorOptions,
  type RecipientConfig,
  type ReportChannel,
  type ReportFile,
} from '@parquetry/model'

/** A message to deliver. Texts are plain; a channel escapes them for its format. */
export interface OutgoingMessage {
  /** UUID of the delivery: the Message-ID of e-mails and the idempotency key of webhooks. The same for each attempt. */
  id: string
  subject: string
  /** Plain text. */
  text: string
  /** Sanitized HTML for e-mails, without scripts, styles of others or outer images. Null: e-mails contain `text` only. */
  html: string | null
  files: readonly ReportFile[]
  /** Page that the message links to; contains no secret. */
  url: string | null
  /** For the `header` of webhooks. */
  source: {
    name: string
    description: string
    type: 'Alert' | 'Report' | 'Test'
    format: string
    chart_id: number | null
    dashboard_id: number | null
  }
}

/**
 * Result of a failed attempt. `refused`: not delivered, and another attempt would fail in the same way. `unavailable`: not
 * delivered, another attempt may succeed. `unknown`: it may have been delivered, so it is not repeated automatically.
 */
export type FailedOutcome = 'refused' | 'unavailable' | 'unknown'

/** A failed delivery. Its sentence is for the owner of the report: no addresses of internal hosts, no passwords. */
export class ChannelError extends AppError {
  readonly outcome: FailedOutcome
  /** The other side asked to wait this long. */
  readonly retryAfterMs: number | undefined

  constructor(outcome: FailedOutcome, options: AppErrorOptions & { retryAfterMs?: number } = {}) {
    super('unprocessable', options)
    this.outcome = outcome
    this.retryAfterMs = options.retryAfterMs
  }
}

/** A place that messages can be sent to, such as a conversation of Slack. */
export interface ListedTarget {
  id: string
  name: string
  is_member: boolean
  is_private: boolean
}

/** A way to deliver messages. */
export interface Channel {
  type: ReportChannel['type']
  /** Names of settings that it lacks; it cannot be used unless empty. */
  missingSettings(): string[]
  /**
   * Checks a recipient before it is stored and again before each delivery.
   * @throws AppError `unprocessable` or `invalid_payload` whose sentence says what is wrong with the target
   */
  checkTarget(config: RecipientConfig): void | Promise<void>
  /**
   * Makes one attempt; retries are the business of the caller.
   * @throws ChannelError; any other error counts as `unknown`
   */
  send(config: RecipientConfig, message: OutgoingMessage, signal: AbortSignal): Promise<void>
  /** Checks its account without sending anything. @throws ChannelError */
  verify?(signal: AbortSignal): Promise<void>
  /** Lists the places that it can send to, from a cache unless `force` is set. @throws ChannelError */
  listTargets?(options: { force: boolean; signal: AbortSignal }): Promise<readonly ListedTarget[]>
}

export type Channels = Readonly<Record<ReportChannel['type'], Channel>>
