/** A database server that tests ask. The one that `variable` names is taken; else `npm test` starts one of its own. */
export interface Service {
  title: string
  /** Environment variable with the URL, which the tests read. */
  variable: string
  /** What has to be installed; Debian's names. */
  packages: readonly string[]
  /** The test files that ask it: a server that is dear to start is left out where none of them runs. */
  onlyFor?: readonly string[]
  /** Gets what no package of Debian has. */
  install?(): void
  /** Where its programs are; undefined: it is not installed. */
  find(): string | undefined
  /** A fresh server in a temporary folder, at UTC, gone when it is stopped. */
  start(programs: string): Promise<TestServer>
}

export interface TestServer {
  url: string
  stop(): void
}
