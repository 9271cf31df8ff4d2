import { BlockList, isIPv4 } from 'node:net'

/** Names of address ranges that Fastify accepts as well. */
const ranges: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** The address without the IPv6 prefix of mapped IPv4 addresses. */
export const toPlainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** @param proxies  addresses, ranges such as `10.0.0.0/8`, and names of ranges */
export function createProxyCheck(proxies: readonly string[]): (address: string) => boolean {
  if (proxies.length === 0) return () => false
  const list = new BlockList()
  for (const proxy of proxies.flatMap((each) => ranges[each] ?? [each])) {
    const [address = '', bits] = toPlainAddress(proxy).split('/')
    if (bits === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(bits), family(address))
  }
  return (address) => {
    const plain = toPlainAddress(address)
    return list.check(plain, family(plain))
  }
}
