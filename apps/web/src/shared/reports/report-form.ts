import { ApiError } from '@parquetry/client'
import type { ReportDetail } from '@parquetry/model'
import type { PageFilters, ReportDraft } from './report-draft.ts'

/** Properties of each part of the form of a report. */
export interface ReportFormPart {
  draft: ReportDraft
  set(change: Partial<ReportDraft>): void
  stored: ReportDetail | null
  /** Filters of the page that the form was opened from. */
  page: PageFilters | null
  /** Error of the last save for a field of the API, until one of the parts that it depends on changes. */
  errorOf(field: string, ...parts: (keyof ReportDraft)[]): string | undefined
}

/** Messages of a failed save for one field, with those of its nested parts: `recipients.0.recipient_config_json.target`. */
export function findFieldErrors(error: Error | null, field: string): string[] {
  if (!(error instanceof ApiError)) return []
  return Object.entries(error.fields)
    .filter(([name]) => name === field || name.startsWith(`${field}.`))
    .flatMap(([, messages]) => messages)
}

/** Fields of the API that the form shows errors at. */
export const formFields = [
  'name',
  'description',
  'owners',
  'chart',
  'dashboard',
  'extra',
  'crontab',
  'timezone',
  'database',
  'sql',
  'validator_type',
  'validator_config_json',
  'recipients',
  'report_format',
  'context_markdown',
  'email_subject',
  'custom_width',
  'grace_period',
  'working_timeout',
  'log_retention',
] as const
