/** Limits above which the server refuses work instead of letting it wait. Numbers of slots are in `runners/limits.ts`. */

/** Waiting for the slots of one source, or of one kind of shared process. */
export const waitingLimits = {
  /** Statements of one user that wait. */
  perUser: 500,
  /** Statements of all users that wait. */
  perSource: 2000,
  /**
   * Time by which the work of others may delay the queries of a chart or dashboard, as estimated before they start. Queries that
   * take long by themselves may be delayed by `maxSlowdown` times their own time.
   */
  maxDelayMs: 1200,
  maxSlowdown: 1.5,
  /** Time that a chart's query waits while no query of its user runs. */
  maxUnservedMs: 4000,
  /** Range of `Retry-After`. */
  minRetrySeconds: 1,
  maxRetrySeconds: 30,
} as const

export type WaitingLimits = { readonly [Name in keyof typeof waitingLimits]: number }

/** Connections and requests of one client. An office of several hundred people may share one address. */
export const connectionLimits = {
  /** Open connections of one address. */
  perAddress: 2000,
  /** Connections beyond the limit whose requests are refused with a message; further ones are closed at once. */
  refusedPerAddress: 50,
  /** Connections of one address that wait for the next request; the oldest ones beyond are closed. */
  idlePerAddress: 1000,
  /**
   * Connections of one address without a complete request that stay open after `silentMs`. Node.js closes them after the time
   * limit of headers in any case.
   */
  silentPerAddress: 500,
  silentMs: 1000,
  /** Requests of one address whose response is not complete, except streams of events. */
  unfinishedPerAddress: 200,
  /** Open streams of one user: data of dashboards, and events. */
  streamsPerUser: 30,
  /** `Retry-After` of requests and streams beyond these limits. */
  retrySeconds: 2,
  /** Interval of log lines about one limit. */
  logIntervalMs: 60_000,
} as const
