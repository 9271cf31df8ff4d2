import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { metadataPath } from './open-folder.ts'

const stagingFolder = '.parquetry-export'

/** Tests if a process ended while it replaced the files of a folder. */
export const isInterrupted = (folder: string): boolean => existsSync(join(folder, stagingFolder))

/**
 * Changes of a folder that are complete on disk before the first file is replaced, so that a full disk changes nothing. While
 * files are replaced there is no `metadata.yaml`, so that one half cannot be imported; another export completes it.
 */
export class StagedFiles {
  readonly #folder: string
  readonly #staging: string
  readonly #paths: string[] = []

  constructor(folder: string) {
    this.#folder = folder
    this.#staging = join(folder, stagingFolder)
    this.discard()
    mkdirSync(this.#staging)
  }

  /** The metadata must be the last one. */
  add(path: string, bytes: Buffer): void {
    writeFileSync(this.#waiting(this.#paths.length), bytes)
    this.#paths.push(path)
  }

  /** Creates the folders of the files. @throws AppError `unprocessable` when a folder has the name of a file */
  prepare(): void {
    for (const path of this.#paths) {
      mkdirSync(join(this.#folder, dirname(path)), { recursive: true })
      if (lstatSync(join(this.#folder, path), { throwIfNoEntry: false })?.isDirectory())
        throw new AppError('unprocessable', {
          message: message('errors.bundle.folderInTheWay', '{path} is a folder, but a file of this name is exported.', {
            path,
          }),
        })
    }
  }

  discard(): void {
    rmSync(this.#staging, { recursive: true, force: true })
  }

  /** Removes files and puts the staged ones in place. */
  replace(removed: readonly string[]): void {
    if (this.#paths.length > 0) rmSync(join(this.#folder, metadataPath), { force: true })
    for (const path of removed) rmSync(join(this.#folder, path))
    for (const [index, path] of this.#paths.entries()) renameSync(this.#waiting(index), join(this.#folder, path))
    for (const path of removed) removeEmptyFolders(this.#folder, dirname(path))
    this.discard()
  }

  #waiting(index: number): string {
    return join(this.#staging, String(index))
  }
}

function removeEmptyFolders(root: string, folder: string): void {
  for (let current = folder; current !== '.' && existsSync(join(root, current)); current = dirname(current)) {
    if (readdirSync(join(root, current)).length > 0) return
    rmdirSync(join(root, current))
  }
}
