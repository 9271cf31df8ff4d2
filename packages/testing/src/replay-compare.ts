import type { RecordedCase } from './reference.ts'

type Json = unknown
type Fields = Record<string, Json>

/** A response in the format of the recorded cases: parsed JSON, or `$text`, `$html`, `$zip` for others. */
export interface DecodedResponse {
  status: number
  body: Json
}

const isFields = (value: Json): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const wildcard = /\$(?:any|today|origin|host|new:\w+)/
/** Texts of the engine or with different wording: not compared. */
const ignoredFields = new Set(['query', 'executedSql', 'executed_sql', 'stacktrace', 'select_star'])
const unordered = /\.(?:permissions|invalid|errors|undefined_parameters)$/

const isClose = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1e-12)

function matchesText(want: string, got: string): boolean {
  if (want === got) return true
  if (!wildcard.test(want)) return false
  const literal = want.split(new RegExp(wildcard, 'g')).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('[\\s\\S]*?')}$`).test(got)
}

function parseJson(text: string): Json {
  try {
    return /^[[{]/.test(text) ? (JSON.parse(text) as Json) : undefined
  } catch {
    return undefined
  }
}

const show = (value: Json): string => (JSON.stringify(value) ?? 'nothing').slice(0, 160)

/** Returns the differences between a recorded value and ours; additional fields of ours are ignored. */
export function diffJson(want: Json, got: Json, path = ''): string[] {
  if (want === '$any') return got === undefined ? [`${path}: missing`] : []
  const differ = [`${path}: ${show(want)} != ${show(got)}`]
  if (typeof want === 'number' && typeof got === 'number') return isClose(want, got) ? [] : differ
  if (typeof want === 'string' && typeof got === 'string') {
    if (matchesText(want, got)) return []
    const [inner, ours] = [parseJson(want), parseJson(got)]
    return inner === undefined || ours === undefined ? differ : diffJson(inner, ours, `${path}(json)`)
  }
  if (Array.isArray(want) && Array.isArray(got)) {
    if (want.length !== got.length) return [`${path}: ${want.length} items != ${got.length}`]
    return unordered.test(path)
      ? missingItems(want, got, path)
      : want.flatMap((item, index) => diffJson(item, got[index], `${path}[${index}]`))
  }
  if (isFields(want) && isFields(got))
    return Object.entries(want).flatMap(([name, value]) => {
      if (ignoredFields.has(name) && !isFields(value)) return []
      return Object.hasOwn(got, name) ? diffJson(value, got[name], `${path}.${name}`) : [`${path}.${name}: missing`]
    })
  return want === got ? [] : differ
}

/** Compares two lists regardless of order. */
function missingItems(want: readonly Json[], got: readonly Json[], path: string): string[] {
  if (want.length !== got.length) return [`${path}: ${want.length} rows != ${got.length}`]
  const left = [...got]
  return want.flatMap((item) => {
    const index = left.findIndex((candidate) => diffJson(item, candidate).length === 0)
    if (index < 0) return [`${path}: no such row: ${show(item)}`]
    left.splice(index, 1)
    return []
  })
}

/** Row order of a case: by these labels, undefined (null), or as returned (empty list). */
type Order = readonly string[] | null

/** Compares rows in a given order; rows with equal sort keys may be swapped. */
function diffRows(want: readonly Json[], got: readonly Json[], order: Order, path: string): string[] {
  const strict = diffJson(want, got, path)
  if (strict.length === 0) return []
  const loose = missingItems(want, got, path)
  if (order === null || loose.length > 0) return order === null ? loose : strict.slice(0, 3)
  const first = want[0]
  const keys = isFields(first) ? order.filter((key) => Object.hasOwn(first, key)) : []
  const keysOf = (rows: readonly Json[]) => rows.map((row) => keys.map((key) => (row as Fields)[key]))
  return keys.length > 0 && diffJson(keysOf(want), keysOf(got)).length === 0 ? [] : strict.slice(0, 3)
}

const cells = (text: string): Json[] =>
  text
    .split('\n')
    .map((line) => line.split(',').map((cell) => (cell !== '' && !Number.isNaN(Number(cell)) ? Number(cell) : cell)))

interface QueryLike {
  orderby?: [unknown, boolean][]
  post_processing?: ({ operation?: string } | null)[]
}

function readOrder({ orderby = [], post_processing = [] }: QueryLike): Order {
  const labels = orderby.map(([by]) => (typeof by === 'string' ? by : (by as { label?: string } | null)?.label))
  const known = labels.filter((label) => label !== undefined)
  if (known.length > 0) return known
  return post_processing.some((step) => ['sort', 'pivot'].includes(step?.operation ?? '')) ? [] : null
}

/** Removes the rows from a recorded entry and ours, and compares them by their order. */
function takeRows(want: Json, got: Json, order: Order, isCounted: boolean, path: string): string[] {
  if (!isFields(want) || !isFields(got) || !Array.isArray(want['data']) || !Array.isArray(got['data'])) return []
  const [rows, ours] = [want['data'] as Json[], got['data'] as Json[]]
  delete want['data']
  if (isCounted) return rows.length === ours.length ? [] : [`${path}: ${rows.length} rows != ${ours.length}`]
  return diffRows(rows, ours, order, path)
}

/** Accepts a clear rejection instead of Superset's failure; a specific error type must stay the same. */
function refusalDifferences(recorded: Json, { body }: DecodedResponse): string[] {
  const typeOf = (value: Json) => (value as { errors?: { error_type?: string }[] } | null)?.errors?.[0]?.error_type
  const fields = isFields(body) ? body : {}
  const hasMessage = Boolean(fields['message'] ?? fields['error'] ?? typeOf(body))
  if (!hasMessage) return ['refused without a message']
  const want = typeOf(recorded)
  return want === undefined || want.startsWith('GENERIC') || want === typeOf(body)
    ? []
    : [`error type ${want} != ${typeOf(body)}`]
}

/** Drops everything after the first line of an engine's message, which refers to our SQL text. */
function truncateToFirstLine(side: Fields): void {
  if (isFields(side) && typeof side['message'] === 'string') side['message'] = side['message'].split('\n')[0]
}

const sortedBy = (key: string) => (a: Json, b: Json) => {
  const value = (item: Json) => String(key === '' ? item : (item as Fields)[key])
  return value(a) < value(b) ? -1 : 1
}

/** Returns the relevant differences between a recorded case and a response. */
export function diffCase(recorded: RecordedCase, actual: DecodedResponse): string[] {
  if (recorded.status >= 500 && actual.status >= 400 && actual.status < 500)
    return refusalDifferences(recorded.response, actual)
  if (recorded.status !== actual.status) return [`status ${recorded.status} != ${actual.status} ${show(actual.body)}`]
  const want = structuredClone(recorded.response) as Fields
  const got = structuredClone(actual.body) as Fields
  if (recorded.engine_text) for (const side of [want, got]) truncateToFirstLine(side)
  if (recorded.sort !== undefined)
    for (const side of [want, got])
      if (isFields(side) && Array.isArray(side['result'])) side['result'].sort(sortedBy(recorded.sort))
  const body = (recorded.request.body ?? {}) as { queries?: QueryLike[]; sql?: string }
  const isOrdered = /ORDER BY/i.test(body.sql ?? '')
  if (isFields(want) && typeof want['$text'] === 'string' && isFields(got) && typeof got['$text'] === 'string') {
    const [lines, ours] = [cells(want['$text']), cells(got['$text'])]
    return isOrdered || body.queries?.[0]?.orderby?.length
      ? diffJson(lines, ours, '$text')
      : missingItems(lines, ours, '$text')
  }
  const isCounted = recorded.rows === 'count'
  const found: string[] = []
  if (isFields(want) && Array.isArray(want['result']) && body.queries)
    want['result'].forEach((entry, index) => {
      const ours = Array.isArray(got?.['result']) ? (got['result'][index] as Json) : undefined
      found.push(...takeRows(entry, ours, readOrder(body.queries?.[index] ?? {}), isCounted, `result[${index}].data`))
    })
  else if (body.sql !== undefined || isCounted)
    found.push(...takeRows(want, got, isOrdered ? [] : null, isCounted, 'data'))
  else if (isFields(want) && isFields(want['result']))
    found.push(...takeRows(want['result'], got?.['result'], null, false, 'result.data'))
  return [...found, ...diffJson(want, got)]
}
