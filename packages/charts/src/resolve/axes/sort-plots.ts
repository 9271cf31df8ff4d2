import type { Plot } from './plot.ts'

/** Order of the names along an axis: alphabetical, or by their values in all series. */
export interface AxisOrder {
  by: 'name' | 'sum' | 'min' | 'max' | 'avg'
  ascending: boolean
}

/** Returns the plots with their names sorted; names without any number come last. */
export function sortPlots(plots: readonly Plot[], { by, ascending }: AxisOrder): Plot[] {
  const numbers = new Map<unknown, number[]>()
  for (const { x, y } of plots)
    for (const [at, name] of x.entries()) {
      const value = y[at] ?? null
      const known = numbers.get(name) ?? []
      numbers.set(name, value === null ? known : [...known, value])
    }
  const sizes = new Map([...numbers].map(([name, values]) => [name, aggregate(values, by)]))
  const sign = ascending ? 1 : -1
  const compare = (one: unknown, other: unknown): number => {
    if (by === 'name') return sign * String(one).localeCompare(String(other))
    const [a, b] = [sizes.get(one) ?? null, sizes.get(other) ?? null]
    return a === null || b === null ? Number(a === null) - Number(b === null) : sign * (a - b)
  }
  return plots.map((plot) => {
    const order = plot.x.map((_, index) => index).toSorted((a, b) => compare(plot.x[a], plot.x[b]))
    return { ...plot, x: order.map((index) => plot.x[index] ?? null), y: order.map((index) => plot.y[index] ?? null) }
  })
}

function aggregate(values: readonly number[], by: AxisOrder['by']): number | null {
  if (values.length === 0) return null
  if (by === 'min' || by === 'max') return values.reduce((one, other) => Math[by === 'min' ? 'min' : 'max'](one, other))
  const sum = values.reduce((one, other) => one + other, 0)
  return by === 'avg' ? sum / values.length : sum
}
