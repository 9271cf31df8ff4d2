import type { SettingErrors } from './start-error.ts'

const hostname = /^(?:[a-z\d_](?:[a-z\d_-]*[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)*\.?|\[?[\da-f:]+\]?)$/i
const sender = /^(?:[^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u

/** Checks the settings of e-mails and webhooks, so that the start fails instead of the first message. */
export function checkChannelSettings(config: Readonly<Record<string, unknown>>, errors: SettingErrors): void {
  const { SMTP_HOST: host, SMTP_PORT: port, SMTP_MAIL_FROM: from, ALERT_REPORTS_EMAIL_DOMAINS: domains } = config
  const add = (text: string) => errors.add(`PARQUETRY_CONFIG: ${text}`)
  if (typeof host === 'string' && host.trim() !== '' && !hostname.test(host.trim()))
    add('SMTP_HOST must be a hostname such as smtp.example.com.')
  if (!Number.isInteger(port) || Number(port) < 1 || Number(port) > 65_535)
    add('SMTP_PORT must be a whole number from 1 to 65535.')
  if (typeof from === 'string' && from.trim() !== '' && !sender.test(from.trim()))
    add('SMTP_MAIL_FROM must be an email address such as reports@example.com.')
  const { ALERT_REPORTS_WEBHOOK_TIMEOUT: timeout } = config
  if (typeof timeout !== 'number' || timeout < 1 || timeout > 600)
    add('ALERT_REPORTS_WEBHOOK_TIMEOUT must be a number of seconds from 1 to 600.')
  for (const domain of Array.isArray(domains) ? (domains as unknown[]) : [])
    if (typeof domain === 'string' && !hostname.test(domain))
      add(`ALERT_REPORTS_EMAIL_DOMAINS contains ${domain}, which is not a domain such as example.com.`)
}
