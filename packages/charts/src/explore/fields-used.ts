import type { AnyChart, ChartForm, Control } from '../define.ts'

/** Kind of name in a form field. `either`: a metric if the dataset has one of that name, else a column. */
type FieldRole = 'column' | 'metric' | 'either'

/** Columns and metrics that a form names, and its SQL, which may mention more. */
export interface FieldsUsed {
  columns: string[]
  metrics: string[]
  sql: string[]
}

/** New names of a dataset's fields, by old name. */
export interface Renames {
  columns: ReadonlyMap<string, string>
  metrics: ReadonlyMap<string, string>
}

export interface KnownNames {
  columns: ReadonlySet<string>
  metrics: ReadonlySet<string>
}

/** Controls whose values name dataset fields. */
const rolesByControl: Partial<Record<NonNullable<Control['as']>, FieldRole>> = {
  columns: 'column',
  column: 'column',
  'temporal-column': 'column',
  'x-axis': 'column',
  metrics: 'metric',
  metric: 'metric',
  'metric-bounds': 'metric',
  filters: 'either',
  'order-by': 'column',
  'x-axis-sort': 'either',
  'column-config': 'either',
  'conditional-formatting': 'either',
  'filter-configs': 'either',
  spatial: 'column',
  'fix-or-metric': 'metric',
}
/** Controls whose values are objects with field names as keys. */
const controlsWithFieldKeys: readonly Control['as'][] = ['column-config', 'metric-bounds']

/** Fields of forms of any type and of saved query contexts, including those left by another type. */
const commonFieldRoles: Readonly<Record<string, FieldRole>> = {
  adhoc_filters: 'either',
  granularity_sqla: 'column',
  granularity: 'column',
  x_axis: 'column',
  groupby: 'column',
  columns: 'column',
  series_columns: 'column',
  all_columns: 'column',
  order_by_cols: 'column',
  series: 'column',
  entity: 'column',
  metrics: 'metric',
  metric: 'metric',
  percent_metrics: 'metric',
  secondary_metric: 'metric',
  timeseries_limit_metric: 'metric',
  series_limit_metric: 'metric',
  filters: 'either',
  orderby: 'either',
}

interface Visitor {
  name(naming: FieldRole, name: string): string
  sql(text: string): void
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses an order as stored in forms, the JSON text of a name and a direction; undefined for any other text. */
function parseOrder(text: string): [name: string, rest: unknown[]] | undefined {
  if (!text.startsWith('[')) return undefined
  try {
    const [name, ...rest] = JSON.parse(text) as unknown[]
    return typeof name === 'string' ? [name, rest] : undefined
  } catch {
    return undefined
  }
}

function visitValue(value: unknown, naming: FieldRole, visitor: Visitor): unknown {
  if (typeof value === 'string') {
    const order = parseOrder(value)
    if (!order) return visitor.name(naming, value)
    const [name, rest] = order
    const after = visitor.name(naming, name)
    return after === name ? value : `[${[after, ...rest].map((each) => JSON.stringify(each)).join(', ')}]`
  }
  if (Array.isArray(value)) return value.map((each) => visitValue(each, naming, visitor))
  return isObject(value) ? visitObject(value, visitor) : value
}

function visitObject(value: Record<string, unknown>, visitor: Visitor): Record<string, unknown> {
  if (value['expressionType'] !== 'SIMPLE' && typeof value['sqlExpression'] === 'string') {
    if (value['isColumnReference'] === true)
      return { ...value, sqlExpression: visitor.name('column', value['sqlExpression']) }
    visitor.sql(value['sqlExpression'])
    return value
  }
  const after = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (key === 'column' && isObject(inner)) return [key, visitObject(inner, visitor)]
    if (['column_name', 'lonCol', 'latCol', 'lonlatCol', 'geohashCol'].includes(key))
      return [key, typeof inner === 'string' ? visitor.name('column', inner) : inner]
    if (['subject', 'col', 'column'].includes(key)) return [key, visitValue(inner, 'either', visitor)]
    if (key === 'metric' || (key === 'value' && value['type'] === 'metric'))
      return [key, visitValue(inner, 'metric', visitor)]
    return [key, inner]
  })
  return Object.fromEntries(after)
}

const visitKeys = (value: Record<string, unknown>, naming: FieldRole, visitor: Visitor): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([name, inner]) => [visitor.name(naming, name), inner]))

function visitForm(chart: AnyChart | undefined, form: ChartForm, visitor: Visitor): ChartForm {
  const properties = (chart?.form.properties ?? {}) as Record<string, { control?: Control }>
  const after = Object.entries(form).map(([field, value]): [string, unknown] => {
    const as = Object.hasOwn(properties, field) ? properties[field]?.control?.as : undefined
    const naming =
      (as && rolesByControl[as]) ?? (Object.hasOwn(commonFieldRoles, field) ? commonFieldRoles[field] : undefined)
    if (naming === undefined || value === null || value === undefined) return [field, value]
    if (controlsWithFieldKeys.includes(as) && isObject(value)) return [field, visitKeys(value, naming, visitor)]
    return [field, visitValue(value, naming, visitor)]
  })
  return Object.fromEntries(after)
}

/**
 * Returns the columns and metrics of a dataset that a form names.
 * @param chart  of the form's type; undefined for an unknown type, of which the common fields are read
 * @param known  names of the dataset; other names are included too if a field can name nothing else
 */
export function fieldsUsed(chart: AnyChart | undefined, form: ChartForm, known: KnownNames): FieldsUsed {
  const columns = new Set<string>()
  const metrics = new Set<string>()
  const sql: string[] = []
  visitForm(chart, form, {
    name(naming, name) {
      if (naming === 'metric' || (naming === 'either' && known.metrics.has(name))) metrics.add(name)
      else if (naming === 'column' || known.columns.has(name)) columns.add(name)
      return name
    },
    sql: (text) => sql.push(text),
  })
  return { columns: [...columns], metrics: [...metrics], sql }
}

/** Returns every text where a form names a column or a metric, even if the dataset does not have it; some are metric labels. */
export function collectNames(chart: AnyChart | undefined, form: ChartForm): Set<string> {
  const names = new Set<string>()
  const name = (_: FieldRole, text: string): string => {
    names.add(text)
    return text
  }
  visitForm(chart, form, { name, sql: () => undefined })
  return names
}

/**
 * Returns a form, or one query of a saved query context, with renamed dataset fields. Labels stay, so that the chart's texts do
 * not change; custom SQL stays as well (`fieldsUsed` reports it).
 */
export function renameFields(chart: AnyChart | undefined, form: ChartForm, renames: Renames): ChartForm {
  const { columns, metrics } = renames
  return visitForm(chart, form, {
    name(naming, name) {
      if (naming === 'metric') return metrics.get(name) ?? name
      if (naming === 'column') return columns.get(name) ?? name
      return metrics.get(name) ?? columns.get(name) ?? name
    },
    sql: () => undefined,
  })
}

const word = /[\p{L}\p{N}_$]+/gu
const isPart = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}_$]/u.test(letter)

/**
 * Returns a function that tests whether the SQL mentions a name, bare or quoted for any engine; string literals are ignored. The
 * SQL is tokenized once: a dataset may have thousands of names.
 */
export function createMentionMatcher(sql: readonly string[]): (name: string) => boolean {
  const texts = sql.map((text) => {
    const bare = text.replaceAll(/'(?:[^']|'')*'/g, "''").toLowerCase()
    return { bare, words: new Set(bare.match(word)) }
  })
  return (name) => {
    const wanted = name.toLowerCase()
    const words = wanted.match(word) ?? []
    return texts.some(
      ({ bare, words: found }) =>
        wanted !== '' && words.every((each) => found.has(each)) && (words[0] === wanted || occursAsWord(wanted, bare)),
    )
  }
}

function occursAsWord(name: string, text: string): boolean {
  for (let index = text.indexOf(name); index >= 0; index = text.indexOf(name, index + 1))
    if (!isPart(text[index - 1]) && !isPart(text[index + name.length])) return true
  return false
}
