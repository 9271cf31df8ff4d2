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
  /** Page that the message links to. */
  url: string | null
}

/** Builds what all recipients with the same rows get. Its id is set for each delivery. Channels add the link. */
export function buildMessage(
  { report, content, value, url }: MessageInput,
  settings: Settings,
): Omit<OutgoingMessage, 'id'> {
  const t = reportTranslator(settings)
  const note = report.context_markdown?.trim() ?? ''
  const lines = [
    ...(report.type === 'Alert' && value !== null
      ? [t('report.message.value', 'The value of the alert is {value}.', { value: formatValue(value) })]
      : []),
    ...describeFailures(content, settings),
  ]
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')
  return {
    subject: (report.email_subject?.trim() || report.name).replace(/\s+/g, ' '),
    text: [note, ...lines, content.table?.text ?? ''].filter((part) => part !== '').join('\n\n'),
    html: `${note === '' ? '' : renderNote(note)}${paragraphs}${content.table?.html ?? ''}`,
    files: content.files,
    url,
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

/** One sentence for each chart that failed. */
export const describeFailures = ({ failures }: ReportContent, settings: Settings): string[] =>
  failures.map(({ chart, reason }) =>
    reportTranslator(settings)('report.message.failure', '"{chart}" could not be drawn: {reason}', { chart, reason }),
  )

const formatValue = (value: number): string => String(value)
