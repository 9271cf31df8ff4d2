import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/** Environment variable with the path of the file that is written if errors were thrown outside of the tests. */
export const unhandledVariable = 'PARQUETRY_TEST_UNHANDLED'

/** Records errors outside of the tests, which the JSON report omits. They fail a run even if all tests passed. */
export default class Unhandled implements Reporter {
  onTestRunEnd(_: unknown, errors: readonly { message: string }[]): void {
    const file = process.env[unhandledVariable]
    if (file && errors.length > 0) writeFileSync(file, errors.map(({ message }) => message).join('\n'))
  }
}
