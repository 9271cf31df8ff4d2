import { engineOf } from '@parquetry/engines'
import { AppError, message, type Message, type Source } from '@parquetry/model'
import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Settings } from '../settings/settings.ts'

/** Targets that a connection may reach beyond the public internet. */
export interface OutgoingPolicy {
  /** Addresses of private networks. */
  private: boolean
  /** This machine. */
  loopback: boolean
  /** Encrypted connections to servers without a trusted certificate. */
  unverifiedTls?: boolean
  /** The metadata store, if it is a server: no connection may reach it. */
  store?: { host: string; port: number; database: string } | null
}

export const outgoingPolicy = ({ config, metadataUrl }: Pick<Settings, 'config' | 'metadataUrl'>): OutgoingPolicy => ({
  private: config.DATABASE_PRIVATE_HOSTS,
  loopback: config.DATABASE_LOOPBACK_HOSTS,
  unverifiedTls: config.DATABASE_UNVERIFIED_TLS,
  store: metadataUrl === null ? null : parseStoreUrl(new URL(metadataUrl)),
})

/** Policy for URLs that users enter. */
export const urlPolicy = ({ config }: Pick<Settings, 'config'>): OutgoingPolicy => ({
  private: config.URL_PRIVATE_HOSTS,
  loopback: config.URL_LOOPBACK_HOSTS,
})

const parseStoreUrl = ({ hostname, port, pathname }: URL) => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost',
  port: Number(port || 5432),
  database: decodeURIComponent(pathname.slice(1)),
})

/** True for an address of this machine: loopback or one of its network addresses. */
export function isLocal(address: string): boolean {
  const normalized = (isIPv6(address) ? embeddedIpv4(address) : undefined) ?? address
  const localInterfaces = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  return listContains(loopback, normalized) || localInterfaces.some((found) => found.address === normalized)
}

/** True when the addresses, the port and the database are those of our own store, under any name. */
async function isStore(addresses: readonly string[], settings: Record<string, unknown>, policy: OutgoingPolicy) {
  const { store } = policy
  if (!store || Number(settings['port']) !== store.port || settings['database'] !== store.database) return false
  const storeAddresses = await resolveOutgoing(store.host, { private: true, loopback: true })
  return addresses.some(
    (address) => storeAddresses.includes(address) || (isLocal(address) && storeAddresses.some(isLocal)),
  )
}

const lookupMs = 5000

const createBlockList = (ranges: string): BlockList => {
  const list = new BlockList()
  for (const range of ranges.trim().split(/\s+/)) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Metadata services of clouds, unspecified and multicast addresses, and those that no host can have. */
const forbiddenNetworks = createBlockList(
  `0.0.0.0/8 169.254.0.0/16 100.100.100.200/32 168.63.129.16/32 192.0.0.192/32 224.0.0.0/4 240.0.0.0/4
   ::/128 fe80::/10 fec0::/10 ff00::/8 fd00:ec2::/32`,
)
const privateNetworks = createBlockList(
  '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 192.0.0.0/24 198.18.0.0/15 fc00::/7',
)
const loopback = createBlockList('127.0.0.0/8 ::1/128')

const listContains = (list: BlockList, address: string) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** The eight groups of an IPv6 address as numbers. */
function parseIpv6Groups(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const parts = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [parts(head), parts(tail ?? '')]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

/**
 * The IPv4 address inside an IPv6 address: mapped (`::ffff:`), compatible (`::`), NAT64 (`64:ff9b::`) or 6to4 (`2002:`).
 * Undefined for native ones.
 */
function embeddedIpv4(address: string): string | undefined {
  const groups = parseIpv6Groups(address)
  const start = groups.slice(0, 6).join(' ')
  const isCompatible = start === '0 0 0 0 0 0' && groups[6] !== 0
  const isWithin = isCompatible || start === '0 0 0 0 0 65535' || start === `${0x64} ${0xff9b} 0 0 0 0`
  const [high = 0, low = 0] = groups[0] === 0x2002 ? groups.slice(1, 3) : groups.slice(6)
  return isWithin || groups[0] === 0x2002 ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined
}

const hostError = (reason: Message) =>
  new AppError('connection_failed', { message: reason, details: { invalid: ['host'] } })

function checkAddress(found: string, policy: OutgoingPolicy): string {
  const address = found.replace(/%.*$/, '')
  for (const candidate of [address, isIPv6(address) ? embeddedIpv4(address) : undefined]) {
    if (candidate === undefined) continue
    if (listContains(forbiddenNetworks, candidate))
      throw hostError(
        message('errors.runners.forbiddenAddress', 'Connections to link-local and metadata addresses are not allowed.'),
      )
    if (!policy.loopback && listContains(loopback, candidate))
      throw hostError(
        message(
          'errors.runners.loopback',
          'Connections to this machine are disabled by the setting DATABASE_LOOPBACK_HOSTS.',
        ),
      )
    if (!policy.private && listContains(privateNetworks, candidate))
      throw hostError(
        message(
          'errors.runners.privateNetwork',
          'Connections to private networks are disabled by the setting DATABASE_PRIVATE_HOSTS.',
        ),
      )
  }
  return address
}

const unknownHost = (cause?: unknown) => new AppError('connection_hostname', { details: { invalid: ['host'] }, cause })

/**
 * Checks every outgoing connection: resolves a name once and returns the addresses to connect to. One forbidden address rejects
 * the whole name. Numbers in other notations (`2130706433`, `0177.1`) are checked as the address they resolve to.
 * @throws AppError `connection_hostname` for an unknown or invalid name, `connection_failed` for a forbidden address
 */
export async function resolveOutgoing(host: string, policy: OutgoingPolicy): Promise<string[]> {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  if (name === '' || /[/\\\s\0@?#]/.test(name)) throw unknownHost()
  if (isIP(name)) return [checkAddress(name, policy)]
  const timeout = AbortSignal.timeout(lookupMs)
  const timedOut = new Promise<never>((_, reject) => timeout.addEventListener('abort', () => reject(unknownHost())))
  const found = await Promise.race([
    lookup(name, { all: true }).catch((cause: unknown) => {
      throw unknownHost(cause)
    }),
    timedOut,
  ])
  return found.map(({ address }) => checkAddress(address, policy))
}

/**
 * Adds the addresses that a runner may connect to. Every connection to a database passes through here.
 * @throws AppError as `resolveOutgoing`
 */
export async function withOutgoingAddresses(source: Source, policy: OutgoingPolicy): Promise<Source> {
  if (source.kind === 'embedded' || engineOf(source.engine)?.isFileBased) return source
  const host = String(source.settings['host'] ?? '')
  if (source.tunnel) await checkTunneledHost(host, policy)
  const addresses = await resolveOutgoing(source.tunnel?.server_address ?? host, policy)
  if (await isStore(addresses, source.settings, policy))
    throw hostError(
      message('errors.runners.metadataStore', 'The metadata store of Parquetry cannot be used as a data source.'),
    )
  return { ...source, addresses, unverified_tls: policy.unverifiedTls === true }
}

/**
 * The same check for a host behind a tunnel, whose name only the tunnel server may know: a number is checked directly, a name by
 * what it resolves to here, if anything.
 */
export async function checkTunneledHost(host: string, policy: OutgoingPolicy): Promise<void> {
  try {
    await resolveOutgoing(host, policy)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'connection_hostname' || /[/\\\s\0@?#]/.test(host)) throw error
  }
}
