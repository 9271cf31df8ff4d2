import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Report } from './test-report.ts'
import { unhandledVariable } from './unhandled.ts'

/**
 * Runs Vitest and passes its output through.
 * @returns the report; undefined if it is incomplete because Vitest ended early or an error was thrown outside of the tests
 */
export async function runVitest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Report | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-test-'))
  const [file, unhandled] = [join(folder, 'report.json'), join(folder, 'unhandled')]
  const reporters = ['default', 'json', './scripts/slowest.ts', './scripts/unhandled.ts']
  const vitest = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...reporters.map((name) => `--reporter=${name}`),
      `--outputFile.json=${file}`,
      ...args,
    ],
    {
      stdio: 'inherit',
      env: {
        // Tests start processes that load hundreds of modules each.
        NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile'),
        ...process.env,
        [unhandledVariable]: unhandled,
        ...env,
      },
    },
  )
  const stop = (signal: NodeJS.Signals): void => void vitest.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  const code = await new Promise<number>((done) => vitest.on('close', (status) => done(status ?? 1)))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    if (!existsSync(unhandled) && (code === 0 || report.testResults.some(({ status }) => status === 'failed')))
      return report
    process.stdout.write('An error was thrown outside of the tests.\n')
    return undefined
  } catch {
    process.stdout.write('Vitest ended without a report.\n')
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
