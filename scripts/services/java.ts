import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from './program.ts'

const installed = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines', '/opt']

function versionOf(home: string): number {
  const release = join(home, 'release')
  const [, version = '0'] = existsSync(release)
    ? (/^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8')) ?? [])
    : []
  return Number(version)
}

/** Home of a Java of at least this version: the one that is named, that in PATH, or the newest of the usual folders. */
export function findJava(least: number): string | undefined {
  const inPath = findProgram('java')
  const below = installed
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder).flatMap((name) => [join(folder, name), join(folder, name, 'Contents/Home')]),
    )
  const homes = [process.env['JAVA_HOME'] ?? '', inPath ? dirname(dirname(realpathSync(inPath))) : '']
  return [...homes, ...below.toSorted((a, b) => versionOf(b) - versionOf(a))].find(
    (home) => versionOf(home) >= least && existsSync(join(home, 'bin', 'java')),
  )
}
