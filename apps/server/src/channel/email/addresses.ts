import { message, type RecipientConfig } from '@parquetry/model'
import { domainToASCII } from 'node:url'
import { forbiddenTarget, invalidTarget } from '../target-error.ts'

/** Where one e-mail goes. Every address is checked, in ASCII, and contains neither spaces nor control characters. */
export interface EmailAddresses {
  to: string[]
  cc: string[]
  bcc: string[]
}

const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const domain = /^(?!.{254})[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/

/** The address with its domain in lower case and ASCII; undefined for text that is not an address. */
export function parseAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const [local, host] = [text.slice(0, at), domainToASCII(text.slice(at + 1))]
  // The standard form of a domain drops line breaks.
  if (/[\p{Cc}\s]/u.test(text)) return undefined
  return at > 0 && local.length <= 64 && localPart.test(local) && domain.test(host) ? `${local}@${host}` : undefined
}

/** Most addresses of one e-mail; servers refuse more. */
const maxAddresses = 100

function parseList(text: unknown): string[] {
  const parts = String(text ?? '')
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const addresses = parts.map((part) => {
    const address = parseAddress(part)
    if (address === undefined)
      throw invalidTarget(
        message(
          'errors.channel.email.address',
          '{address} is not an email address. Separate several addresses by commas.',
          { address: part.slice(0, 100) },
        ),
      )
    return address
  })
  return [...new Set(addresses)]
}

/**
 * Reads the addresses of a recipient, separated by commas or semicolons.
 * @throws AppError `invalid_payload` for text that is not an address, or without any
 */
export function parseRecipient({ target, ccTarget, bccTarget }: RecipientConfig): EmailAddresses {
  const to = parseList(target)
  if (to.length === 0)
    throw invalidTarget(message('errors.channel.email.none', 'Enter an email address such as ana@example.com.'))
  const addresses = { to, cc: parseList(ccTarget), bcc: parseList(bccTarget) }
  if (listAll(addresses).length > maxAddresses)
    throw invalidTarget(
      message('errors.channel.email.tooMany', 'One recipient can have at most {limit} email addresses.', {
        limit: maxAddresses,
      }),
    )
  return addresses
}

export const listAll = ({ to, cc, bcc }: EmailAddresses): string[] => [...new Set([...to, ...cc, ...bcc])]

/**
 * @param domains  domains that reports may be sent to; none means all
 * @throws AppError `unprocessable` naming the addresses of other domains
 */
export function requireAllowedDomains(addresses: EmailAddresses, domains: readonly string[]): void {
  if (domains.length === 0) return
  const allowed = new Set(domains.map((name) => domainToASCII(name.replace(/^@/, ''))))
  const refused = listAll(addresses).filter((address) => !allowed.has(address.slice(address.lastIndexOf('@') + 1)))
  if (refused.length > 0)
    throw forbiddenTarget(
      message(
        'errors.channel.email.domain',
        'Reports cannot be sent to {addresses}: the setting ALERT_REPORTS_EMAIL_DOMAINS does not include the domain. Ask an administrator.',
        { addresses: refused.join(', ') },
      ),
    )
}
