export { englishTranslator, createTranslator, type Messages, type Translate } from '@parquetry/model'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** A text without the signs that no XML may hold: one of them in a value, and nobody opens the picture. */
export const stripControlChars = (text: string): string => text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')

/** Text for HTML, SVG and attributes. Everything a tooltip or a picture shows goes through here. */
export const escapeHtml = (text: string): string =>
  stripControlChars(text).replace(/[&<>"']/g, (sign) => entities[sign] as string)
