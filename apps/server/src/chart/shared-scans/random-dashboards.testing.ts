import { engineOf } from '@parquetry/engines'
import { concat, cellAt, createMessageReader, type Frame } from '@parquetry/frame'
import {
  AppError,
  defaultLimits,
  type Plan,
  type QueryObject,
  type RunHeader,
  type SharedScanPlan,
  type Source,
} from '@parquetry/model'
import { nameCase } from '@parquetry/model/testing/random'
import {
  planSizeEstimate,
  hasRollupSafeTypes,
  isCoveredBy,
  planCachedRollups,
  rollupTable,
  planScanFrom,
  planScan,
  plan,
  restrict,
  planScans,
  deferFilters,
  type QueryPlan,
  type ScanPlan,
  type ShareableQuery,
  type SizeEstimates,
  type SizeEstimateRow,
} from '@parquetry/query'
import type { Runners } from '../../runners/runners.ts'
import { createRandomQueries, duckdbFlights, postgresFlights, type RandomQuery } from './random-queries.testing.ts'

const decodeFrame = (body: Buffer): Frame =>
  concat(
    createMessageReader()
      .push(body)
      .flatMap(({ frame }) => frame ?? []),
  )

type ScanResult = { header: RunHeader; body: Buffer }

export interface DashboardComparison {
  queries: number
  /** Number of queries answered from a rollup. */
  shared: number
  /** Number of queries that could be shared by their form, but were refused by the runner, alone or with the rollup. */
  refused: number
  /** Descriptions of differing results. */
  differences: string[]
}

/** An oversized rollup answers none of its queries, so they run alone. */
function withoutRollup(error: unknown): Map<number, ScanResult> {
  if (error instanceof AppError && error.code === 'result_too_large') return new Map()
  throw error
}

const unknownSizes = { read: 0, rows: 0, of: () => 0 }

/**
 * Runs the queries of a random dashboard alone and from rollups, and compares all results.
 * @param choice  `chosen`: rollups by size, as in the product; `all`: one rollup for all shareable queries; `kept`: one for all
 * whose rows differ by filters, built in advance and cached; `worthKeeping`: cached ones by size
 */
export async function compareDashboard(
  runners: Pick<Runners, 'run' | 'runShared'>,
  source: Source,
  seed: number,
  { clauses = [], choice }: { clauses?: readonly string[]; choice: 'chosen' | 'all' | 'kept' | 'worthKeeping' },
): Promise<DashboardComparison> {
  const flights = source.kind === 'embedded' ? duckdbFlights : postgresFlights
  const { dataset } = flights
  const { dialect } = engineOf(dataset.engine)!
  const { signal } = new AbortController()
  const context = {
    now: '2024-05-01T12:00:00',
    source,
    encode: { as: 'frames' },
    limits: defaultLimits,
    dialect,
    settings: { ROW_LIMIT: 50_000, SQL_MAX_ROW: 200_000, SAMPLES_ROW_LIMIT: 10, ALLOW_ADHOC_SUBQUERY: false },
    resultType: 'full',
  } as const
  const rlsRules = clauses.map((clause) => ({ group_key: null, clause }))
  const planOf = (query: QueryObject) => plan(restrict(query, dataset, { rlsRules }), dataset, context)
  const board = createRandomQueries(seed, flights)
  const planned = board.map(({ query }) => planOf(query))
  const outcome: DashboardComparison = { queries: board.length, shared: 0, refused: 0, differences: [] }
  const groups = new Map<string, number[]>()
  const isKept = choice === 'kept' || choice === 'worthKeeping'
  const questionAt = (index: number): ShareableQuery | null => {
    const shareable = planned[index]?.shareable
    return shareable && isKept ? deferFilters(shareable, dialect) : (shareable ?? null)
  }
  for (const at of planned.keys()) {
    const rows = questionAt(at)?.rows
    if (rows !== undefined) groups.set(rows, [...(groups.get(rows) ?? []), at])
  }
  for (const members of groups.values()) {
    const questions = members.map((index) => questionAt(index) as ShareableQuery)
    for (const pass of await passesOf(questions)) {
      const answers = await answersOf(pass, members, planned).catch(withoutRollup)
      for (const { index } of pass.queries) {
        const at = members[index]!
        const answer = answers.get(index)
        if (!answer) outcome.refused += 1
        else {
          outcome.shared += 1
          const differing = await differences(board[at]!, planned[at]!.plan, answer)
          outcome.differences.push(...differing.map((text) => `${nameCase(seed)}, question ${at}: ${text}`))
        }
      }
    }
  }
  return outcome

  async function passesOf(questions: ShareableQuery[]): Promise<ScanPlan[]> {
    if (choice === 'kept') {
      const { rollup } = planScan(questions, [...questions.keys()], dialect)
      return [planScanFrom({ queries: questions, rollup, sizes: unknownSizes }, questions, dialect)]
    }
    if (choice === 'all' && !dialect.rollup.types) return [planScan(questions, [...questions.keys()], dialect)]
    const found = await sizesOf(questions)
    if (choice === 'all') {
      const fitting = [...questions.entries()].filter(([, each]) => hasRollupSafeTypes(each, dialect, found.types))
      const at = fitting.map(([place]) => place)
      return at.length > 0 ? [planScan(questions, at, dialect, found.types)] : []
    }
    if (!isKept) return planScans(questions, found, dialect)
    return planCachedRollups(questions, found, dialect).map((level) => {
      const members = [...questions.keys()].filter((index) =>
        isCoveredBy(questions[index] as ShareableQuery, level, dialect),
      )
      const pass = planScanFrom(
        level,
        members.map((index) => questions[index] as ShareableQuery),
        dialect,
      )
      return { ...pass, queries: pass.queries.map((query) => ({ ...query, index: members[query.index] ?? 0 })) }
    })
  }

  async function sizesOf(questions: readonly ShareableQuery[]): Promise<SizeEstimates> {
    const { statement, read } = planSizeEstimate(questions, dialect)
    const asked = {
      ...planned[0]!.plan,
      statements: [statement],
      columns: [],
      steps: [],
      encode: { as: 'rows', times: 'ms' },
    }
    const { body } = await runners.run(asked as Plan, signal)
    return read((JSON.parse(body.toString()) as SizeEstimateRow[])[0] ?? {})
  }

  async function answersOf(pass: ScanPlan, members: number[], all: QueryPlan[]): Promise<Map<number, ScanResult>> {
    const shared: SharedScanPlan = {
      source,
      rollup: pass.rollup,
      types: pass.types,
      table: rollupTable,
      maxGroups: pass.maxGroups,
      queries: pass.queries.map(({ index, statement, inexact, exact }) => {
        return { plan: { ...all[members[index]!]!.plan, statements: [statement] }, inexact, exact }
      }),
      limits: defaultLimits,
    }
    const found = new Map<number, ScanResult>()
    const keep = isKept ? { cacheKey: pass.rollup.text + JSON.stringify(pass.rollup.values) } : {}
    if (isKept) for await (const none of runners.runShared({ ...shared, ...keep, queries: [] }, signal)) void none
    for await (const answer of runners.runShared({ ...shared, ...keep }, signal)) {
      if ('header' in answer) found.set(pass.queries[answer.queryIndex]!.index, answer)
      else if (answer.error.code !== 'unsupported' && !(await mayFail(pass.queries[answer.queryIndex]!, members)))
        outcome.differences.push(`seed ${seed}: ${JSON.stringify(answer.error)}`)
    }
    return found
  }

  /** A result from a rollup may fail where the query fails alone, and where equal values look different. */
  async function mayFail({ index, statement }: ScanPlan['queries'][number], members: number[]): Promise<boolean> {
    if (statement.text.includes('IS NOT DISTINCT FROM')) return true
    return runners.run(planned[members[index]!]!.plan, signal).then(
      () => false,
      () => true,
    )
  }

  /** Runs the query without its limit, adding the sums behind its floating-point sums. */
  async function whole({ query, metrics: asked }: RandomQuery): Promise<Frame> {
    const scales = asked.flatMap(({ scale }, index) =>
      scale ? [{ expressionType: 'SQL', sqlExpression: scale, label: `scale ${index}` }] : [],
    )
    const every = { ...query, metrics: [...(query.metrics ?? []), ...scales], orderby: [], row_limit: 100_000 }
    return decodeFrame((await runners.run(planOf(every as QueryObject).plan, signal)).body)
  }

  async function differences(asked: RandomQuery, own: Plan, answer: ScanResult): Promise<string[]> {
    const [alone, all] = await Promise.all([runners.run(own, signal), whole(asked).catch(() => null)])
    const { header } = answer
    const [mine, its] = [decodeFrame(answer.body), decodeFrame(alone.body)]
    // The API types a column of only nulls as text, and a limit may cut off other rows.
    const isCut = !all || its.rows < all.rows
    const serialize = (of: unknown) =>
      JSON.stringify(of, (key, value: unknown) => (isCut && key === 'generic' ? null : value))
    for (const fact of ['columns', 'rowcount', 'sql_rowcount', 'truncated', 'labelMap', 'stepError'] as const)
      if (serialize(header[fact]) !== serialize(alone.header[fact]))
        return [`${fact}: ${serialize(header[fact])} and alone ${serialize(alone.header[fact])}`]
    // There are too many groups to compare each, or one beyond the limit divides by zero.
    if (!all || all.rows === 100_000) return []
    const dimensions = asked.query.columns?.length ?? 0
    const rowOf = (frame: Frame, row: number) => frame.columns.map((each) => cellAt(each, row))
    const keyOf = (cells: readonly unknown[]) => JSON.stringify(cells.slice(0, dimensions).map(String))
    const known = new Map(Array.from({ length: all.rows }, (_, row) => [keyOf(rowOf(all, row)), rowOf(all, row)]))
    const found: string[] = []
    let scaleAt = mine.columns.length
    const scaleOf = asked.metrics.map(({ scale }) => (scale ? scaleAt++ : -1))
    for (let row = 0; row < mine.rows; row += 1) {
      const cells = rowOf(mine, row)
      const right = known.get(keyOf(cells))
      if (!right) return [`a row that is not there alone: ${String(cells)}`]
      known.delete(keyOf(cells))
      for (const [at, cell] of cells.entries()) {
        const scale = Number(right[scaleOf[at - dimensions] ?? -1] ?? Math.abs(Number(cell)))
        const isFloat = /^(DOUBLE|FLOAT)$/.test(mine.columns[at]?.type ?? '')
        const isSame =
          isFloat && cell !== null ? Math.abs(Number(cell) - Number(right[at])) <= 1e-12 * scale : cell === right[at]
        if (!isSame) found.push(`${mine.columns[at]?.name}: ${String(cell)} and alone ${String(right[at])}`)
      }
    }
    // Ties at the limit may be different rows with the same values.
    for (const [by] of (asked.query.orderby ?? []) as [unknown, boolean][]) {
      const label = typeof by === 'string' ? by : (by as { label: string }).label
      const index = mine.columns.findIndex(({ name }) => name === label)
      for (let row = 0; row < mine.rows; row += 1) {
        const [a, b] = [cellAt(mine.columns[index]!, row), cellAt(its.columns[index]!, row)]
        const isClose =
          typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))
        if (a !== b && !isClose) found.push(`order by ${label}, row ${row}: ${String(a)} and alone ${String(b)}`)
      }
    }
    return found.slice(0, 3)
  }
}
