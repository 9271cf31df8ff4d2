/**
 * Id in the catalogue of a text that a chart says: its name, a control's label, an option. `t(textId(label), label)` shows it in
 * the reader's language.
 */
export const textId = (text: string): string =>
  `charts.text.${text
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60)}`
