import { createServer, type AddressInfo } from 'node:net'
import type { AppError } from '@parquetry/model'
import { expect, it } from 'vitest'
import { loadDriver } from './drivers.ts'
import { engines } from './index.ts'
import { dialAddresses } from './shared/dial.ts'

/** Engines reached over a network; SQLite opens a file. */
const network = engines.filter(({ settings }) => 'host' in settings.properties).map(({ name }) => name)

it.each(network)(
  '%s connects through the given socket without resolving a host name',
  async (name) => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const settings = { host: 'nobody.invalid', port: 1, database: 'd', catalog: 'c', username: 'u' }
    const dial = () => dialAddresses(['127.0.0.1'], port)
    const connecting = (async () => {
      const driver = await loadDriver(name)
      const session = await driver.open(settings, {
        schema: null,
        timeoutMs: 5000,
        allowDml: false,
        dial,
        routeKey: 'test',
      })
      try {
        await session.describe({ what: 'ping' })
      } finally {
        await session.close()
      }
      return 'it connected'
    })()
    expect(await connecting.catch(({ code }: AppError) => code)).toBe('connection_failed')
    expect(connections).toBeGreaterThan(0)
    server.close()
  },
  20_000,
)
