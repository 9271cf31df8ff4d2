import type { Settings } from '../../settings/settings.ts'
import { parseAddress } from './addresses.ts'

/** The mail server that all e-mails are handed over to, from the settings SMTP_*. */
export interface SmtpServer {
  host: string
  port: number
  /** `tls` from the first byte, `starttls` before anything else is sent, or not encrypted. */
  security: 'tls' | 'starttls' | 'none'
  verifiesCertificate: boolean
  /** Null: does not sign in. */
  login: { user: string; password: string } | null
  from: { name: string; address: string }
  /** The part after `@` of each Message-ID. */
  idHost: string
}

/** The settings without which no e-mail can be sent. */
export const missingSmtpSettings = ({ config }: Pick<Settings, 'config'>): string[] =>
  (['SMTP_HOST', 'SMTP_MAIL_FROM'] as const).filter((name) => config[name].trim() === '')

/** `ana@example.com` or `Reports <ana@example.com>`; undefined for other text. */
export function parseSender(text: string): { name: string; address: string } | undefined {
  const [, name = '', written = text] = /^\s*"?([^"<>]*?)"?\s*<([^<>]*)>\s*$/.exec(text) ?? []
  const address = parseAddress(written.trim())
  return address === undefined || /[\p{Cc}]/u.test(name) ? undefined : { name, address }
}

/** Reads the settings; null while one of them is missing. */
export function readSmtpServer(settings: Pick<Settings, 'config' | 'baseUrl'>): SmtpServer | null {
  const { config, baseUrl } = settings
  const from = parseSender(config.SMTP_MAIL_FROM)
  if (missingSmtpSettings(settings).length > 0 || !from) return null
  return {
    host: config.SMTP_HOST.trim(),
    port: config.SMTP_PORT,
    security: config.SMTP_SSL ? 'tls' : config.SMTP_STARTTLS ? 'starttls' : 'none',
    verifiesCertificate: config.SMTP_SSL_SERVER_AUTH,
    login: config.SMTP_USER === '' ? null : { user: config.SMTP_USER, password: config.SMTP_PASSWORD },
    from,
    idHost: baseUrl === null ? from.address.slice(from.address.lastIndexOf('@') + 1) : new URL(baseUrl).hostname,
  }
}
