import { randomUUID } from 'node:crypto'
import { AppError } from '@parquetry/model'
import { parseAddress } from '../channel/email/addresses.ts'
import { sendEmail } from '../channel/email/email-channel.ts'
import { missingSmtpSettings } from '../channel/email/smtp-server.ts'
import { errorTranslator, localizeError } from '../settings/messages.ts'
import type { Settings } from '../settings/settings.ts'

/** Tells if a link was also sent by e-mail: null without a mail server or address, otherwise with the reason of a failure. */
export interface EmailedLink {
  email_sent: boolean | null
  email_error: string | null
}

/** An administrator waits for the answer. */
const limitMs = 10_000

/** True when links can be sent by e-mail. */
export const canEmailLinks = (settings: Pick<Settings, 'config'>): boolean => missingSmtpSettings(settings).length === 0

/** Sends the link of an invitation or for a new password to a person. Never throws. */
export async function emailLink(
  settings: Settings,
  kind: 'invitation' | 'reset',
  { to, link, hours }: { to: string; link: string; hours: number },
): Promise<EmailedLink> {
  const address = parseAddress(to.trim())
  if (!canEmailLinks(settings) || address === undefined) return { email_sent: null, email_error: null }
  try {
    const email = { ...writeEmail(settings, kind, hours), id: randomUUID(), html: null, files: [], url: link }
    const addresses = { to: [address], cc: [], bcc: [] }
    await sendEmail(settings, { ...email, addresses }, AbortSignal.timeout(limitMs))
    return { email_sent: true, email_error: null }
  } catch (error) {
    return { email_sent: false, email_error: error instanceof AppError ? localizeError(error, settings).message : '' }
  }
}

function writeEmail(
  settings: Settings,
  kind: 'invitation' | 'reset',
  hours: number,
): { subject: string; text: string } {
  const translate = errorTranslator(settings)
  const values = { app: settings.config.APP_NAME, hours }
  return kind === 'invitation'
    ? {
        subject: translate('errors.security.inviteSubject', 'Invitation to {app}', values),
        text: translate(
          'errors.security.inviteText',
          'You are invited to {app}. Open the link to choose a password. It works once, within {hours, plural, one {# hour} other {# hours}}.',
          values,
        ),
      }
    : {
        subject: translate('errors.security.resetSubject', 'New password for {app}', values),
        text: translate(
          'errors.security.resetText',
          'Open the link to choose a new password for {app}. It works once, within {hours, plural, one {# hour} other {# hours}}. If you did not ask for it, ignore this message: your password stays as it is.',
          values,
        ),
      }
}
