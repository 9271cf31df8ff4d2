import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'

const program = fileURLToPath(new URL('compress-files.ts', import.meta.url))

/**
 * Compresses the built web files in a low-priority process, once per build. `scripts/prepare.mjs` requests it by writing the hash
 * of the build to `.compress`, which is copied to `.compressed` at the end. Until then files are sent uncompressed. Resolves when
 * the process has ended, even when it fails or is aborted; the next start continues from there.
 */
export async function compressInBackground(
  folder: string,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  const requested = readIfPresent(join(folder, '.compress'))
  if (signal.aborted || requested === '' || requested === readIfPresent(join(folder, '.compressed'))) return
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'ignore', 'pipe'], detached: true })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  signal.removeEventListener('abort', kill)
  if (signal.aborted) return
  if (exitCode !== 0) {
    log.warn({ errors: errors.slice(-2000) }, 'could not compress the web files; they are sent uncompressed')
    return
  }
  try {
    writeFileSync(join(folder, '.compressed'), requested)
  } catch (error) {
    log.warn({ err: error }, 'could not record that the web files are compressed; the next start compresses them again')
    return
  }
  log.info({ ms: Math.round(performance.now() - startedAt) }, 'web files compressed')
}

const readIfPresent = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
