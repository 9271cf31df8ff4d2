import type { ReportFile } from '@parquetry/model'
import type { ChannelError, Channel, OutgoingMessage } from './channel.ts'

/** A message of a report without files. */
export const createOutgoing = (more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: '0c5a1b9e-6a5e-4f0e-9f7a-3d9d3f1c2b4a',
  subject: 'Sales of the week',
  text: 'Sales rose.',
  html: null,
  files: [],
  url: null,
  source: { name: 'Sales', description: 'All', type: 'Report', format: 'PDF', chart_id: null, dashboard_id: 7 },
  ...more,
})

export const createFile = (name: string, media_type: string, text: string): ReportFile => ({
  name,
  media_type,
  bytes: Buffer.from(text),
})

export const never = new AbortController().signal

/** The failure of an attempt, or `sent`. */
export const attempt = (
  channel: Channel,
  target: string,
  more: Partial<OutgoingMessage> = {},
  signal = never,
): Promise<ChannelError | 'sent'> =>
  channel.send({ target }, createOutgoing(more), signal).then(
    () => 'sent' as const,
    (error: unknown) => error as ChannelError,
  )
