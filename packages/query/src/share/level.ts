import { grained } from '../plan/time-column.ts'
import type { Dialect } from '../sql/dialect.ts'
import { selectSql } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { commonGrain, levelGrain } from './grains.ts'
import { inexactColumns, keptBy, textOf, type Shareable, type SharedDimension } from './shareable.ts'
import { isAggregate, isLinear, type Aggregate, type Parts } from './take-apart.ts'

/** The table that a runner makes of a level, in the connection of one job. */
export const levelTable = 'parquetry_level'

/** What a level groups by. */
export interface LevelKey {
  /** Equal for equal keys. */
  id: string
  group: Sql
  /** Of periods: a time of each group stands for it, so that every coarser period is told from a value of its own type. */
  period: { time: Sql; grain: string } | null
}

/** What a level keeps of each group; a mean is a sum and a count. */
export interface LevelValue {
  id: string
  value: Sql
}

/** Questions over the same rows as one statement and one small statement each over its result. */
export interface Level {
  level: Sql
  answers: {
    piece: Sql
    /**
     * Columns that its order compares and that may differ in the last digit: the answer has one row more than asked, and holds only
     * if that row is not there or these columns turn out to be exact.
     */
    inexact: number[]
    /** Columns of the level of which the answer is as exact as alone only if they are exact. */
    exact: string[]
  }[]
}

/**
 * @param questions  with equal `rows`, whose keys and values the level has
 * @param asked  those that it answers
 */
export function levelOf(questions: readonly Shareable[], dialect: Dialect, asked = questions): Level {
  const keys = keysOf(questions, dialect)
  const values = valuesOf(questions, dialect)
  const [first] = questions as [Shareable]
  const columns = [
    ...keys.flatMap(({ group, period }, at) => [
      { value: group, alias: `~k${at}` },
      ...(period ? [{ value: sql`MIN(${period.time})`, alias: `~t${at}` }] : []),
    ]),
    ...values.map(({ value }, at) => ({ value, alias: aliasOfValue(at) })),
  ]
  const level = selectSql(
    {
      columns: columns.length > 0 ? columns : [{ value: sql`COUNT(*)`, alias: '~n' }],
      from: first.from,
      join: null,
      where: first.where,
      groupBy: keys.map(({ group }) => group),
      having: [],
      orderBy: [],
      limit: null,
    },
    dialect,
  )
  const keyAt = new Map(keys.map(({ id }, at) => [id, at]))
  const valueAt = new Map(values.map(({ id }, at) => [id, at]))
  return { level, answers: asked.map((question) => answerOf(question, keyAt, valueAt, dialect)) }
}

const aliasOfValue = (at: number): string => `~a${at}`

export const idOf = ({ period, key }: SharedDimension): string => period?.key ?? key

/** Each once; periods of one time by the coarsest grain from which all of them can be told. */
export function keysOf(questions: readonly Shareable[], dialect: Dialect): LevelKey[] {
  const found = new Map<string, LevelKey>()
  for (const dimension of questions.flatMap(keptBy)) {
    const { group, period } = dimension
    const id = idOf(dimension)
    const known = found.get(id)
    if (!period) found.set(id, { id, group, period })
    else {
      const own = levelGrain(period.grain, dialect)
      const grain = known?.period ? commonGrain(known.period.grain, own) : own
      found.set(id, { id, group: grained(period.time, grain, dialect).group, period: { time: period.time, grain } })
    }
  }
  return [...found.values()]
}

/** Whether a level for some questions answers another one, with equal `rows`. */
export function covers(questions: readonly Shareable[], other: Shareable, dialect: Dialect): boolean {
  const grains = new Map(keysOf(questions, dialect).map(({ id, period }) => [id, period?.grain]))
  const values = new Set(valuesOf(questions, dialect).map(({ id }) => id))
  return (
    keysOf([...questions, other], dialect).every(
      ({ id, period }) => grains.has(id) && grains.get(id) === period?.grain,
    ) && valuesOf([other], dialect).every(({ id }) => values.has(id))
  )
}

export function valuesOf(questions: readonly Shareable[], dialect: Dialect): LevelValue[] {
  const found = new Map<string, LevelValue>()
  for (const aggregate of questions.flatMap(aggregatesOf))
    for (const { name, argument } of kept(aggregate)) {
      const value = argument ? sql`${sqlName(name)}(${argument})` : sql`COUNT(*)`
      const id = textOf(value, dialect)
      found.set(id, { id, value })
    }
  return [...found.values()]
}

const aggregatesOf = ({ measures }: Shareable): Aggregate[] =>
  measures.flatMap(({ parts }) => parts.filter((part) => isAggregate(part)))

const kept = (aggregate: Aggregate): Aggregate[] =>
  aggregate.name === 'AVG'
    ? [
        { ...aggregate, name: 'SUM' },
        { ...aggregate, name: 'COUNT' },
      ]
    : [aggregate]

const words = { COUNT: sql`COUNT`, SUM: sql`SUM`, MIN: sql`MIN`, MAX: sql`MAX`, AVG: sql`AVG` }
const sqlName = (name: Aggregate['name']): Sql => words[name]

function answerOf(
  question: Shareable,
  keyAt: ReadonlyMap<string, number>,
  valueAt: ReadonlyMap<string, number>,
  dialect: Dialect,
): Level['answers'][number] {
  const where = question.filters.map(({ key, over: overKey }) =>
    overKey(sql.id(`${key.period ? '~t' : '~k'}${keyAt.get(idOf(key)) ?? 0}`)),
  )
  const dimensions = question.dimensions.map((dimension) => {
    const at = keyAt.get(idOf(dimension)) ?? 0
    const plain = sql.id(`~k${at}`)
    const { period } = dimension
    const { value, group } = period ? grained(sql.id(`~t${at}`), period.grain, dialect) : { value: plain, group: plain }
    return { alias: dimension.alias, value, group }
  })
  const over = (aggregate: Aggregate): Sql => {
    const [first, second] = kept(aggregate).map(({ name, argument }) => {
      const value = argument ? sql`${sqlName(name)}(${argument})` : sql`COUNT(*)`
      return sql.id(aliasOfValue(valueAt.get(textOf(value, dialect)) ?? 0))
    }) as [Sql, Sql]
    if (aggregate.name === 'COUNT') return dialect.level.count(first)
    if (aggregate.name === 'AVG') return dialect.level.mean(sql`SUM(${first})`, dialect.level.count(second))
    return sql`${sqlName(aggregate.name)}(${first})`
  }
  const sumsOf = (part: Parts[number]): string[] =>
    isAggregate(part) && part.argument && (part.name === 'SUM' || part.name === 'AVG')
      ? [aliasOfValue(valueAt.get(textOf(sql`SUM(${part.argument})`, dialect)) ?? 0)]
      : []
  const measures = question.measures.map(({ alias, parts }) => ({
    alias,
    value: sql.join(
      parts.map((part) => (isAggregate(part) ? over(part) : part)),
      '',
    ),
  }))
  const mayDiffer = new Set(inexactColumns(question))
  const inexact = question.orderBy.map(({ column }) => column).filter((column) => mayDiffer.has(column))
  const columns = [...dimensions, ...measures]
  const piece = selectSql(
    {
      columns: columns.map(({ alias, value }) => ({ alias, value })),
      from: sql.id(levelTable),
      join: null,
      where,
      groupBy: dimensions.map(({ group }) => group),
      having: [],
      orderBy: question.orderBy.map(({ column, ascending }) => ({
        value: sql.id(columns[column]?.alias ?? ''),
        ascending,
      })),
      limit: { rows: question.limit + (inexact.length > 0 ? 1 : 0), offset: 0 },
    },
    dialect,
  )
  const exact = question.measures.flatMap(({ parts }) => (isLinear(parts, dialect) ? [] : parts.flatMap(sumsOf)))
  return { piece, inexact, exact: [...new Set(exact)] }
}
