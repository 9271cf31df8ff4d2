import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { alignColumns, type Figure, isWithinBudget, computeRatio } from './figure.ts'

/** The file of one run: the figures and the machine, without anything that identifies it. */
export interface BenchRun {
  at: string
  node: string
  platform: string
  cores: number
  processor: string
  memoryGb: number
  runs: number
  seconds: number
  figures: Figure[]
}

/** Writes the run to a new file in `bench/`, or to the given one. @returns its path */
export function writeRun(
  figures: Figure[],
  { runs, seconds }: Pick<BenchRun, 'runs' | 'seconds'>,
  out?: string,
): string {
  const at = new Date().toISOString().slice(0, 19)
  const run: BenchRun = {
    at,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    runs,
    seconds,
    figures: figures.map((figure) => ({ ...figure, ...rounded(figure) })),
  }
  const path = out ?? join('bench', `${at.replaceAll(':', '')}.json`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(run, null, 2)}\n`)
  return path
}

const round = (value: number): number => Number(value.toPrecision(4))

const rounded = ({ value, floor, budget }: Figure): Partial<Figure> => ({
  value: round(value),
  ...(floor !== undefined && { floor: round(floor) }),
  ...(budget !== undefined && { budget: round(budget) }),
})

/**
 * Prints two runs side by side. If both have a floor, the change is that of the ratio to it, which excludes the load of the
 * machine.
 */
export function compareRuns(paths: readonly string[]): void {
  const [before, after] = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')) as BenchRun)
  if (!before || !after)
    throw new Error('Name the files of two runs: npm run bench -- --compare bench/A.json bench/B.json')
  const then = new Map(before.figures.map((figure) => [figure.name, figure]))
  const rows = after.figures.map((now) => {
    const old = then.get(now.name)
    const [from, to] = [old && computeRatio(old), computeRatio(now)]
    const isRate = now.unit.endsWith('/s')
    const change = from && to ? to / from : old && (isRate ? old.value / now.value : now.value / old.value)
    return [
      now.name,
      old ? `${old.value} ${old.unit}` : '',
      `${now.value} ${now.unit}`,
      from ? `${from.toFixed(2)} x` : '',
      to ? `${to.toFixed(2)} x` : '',
      change ? `${change > 1 ? '+' : ''}${Math.round((change - 1) * 100)} %` : 'new',
      isWithinBudget(now) === false ? 'OVER' : '',
    ]
  })
  const head = ['figure', basename(paths[0]!), basename(paths[1]!), 'ratio', 'ratio', 'worse by', '']
  process.stdout.write(alignColumns([head, ...rows]))
}
