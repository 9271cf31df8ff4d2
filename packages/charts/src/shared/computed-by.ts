import type { QueryMetric } from '@parquetry/model'
import type { Look } from '../define.ts'

/**
 * What a metric computes, by what may be done with its values: a `sum` of parts is that of the whole, and so are the least and the
 * most of them. `other` are averages, distinct counts and whatever cannot be read. Null where a saved metric's SQL is not known.
 */
export type Computed = 'sum' | 'least' | 'most' | 'other'

export function computedBy(metric: QueryMetric, look: Look): Computed | null {
  if (typeof metric !== 'string' && metric.expressionType === 'SIMPLE') return ofAggregate(metric.aggregate ?? '')
  const sql = typeof metric === 'string' ? look.expressionOf(metric) : (metric.sqlExpression ?? '')
  return sql === null ? null : ofExpression(sql)
}

/** Whether numbers of parts, added up, are the number of the whole; so is taken what is not known. */
export const addsUp = (metric: QueryMetric, look: Look): boolean => [null, 'sum'].includes(computedBy(metric, look))

const aggregates: Record<Exclude<Computed, 'other'>, RegExp> = {
  sum: /^(SUM|COUNT)(_?IF)?$/i,
  least: /^MIN$/i,
  most: /^MAX$/i,
}

function ofAggregate(name: string): Computed {
  const [computed = 'other'] = Object.entries(aggregates).flatMap(([kind, names]) =>
    names.test(name) ? [kind as Computed] : [],
  )
  return computed
}

/** What stands in quotes may hold parentheses. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]/g
const innermost = /\(([^()]*)\)/g
/** One aggregate, times or by numbers. */
const scaled = /^(?:[\d.]+\s*\*\s*)?(\w+)(?:\s+FILTER)?(?:\s*[*/]\s*[\d.]+)*$/i

/** An expression is read without what stands in its parentheses: one aggregate, or sums and differences of such that add up. */
function ofExpression(sql: string): Computed {
  let bare = sql.replaceAll(quoted, 'x')
  for (let before = ''; before !== bare;) {
    before = bare
    bare = bare.replaceAll(innermost, (_, inside: string) => (/^\s*distinct\b/i.test(inside) ? ' # ' : ' '))
  }
  const terms = bare.split(/[+-]/).map((term) => ofAggregate(scaled.exec(term.trim())?.[1] ?? ''))
  const [first = 'other'] = terms
  return terms.length === 1 || terms.every((term) => term === 'sum') ? first : 'other'
}
