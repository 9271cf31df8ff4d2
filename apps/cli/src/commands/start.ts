import { parseArgs } from 'node:util'
import { readSettings } from '@parquetry/server/settings/settings'

const help = `Usage: parquetry start [--port PORT] [--host HOST] [--home FOLDER]

Starts the server and prints "Parquetry is ready at http://HOST:PORT" when it accepts requests.
  --port  default 8088; 0 uses a free port   (PARQUETRY_PORT)
  --host  default 127.0.0.1                  (PARQUETRY_HOST)
  --home  data folder, default ~/.parquetry  (PARQUETRY_HOME)
`

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      home: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  const settings = await readSettings(process.env, values)
  // Invalid settings are reported before the server is loaded.
  const { start } = await import('@parquetry/server/start')
  const server = await start(settings)
  // `on`, not `once`: npm may deliver a signal several times, and an unhandled repeat would kill the process.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      void server.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
          process.exit(1)
        },
      )
    })
  process.stdout.write(`Parquetry is ready at ${server.url}\n`)
  if (server.setupLink) {
    if (process.stderr.isTTY)
      process.stderr.write("Open this link to set the administrator's password. It works once, within 24 hours:\n")
    process.stdout.write(`${server.setupLink}\n`)
  }
  server.startBackgroundWork()
}
