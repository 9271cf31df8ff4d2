import type { DeliveryState, ReportRunState, ReportRunTrigger } from '@parquetry/model'
import type { Generated } from 'kysely'
import type { Audit } from './audit.ts'

/** An alert or a report, spelled as in the API. */
export interface ReportTable extends Audit {
  id: Generated<number>
  uuid: string
  /** Alert or Report. */
  type: string
  name: string
  description: string | null
  email_subject: string | null
  context_markdown: string | null
  active: number
  crontab: string
  timezone: string
  creation_method: string
  /** At most one of chart and dashboard is set. */
  chart_id: number | null
  dashboard_id: number | null
  /** The database that runs the `sql` of an alert. */
  database_id: number | null
  sql: string | null
  validator_type: string | null
  /** JSON text. */
  validator_config_json: Generated<string>
  /** In days. */
  log_retention: number
  /** In seconds, like the next one. */
  grace_period: number
  working_timeout: number
  report_format: string
  /** JSON text: `ReportExtra`. */
  extra_json: Generated<string>
  force_screenshot: number
  /** Width of images, in pixels. */
  custom_width: number | null
  /** Start of the last run. */
  last_eval_dttm: string | null
  last_state: string
  last_value: number | null
  last_value_row_json: string | null
  /** The next scheduled time; null while it is inactive. */
  next_at: string | null
  /** Runs that failed since the last success. */
  failures: Generated<number>
  /**
   * The user whose rights and rows it uses: who last changed what it sends, to whom or when it is triggered, so that no user sends
   * what only another owner may read.
   */
  run_as_fk: number | null
}

export interface ReportRecipientTable {
  id: Generated<number>
  report_id: number
  type: string
  /** JSON text. */
  recipient_config_json: string
}

/** One run, which is also one entry of the log. */
export interface ReportRunTable {
  id: Generated<number>
  uuid: string
  report_id: number
  trigger: ReportRunTrigger
  /** Scheduled time of a scheduled run: a report has one run per slot, whatever the number of servers. Null for other runs. */
  slot: string | null
  /** The user who started it by hand; such a run sends to this user alone when its trigger is `test`. */
  user_id: number | null
  /** The user with whose rights `value` was computed. */
  run_as_fk: number | null
  /** The server that works on it; null while it waits. */
  owner: string | null
  attempts: Generated<number>
  /** Earliest start of the next attempt after a failure. */
  next_attempt_at: string | null
  state: ReportRunState
  scheduled_dttm: string
  start_dttm: string | null
  end_dttm: string | null
  value: number | null
  value_row_json: string | null
  error_message: string | null
}

/** A message to one recipient of a run. The row is written before the message is handed over. */
export interface ReportDeliveryTable {
  id: Generated<number>
  /** Message-ID of e-mails and idempotency key of webhooks. */
  uuid: string
  run_id: number
  /** Type of the recipient, such as Email. */
  type: string
  /** Shown in the log. */
  target: string
  /** JSON text: the recipient's configuration when the run started. */
  config_json: string
  /** The user whose rows it contains. */
  user_id: number | null
  state: DeliveryState
  attempts: Generated<number>
  next_attempt_at: string | null
  error_message: string | null
  started_on: string | null
  ended_on: string | null
}

/** A file that a run sent, kept for its log. */
export interface ReportFileTable {
  id: Generated<number>
  uuid: string
  run_id: number
  /** The user whose rows it contains. */
  user_id: number
  /** Drawn for all recipients with the rights of the owner, and not for that user alone. */
  is_shared: number
  name: string
  media_type: string
  size: number
  created_on: string
  bytes: Buffer
}

/** Something that a user should know. */
export interface NotificationTable {
  id: Generated<number>
  uuid: string
  user_id: number
  kind: string
  /** JSON text: parameters of its text and where it links to. */
  json: string
  created_on: string
  read_on: string | null
}
