import { SaxesParser } from 'saxes'

export interface SvgElement {
  name: string
  attributes: Readonly<Record<string, string>>
  children: SvgElement[]
  text: string
}

/** Parses an SVG of ours into a tree. */
export function parseSvg(svg: string): SvgElement {
  const root: SvgElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ fragment: false })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: SvgElement = {
      name,
      attributes: expandStyle(attributes as Record<string, string>),
      children: [],
      text: '',
    }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const last = open.at(-1)
    if (last) last.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(svg).close()
  return root.children[0] ?? root
}

/** Converts `style` declarations to attributes; the `font` shorthand is split into its parts. */
function expandStyle(attributes: Record<string, string>): Record<string, string> {
  const found = { ...attributes }
  for (const declaration of (attributes['style'] ?? '').split(';')) {
    const [name = '', ...rest] = declaration.split(':')
    const value = rest.join(':').trim()
    if (name.trim() === 'font') {
      const [, weight, size] = /(?:^|\s)(bold|[1-9]00)?\s*([\d.]+)px/.exec(value) ?? []
      if (size) found['font-size'] = size
      if (weight) found['font-weight'] = weight
    } else if (value !== '') found[name.trim()] = value
  }
  return found
}
