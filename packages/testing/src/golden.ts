import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Plan } from '@parquetry/model'

/** Returns a plan as golden text: each statement followed by its bound values. */
export const formatGolden = ({ statements }: Plan): string =>
  statements.map(({ text, values }) => `${text};\n-- ${JSON.stringify(values)}\n`).join('\n')

/**
 * Compares a text with its golden file. A difference is written next to it as `<name>.changed.sql`; if it is intended, it
 * replaces the golden file. `PARQUETRY_GOLDEN=write` creates missing files.
 * @returns the golden text; empty when there is none yet
 */
export function compareWithGolden(file: URL, actual: string): string {
  const changed = new URL(file.href.replace(/\.sql$/, '.changed.sql'))
  if (!existsSync(file) && process.env['PARQUETRY_GOLDEN'] === 'write') {
    mkdirSync(new URL('.', file), { recursive: true })
    writeFileSync(file, actual)
  }
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (expected === actual) rmSync(changed, { force: true })
  else writeFileSync(changed, actual)
  return expected
}
