/** Contents of a label, by the names of the API, in display order. */
export const labelParts = {
  key: ['name'],
  value: ['value'],
  percent: ['share'],
  key_value: ['name', 'value'],
  key_percent: ['name', 'share'],
  key_value_percent: ['name', 'value', 'share'],
  value_percent: ['value', 'share'],
} as const

export type LabelType = keyof typeof labelParts
export const labelTypes = Object.keys(labelParts) as LabelType[]

export const labelTypeNames: Record<LabelType, string> = {
  key: 'Category name',
  value: 'Value',
  percent: 'Percentage',
  key_value: 'Category and value',
  key_percent: 'Category and percentage',
  key_value_percent: 'Category, value and percentage',
  value_percent: 'Value and percentage',
}
