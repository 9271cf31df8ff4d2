import type { Reporter, TestModule } from 'vitest/node'

const shown = 10
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(7)} s`

/** Duration of the module in milliseconds: imports, hooks and tests. */
function computeDuration(module: TestModule): number {
  const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return prepareDuration + collectDuration + setupDuration + duration
}

/** Prints the slowest files and tests at the end of a run. */
export default class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({ ms: computeDuration(module), name: module.relativeModuleId }))
    const tests = modules.flatMap((module) =>
      Array.from(module.children.allTests(), (test) => ({
        ms: test.diagnostic()?.duration ?? 0,
        name: `${module.relativeModuleId} > ${test.fullName}`,
      })),
    )
    for (const [title, all] of [['files', files] as const, ['tests', tests] as const]) {
      if (all.length <= 1) continue
      const total = all.reduce((sum, { ms }) => sum + ms, 0)
      const slowest = all.toSorted((a, b) => b.ms - a.ms).slice(0, shown)
      const lines = slowest.map(({ ms, name }) => `${seconds(ms)}  ${name}`)
      process.stdout.write(
        `\nSlowest of ${all.length} ${title} (${seconds(total).trim()} in total):\n${lines.join('\n')}\n`,
      )
    }
  }
}
