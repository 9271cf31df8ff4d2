/**
 * Looks a text up: by the catalogue in the browser (`useText` of packages/ui), as plain English without one. The second
 * argument is the English text with `{name}` places.
 */
export type Say = (id: string, text: string, values?: Record<string, string | number>) => string

/** English without a catalogue: for pictures drawn by a runner, and for tests. Knows plain places only. */
export const plainSay: Say = (_, text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Text for HTML, SVG and attributes. Everything a tooltip or a picture shows goes through here. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] as string)
