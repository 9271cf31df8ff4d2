import { escapeHtml } from '../../http/escape-html.ts'
import type { OutgoingMessage } from '../../channel/channel.ts'
import type { ReportContent } from '../../picture/report-content.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ReportRow } from '../report-owner.ts'
import { contentFormat } from './content.ts'
import { renderNote } from './note.ts'
import { reportTranslator } from './report-texts.ts'

interface MessageInput {
  report: ReportRow
  content: ReportContent
  /** Value of an alert that was triggered; null for reports. */
  value: number | null
}

/** Builds what all recipients with the same rows get. Its id is set for each delivery. Channels add the link. */
export function buildMessage(
  { report, content, value }: MessageInput,
  settings: Settings,
): Omit<OutgoingMessage, 'id'> {
  const t = reportTranslator(settings)
  const note = report.context_markdown?.trim() ?? ''
  const lines = [
    ...(report.type === 'Alert' && value !== null
      ? [t('report.message.value', 'The value of the alert is {value}.', { value: formatValue(value) })]
      : []),
    ...content.failures.map(({ chart, reason }) =>
      t('report.message.failure', '"{chart}" could not be drawn: {reason}', { chart, reason }),
    ),
  ]
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')
  return {
    subject: (report.email_subject?.trim() || report.name).replace(/\s+/g, ' '),
    text: [note, ...lines, content.table?.text ?? ''].filter((part) => part !== '').join('\n\n'),
    html: `${note === '' ? '' : renderNote(note)}${paragraphs}${content.table?.html ?? ''}`,
    files: content.files,
    url: pageUrl(report, settings),
    source: {
      name: report.name,
      description: report.description ?? '',
      type: report.type === 'Alert' ? 'Alert' : 'Report',
      format: contentFormat(report, { settings }),
      chart_id: report.chart_id,
      dashboard_id: report.dashboard_id,
    },
  }
}

const formatValue = (value: number): string => String(value)

/** Origin of links in messages: the setting, or else the address that the server listens on. */
export const linkOrigin = ({ baseUrl, host, port }: Pick<Settings, 'baseUrl' | 'host' | 'port'>): string | null => {
  if (baseUrl !== null) return baseUrl
  return port === 0 ? null : `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Page of the chart or dashboard. Signing in decides what its reader sees there. */
function pageUrl({ chart_id, dashboard_id }: ReportRow, settings: Settings): string | null {
  const origin = linkOrigin(settings)
  if (origin === null) return null
  if (dashboard_id !== null) return `${origin}/superset/dashboard/${dashboard_id}/`
  return chart_id === null ? null : `${origin}/explore/?slice_id=${chart_id}`
}
