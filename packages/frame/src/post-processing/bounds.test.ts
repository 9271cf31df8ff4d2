import { describe, expect, it } from 'vitest'
import { AppError } from '@parquetry/model/errors'
import { postProcessingOperations, type PostProcessing } from '@parquetry/model/query-context'
import { buildTimeColumn } from '../columns.ts'
import type { Frame } from '../frame.ts'
import { buildFrame, buildPostProcessedTable, cellAt, joinOffsets, postProcess, take } from '../index.ts'
import { hostileOptions } from '../testing/hostile-steps.ts'
import { createRandom, type Random } from '@parquetry/model/testing/random'
import { Budget, TooMuchWork } from './budget.ts'
import { applyStep } from './index.ts'
import { StepRefusal } from './refusal.ts'
import { toTable, type Table } from './table.ts'

const step = (operation: string, options: Record<string, unknown> = {}): PostProcessing => ({ operation, options })

/** A time, texts with few and with many values, and numbers. */
function events(rows: number): Frame {
  const list = <T>(make: (row: number) => T): T[] => Array.from({ length: rows }, (_, row) => make(row))
  const times = Float64Array.from({ length: rows }, (_, row) => row * 1e9)
  const others = buildFrame({
    few: list((row) => `g${row % 3}`),
    many: list((row) => `many ${row}`),
    place: list((row) => `${row % 80}, ${row % 170}`),
    n: list((row) => row % 7),
    m: list((row) => row / 3),
  })
  return { rows, columns: [buildTimeColumn('t', times, 'datetime'), ...others.columns] }
}

const repeat = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value)

const byTime = applyStep(
  toTable(events(40)),
  step('pivot', { index: ['t'], columns: [], aggregates: { n: { operator: 'sum' }, m: { operator: 'sum' } } }),
)

/** A chain of hostile steps; refused ones are skipped. */
function attack(random: Random, start: Table, budget: () => Budget, after: (table: Table, name: string) => void): void {
  let table = start
  for (let count = 1 + random.int(5); count > 0; count--) {
    const name = random.pick(postProcessingOperations)
    try {
      table = applyStep(table, step(name, hostileOptions[name](random)), budget())
    } catch (error) {
      if (error instanceof AppError || error instanceof StepRefusal || error instanceof TooMuchWork) continue
      throw error
    }
    after(table, name)
  }
}

describe('hostile steps', () => {
  it('never produce more values than the limit, whatever their options', () => {
    const cells = 20_000
    for (let seed = 1; seed <= 150; seed++) {
      const random = createRandom(seed)
      const start = random() < 0.3 ? byTime : toTable(events(1 + random.int(400)))
      attack(
        random,
        start,
        () => new Budget({ cells }),
        (table, name) =>
          expect(table.rows * table.columns.length, `${name}, seed ${seed}`).toBeLessThanOrEqual(1.1 * cells),
      )
    }
  })

  it('take at most as long as their budget of work', () => {
    const start = toTable(events(10_000))
    const slowest = { ms: 0, of: '' }
    for (let seed = 1; seed <= 4; seed++)
      for (const name of postProcessingOperations) {
        const before = process.cpuUsage()
        attackOnce(createRandom(seed), name, start, new Budget({ work: 10_000_000 }))
        const { user } = process.cpuUsage(before)
        if (user / 1000 > slowest.ms) Object.assign(slowest, { ms: user / 1000, of: `${name}, seed ${seed}` })
      }
    // A tenth of a second on an idle machine.
    expect(slowest.ms, slowest.of).toBeLessThan(1000)
  })

  function attackOnce(
    random: Random,
    name: (typeof postProcessingOperations)[number],
    table: Table,
    budget: Budget,
  ): void {
    try {
      applyStep(table, step(name, hostileOptions[name](random)), budget)
    } catch (error) {
      if (!(error instanceof AppError || error instanceof StepRefusal || error instanceof TooMuchWork)) throw error
    }
  }

  it('are refused with the step, the size and what to do', () => {
    const refuse = (...steps: PostProcessing[]) => {
      try {
        postProcess(events(1000), steps)
        return null
      } catch (error) {
        return (error as AppError).message
      }
    }
    expect(refuse(step('select', { columns: repeat(20_000, 'n') }))).toBe(
      'The result of `select` would be larger than the limit: 1,000 rows and 20,000 columns, with at most 50,000 columns and 10,000,000 values. Request fewer rows or columns.',
    )
    const pivot = step('pivot', { index: ['t'], columns: [], aggregates: { n: { operator: 'sum' } } })
    expect(refuse(pivot, step('resample', { rule: '1ms', method: 'ffill' }))).toMatch(
      /^The result of `resample` .* 999,000,000,001 rows and 1 columns.* Choose a longer period\.$/,
    )
  })

  it('make many columns of one name in the time of their budget', () => {
    const before = process.cpuUsage()
    const many = step('select', { columns: repeat(20_000, 'n'), rename: { n: 'n, x' } })
    const { frame } = postProcess(events(1), [many], new Budget({ work: 10_000_000 }))
    expect(frame.columns.at(-1)!.name).toBe('n, x__19999')
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
  })

  it('cannot double a table step by step', () => {
    const double = [
      step('cum', { columns: { x: 'y' }, operator: 'sum' }),
      step('rename', { columns: { x: 'z', y: 'z' } }),
      step('rename', { columns: { z: 'x' } }),
    ]
    const steps = [step('select', { columns: ['n'], rename: { n: 'x' } }), ...repeat(40, double).flat()]
    const attempt = () => postProcess(events(100), steps, new Budget({ cells: 20_000 }))
    expect(attempt).toThrow('The result of `cum` would be larger than the limit')
  })

  it('cannot make long names from few rows', () => {
    const long = 'x'.repeat(50_000)
    const frame = buildFrame({
      a: repeat(100, '').map((_, row) => long + String(row)),
      b: repeat(100, '').map((_, row) => `b${row}`),
      n: repeat(100, 1),
    })
    const all = step('pivot', { index: ['n'], columns: ['a', 'b', 'a', 'b'], aggregates: { n: { operator: 'sum' } } })
    expect(() => postProcess(frame, [all, step('flatten')])).toThrow('names')
  })
})

it('regression: a resampling rule with very many digits is refused instead of running forever', () => {
  for (const rule of [`${'9'.repeat(400)}M`, `${'9'.repeat(400)}YE`])
    expect(() => applyStep(byTime, step('resample', { rule, method: 'mean' }))).toThrow('not a valid resampling rule')
})

it('regression: a text of blanks is quickly no point', () => {
  const frame = buildFrame({ place: [`1${' '.repeat(50_000)}x`] })
  const parse = step('geodetic_parse', { geodetic: 'place', latitude: 'a', longitude: 'b' })
  expect(postProcess(frame, [parse]).stepError).toContain('is not a valid point')
})

it('regression: rows that repeat share the memory of their text', () => {
  const long = 'ü'.repeat(1 << 20)
  const column = buildFrame({ a: [long, 'b'] }).columns[0]!
  const order = Int32Array.from({ length: 5000 }, (_, row) => (row % 3) - 1)
  const taken = take(column, order)
  expect([0, 1, 2].map((row) => cellAt(taken, row))).toEqual([null, long, 'b'])
  const offset = { offset: '1 year ago', on: ['k'], time: null, shift: {}, period: null, metrics: ['a'] } as const
  const base = buildFrame({ k: repeat(50_000, 1) })
  const joined = joinOffsets(base, [
    { frame: buildFrame({ k: [1], a: [long] }), join: { ...offset, on: ['k'], metrics: ['a'] } },
  ])
  expect(cellAt(joined.columns[1]!, 49_999)).toBe(long)
})

describe('time offsets and layouts', () => {
  it('are refused when their result or their keys would be too large', () => {
    const join = { offset: 'x', on: [], time: null, shift: {}, period: null, metrics: repeat(300, 'n') }
    const frame = buildFrame({ n: repeat(50_000, 1) })
    expect(() => joinOffsets(frame, [{ frame, join }])).toThrow('The result of `time_offsets` would be larger')
    const long = buildFrame({ k: repeat(3000, 'x'.repeat(50_000)), n: repeat(3000, 1) })
    const byKey = { ...join, on: ['k'], metrics: ['n'] }
    expect(() => joinOffsets(long, [{ frame: long, join: byKey }])).toThrow('names that `time_offsets` would make')
  })

  it('cannot multiply the levels of a pivot table', () => {
    const layout = (groupbyRows: string[]) =>
      buildPostProcessedTable(
        events(2000),
        { viz_type: 'pivot_table_v2', groupbyRows, metrics: ['n'], colTotals: true },
        { headings: new Map(), format: () => String },
      )
    expect(layout(['few', 'n'])?.rowcount).toBeGreaterThan(20)
    expect(() => layout(repeat(20_000, 'many'))).toThrow(expect.objectContaining({ code: 'result_too_large' }))
  })
})
