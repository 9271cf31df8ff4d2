import { Socket } from 'node:net'
import { Channel } from '@parquetry/engines/channel'
import type { FromRunner, ToRunner } from '@parquetry/model'
import { Runner } from './runner.ts'

/**
 * A child process of the server that runs plans, parses SQL and draws charts. It stores no secrets, ends with its channel and can
 * be killed at any moment. It ignores signals to the process group of the server.
 */
process.on('SIGTERM', () => {})
process.on('SIGINT', () => {})

const channel: Channel<ToRunner, FromRunner> = new Channel(new Socket({ fd: 3 }), {
  message: (message, body) => runner.receive(message, body),
  // Not `process.exit`, which would wait for threads of the engine; there is nothing to save.
  closed: () => process.kill(process.pid, 'SIGKILL'),
})
const runner = new Runner(channel)
