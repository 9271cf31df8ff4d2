export { englishTranslator, createTranslator, type Messages, type Translate } from '@parquetry/model'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Removes characters that XML does not allow: a single one in a value would make the image unreadable. */
export const stripControlChars = (text: string): string => text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')

/** Escapes text for HTML, SVG and attributes. All text of tooltips and images passes through here. */
export const escapeHtml = (text: string): string =>
  stripControlChars(text).replace(/[&<>"']/g, (sign) => entities[sign] as string)
