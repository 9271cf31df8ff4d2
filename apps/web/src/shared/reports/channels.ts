import type { ReportChannel } from '@parquetry/model'
import type { ReportDraft } from './report-draft.ts'
import { toApiRecipients } from './recipients.ts'
import { channelOf } from './report-texts.ts'

/** Channels that recipients of the report need and that lack settings. */
export function missingChannels(
  { recipients }: Pick<ReportDraft, 'recipients'>,
  channels: readonly ReportChannel[],
): ReportChannel[] {
  const used = new Set(toApiRecipients(recipients).map(({ type }) => channelOf(type)))
  return channels.filter(({ type, missing }) => used.has(type) && missing.length > 0)
}
