/** A complete plugin to start from: a list of bars. */
const example = `// The key of the chart type, and the name that is suggested in the list of plugins.
export const viz_type = 'bar_list'
export const name = 'Bar list'

// Texts are settings that are queried; objects are settings that only this module reads.
export const form = [
  'groupby',
  'metric',
  'row_limit',
  { name: 'heading', label: 'Heading', type: 'text', default: 'Total' },
]

// Draws into an empty element, again after each change.
export function mount(element, { frames, formData, theme }) {
  const [{ columns, rows }] = frames
  const value = columns.at(-1)
  const labels = columns.slice(0, -1)
  const max = Math.max(...rows.map((row) => Number(row[value])), 0) || 1

  const heading = document.createElement('h3')
  heading.textContent = formData.heading
  element.append(heading)
  for (const row of rows) {
    const bar = document.createElement('div')
    bar.style.cssText = 'margin: 4px 0; padding: 4px; white-space: nowrap'
    const share = (Number(row[value]) / max) * 100
    bar.style.background = 'linear-gradient(90deg, ' + theme.grid + ' ' + share + '%, transparent 0)'
    bar.textContent = [...labels.map((label) => row[label] ?? 'N/A'), Number(row[value]).toLocaleString()].join('  ')
    element.append(bar)
  }
}
`

/** Saves the example as a file that can be chosen as the module of a plugin. */
export function downloadExample(): void {
  const url = URL.createObjectURL(new Blob([example], { type: 'text/javascript' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'bar-list.js'
  link.click()
  URL.revokeObjectURL(url)
}
