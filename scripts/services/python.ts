import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachePath } from './cache.ts'
import { findProgram } from './program.ts'
import type { Tool } from './tool.ts'

const isSuccessful = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: ['ignore', 2, 2] }).status === 0

/** Written last, so that an interrupted installation counts as missing. */
const stampPath = (folder: string): string => join(folder, '.complete')

/** True if `createEnvironment` completed the virtual environment. */
export const hasEnvironment = (folder: string): boolean => existsSync(stampPath(folder))

/** Creates a virtual environment with packages from PyPI. Leaves nothing behind if Python is missing or pip fails. */
export function createEnvironment(folder: string, ...pipArguments: string[]): void {
  const python = findProgram('python3')
  if (!python) return
  rmSync(folder, { recursive: true, force: true })
  const isDone =
    isSuccessful(python, '-m', 'venv', folder) &&
    isSuccessful(join(folder, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', ...pipArguments)
  if (isDone) writeFileSync(stampPath(folder), '')
  else rmSync(folder, { recursive: true, force: true })
}

const requirements = join(import.meta.dirname, 'python-requirements.txt')

/** The name depends on the requirements, so new requirements are installed into a new folder. */
function environmentFolder(): string {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)
  return cachePath(`python-${hash}`)
}

/** Python with the libraries that exported files are tested with. */
export const python: Tool = {
  title: 'Python with openpyxl, pandas, pyarrow and calamine',
  variable: 'PARQUETRY_TEST_PYTHON',
  packages: ['python3', 'python3-venv'],
  install: () => createEnvironment(environmentFolder(), '--requirement', requirements),
  find: () => (hasEnvironment(environmentFolder()) ? join(environmentFolder(), 'bin/python') : undefined),
}
