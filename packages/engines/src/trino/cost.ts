const figures = [
  ['outputRowCount', 'Output count', ' rows'],
  ['outputSizeInBytes', 'Output size', 'B'],
  ['cpuCost', 'CPU cost', ''],
  ['maxMemory', 'Max memory', 'B'],
  ['networkCost', 'Network cost', ''],
] as const

const steps = ['', 'K', 'M', 'G', 'T', 'P', 'E']

/** Formats a value in steps of a thousand, truncated: 1234567 rows become `1 M rows`. */
function formatQuantity(value: number, unit: string): string {
  let size = value
  let step = 0
  while (size > 1000 && step < steps.length - 1) {
    size = Math.floor(size / 1000)
    step += 1
  }
  return `${size} ${steps[step]}${unit}`.trim().replace(/ {2,}/, ' ')
}

/**
 * Costs from `EXPLAIN (TYPE IO, FORMAT JSON)` with the labels of the API; values that the server does not know (`NaN`) are left
 * out.
 */
export function parseCost(plan: string): Record<string, string> {
  const { estimate = {} } = JSON.parse(plan) as { estimate?: Record<string, unknown> }
  return Object.fromEntries(
    figures.flatMap(([name, label, unit]) => {
      const value = estimate[name]
      return typeof value === 'number' && Number.isFinite(value) ? [[label, formatQuantity(value, unit)]] : []
    }),
  )
}
