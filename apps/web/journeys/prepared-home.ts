import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitForExamples, preparedHomeVariable, startProduct } from './product.ts'

/** Creates a home with the examples and the administrator once per run; each journey that needs them starts on a copy. */
export default async function prepareHome(): Promise<() => void> {
  if (process.env[preparedHomeVariable]) return () => undefined // another project of the run has created it
  const home = mkdtempSync(join(tmpdir(), 'parquetry-examples-'))
  const product = await startProduct({ home, env: { PARQUETRY_HOME: home } })
  await waitForExamples(product.url)
  await product.stop()
  process.env[preparedHomeVariable] = home
  return () => {
    delete process.env[preparedHomeVariable]
    rmSync(home, { recursive: true, force: true })
  }
}
