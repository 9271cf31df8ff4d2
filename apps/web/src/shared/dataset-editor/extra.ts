/** User-visible fields of `extra` of a dataset, column or metric; all other fields are preserved. */
export interface ExtraFields {
  certified_by: string
  certification_details: string
  warning_markdown: string
  /** The other fields, as JSON text; empty when there are none. */
  extra: string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Text that is not a JSON object becomes `extra`, so that the user can see and fix it. */
export function readExtra(text: string | null): ExtraFields {
  const nothing = { certified_by: '', certification_details: '', warning_markdown: '' }
  if (!text) return { ...nothing, extra: '' }
  const read = parseJsonObject(text)
  if (!read) return { ...nothing, extra: text }
  const { certification, warning_markdown, ...rest } = read
  const { certified_by, details } = isObject(certification) ? certification : {}
  return {
    certified_by: toText(certified_by),
    certification_details: toText(details),
    warning_markdown: toText(warning_markdown),
    extra: Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : '',
  }
}

export function writeExtra({
  certified_by,
  certification_details,
  warning_markdown,
  extra,
}: ExtraFields): string | null {
  const rest = parseJsonObject(extra) ?? {}
  const certification = certified_by.trim() && {
    certification: { certified_by: certified_by.trim(), details: certification_details.trim() || null },
  }
  const merged = { ...rest, ...certification, ...(warning_markdown.trim() && { warning_markdown }) }
  return Object.keys(merged).length > 0 ? JSON.stringify(merged) : null
}

/** Parses a JSON object; undefined for any other text, including empty text. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read) ? read : undefined
  } catch {
    return undefined
  }
}
