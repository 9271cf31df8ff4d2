import { AppError, type ListQuery, message, toPlainText } from '@parquetry/model'
import { type Kysely, sql, type SqlBool } from 'kysely'
import { type Condition, alwaysFalse, or } from '../store/conditions.ts'
import type { Tables } from '../store/tables.ts'
import { formatClampedTime } from '../store/time.ts'
import type { Principal } from '../access/principal.ts'

export type FilterValue = NonNullable<ListQuery['filters']>[number]['value']

export interface FilterContext {
  db: Kysely<Tables>
  principal: Principal
}

/** Undefined when the value does not filter. */
type ApplyOperator = (
  value: FilterValue,
  context: FilterContext,
) => Condition | undefined | Promise<Condition | undefined>

export interface Operator {
  operator: string
  name: string
  apply: ApplyOperator
  /** Accepted but not announced by `_info`, because later releases of the API added it. */
  unannounced?: true
}

/** Operators that filter a column. */
export type Filter = readonly Operator[]

const pattern = (value: FilterValue, before: string, after: string): string =>
  `${before}${String(value)
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')}${after}`

/**
 * `lower(column) like pattern`. In SQLite, `lower` is our own function and takes most of the time of a search, while `like`
 * itself ignores ASCII case; so `lower` is used only for text with other characters. In PostgreSQL the first condition is always
 * true.
 * @param lowered  a lowercase pattern
 */
const likeAnyCase = (
  column: string | ReturnType<typeof sql>,
  lowered: string,
  comparator = sql.raw('like'),
): Condition => {
  const text = typeof column === 'string' ? sql.ref(column) : column
  return sql<SqlBool>`case when 'a' not like 'A' or octet_length(${text}) > length(${text})
    then lower(${text}) ${comparator} ${lowered} escape '\\' else ${text} ${comparator} ${lowered} escape '\\' end`
}

const like = (column: string, before: string, after: string, isNegated: boolean): ApplyOperator => {
  const comparator = sql.raw(isNegated ? 'not like' : 'like')
  return (value) => likeAnyCase(column, pattern(value, before, after), comparator)
}

const listOperator = (column: string, isNegated: boolean, cast: (value: unknown) => unknown): ApplyOperator => {
  const comparator = sql.raw(isNegated ? 'not in' : 'in')
  return (value) => {
    if (!Array.isArray(value)) return undefined
    if (value.length === 0) return isNegated ? undefined : alwaysFalse
    return sql<SqlBool>`${sql.ref(column)} ${comparator} (${sql.join(value.map(cast))})`
  }
}

/** Text filters: `eq` is exact; the others ignore case and treat wildcards in the value literally. */
export const textFilter = (column: string): Filter => [
  { operator: 'sw', name: 'Starts with', apply: like(column, '', '%', false) },
  { operator: 'ew', name: 'Ends with', apply: like(column, '%', '', false) },
  { operator: 'ct', name: 'Contains', apply: like(column, '%', '%', false) },
  { operator: 'eq', name: 'Equal to', apply: (value) => sql<SqlBool>`${sql.ref(column)} = ${String(value)}` },
  { operator: 'nsw', name: 'Not Starts with', apply: like(column, '', '%', true) },
  { operator: 'new', name: 'Not Ends with', apply: like(column, '%', '', true) },
  { operator: 'nct', name: 'Not Contains', apply: like(column, '%', '%', true) },
  { operator: 'neq', name: 'Not Equal to', apply: (value) => sql<SqlBool>`${sql.ref(column)} <> ${String(value)}` },
  { operator: 'in', name: 'In', unannounced: true, apply: listOperator(column, false, String) },
  { operator: 'not_in', name: 'Not in', unannounced: true, apply: listOperator(column, true, String) },
]

type Comparison = '=' | '>' | '<' | '<>'

/** @param read  returns the value to compare with; undefined matches nothing, null every non-null value */
const comparisonFilter = (
  column: string,
  read: (value: FilterValue, comparison: Comparison) => string | number | null | undefined,
): Filter => {
  const compare =
    (comparison: Comparison): ApplyOperator =>
    (value) => {
      const operand = read(value, comparison)
      if (operand === undefined) return alwaysFalse
      if (operand === null) return sql<SqlBool>`${sql.ref(column)} is not null`
      return sql<SqlBool>`${sql.ref(column)} ${sql.raw(comparison)} ${operand}`
    }
  return [
    { operator: 'eq', name: 'Equal to', apply: compare('=') },
    { operator: 'gt', name: 'Greater than', apply: compare('>') },
    { operator: 'lt', name: 'Smaller than', apply: compare('<') },
    { operator: 'neq', name: 'Not Equal to', apply: compare('<>') },
  ]
}

const asNumber = (value: FilterValue): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Integer that a column can hold; undefined for values equal to none. */
const asInteger = (value: FilterValue): number | undefined => {
  const number = asNumber(value)
  return Number.isSafeInteger(number) ? number : undefined
}

const withinStore = (value: number): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))

/** Operand for integer columns: other numbers are compared by the adjacent integer and equal nothing. */
function toOperand(value: FilterValue, comparison: Comparison): number | null | undefined {
  const number = asNumber(value)
  if (number === undefined) return undefined
  if (comparison === '>') return withinStore(Math.floor(number))
  if (comparison === '<') return withinStore(Math.ceil(number))
  if (Number.isSafeInteger(number)) return number
  return comparison === '=' ? undefined : null
}

/** Number filters; text that is not a number matches nothing. */
export const numberFilter = (column: string): Filter => [
  ...comparisonFilter(column, toOperand),
  {
    operator: 'in',
    name: 'In',
    unannounced: true,
    apply: listOperator(column, false, (value) => asInteger(value as number) ?? -1),
  },
  {
    operator: 'not_in',
    name: 'Not in',
    unannounced: true,
    apply: listOperator(column, true, (value) => asInteger(value as number) ?? -1),
  },
]

/** Filters of stored times, compared with ISO text. */
export const timeFilter = (column: string): Filter =>
  comparisonFilter(column, (value) => {
    const time = Date.parse(/Z|[+-]\d\d:?\d\d$/.test(String(value)) ? String(value) : `${String(value)}Z`)
    return Number.isNaN(time) ? undefined : formatClampedTime(time)
  })

const isTrue = (value: FilterValue): boolean => value === true || value === 1 || value === 'true' || value === 'True'

export const booleanFilter = (column: string): Filter => [
  { operator: 'eq', name: 'Equal to', apply: (value) => sql<SqlBool>`${sql.ref(column)} = ${isTrue(value) ? 1 : 0}` },
  {
    operator: 'neq',
    name: 'Not Equal to',
    apply: (value) => sql<SqlBool>`${sql.ref(column)} <> ${isTrue(value) ? 1 : 0}`,
  },
]

/** Unknown ids do not filter (fixtures, quirk 17). */
async function findKnownId(table: string, value: FilterValue, { db }: FilterContext): Promise<number | undefined> {
  const id = asInteger(value)
  if (id === undefined) return undefined
  const found = await sql`select 1 from ${sql.table(table)} where id = ${id}`.execute(db)
  return found.rows.length > 0 ? id : undefined
}

/** Filters of a column that contains the id of a row in another table. */
export const toOneFilter = (column: string, table: string): Filter => {
  const compare =
    (operator: string): ApplyOperator =>
    async (value, context) => {
      const id = await findKnownId(table, value, context)
      return id === undefined ? undefined : sql<SqlBool>`${sql.ref(column)} ${sql.raw(operator)} ${id}`
    }
  return [
    { operator: 'rel_o_m', name: 'Relation', apply: compare('=') },
    { operator: 'nrel_o_m', name: 'No Relation', apply: compare('<>') },
  ]
}

/** Filters by rows of another table, linked by a join table: `{ through: 'chart_owner', own: 'chart_id', other: 'user_id' }`. */
export const toManyFilter = (
  sourceTable: string,
  table: string,
  link: { through: string; own: string; other: string },
): Filter => [
  {
    operator: 'rel_m_m',
    name: 'Relation as Many',
    apply: async (value, context) => {
      const id = await findKnownId(table, value, context)
      return id === undefined ? undefined : isLinkedTo(sourceTable, link, id)
    },
  },
]

/** Condition for rows of `of` that the join table links to this id. */
export const isLinkedTo = (
  sourceTable: string,
  { through, own, other }: { through: string; own: string; other: string },
  id: number,
): Condition =>
  sql<SqlBool>`${sql.ref(`${sourceTable}.id`)} in (select ${sql.ref(own)} from ${sql.table(through)} where ${sql.ref(other)} = ${id})`

/** Owner filters as in `toManyFilter`, and LIST-012 as a single condition, which the API's own operators cannot express. */
export const ownersFilter = (sourceTable: string, link: { through: string; own: string; other: string }): Filter => [
  ...toManyFilter(sourceTable, 'user', link),
  {
    operator: 'owned_or_created_by_me',
    name: 'Mine',
    unannounced: true,
    apply: (_, { principal }) =>
      or([
        isLinkedTo(sourceTable, link, principal.id ?? -1),
        sql<SqlBool>`${sql.ref(`${sourceTable}.created_by_fk`)} = ${principal.id ?? -1}`,
      ]),
  },
]

/** A named filter such as `chart_all_text`. */
export const customOperator = (operator: string, name: string, apply: ApplyOperator): Operator => ({
  operator,
  name,
  apply,
})

/** Like `customOperator`, for a condition applied with `true` and negated with `false`. */
export const booleanOperator = (
  operator: string,
  name: string,
  condition: (context: FilterContext) => Condition,
): Operator =>
  customOperator(operator, name, (value, context) => {
    const positive = condition(context)
    return isTrue(value) ? positive : sql<SqlBool>`not (${positive})`
  })

/** Condition that a column or expression contains the text, ignoring case. */
export const containsAnyCase = (column: string | ReturnType<typeof sql>, value: FilterValue): Condition =>
  likeAnyCase(column, pattern(value, '%', '%'))

/** Matches if any of the columns contains the text. */
export const anyContains = (operator: string, name: string, columns: readonly string[]): Operator =>
  customOperator(operator, name, (value) =>
    value === '' ? undefined : or(columns.map((column) => containsAnyCase(column, value))),
  )

/** Turns objects in the list of a filter into texts, because operators compare with texts and numbers. */
const toScalars = (value: FilterValue): FilterValue =>
  Array.isArray(value) ? value.map((each) => (typeof each === 'object' ? toPlainText(each) : each)) : value

/**
 * Conditions for the `filters` of a list. An operator unknown to all columns of the resource is ignored, as in the API.
 * @throws AppError `bad_request` for a column without filters, or an operator that the column does not accept
 */
export async function buildConditions(
  requested: ListQuery['filters'],
  filters: Readonly<Record<string, Filter>>,
  context: FilterContext,
): Promise<Condition[]> {
  const commonOperators = new Set(
    Object.values(filters).flatMap((filter) =>
      filter.filter(({ unannounced }) => !unannounced).map(({ operator }) => operator),
    ),
  )
  const conditions: Condition[] = []
  for (const { col, opr, value } of requested ?? []) {
    const filter = Object.hasOwn(filters, col) ? filters[col] : undefined
    if (!filter)
      throw new AppError('bad_request', {
        message: message('errors.http.filterColumn', 'Filter column: {column} not allowed to filter', { column: col }),
      })
    const operator = filter.find((each) => each.operator === opr)
    if (!operator && commonOperators.has(opr))
      throw new AppError('bad_request', {
        message: message(
          'errors.http.filterOperation',
          'Filter operation: {operation} not allowed on column: {column}',
          { operation: opr, column: col },
        ),
      })
    const condition = await operator?.apply(toScalars(value), context)
    if (condition) conditions.push(condition)
  }
  return conditions
}
