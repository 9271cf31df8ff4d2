import type { ReportFile } from '@parquetry/model'
import { escapeHtml } from '../../http/escape-html.ts'
import { singleLine } from '../plain-text.ts'
import { zipFiles } from '../zip-files.ts'
import type { EmailAddresses } from './addresses.ts'
import type { SmtpServer } from './smtp-server.ts'

export interface Email extends Omit<EmailAddresses, 'bcc'> {
  /** The part of the Message-ID before `@`. */
  id: string
  subject: string
  text: string
  /** Sanitized HTML; null sends the text only, unless there are pictures. */
  html: string | null
  /** PNG pictures are shown in the HTML. Several other files are attached as one ZIP archive. */
  files: readonly ReportFile[]
  url: string | null
  /** Text of the link to the URL. */
  linkText: string
}

const isPicture = ({ media_type }: ReportFile): boolean => media_type === 'image/png'

const toHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')

function renderHtml({ html, text, url, linkText }: Email, pictures: readonly { name: string; cid: string }[]): string {
  const images = pictures.map(
    ({ name, cid }) => `<p><img src="cid:${cid}" alt="${escapeHtml(name)}" style="max-width:100%;height:auto"></p>`,
  )
  const link = url === null ? '' : `<p><a href="${escapeHtml(url)}">${escapeHtml(linkText)}</a></p>`
  return `<!doctype html><html><head><meta charset="utf-8"></head><body>${html ?? toHtml(text)}${images.join('')}${link}</body></html>`
}

/** The files that are attached: at most one. */
async function attachmentsOf(files: readonly ReportFile[]): Promise<ReportFile[]> {
  if (files.length < 2) return [...files]
  return [{ name: 'report.zip', media_type: 'application/zip', bytes: await zipFiles(files) }]
}

/** Returns the e-mail as bytes. No text of it can add a header. */
export async function composeEmail(email: Email, { from, idHost }: SmtpServer): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const pictures = email.files
    .filter(isPicture)
    .map((file, index) => ({ ...file, cid: `${index + 1}.${email.id}@${idHost}` }))
  const attached = await attachmentsOf(email.files.filter((file) => !isPicture(file)))
  const hasHtml = email.html !== null || pictures.length > 0
  const composer = new MailComposer({
    from,
    to: email.to,
    cc: email.cc,
    subject: singleLine(email.subject),
    messageId: `<${email.id}@${idHost}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: email.url === null ? email.text : `${email.text}\n\n${email.linkText}: ${email.url}\n`,
    ...(hasHtml && { html: renderHtml(email, pictures) }),
    attachments: [
      ...pictures.map(({ name, media_type, bytes, cid }) => ({ ...toAttachment({ name, media_type, bytes }), cid })),
      ...attached.map(toAttachment),
    ],
    newline: 'win',
    disableUrlAccess: true,
    disableFileAccess: true,
  })
  return composer.compile().build()
}

const toAttachment = ({ name, media_type, bytes }: ReportFile) => ({
  filename: singleLine(name),
  contentType: media_type,
  content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
})
