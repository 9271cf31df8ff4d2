/** Labels of the marks of a list. */
export interface ItemLabel {
  show?: boolean
  format?: string
  position?: string
  /** Parts of the label, in order. */
  parts?: ('name' | 'value' | 'share')[]
  /** Text with `{name}`, `{value}` and `{percent}`, instead of parts. */
  template?: string
  /** Marks below this share, in percent, have no label. */
  from?: number
}

/** Texts of the parts; empty ones are omitted. */
type LabelParts = Record<'name' | 'value' | 'share', string>

export const itemText = ({ template, parts = ['name'] }: ItemLabel, texts: LabelParts): string =>
  template ? fillTemplate(template, texts) : joinParts(parts, texts)

const fillTemplate = (template: string, texts: LabelParts): string =>
  template.replaceAll(/\{(name|value|percent)\}/g, (_, part: 'name' | 'value' | 'percent') =>
    part === 'percent' ? texts.share : texts[part],
  )

function joinParts(parts: NonNullable<ItemLabel['parts']>, texts: LabelParts): string {
  const [first, ...rest] = parts.map((part) => texts[part]).filter(Boolean)
  if (rest.length === 0) return first ?? ''
  return parts[0] === 'name'
    ? `${first}: ${rest.length === 2 ? `${rest[0]} (${rest[1]})` : rest[0]}`
    : `${first} (${rest[0]})`
}
