/** A program, or a set of files, that tests need and that no package of npm brings. */
export interface Tool {
  title: string
  /** Environment variable that names an installation to use in its place. Tests read it. */
  variable?: string
  /** Names of the Debian packages that bring it. */
  packages: readonly string[]
  /** Installs what Debian's packages lack. It may leave the tool missing. */
  install?(): void
  /** Path of the installation; undefined when it is missing. */
  find(): string | undefined
}
