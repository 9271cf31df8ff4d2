import { Socket } from 'node:net'
import { Channel } from '@parquetry/engines/channel'
import type { FromRunner, ToRunner } from '@parquetry/model'
import { Runner } from './runner.ts'

/**
 * A child process of the server that runs plans, reads SQL text and draws charts. It holds no secrets of its own, ends with
 * its channel and can be killed at any moment. Signals to the group of the server are none of its business.
 */
process.on('SIGTERM', () => {})
process.on('SIGINT', () => {})

const channel: Channel<ToRunner, FromRunner> = new Channel(new Socket({ fd: 3 }), {
  message: (message, body) => runner.receive(message, body),
  // Not `process.exit`: it would wait for an engine's threads, and there is nothing to save.
  closed: () => process.kill(process.pid, 'SIGKILL'),
})
const runner = new Runner(channel)
