/** A command was called incorrectly. The message is printed and the exit code is 2. */
export class UsageError extends Error {
  readonly exitCode = 2
}

/** A reader such as `head` may close the pipe before everything is printed. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** Runs a command. Expected errors print their message and use their exit code; other errors print the stack and exit with 1. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  process.stdout.on('error', ignoreClosedPipe)
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
