import { message, type RecipientConfig } from '@parquetry/model'
import { errorTranslator } from '../../settings/messages.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Channel, ChannelError, type OutgoingMessage } from '../channel.ts'
import { singleLine } from '../plain-text.ts'
import { type EmailAddresses, listAll, parseRecipient, requireAllowedDomains } from './addresses.ts'
import { composeEmail, type Email } from './compose-email.ts'
import { handOver, type SmtpLimits } from './hand-over.ts'
import { missingSmtpSettings, readSmtpServer } from './smtp-server.ts'

export type EmailSettings = Pick<Settings, 'config' | 'baseUrl'>

/** For tests. */
export interface EmailOptions {
  limits?: SmtpLimits
  /** Certificates that are trusted instead of the usual ones. */
  authorities?: string
}

/**
 * Sends one e-mail, whatever domains reports may be sent to.
 * @throws ChannelError
 */
export async function sendEmail(
  settings: EmailSettings,
  { addresses, ...email }: Omit<Email, 'to' | 'cc' | 'linkText'> & { addresses: EmailAddresses },
  signal: AbortSignal,
  options: EmailOptions = {},
): Promise<void> {
  const server = readSmtpServer(settings)
  if (!server)
    throw new ChannelError('refused', {
      message: message('errors.channel.email.notSet', 'No mail server is set. An administrator can set {settings}.', {
        settings: missingSmtpSettings(settings).join(', '),
      }),
    })
  const linkText = errorTranslator(settings)('errors.channel.open', 'Open in {app}', { app: settings.config.APP_NAME })
  const bytes = await composeEmail({ ...email, to: addresses.to, cc: addresses.cc, linkText }, server)
  await handOver(server, { from: server.from.address, to: listAll(addresses) }, bytes, signal, options)
}

/** Sends reports by e-mail through the server of the settings SMTP_*. */
export function createEmailChannel(settings: EmailSettings, options: EmailOptions = {}): Channel {
  const readAddresses = (target: RecipientConfig): EmailAddresses => {
    const addresses = parseRecipient(target)
    requireAllowedDomains(addresses, settings.config.ALERT_REPORTS_EMAIL_DOMAINS)
    return addresses
  }
  const subjectOf = ({ subject }: OutgoingMessage) =>
    singleLine(`${settings.config.EMAIL_REPORTS_SUBJECT_PREFIX.trimEnd()} ${subject}`)
  return {
    type: 'Email',
    missingSettings: () => missingSmtpSettings(settings),
    checkTarget: (target) => void readAddresses(target),
    async send(target, outgoing, signal) {
      const { id, text, html, files, url } = outgoing
      const addresses = readAddresses(target)
      await sendEmail(
        settings,
        { id, subject: subjectOf(outgoing), text, html, files, url, addresses },
        signal,
        options,
      )
    },
  }
}
