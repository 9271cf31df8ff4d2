import Type, { type Static } from 'typebox'
import {
  AnyObject,
  auditFields,
  body,
  flag,
  id,
  ids,
  nullable,
  nullish,
  openObject,
  optional,
  row,
  text,
  UserSummary,
} from './fields.ts'
import { ReportExtra } from './report-extra.ts'
import { bulkDelete, ItemQuery, ListQuery, readingRoutes, writingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'

export const reportTypes = ['Alert', 'Report'] as const
export type ReportType = (typeof reportTypes)[number]
export const reportCreationMethods = ['charts', 'dashboards', 'alerts_reports'] as const
/** `NONE` sends a message without a file, `TEXT` a table in the message. */
export const reportFormats = ['PNG', 'PDF', 'CSV', 'TEXT', 'XLSX', 'NONE'] as const
export type ReportFormat = (typeof reportFormats)[number]

/**
 * `User`, `Role` and `Group` are ours: their `target` is the id of a subject. `Folder` is a folder below PARQUETRY_REPORTS_FOLDER.
 * Slack and SlackV2 are sent in the same way.
 */
export const recipientTypes = ['Email', 'Slack', 'SlackV2', 'Webhook', 'User', 'Role', 'Group', 'Folder'] as const
export type RecipientType = (typeof recipientTypes)[number]

/** States of a run, and of the last run of a report. A time that was missed is `Not triggered`, with the reason. */
export const reportStates = ['Success', 'Working', 'Error', 'Not triggered', 'On Grace'] as const
export type ReportRunState = (typeof reportStates)[number]
/** `now`: a user sent it to all recipients; `test`: a user sent it to themselves. */
export type ReportRunTrigger = 'schedule' | 'now' | 'test'
/** `unknown`: the server ended, or the connection broke, while the message was handed over. It may have been sent. */
export type DeliveryState = 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown'

export const validatorTypes = ['not null', 'operator'] as const
export const validatorOperators = ['<', '<=', '>', '>=', '==', '!='] as const
export type ValidatorOperator = (typeof validatorOperators)[number]

const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] })

export const RecipientConfig = openObject({
  target: optional(Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] })),
  ccTarget: optional(nullable(text())),
  bccTarget: optional(nullable(text())),
})
export type RecipientConfig = Static<typeof RecipientConfig>

export const ReportRecipient = body({
  type: oneOf(recipientTypes),
  /** The JSON text that GET returns is accepted too. */
  recipient_config_json: optional(Type.Unsafe<RecipientConfig>({ ...RecipientConfig, type: ['object', 'string'] })),
})
export type ReportRecipient = Static<typeof ReportRecipient>

export const ValidatorConfig = openObject({
  op: optional(oneOf(validatorOperators)),
  threshold: optional(Type.Number()),
})
export type ValidatorConfig = Static<typeof ValidatorConfig>

const content = {
  chart: nullish(id()),
  dashboard: nullish(id()),
  extra: optional(ReportExtra),
  custom_width: nullish(Type.Integer()),
}
const fields = {
  description: nullish(text()),
  email_subject: nullish(text(0, 255)),
  context_markdown: nullish(text()),
  active: optional(flag()),
  owners: optional(ids()),
  recipients: optional(Type.Array(ReportRecipient, { maxItems: 1000 })),
  force_screenshot: optional(flag()),
  ...content,
}

export const ReportPost = body({
  ...fields,
  type: oneOf(reportTypes),
  name: text(1, 150),
  crontab: text(1, 1000),
  timezone: optional(text()),
  creation_method: optional(oneOf(reportCreationMethods)),
  sql: optional(text()),
  database: optional(id()),
  selected_tabs: nullish(Type.Array(Type.Integer())),
  validator_type: optional(oneOf(validatorTypes)),
  validator_config_json: optional(ValidatorConfig),
  log_retention: optional(Type.Integer({ minimum: 1 })),
  grace_period: optional(Type.Integer({ minimum: 1 })),
  working_timeout: optional(Type.Integer({ minimum: 1 })),
  report_format: optional(oneOf(reportFormats)),
})
export type ReportPost = Static<typeof ReportPost>

export const ReportPut = body({
  ...fields,
  type: optional(oneOf(reportTypes)),
  name: optional(text(1, 150)),
  crontab: optional(text(1, 1000)),
  timezone: optional(text()),
  creation_method: nullish(oneOf(reportCreationMethods)),
  sql: nullish(text()),
  database: optional(id()),
  validator_type: nullish(oneOf(validatorTypes)),
  validator_config_json: optional(ValidatorConfig),
  log_retention: optional(Type.Integer({ minimum: 0 })),
  grace_period: optional(Type.Integer({ minimum: 1 })),
  working_timeout: nullish(Type.Integer({ minimum: 1 })),
  report_format: optional(oneOf(reportFormats)),
})
export type ReportPut = Static<typeof ReportPut>

const columns = {
  id: id(),
  uuid: text(),
  active: flag(),
  creation_method: text(),
  crontab: text(),
  description: nullable(text()),
  extra: ReportExtra,
  /** ISO text in UTC without a zone, like the other times. */
  last_eval_dttm: nullable(text()),
  last_state: oneOf(reportStates),
  name: text(),
  next_at: nullable(text()),
  owners: Type.Array(UserSummary),
  timezone: text(),
  type: oneOf(reportTypes),
  ...auditFields,
}

/** A report in a list. */
export const ListedReport = row({
  ...columns,
  chart_id: nullable(id()),
  dashboard_id: nullable(id()),
  crontab_humanized: text(),
  /** Inactive only because a channel of its recipients was not set up when it was saved. */
  awaits_channel: flag(),
  recipients: Type.Array(openObject({ id: id(), type: oneOf(recipientTypes) })),
})
export type ListedReport = Static<typeof ListedReport>

/** A report with everything that its form needs. */
export const ReportDetail = row({
  ...columns,
  chart: nullable(openObject({ id: id(), slice_name: text(), viz_type: text() })),
  dashboard: nullable(openObject({ id: id(), dashboard_title: text() })),
  database: nullable(openObject({ id: id(), database_name: text() })),
  context_markdown: nullable(text()),
  custom_width: nullable(id()),
  email_subject: nullable(text()),
  force_screenshot: flag(),
  grace_period: nullable(Type.Integer()),
  last_value: nullable(Type.Number()),
  last_value_row_json: nullable(text()),
  log_retention: Type.Integer(),
  recipients: Type.Array(openObject({ id: id(), type: oneOf(recipientTypes), recipient_config_json: text() })),
  report_format: oneOf(reportFormats),
  sql: nullable(text()),
  validator_config_json: nullable(text()),
  validator_type: nullable(text()),
  working_timeout: Type.Integer(),
})
export type ReportDetail = Static<typeof ReportDetail>

/** A message to one recipient. */
export const ReportDelivery = openObject({
  uuid: text(),
  type: oneOf(recipientTypes),
  target: text(),
  state: oneOf(['waiting', 'sending', 'sent', 'failed', 'unknown']),
  attempts: Type.Integer(),
  error_message: nullable(text()),
  ended_on: nullable(text()),
})
export type ReportDelivery = Static<typeof ReportDelivery>

/** A run in the log of a report. `deliveries`, `files` and `trigger` are ours. */
export const ReportLog = row({
  id: id(),
  uuid: text(),
  scheduled_dttm: text(),
  start_dttm: nullable(text()),
  end_dttm: nullable(text()),
  state: oneOf(reportStates),
  error_message: nullable(text()),
  value: nullable(Type.Number()),
  value_row_json: nullable(text()),
  trigger: oneOf(['schedule', 'now', 'test']),
  deliveries: Type.Array(ReportDelivery),
  files: Type.Array(openObject({ uuid: text(), name: text(), media_type: text(), size: Type.Integer() })),
})
export type ReportLog = Static<typeof ReportLog>

const part = { name: 'report', view: 'ReportSchedule' } as const
const ById = Type.Object({ id: Type.Integer() })
const ByUuid = Type.Object({ uuid: text() })
const read = {
  method: 'GET',
  body: 'none',
  can: ['can_read', 'ReportSchedule'],
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
} as const
const write = {
  method: 'POST',
  can: ['can_write', 'ReportSchedule'],
  rate: 'write',
  csrf: 'token',
  errors: 'plain',
} as const

/** The content of a preview. */
export const ReportContentRequest = body({
  ...content,
  report_format: oneOf(reportFormats),
  /** IANA name. */
  timezone: optional(text()),
})
export type ReportContentRequest = Static<typeof ReportContentRequest>

/** The condition of an alert: SQL on a database, or `extra.parquetry.metric`. */
export const ReportConditionRequest = body({
  database: nullish(id()),
  sql: nullish(text()),
  extra: optional(ReportExtra),
  validator_type: oneOf(validatorTypes),
  validator_config_json: optional(ValidatorConfig),
})
export type ReportConditionRequest = Static<typeof ReportConditionRequest>

/** `value` is null when the query returned no row or null. */
export const ReportConditionResult = openObject({
  value: nullable(Type.Number()),
  row: nullable(AnyObject),
  is_triggered: flag(),
})
export type ReportConditionResult = Static<typeof ReportConditionResult>

/** A way to deliver messages. `missing` names the settings without which it cannot be used. */
export const ReportChannel = openObject({
  type: oneOf(['Email', 'Slack', 'Webhook', 'Folder']),
  missing: Type.Array(text()),
})
export type ReportChannel = Static<typeof ReportChannel>

/** A file to send or to download. */
export interface ReportFile {
  name: string
  media_type: string
  bytes: Uint8Array
}

const writing = writingRoutes({ ...part, post: ReportPost, put: ReportPut })

/** `/api/v1/report/`, with the flag ALERT_REPORTS: alerts and reports, their log, and what their dialog needs. */
export const reportRoutes = {
  ...readingRoutes({ ...part, listed: ListedReport, detail: ReportDetail }),
  ...writing,
  create: defineRoute({
    ...writing.create,
    errors: 'typed',
    fails: ['invalid_payload', 'not_json', 'unprocessable', 'report_exists'],
  }),
  bulkDelete: bulkDelete(part),
  logList: defineRoute({
    ...read,
    path: '/api/v1/report/:id/log/',
    summary: 'Lists the runs of an alert or report',
    params: ById,
    rison: ListQuery,
    reply: openObject({ count: Type.Integer(), ids: Type.Array(Type.Integer()), result: Type.Array(ReportLog) }),
    object: 'runs of a visible report only',
    fails: ['bad_request'],
  }),
  logItem: defineRoute({
    ...read,
    path: '/api/v1/report/:id/log/:log_id',
    summary: 'Returns one run of an alert or report',
    params: Type.Object({ id: Type.Integer(), log_id: Type.Integer() }),
    rison: ItemQuery,
    reply: openObject({ id: Type.Integer(), result: ReportLog }),
    object: 'runs of a visible report only',
    fails: ['bad_request', 'not_found'],
  }),
  slackChannels: defineRoute({
    ...read,
    path: '/api/v1/report/slack_channels/',
    summary: 'Lists the Slack channels that the configured bot can see',
    rison: openObject({
      search_string: optional(text()),
      types: optional(Type.Array(oneOf(['public_channel', 'private_channel']))),
      exact_match: optional(flag()),
      force: optional(flag()),
      page: optional(Type.Integer({ minimum: 0 })),
      page_size: optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    reply: openObject({
      result: Type.Array(openObject({ id: text(), name: text(), is_member: flag(), is_private: flag() })),
    }),
    can: ['can_write', 'ReportSchedule'],
    object: 'none: channels of the workspace',
    fails: ['bad_request', 'unprocessable'],
  }),
  nextRuns: defineRoute({
    ...read,
    path: '/api/v1/report/next_runs/',
    summary: 'Returns the next five times of a schedule and the schedule in words',
    rison: openObject({ crontab: text(1, 1000), timezone: optional(text()) }),
    reply: openObject({
      /** ISO text in UTC with `Z`. */
      result: Type.Array(text()),
      words: text(),
    }),
    object: 'none',
    fails: ['bad_request'],
  }),
  preview: defineRoute({
    ...write,
    path: '/api/v1/report/preview',
    summary: 'Returns the file that a report would send, with the rows of the caller',
    body: ReportContentRequest,
    reply: 'stream',
    object: 'the chart or the dashboard; the data of each chart',
    rate: 'query',
    audit: 'report.preview',
    csrf: 'same-origin',
    fails: ['invalid_payload', 'not_found', 'unprocessable', 'result_too_large', 'query_timeout', 'dataset_access'],
  }),
  testCondition: defineRoute({
    ...write,
    path: '/api/v1/report/test_condition',
    summary: 'Evaluates the condition of an alert now',
    body: ReportConditionRequest,
    reply: openObject({ result: ReportConditionResult }),
    object: 'the database and the tables that its SQL reads, or the dataset of the metric',
    rate: 'query',
    audit: 'report.test_condition',
    fails: [
      'invalid_payload',
      'unprocessable',
      'query_failed',
      'query_timeout',
      'forbidden',
      'dataset_not_found',
      'dataset_access',
      'runner_lost',
    ],
  }),
  run: defineRoute({
    ...write,
    path: '/api/v1/report/:id/run',
    success: [202],
    summary: 'Runs a report now, for all recipients or for the caller alone',
    params: ById,
    body: body({ to: oneOf(['recipients', 'me']) }),
    reply: openObject({ result: openObject({ uuid: text() }) }),
    object: 'the report, by ownership',
    audit: 'report.run',
    fails: ['invalid_payload', 'not_found', 'missing_ownership', 'unprocessable', 'conflict'],
  }),
  sendAgain: defineRoute({
    ...write,
    path: '/api/v1/report/delivery/:uuid/send_again',
    success: [202],
    summary: 'Repeats a delivery that failed or may not have arrived',
    params: ByUuid,
    body: 'none',
    reply: openObject({ result: openObject({ uuid: text() }) }),
    object: 'the report of the delivery, by ownership',
    audit: 'report.send_again',
    fails: ['not_found', 'missing_ownership', 'conflict'],
  }),
  file: defineRoute({
    ...read,
    path: '/api/v1/report/file/:uuid',
    summary: 'Returns a file that a report sent',
    params: ByUuid,
    reply: 'stream',
    object: 'the report of the file, by ownership, and only with rows of the caller, except for administrators',
    audit: 'report.file',
    fails: ['not_found'],
  }),
  channels: defineRoute({
    ...read,
    path: '/api/v1/report/channels/',
    summary: 'Returns the ways to deliver messages, with the settings that each one lacks',
    reply: openObject({ result: Type.Array(ReportChannel) }),
    object: 'none',
    fails: [],
  }),
  testChannel: defineRoute({
    ...write,
    path: '/api/v1/report/channels/:type/test',
    summary: 'Sends a test message; for administrators',
    params: Type.Object({ type: text() }),
    body: body({ target: optional(text(0, 1000)) }),
    reply: openObject({ message: text() }),
    object: 'administrators only',
    audit: 'report.test_channel',
    fails: ['invalid_payload', 'forbidden', 'not_found', 'unprocessable'],
  }),
}
