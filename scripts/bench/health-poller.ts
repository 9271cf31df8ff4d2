import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createClient } from './client.ts'

const intervalMs = 25

/**
 * Requests the health of a server repeatedly from a separate process, so that its wait does not include the cost of measuring.
 */
export interface HealthPoller {
  started: Promise<unknown>
  /** Milliseconds of each call. */
  end(): Promise<number[]>
}

export function startHealthPoller(url: string): HealthPoller {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [url])
  return {
    started: once(child, 'message'),
    async end() {
      const response = once(child, 'message')
      child.send('end')
      const [waits] = (await response) as [number[]]
      return waits
    },
  }
}

function pollHealth(url: string): void {
  const client = createClient(url, {})
  const waits: number[] = []
  const timer = setInterval(() => {
    // If the server has ended, the download itself fails.
    void client.send('GET', '/health').then(
      ({ ms }) => waits.push(ms),
      () => undefined,
    )
  }, intervalMs)
  process.once('message', () => {
    clearInterval(timer)
    process.send!(waits)
    process.disconnect()
  })
  process.send!('began')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) pollHealth(process.argv[2]!)
