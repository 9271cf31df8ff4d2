import type { QueryMetric } from '@parquetry/model'
import type { SpecContext } from '../define.ts'

/**
 * Classifies metrics by how their values combine: the whole is the `sum`, `least` or `most` of its parts. `other` covers
 * averages, distinct counts and expressions that cannot be parsed. Null when a saved metric's SQL is unknown.
 */
export type AggregateKind = 'sum' | 'least' | 'most' | 'other'

export function classifyAggregate(metric: QueryMetric, context: SpecContext): AggregateKind | null {
  if (typeof metric !== 'string' && metric.expressionType === 'SIMPLE') return classifyFunction(metric.aggregate ?? '')
  const sql = typeof metric === 'string' ? context.expressionOf(metric) : (metric.sqlExpression ?? '')
  return sql === null ? null : classifyExpression(sql)
}

/** Returns true when the values of parts add up to the value of the whole; unknown metrics are assumed to. */
export const isAdditive = (metric: QueryMetric, context: SpecContext): boolean =>
  [null, 'sum'].includes(classifyAggregate(metric, context))

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

/** Quoted text may contain parentheses. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]/g
const innermost = /\(([^()]*)\)/g
/** One aggregate, multiplied or divided by numbers. */
const scaled = /^(?:[\d.]+\s*\*\s*)?(\w+)(?:\s+FILTER)?(?:\s*[*/]\s*[\d.]+)*$/i

/** Evaluates an expression without the contents of its parentheses: one aggregate, or sums and differences of additive ones. */
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
