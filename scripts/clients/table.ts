export interface ClientOutcome {
  name: string
  version: string
  passed: number
  failed: number
  notCovered: readonly string[]
}

/** Formats a line for each client, followed by the features that are not covered. */
export function formatClientTable(outcomes: readonly ClientOutcome[]): string {
  const width = Math.max(...outcomes.map(({ name, version }) => name.length + version.length + 1), 6)
  const lines = outcomes.flatMap(({ name, version, passed, failed, notCovered }) => [
    `${`${name} ${version}`.padEnd(width)}  ${String(passed).padStart(6)}  ${String(failed).padStart(6)}`,
    ...notCovered.map((text) => `${' '.repeat(width)}  not covered: ${text}`),
  ])
  return [`${'client'.padEnd(width)}  passed  failed`, ...lines].join('\n')
}
