import { message } from '@parquetry/model/message'
import { TemplateError, UserAttributeError } from './errors.ts'
import { UntrustedValue, type Macro } from './macro.ts'
import type { TemplateValue } from './values.ts'

/** Filter of the query that contains the template. */
export interface TemplateFilter {
  col: string
  op: string
  val: TemplateValue
}

/** Context of macros: the current user and query. SQL Lab has no filters except those of `_filters`. */
export interface MacroScope {
  user: { id: number; username: string; email: string; roles: string[] } | null
  /** Values of the user by attribute. */
  attributes: ReadonlyMap<string, readonly string[]>
  url_params: ReadonlyMap<string, string>
  filters: readonly TemplateFilter[]
  /** Ends of a time range as ISO text without a zone; null is open. */
  timeRange(text: string): { since: string | null; until: string | null }
  /** Range of the query, used when no filter provides one. */
  time_range: string | null
  /** An instant as an expression of the engine. */
  instant(iso: string, type: string | null): string
  /** Clauses of the row-level security rules that apply to the user on this dataset. */
  rules: readonly string[]
  /** `(SELECT ...) AS dataset_<id>`; fails like a query of the user would. */
  dataset(id: number, options: { include_metrics: boolean; columns: string[] | null }): Promise<string>
  /** Expression of a saved metric; null means the dataset of the query. */
  metric(key: string, dataset_id: number | null): Promise<string>
}

/** Filters of a query that its templates have used. */
export interface UsedFilters {
  /** Columns whose filters were read. */
  applied: Set<string>
  /** Columns whose filters the query must omit. */
  removed: Set<string>
}

type Named = Record<string, TemplateValue>
/** Argument by position or name, as the template language passes them. */
const argument = (args: TemplateValue[], named: Named, place: number, name: string): TemplateValue =>
  args[place] ?? (Object.hasOwn(named, name) ? named[name] : undefined)

const text = (value: TemplateValue, name: string): string => {
  if (typeof value !== 'string')
    throw new TemplateError(message('errors.templates.notString', '{name} must be a string', { name }))
  return value
}

const listOperators = new Set(['IN', 'NOT IN'])

/**
 * Macros of the API by name: `filter_values`, `get_filters`, `get_time_filter`, `url_param`, `current_user_*`,
 * `cache_key_wrapper`, `dataset`, `metric`; and `user_attribute`. A cache key contains the rendered text, so `add_to_cache_keys` has no effect. Values
 * of viewers are escaped where they are inserted, so `escape_result` cannot disable that.
 */
export function buildMacros(scope: MacroScope, used: UsedFilters): Record<string, Macro> {
  const filtersOn = (column: string, isRemoved: boolean): TemplateFilter[] => {
    const found = scope.filters.filter(
      ({ col, val }) => col === column && val !== null && val !== undefined && val !== '',
    )
    if (found.length > 0) used.applied.add(column)
    if (found.length > 0 && isRemoved) used.removed.add(column)
    return found.map(({ col, op, val }) => {
      const upper = op.toUpperCase()
      return { col, op: upper, val: listOperators.has(upper) && !Array.isArray(val) ? [val] : val }
    })
  }
  const ofUser = (of: (user: NonNullable<MacroScope['user']>) => TemplateValue): Macro => ({
    call: () => (scope.user ? new UntrustedValue(of(scope.user)) : null),
  })
  return {
    filter_values: {
      call(args, named) {
        const column = text(argument(args, named, 0, 'column'), 'column')
        const otherwise = argument(args, named, 1, 'default')
        const values = filtersOn(column, argument(args, named, 2, 'remove_filter') === true).flatMap(({ val }) => val)
        return values.length === 0 && otherwise ? [otherwise] : new UntrustedValue(values)
      },
    },
    get_filters: {
      call(args, named) {
        const column = text(argument(args, named, 0, 'column'), 'column')
        const found = filtersOn(column, argument(args, named, 1, 'remove_filter') === true)
        return new UntrustedValue(found.map(({ op, col, val }) => ({ op, col, val })))
      },
    },
    get_time_filter: { call: (args, named) => timeFilter(args, named, scope, filtersOn) },
    url_param: {
      call(args, named) {
        const given = scope.url_params.get(text(argument(args, named, 0, 'param'), 'param'))
        return given === undefined ? (argument(args, named, 1, 'default') ?? null) : new UntrustedValue(given)
      },
    },
    current_user_id: ofUser(({ id }) => id),
    current_username: ofUser(({ username }) => username),
    current_user_email: ofUser(({ email }) => email),
    current_user_roles: ofUser(({ roles }) => roles.toSorted()),
    user_attribute: {
      call(args, named) {
        const attribute = text(argument(args, named, 0, 'name'), 'name')
        const values = scope.attributes.get(attribute) ?? []
        if (values.length === 0) throw new UserAttributeError(attribute, 'missing')
        if (argument(args, named, 1, 'many') === true) return new UntrustedValue([...values], { asLiteral: true })
        if (values.length > 1) throw new UserAttributeError(attribute, 'several')
        return new UntrustedValue(values[0], { asLiteral: true })
      },
    },
    current_user_rls_rules: { call: () => [...scope.rules].toSorted() },
    cache_key_wrapper: { call: ([key]) => key ?? null },
    dataset: {
      call: (args, named) => {
        const columns = argument(args, named, 2, 'columns')
        return scope.dataset(Number(argument(args, named, 0, 'dataset_id')), {
          include_metrics: argument(args, named, 1, 'include_metrics') === true,
          columns: Array.isArray(columns) ? columns.map(String) : null,
        })
      },
    },
    metric: {
      call(args, named) {
        const id = argument(args, named, 1, 'dataset_id')
        return scope.metric(
          text(argument(args, named, 0, 'metric_key'), 'metric_key'),
          typeof id === 'number' ? id : null,
        )
      },
    },
  }
}

const directives: Record<string, [start: number, end: number]> = {
  Y: [0, 4],
  m: [5, 7],
  d: [8, 10],
  H: [11, 13],
  M: [14, 16],
  S: [17, 19],
}

function timeFilter(
  args: TemplateValue[],
  named: Named,
  scope: MacroScope,
  filtersOn: (column: string, isRemoved: boolean) => TemplateFilter[],
): TemplateValue {
  const [column, otherwise, type, pattern, remove] = (
    ['column', 'default', 'target_type', 'strftime', 'remove_filter'] as const
  ).map((name, place) => argument(args, named, place, name))
  const filter =
    typeof column === 'string'
      ? filtersOn(column, remove === true).find(({ op }) => op === 'TEMPORAL_RANGE')
      : undefined
  const range = filter?.val ?? (typeof column === 'string' ? null : scope.time_range) ?? otherwise ?? 'No filter'
  const time_range = text(range, 'time range')
  const { since, until } = scope.timeRange(time_range)
  const expression = (iso: string | null): string | null => {
    if (iso === null) return null
    if (typeof pattern === 'string')
      return pattern.replaceAll(/%([YmdHMS])/g, (_, part: string) => iso.slice(...(directives[part] ?? [0, 0])))
    return typeof type === 'string' ? scope.instant(iso, type) : iso
  }
  return { from_expr: expression(since), to_expr: expression(until), time_range }
}
