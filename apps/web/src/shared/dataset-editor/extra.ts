/** What `extra` of a dataset, a column or a metric says to people; whatever else stands in it is kept. */
export interface ExtraFields {
  certified_by: string
  certification_details: string
  warning_markdown: string
  /** The rest, as JSON text; empty when there is none. */
  extra: string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Text that is no JSON object is the rest, so that it can be seen and mended. */
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
  const whole = { ...rest, ...certification, ...(warning_markdown.trim() && { warning_markdown }) }
  return Object.keys(whole).length > 0 ? JSON.stringify(whole) : null
}

/** The object that a JSON text holds; undefined for any other text, empty ones among them. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read) ? read : undefined
  } catch {
    return undefined
  }
}
