import { AppError } from '@parquetry/model'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Addresses that no connection may reach: link-local ones, where clouds serve the secrets of the machine, and "any". */
const forbidden = new BlockList()
forbidden.addSubnet('169.254.0.0', 16, 'ipv4')
forbidden.addSubnet('0.0.0.0', 8, 'ipv4')
forbidden.addSubnet('fe80::', 10, 'ipv6')
forbidden.addAddress('fd00:ec2::254', 'ipv6')
forbidden.addAddress('::', 'ipv6')

const isForbidden = (address: string): boolean => forbidden.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Refuses hosts that a connection may never have. A host is a name or an address, never a path.
 * @throws AppError `connection_hostname` for a name that is not known; `connection_failed` for what is forbidden
 */
export async function checkHost(host: string): Promise<void> {
  if (host.includes('/') || host.includes('\\') || host.includes('\0')) throw new AppError('connection_hostname')
  const found = isIP(host)
    ? [host]
    : await lookup(host, { all: true }).then(
        (all) => all.map(({ address }) => address),
        (cause: unknown) => {
          throw new AppError('connection_hostname', { details: { invalid: ['host'] }, cause })
        },
      )
  if (found.some(isForbidden)) throw new AppError('connection_failed')
}
