import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { python } from './python.ts'

const program = process.env['PARQUETRY_TEST_PYTHON'] ?? python.find()

it.skipIf(!program || !existsSync(program))('Python has the libraries that exported files are tested with', () => {
  const names = ['openpyxl', 'pandas', 'pyarrow', 'python-calamine']
  const code = `from importlib import metadata; print(*(metadata.version(name) for name in ${JSON.stringify(names)}))`
  const { stdout, stderr } = spawnSync(program!, ['-c', code], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^3\.\d+\.\d+ 3\.\d+\.\d+ \d+\.\d+\.\d+ 0\.\d+\.\d+\n$/)
})
