import type { Tool } from './tool.ts'

/** A database server that tests query. `npm test` starts one unless `variable` names a running one. */
export interface Service extends Tool {
  /** Environment variable with the URL of the server. */
  variable: string
  /** The test files that query it. A server that is expensive to start is left out when none of them runs. */
  onlyFor?: readonly string[]
  /** Tests of this server may be skipped in a run that must skip nothing, since it cannot be installed everywhere. */
  isOptional?: boolean
  /** Starts a fresh server in a temporary folder, at UTC. */
  start(programs: string): Promise<TestServer>
}

export interface TestServer {
  url: string
  stop(): void
}
