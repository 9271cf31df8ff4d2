/**
 * Ids of chart texts in the message catalog. English is in the chart's folder; an id depends on what the text belongs to and not on
 * its words, so that a text can be reworded without losing its translations.
 */
export const chartTextId = (vizType: string, part: 'name' | 'description' | 'labelExplanation'): string =>
  `charts.type.${vizType}.${part}`

/** Categories, tags, sections of the control panel and gallery examples are named in English, and the name is their key. */
export const namedTextId = (kind: 'category' | 'tag' | 'section' | 'example', name: string): string =>
  `charts.${kind}.${name.replaceAll(/[^a-zA-Z0-9]+/g, '-').replaceAll(/^-|-$/g, '')}`

/**
 * A text of a control. Most charts use the text of the second id; a chart whose text differs from theirs has the first one.
 * @param part as `textsOfControl` names it
 */
export const controlTextIds = (
  vizType: string,
  control: string,
  part: string,
): readonly [own: string, shared: string] => [
  `charts.type.${vizType}.${control}.${part}`,
  `charts.control.${control}.${part}`,
]
