/** A program, or a set of files, that tests need and npm does not install. */
export interface Tool {
  title: string
  /** Environment variable that names another installation to use. Tests read it. */
  variable?: string
  /** Debian packages that contain it. */
  packages: readonly string[]
  /** Installs everything that the Debian packages don't contain. May fail, which leaves the tool missing. */
  install?(): void
  /** Path of the installation; undefined if it is missing. */
  find(): string | undefined
}
