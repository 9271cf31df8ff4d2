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

/**
 * A virtual environment with the packages of a file of requirements.
 * @param path  the file
 * @param program  path in the environment
 */
export function pythonTool(
  { title, variable }: Required<Pick<Tool, 'title' | 'variable'>>,
  path: string,
  program: string,
): Tool {
  /** The name depends on the requirements, so new requirements are installed into a new folder. */
  const locateEnvironment = (): string =>
    cachePath(`python-${createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12)}`)
  return {
    title,
    variable,
    packages: ['python3', 'python3-venv'],
    install: () => createEnvironment(locateEnvironment(), '--requirement', path),
    find: () => (hasEnvironment(locateEnvironment()) ? join(locateEnvironment(), program) : undefined),
  }
}

/** Python with the libraries that exported files are tested with. */
export const python = pythonTool(
  { title: 'Python with openpyxl, pandas, pyarrow and calamine', variable: 'PARQUETRY_TEST_PYTHON' },
  join(import.meta.dirname, 'python-requirements.txt'),
  'bin/python',
)
