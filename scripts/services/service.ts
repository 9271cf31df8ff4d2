import type { Tool } from './tool.ts'

/** A database server for tests. `npm test` starts one unless `variable` names a running one. */
export interface Service extends Tool {
  /** Environment variable with the URL of the server. */
  variable: string
  /** Test files that use the server. A server that is expensive to start is started only if one of them runs. */
  onlyFor?: readonly string[]
  /** Skipped tests of this server are allowed even with `--install`, because it cannot be installed everywhere. */
  isOptional?: boolean
  /** Starts a new server in a temporary folder, with the time zone UTC. */
  start(programs: string): Promise<TestServer>
}

export interface TestServer {
  url: string
  stop(): void
}
