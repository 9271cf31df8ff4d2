import { grained } from '../plan/time-column.ts'
import type { Dialect } from '../sql/dialect.ts'
import { selectSql } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { commonGrain, levelGrain } from './grains.ts'
import { levelTable } from './level-table.ts'
import { inexactColumns, keptBy, type Shareable, type SharedDimension } from './shareable.ts'
import { isAggregate, isLinear, type Aggregate, type Parts } from './take-apart.ts'
import { textOf } from './text-of.ts'
import { mayFloat, noTypes, type TypesOfLevel } from './types-of-level.ts'

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
  name: Exclude<Aggregate['name'], 'AVG'>
  argument: Sql | null
  value: Sql
}

/** Questions over the same rows as one statement and one small statement each over its result. */
export interface Level {
  level: Sql
  /** Column -> the type that it must have, or the answers are not the same as alone. */
  types: Record<string, string>
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

/** Where a level has a key or a value. */
interface Place {
  column: string
  /** Of a period: its time. */
  time: string
  type: string
  /** The least and the greatest of what tells apart values that are equal; null where nothing does. */
  forms: readonly [string, string] | null
}

/**
 * @param questions  with equal `rows`, whose keys and values the level has
 * @param asked  those that it answers
 */
export function levelOf(
  questions: readonly Shareable[],
  dialect: Dialect,
  { asked = questions, types = noTypes }: { asked?: readonly Shareable[]; types?: TypesOfLevel } = {},
): Level {
  const [first] = questions as [Shareable]
  const columns: { value: Sql; alias: string }[] = []
  const groupBy: Sql[] = []
  const places = new Map<string, Place>()
  const told: Record<string, string> = {}
  const formOf = (value: Sql, type: string): Sql | null => dialect.level.types?.form(value, type) ?? null
  for (const [at, { id, group, period }] of keysOf(questions, dialect).entries()) {
    const type = types.get(id) ?? ''
    const form = period ? null : formOf(group, type)
    const [column, time, other] = [`~k${at}`, `~t${at}`, `~f${at}`]
    columns.push({ value: group, alias: column })
    if (period) columns.push({ value: sql`MIN(${period.time})`, alias: time })
    if (form) columns.push({ value: form, alias: other })
    groupBy.push(group, ...(form ? [form] : []))
    if (type) told[period ? time : column] = type
    places.set(id, { column, time, type, forms: form && [other, other] })
  }
  for (const [at, { id, name, argument, value }] of valuesOf(questions, dialect).entries()) {
    const type = types.get(id) ?? ''
    const form = argument && (name === 'MIN' || name === 'MAX') ? formOf(argument, type) : null
    const [column, least, most] = [`~a${at}`, `~b${at}`, `~c${at}`]
    columns.push({ value, alias: column })
    if (form) columns.push({ value: sql`MIN(${form})`, alias: least }, { value: sql`MAX(${form})`, alias: most })
    if (type) told[column] = type
    places.set(id, { column, time: '', type, forms: form && [least, most] })
  }
  const level = selectSql(
    {
      columns: columns.length > 0 ? columns : [{ value: sql`COUNT(*)`, alias: '~n' }],
      from: first.from,
      join: null,
      where: first.where,
      groupBy,
      having: [],
      orderBy: [],
      limit: null,
    },
    dialect,
  )
  return { level, types: told, answers: asked.map((each) => answerOf(each, places, dialect, types)) }
}

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

interface Held {
  grains: ReadonlyMap<string, string | undefined>
  values: ReadonlySet<string>
}

/** What levels have, by the questions that they were made for: each is asked whether it answers every question of a dashboard. */
const held = new WeakMap<readonly Shareable[], Held>()

function heldBy(questions: readonly Shareable[], dialect: Dialect): Held {
  const known = held.get(questions)
  if (known) return known
  const grains = new Map(keysOf(questions, dialect).map(({ id, period }) => [id, period?.grain]))
  const found = { grains, values: new Set(valuesOf(questions, dialect).map(({ id }) => id)) }
  held.set(questions, found)
  return found
}

/** Whether a level for some questions, which stay as they are, answers another one with equal `rows`. */
export function covers(questions: readonly Shareable[], other: Shareable, dialect: Dialect): boolean {
  const { grains, values } = heldBy(questions, dialect)
  return (
    keysOf([other], dialect).every(({ id, period }) => {
      const grain = grains.get(id)
      return grains.has(id) && (period && grain ? commonGrain(grain, period.grain) : period?.grain) === grain
    }) && valuesOf([other], dialect).every(({ id }) => values.has(id))
  )
}

export function valuesOf(questions: readonly Shareable[], dialect: Dialect): LevelValue[] {
  const found = new Map<string, LevelValue>()
  for (const value of questions.flatMap(aggregatesOf).flatMap((aggregate) => kept(aggregate, dialect)))
    found.set(value.id, value)
  return [...found.values()]
}

const aggregatesOf = ({ measures }: Shareable): Aggregate[] =>
  measures.flatMap(({ parts }) => parts.filter((part) => isAggregate(part)))

const kept = ({ name, argument }: Aggregate, dialect: Dialect): LevelValue[] =>
  name === 'AVG'
    ? [valueOf('SUM', argument, dialect), valueOf('COUNT', argument, dialect)]
    : [valueOf(name, argument, dialect)]

function valueOf(name: LevelValue['name'], argument: Sql | null, dialect: Dialect): LevelValue {
  const value = argument ? sql`${words[name]}(${argument})` : sql`COUNT(*)`
  return { id: textOf(value, dialect), name, argument, value }
}

const words = { COUNT: sql`COUNT`, SUM: sql`SUM`, MIN: sql`MIN`, MAX: sql`MAX` }

function answerOf(
  question: Shareable,
  places: ReadonlyMap<string, Place>,
  dialect: Dialect,
  types: TypesOfLevel,
): Level['answers'][number] {
  const place = (id: string): Place => places.get(id) as Place
  const placesOf = (aggregate: Aggregate) => kept(aggregate, dialect).map(({ id }) => place(id))
  const where = question.filters.map(({ key, over: overKey }) => {
    const { column, time } = place(idOf(key))
    return overKey(sql.id(key.period ? time : column))
  })
  const dimensions = question.dimensions.map((dimension) => {
    const { column, time } = place(idOf(dimension))
    const plain = sql.id(column)
    const { period } = dimension
    const { value, group } = period ? grained(sql.id(time), period.grain, dialect) : { value: plain, group: plain }
    return { alias: dimension.alias, value, group }
  })
  const over = (aggregate: Aggregate): Sql => {
    const [first, second] = placesOf(aggregate) as [Place, Place]
    const column = sql.id(first.column)
    if (aggregate.name === 'COUNT') return dialect.level.count(column)
    if (aggregate.name === 'AVG')
      return dialect.level.mean(sql`SUM(${column})`, dialect.level.count(sql.id(second.column)))
    if (aggregate.name === 'SUM')
      return dialect.level.types?.sum(sql`SUM(${column})`, first.type) ?? sql`SUM(${column})`
    return sql`${words[aggregate.name]}(${column})`
  }
  const aggregates = aggregatesOf(question)
  const sumsOf = (parts: Parts): string[] =>
    parts.filter(isAggregate).flatMap((part) => (mayFloat(part, types, dialect) ? [placesOf(part)[0]!.column] : []))
  const measures = question.measures.map(({ alias, parts }) => ({
    alias,
    value: sql.join(
      parts.map((part) => (isAggregate(part) ? over(part) : part)),
      '',
    ),
  }))
  const mayDiffer = new Set(inexactColumns(question, dialect, types))
  const inexact = question.orderBy.map(({ column }) => column).filter((column) => mayDiffer.has(column))
  const columns = [...dimensions, ...measures]
  const told = [...question.dimensions.map((each) => place(idOf(each))), ...aggregates.flatMap(placesOf)]
  const piece = selectSql(
    {
      columns: columns.map(({ alias, value }) => ({ alias, value })),
      from: sql.id(levelTable),
      join: null,
      where,
      groupBy: dimensions.map(({ group }) => group),
      having: [...new Set(told)].flatMap(({ forms }) => (forms ? [hasOneForm(forms, dialect)] : [])),
      orderBy: question.orderBy.map(({ column, ascending }) => ({
        value: sql.id(columns[column]?.alias ?? ''),
        ascending,
      })),
      limit: { rows: question.limit + (inexact.length > 0 ? 1 : 0), offset: 0 },
    },
    dialect,
  )
  const exact = question.measures.flatMap(({ parts }) => (isLinear(parts, dialect) ? [] : sumsOf(parts)))
  return { piece, inexact, exact: [...new Set(exact)] }
}

/** Which of equal values that look different a group shows hangs on the order of its rows: then it is asked alone. */
const hasOneForm = ([least, most]: readonly [string, string], { level }: Dialect): Sql =>
  level.types?.orFail(sql`MIN(${sql.id(least)}) IS NOT DISTINCT FROM MAX(${sql.id(most)})`) ?? sql`TRUE`
