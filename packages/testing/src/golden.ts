import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Plan } from '@parquetry/model'

/** A plan as a golden file: the statements as they run, the bound values below each. */
export const formatGolden = ({ statements }: Plan): string =>
  statements.map(({ text, values }) => `${text};\n-- ${JSON.stringify(values)}\n`).join('\n')

/**
 * Compares a text with its golden file. A difference is written beside it as `<name>.changed.sql`, to be looked at and, when
 * it is meant, put in its place. `PARQUETRY_GOLDEN=write` writes those that are not there yet.
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
