import { buildFrame, type Frame } from '@parquetry/frame'
import type { ExecuteMetadata, QueryView } from '@parquetry/model'

/**
 * Reads a JSON response, for servers and proxies that support nothing else. Integers above 2^53 stay exact.
 * @returns `{ query }` for an asynchronous run (202)
 */
export function parseJsonResult(text: string): { answer: ExecuteMetadata; frame: Frame } | { query: QueryView } {
  const { data, ...answer } = JSON.parse(text, exact) as ExecuteMetadata & { data?: Record<string, unknown>[] }
  if (!data) return { query: answer.query }
  const names = answer.columns.map(({ name }) => name)
  const lists = Object.fromEntries(names.map((name) => [name, data.map((row) => row[name] ?? null)]))
  return { answer, frame: names.length > 0 ? buildFrame(lists) : { rows: data.length, columns: [] } }
}

const exact = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? 0)
    : value
