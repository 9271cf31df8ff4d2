export { plainSay, sayIn, type Messages, type Say } from '@parquetry/model'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Text for HTML, SVG and attributes. Everything a tooltip or a picture shows goes through here. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] as string)
