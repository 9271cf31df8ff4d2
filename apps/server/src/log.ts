import { once } from 'node:events'
import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import type { Settings } from './settings/settings.ts'

const names: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** Formats a log line for a terminal. */
export function formatLogLine(line: string): string {
  const { level, time, msg, err, ...facts } = JSON.parse(line) as Record<string, unknown>
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const more = Object.entries(facts)
    .filter(([name, value]) => value !== null && name !== 'reqId')
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
  const stack = (err as { stack?: string } | undefined)?.stack
  const text = [clock, (names[Number(level)] ?? '').padEnd(5), msg, ...more].join(' ')
  return `${text}${stack ? `\n${stack}` : ''}\n`
}

/** Logs to standard error: JSON lines, or readable ones on a terminal. Standard output is reserved for the start contract. */
export function createLog({ log }: Pick<Settings, 'log'>): Logger {
  const options = {
    level: log,
    base: null,
    redact: ['req.headers', 'headers', 'password', '*.password', 'token', '*.token', 'secrets', '*.secrets'],
  }
  // Without `minLength`, `flush` does not wait.
  if (!process.stderr.isTTY) return pino(options, pino.destination({ fd: 2, sync: false, minLength: 1 }))
  const terminal = new Writable({
    write(line: Buffer, _encoding, done) {
      process.stderr.write(formatLogLine(line.toString()), () => done())
    },
  })
  return pino(options, terminal)
}

const flushMs = 1000

/**
 * Resolves when everything logged so far has been written, so that lines of the start contract follow it.
 * @returns false if the log is not read
 */
export async function flushLog(log: Logger): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => timeout.resolve(false), flushMs)
  const written = new Promise<boolean>((resolve) => log.flush(() => resolve(true)))
  return Promise.race([written, timeout.promise]).finally(() => clearTimeout(timer))
}

/** Writes the end of the log. If the log is not read, its end is dropped: the process could not end while it waits to write. */
export async function closeLog(log: Logger): Promise<void> {
  if (await flushLog(log)) return
  const stream = (log as unknown as Record<symbol, Writable>)[pino.symbols.streamSym]
  if (!stream) return
  const closed = once(stream, 'close')
  stream.destroy()
  await closed
}
