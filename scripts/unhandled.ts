import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/** Names the file that says of a run that errors were thrown outside of its tests. */
export const unhandledVariable = 'PARQUETRY_TEST_UNHANDLED'

/** A reporter of what the report of the runner leaves out: it fails a run of which all tests passed. */
export default class Unhandled implements Reporter {
  onTestRunEnd(_: unknown, errors: readonly { message: string }[]): void {
    const file = process.env[unhandledVariable]
    if (file && errors.length > 0) writeFileSync(file, errors.map(({ message }) => message).join('\n'))
  }
}
