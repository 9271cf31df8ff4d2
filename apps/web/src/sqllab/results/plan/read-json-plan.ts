import { newPlanNode, type PlanNode } from './plan.ts'

type JsonObject = Record<string, unknown>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the JSON plans of DuckDB, PostgreSQL, MySQL, MariaDB, ClickHouse and Trino. Null for other text. */
export function readJsonPlan(text: string): PlanNode[] | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    const roots = (Array.isArray(value) ? value : [value]).filter(isObject)
    return roots.flatMap(readRoot)
  } catch {
    return null
  }
}

function readRoot(value: JsonObject): PlanNode[] {
  const { Plan: plan, ...rest } = value
  if (isObject(plan)) {
    const root = readNode(plan, '')
    return [{ ...root, details: [...root.details, ...toDetails(rest)] }]
  }
  const fragments = Object.entries(value)
  if (fragments.length > 0 && fragments.every(([key, part]) => /^\d+$/.test(key) && isObject(part)))
    return fragments.map(([key, part]) =>
      newPlanNode(`Fragment ${key}`, { children: [readNode(part as JsonObject, '')] }),
    )
  const root = readNode(value, '')
  // DuckDB's profile and MySQL's `query_block` are in an object without a name.
  return root.name === '' ? root.children : [root]
}

const nameKeys = ['Node Type', 'operator_name', 'operator_type', 'operation', 'name']
const childKeys = ['Plans', 'children', 'inputs']
/** Objects whose values describe the step itself. */
const ownParts = ['extra_info', 'cost_info', 'descriptor']
const rowKeys = [
  'Plan Rows',
  'Estimated Cardinality',
  'estimated_rows',
  'rows_produced_per_join',
  'outputRowCount',
  'rows',
]
const actualRowKeys = ['Actual Rows', 'operator_cardinality', 'actual_rows', 'r_rows']
const costKeys = ['Total Cost', 'estimated_total_cost', 'query_cost', 'prefix_cost', 'cpuCost', 'cost']
const timeKeys: readonly [key: string, unit: string, factor: number][] = [
  ['Actual Total Time', 'ms', 1],
  ['operator_timing', 'ms', 1000],
  ['actual_last_row_ms', 'ms', 1],
  ['r_total_time_ms', 'ms', 1],
]
const dullKeys =
  /^(Startup Cost|Plan Width|Parent Relationship|Actual Startup Time|Node Id|id|table_name|Relation Name|(system_peak|total|cumulative|operator|result_set|blocked|cpu_time|latency|attach|wal|write|checkpoint|commit|waiting|query_name|rows_returned).*)$/

function readNode(value: JsonObject, key: string): PlanNode {
  const estimates = Array.isArray(value['estimates']) ? value['estimates'][0] : undefined
  const own = [value, ...ownParts.map((part) => value[part]), estimates].filter(isObject)
  const all = Object.assign({}, ...own) as JsonObject
  const find = (keys: readonly string[]): string | null => {
    const found = keys.find((each) => isFigure(all[each]))
    return found === undefined ? null : String(all[found])
  }
  const time = timeKeys.find(([each]) => isFigure(all[each]))
  const nameKey = nameKeys.find((each) => typeof value[each] === 'string')
  const name = nameKey === undefined ? key.replaceAll('_', ' ') : String(value[nameKey])
  const table = all['Relation Name'] ?? all['table_name']
  const used = new Set<unknown>([...nameKeys, ...childKeys, ...ownParts, ...rowKeys, ...actualRowKeys, ...costKeys])
  const shown = Object.entries(all).filter(
    ([each]) => !used.has(each) && !dullKeys.test(each) && each !== 'estimates' && time?.[0] !== each,
  )
  const children = childKeys.flatMap((each) => (Array.isArray(value[each]) ? value[each].filter(isObject) : []))
  return newPlanNode(typeof table === 'string' ? `${name} ${name === 'table' ? '' : 'on '}${table}` : name, {
    estimatedRows: find(rowKeys),
    actualRows: find(actualRowKeys),
    cost: find(costKeys),
    time: time ? `${round(Number(all[time[0]]) * time[2])} ${time[1]}` : null,
    details: toDetails(Object.fromEntries(shown)),
    children: [
      ...children.map((child) => readNode(child, '')),
      // MySQL and MariaDB name the steps by their keys.
      ...(nameKey === undefined ? shown.flatMap(([each, part]) => readKeyed(part, each)) : []),
    ],
  })
}

function readKeyed(value: unknown, key: string): PlanNode[] {
  if (isObject(value)) return [readNode(value, key)]
  if (!Array.isArray(value) || !value.every(isObject) || value.length === 0) return []
  const children = value.map((part) => {
    const node = readNode(part, '')
    return node.name === '' && node.children.length === 1 ? node.children[0]! : { ...node, name: node.name || key }
  })
  return [newPlanNode(key.replaceAll('_', ' '), { children })]
}

const isFigure = (value: unknown): boolean =>
  (typeof value === 'number' && Number.isFinite(value)) || (typeof value === 'string' && /^[\d.]+$/.test(value))

const round = (value: number): number => Number(value.toPrecision(3))

/** One line for each value that is not another step. */
const toDetails = (values: JsonObject): string[] =>
  Object.entries(values).flatMap(([key, value]) => {
    const parts = Array.isArray(value) ? value : [value]
    if (value === false || value === null || parts.length === 0 || parts.some((part) => typeof part === 'object'))
      return []
    return `${key}: ${parts.join(', ')}`
  })
