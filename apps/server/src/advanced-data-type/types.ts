import { message, MessageError, toPlainText, translateMessage, type Translate } from '@parquetry/model'

/** Result of converting texts of an advanced data type. */
export interface ConvertedValues {
  values: unknown[]
  display_value: string
  error_message: string
  valid_filter_operators: string[]
}

const valid_filter_operators = [
  'EQUALS',
  'GREATER_THAN_OR_EQUAL',
  'GREATER_THAN',
  'IN',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
]

/** Well-known ports by name (IANA service names). */
const ports: Record<string, number[]> = {
  http: [80],
  ssh: [22],
  https: [443],
  ftp: [20, 21],
  ftps: [989, 990],
  telnet: [23],
  smtp: [25],
  dns: [53],
  dhcp: [67, 68],
  pop3: [110],
  ntp: [123],
  imap: [143],
  snmp: [161],
  ldap: [389],
  ldaps: [636],
}

/** A text that is not a value of the type. */
class ValueError extends MessageError {}

function port(value: unknown): number[] {
  const text = toPlainText(value).toLowerCase()
  const number = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (number >= 0 && number <= 65_535) return [number]
  const numbers = Object.hasOwn(ports, text) ? ports[text] : undefined
  if (!numbers)
    throw new ValueError(
      message('errors.advancedDataType.port', "'{value}' does not appear to be a port name or number", {
        value: toPlainText(value),
      }),
    )
  return numbers
}

/** Parses an IPv4 address to a number, or a network to its first and last number. */
function internetAddress(value: unknown): number | { start: number; end: number } {
  const [, a = '', b = '', c = '', d = '', bits] =
    /^(\d+)\.(\d+)\.(\d+)\.(\d+)(?:\/(\d+))?$/.exec(toPlainText(value)) ?? []
  const bytes = [a, b, c, d].map(Number)
  const size = bits === undefined ? 32 : Number(bits)
  if (a === '' || bytes.some((byte) => byte > 255) || size > 32)
    throw new ValueError(
      message('errors.advancedDataType.network', "'{value}' does not appear to be an IPv4 or IPv6 network", {
        value: toPlainText(value),
      }),
    )
  const address = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  const span = 2 ** (32 - size)
  if (span === 1) return address
  const start = Math.floor(address / span) * span
  return { start, end: start + span - 1 }
}

const display = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.join(', ')}]`
    : typeof value === 'object' && value !== null
      ? Object.values(value).join(' - ')
      : String(value)

const types: Record<string, (value: unknown) => unknown> = { internet_address: internetAddress, port }

export const advancedTypes: readonly string[] = Object.keys(types)

/** @returns undefined for an unknown type; invalid texts are reported in `error_message` */
export function convertValues(
  type: unknown,
  values: readonly unknown[],
  translate: Translate,
): ConvertedValues | undefined {
  const read = typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined
  if (!read) return undefined
  try {
    const converted = values.map(read)
    return {
      values: converted,
      display_value: converted.map(display).join(', '),
      error_message: '',
      valid_filter_operators,
    }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    const error_message = translateMessage(error.sentence, translate)
    return { values: [], display_value: '', error_message, valid_filter_operators }
  }
}
