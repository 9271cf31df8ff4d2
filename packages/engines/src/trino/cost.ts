const figures = [
  ['outputRowCount', 'Output count', ' rows'],
  ['outputSizeInBytes', 'Output size', 'B'],
  ['cpuCost', 'CPU cost', ''],
  ['maxMemory', 'Max memory', 'B'],
  ['networkCost', 'Network cost', ''],
] as const

const steps = ['', 'K', 'M', 'G', 'T', 'P', 'E']

/** Whole thousands of thousands: 1234567 rows are `1 M rows`. */
function formatQuantity(value: number, unit: string): string {
  let size = value
  let step = 0
  while (size > 1000 && step < steps.length - 1) {
    size = Math.floor(size / 1000)
    step += 1
  }
  return `${size} ${steps[step]}${unit}`.trim().replace(/ {2,}/, ' ')
}

/** The labels of the API for `EXPLAIN (TYPE IO, FORMAT JSON)`; what the server cannot tell (`NaN`) is left out. */
export function parseCost(plan: string): Record<string, string> {
  const { estimate = {} } = JSON.parse(plan) as { estimate?: Record<string, unknown> }
  return Object.fromEntries(
    figures.flatMap(([name, label, unit]) => {
      const value = estimate[name]
      return typeof value === 'number' && Number.isFinite(value) ? [[label, formatQuantity(value, unit)]] : []
    }),
  )
}
