import type { QueryMetric } from '@parquetry/model'
import type { SpecContext } from '../define.ts'

/**
 * What a metric computes, by what may be done with its values: a `sum` of parts is that of the whole, and so are the least and the
 * most of them. `other` are averages, distinct counts and whatever cannot be read. Null where a saved metric's SQL is not known.
 */
export type AggregateKind = 'sum' | 'least' | 'most' | 'other'

export function classifyAggregate(metric: QueryMetric, look: SpecContext): AggregateKind | null {
  if (typeof metric !== 'string' && metric.expressionType === 'SIMPLE') return classifyFunction(metric.aggregate ?? '')
  const sql = typeof metric === 'string' ? look.expressionOf(metric) : (metric.sqlExpression ?? '')
  return sql === null ? null : classifyExpression(sql)
}

/** Whether numbers of parts, added up, are the number of the whole; so is taken what is not known. */
export const isAdditive = (metric: QueryMetric, look: SpecContext): boolean =>
  [null, 'sum'].includes(classifyAggregate(metric, look))

const aggregates: Record<Exclude<AggregateKind, 'other'>, RegExp> = {
  sum: /^(SUM|COUNT)(_?IF)?$/i,
  least: /^MIN$/i,
  most: /^MAX$/i,
}

function classifyFunction(name: string): AggregateKind {
  const [computed = 'other'] = Object.entries(aggregates).flatMap(([kind, names]) =>
    names.test(name) ? [kind as AggregateKind] : [],
  )
  return computed
}

/** What stands in quotes may hold parentheses. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]/g
const innermost = /\(([^()]*)\)/g
/** One aggregate, times or by numbers. */
const scaled = /^(?:[\d.]+\s*\*\s*)?(\w+)(?:\s+FILTER)?(?:\s*[*/]\s*[\d.]+)*$/i

/** An expression is read without what stands in its parentheses: one aggregate, or sums and differences of such that add up. */
function classifyExpression(sql: string): AggregateKind {
  let bare = sql.replaceAll(quoted, 'x')
  for (let before = ''; before !== bare;) {
    before = bare
    bare = bare.replaceAll(innermost, (_, inside: string) => (/^\s*distinct\b/i.test(inside) ? ' # ' : ' '))
  }
  const terms = bare.split(/[+-]/).map((term) => classifyFunction(scaled.exec(term.trim())?.[1] ?? ''))
  const [first = 'other'] = terms
  return terms.length === 1 || terms.every((term) => term === 'sum') ? first : 'other'
}
