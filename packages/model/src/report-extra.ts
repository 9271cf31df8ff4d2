import Type, { type Static } from 'typebox'
import { openObject, optional, text } from './fields.ts'

/** A metric of a dataset that an alert compares, instead of SQL. `metric` and `filters` are spelled as in form data. */
export const AlertMetric = openObject({
  dataset: Type.Integer(),
  metric: Type.Union([text(1), Type.Record(Type.String(), Type.Unknown())]),
  time_range: optional(text()),
  adhoc_filters: optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
})
export type AlertMetric = Static<typeof AlertMetric>

/** Options for which Superset's API has no field. */
export const ReportOptions = openObject({
  /** Handling of times at which no server was running: `run` once, as soon as possible, or only `log` it. Default: run. */
  missed: optional(Type.Union([Type.Literal('run'), Type.Literal('log')])),
  /** Whose rows a recipient with an account gets: those of the `owner` who created the report, or their own. Default: owner. */
  rows: optional(Type.Union([Type.Literal('owner'), Type.Literal('recipient')])),
  /**
   * Targets of recipients without an account that may get rows of tables with row-level security rules: the owner confirmed each one.
   */
  confirmed: optional(Type.Array(text(1, 1000))),
  /**
   * Set by the server: the report should be active, but a channel of its recipients lacked settings when it was saved. It stays inactive until a
   * user activates it.
   */
  awaits_channel: optional(Type.Boolean()),
  metric: optional(AlertMetric),
  orientation: optional(Type.Union([Type.Literal('portrait'), Type.Literal('landscape')])),
})
export type ReportOptions = Static<typeof ReportOptions>

/**
 * The open document `extra` of a report. `dashboard` is the state of the dashboard that is sent: `anchor` and `activeTabs` name tabs, `dataMask`
 * has the filters as in a permalink.
 */
export const ReportExtra = openObject({
  dashboard: optional(
    openObject({
      anchor: optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
      activeTabs: optional(Type.Array(text())),
      dataMask: optional(Type.Record(Type.String(), Type.Unknown())),
      urlParams: optional(Type.Array(Type.Array(text()))),
      nativeFilters: optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
    }),
  ),
  parquetry: optional(ReportOptions),
})
export type ReportExtra = Static<typeof ReportExtra>
