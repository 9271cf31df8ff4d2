/** A mistake in how a command was called: the sentence is shown, the exit code is 2. */
export class UsageError extends Error {
  readonly exitCode = 2
}

/** Runs a command; what fails as expected becomes one sentence and the exit code of the contract, anything else its stack and 1. */
export async function command(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const { exitCode, code, message } = error as { exitCode?: number; code?: string; message?: string }
    const isExpected =
      exitCode !== undefined || (error as Error).name === 'AppError' || code?.startsWith('ERR_PARSE_ARGS')
    process.stderr.write(`${isExpected ? message : error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = exitCode ?? (isExpected ? 2 : 1)
  }
}
