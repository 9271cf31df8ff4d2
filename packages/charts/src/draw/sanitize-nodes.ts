import { stripControlChars } from '../resolve/text.ts'

/** A node of ECharts' SVG before it is serialized. */
export interface SvgNode {
  tag: string
  attrs: Record<string, unknown>
  children?: SvgNode[]
  text?: string
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Returns true for a `url()` that refers outside the image. */
const isExternalUrl = (text: string): boolean => /url\((?!\s*#)/i.test(text)

/**
 * Escapes attributes and styles, which ECharts writes verbatim although they contain text from documents: no text becomes an
 * element, and nothing external is fetched.
 */
export function sanitizeNodes(node: SvgNode): SvgNode {
  const { attrs, text } = node
  for (const [name, value] of Object.entries(attrs)) {
    if (typeof value !== 'string') continue
    if (isExternalUrl(value)) attrs[name] = 'none'
    else if (/[&<>"\p{Cc}]/u.test(value))
      attrs[name] = stripControlChars(value).replaceAll(/[&<>"]/g, (sign) => entities[sign]!)
  }
  if (node.tag === 'style' && text) {
    const css = text.replaceAll(/^<!\[CDATA\[|\]\]>$/g, '')
    if (/[<>]/.test(css) || isExternalUrl(css)) node.text = ''
  }
  if (node.text) node.text = stripControlChars(node.text)
  for (const child of node.children ?? []) sanitizeNodes(child)
  return node
}
