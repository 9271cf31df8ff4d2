/**
 * Ids of chart texts in the message catalog. The English text is in the chart's folder. An id depends on what the text belongs
 * to, not on its wording, so that texts can be reworded without losing translations.
 */
export const chartTextId = (vizType: string, part: 'name' | 'description' | 'labelExplanation'): string =>
  `charts.type.${vizType}.${part}`

/** Categories, tags, sections of the control panel and gallery examples have English names, which are their keys. */
export const namedTextId = (kind: 'category' | 'tag' | 'section' | 'example', name: string): string =>
  `charts.${kind}.${name.replaceAll(/[^a-zA-Z0-9]+/g, '-').replaceAll(/^-|-$/g, '')}`

/**
 * Ids of a control's text. Most charts use the text of the second id; a chart with a different text has the first one.
 * @param part as named by `collectControlTexts`
 */
export const controlTextIds = (
  vizType: string,
  control: string,
  part: string,
): readonly [own: string, shared: string] => [
  `charts.type.${vizType}.${control}.${part}`,
  `charts.control.${control}.${part}`,
]
