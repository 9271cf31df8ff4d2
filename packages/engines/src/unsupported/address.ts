import { maskSecret } from '../mask-secret.ts'
import { secretMask } from '../uri.ts'

/** Up to the last `@` of the host part; a password with slashes ends at the first `@`. */
const credentials = /^([a-z][a-z0-9+._-]*:\/\/[^:@/?#]*):([^/?#]+|(?!\d+\/)[^@?#]+)@/i
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Replaces the value of a parameter that contains a secret; other text stays exactly as it is. */
function maskParameter(parameter: string): string {
  const at = parameter.indexOf('=')
  if (at < 1) return parameter
  const name = parameter.slice(0, at)
  const value = decode(parameter.slice(at + 1))
  const masked = maskSecret(decode(name), value)
  return masked === value ? parameter : `${name}=${encodeURIComponent(masked)}`
}

export interface SplitAddress {
  /** The address with masks in place of all secrets. */
  masked: string
  /** The decoded password before the host. */
  password: string | undefined
  /** Secrets in the parameters were masked, and are not kept. */
  hasSecretParameters: boolean
}

/** Separates an address of any product from its secrets. */
export function splitAddress(uri: string): SplitAddress {
  const address = uri.trim()
  const found = credentials.exec(address)
  const hidden = found ? `${found[1]}:${secretMask}@${address.slice(found[0].length)}` : address
  const start = hidden.indexOf('?')
  const masked =
    start < 0
      ? hidden
      : `${hidden.slice(0, start)}?${hidden
          .slice(start + 1)
          .split('&')
          .map(maskParameter)
          .join('&')}`
  return {
    masked,
    password: found?.[2] === undefined ? undefined : decodePassword(found[2]),
    hasSecretParameters: masked !== hidden,
  }
}

const decodePassword = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The reverse of `splitAddress`, except for secrets in parameters. */
export const joinAddress = (masked: string, password: string | undefined): string =>
  password === undefined ? masked : masked.replace(`:${secretMask}@`, () => `:${encodeURIComponent(password)}@`)
