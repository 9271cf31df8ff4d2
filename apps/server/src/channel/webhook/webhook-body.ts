import { randomBytes } from 'node:crypto'
import type { ReportFile } from '@parquetry/model'
import type { OutgoingMessage } from '../channel.ts'

/** Body of a webhook, with the fields of Superset. */
export interface WebhookBody {
  contentType: string
  bytes: Buffer
}

function fieldsOf({ source, text, url }: OutgoingMessage) {
  const { name, description, format, type, chart_id, dashboard_id } = source
  return {
    name,
    header: {
      notification_format: format,
      notification_type: type,
      notification_source: dashboard_id === null ? (chart_id === null ? null : 'chart') : 'dashboard',
      chart_id,
      dashboard_id,
    },
    text,
    description,
    url,
  }
}

/** Names of their own: receivers recognize them, and they need no escaping. */
function nameFiles(files: readonly ReportFile[]): string[] {
  const counts = { picture: 0, other: 0 }
  return files.map(({ name, media_type }) => {
    if (media_type === 'image/png') return `screenshot_${counts.picture++}.png`
    const [extension = 'bin'] = /[A-Za-z\d]{1,8}$/.exec(name) ?? []
    const number = counts.other++
    return `report${number === 0 ? '' : `_${number}`}.${extension.toLowerCase()}`
  })
}

/** JSON, or with files a multipart form with a field per key and the files in `files`. */
export function encodeWebhook(outgoing: OutgoingMessage): WebhookBody {
  const fields = fieldsOf(outgoing)
  if (outgoing.files.length === 0)
    return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(fields)) }
  const boundary = `parquetry-${randomBytes(24).toString('hex')}`
  const parts: Uint8Array[] = []
  const addPart = (headers: string, content: Uint8Array) =>
    parts.push(Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`), content, Buffer.from('\r\n'))
  for (const [name, value] of Object.entries(fields))
    addPart(
      `Content-Disposition: form-data; name="${name}"`,
      Buffer.from(typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)),
    )
  const names = nameFiles(outgoing.files)
  for (const [index, { media_type, bytes }] of outgoing.files.entries())
    addPart(
      `Content-Disposition: form-data; name="files"; filename="${names[index]}"\r\nContent-Type: ${media_type.replaceAll(/[^\w.+/;= -]/g, '')}`,
      bytes,
    )
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(parts) }
}
