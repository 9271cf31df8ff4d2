import { dayMs } from '../calendar.ts'
import { normalQuantile } from './statistics.ts'
import { createSolver } from './solver.ts'

/** Seasonality with a period in days, modeled by `order` pairs of sine and cosine. */
export interface Season {
  days: number
  order: number
}

export interface Forecast {
  yhat: Float64Array
  lower: Float64Array
  upper: Float64Array
}

/** The trend may change only in the first part of the history, so that enough data follows each change to estimate it. */
const changes = { most: 25, part: 0.8 }
/** Prior variance of each kind of weight, in units of the range of the values. */
const prior = { level: 25, change: 2 * 0.05 ** 2, wave: 100 }
const rounds = 12
const minNoise = 1e-9

/**
 * Forecasts with an additive model: a line with change points and waves of known length, `y(t) = trend(t) + waves(t) + noise`,
 * like Prophet, with the same change points, waves and priors. All priors are normal here, so that the most likely weights solve
 * one linear system (ridge regression), and the noise is the residual of the fit. The interval covers noise, uncertainty of the
 * weights, and future change points as frequent and as large as those in the history.
 * @see Taylor, Letham: Forecasting at Scale, The American Statistician 72 (2018), sections 3.1, 3.2 and 3.1.4
 * @see Bishop: Pattern Recognition and Machine Learning (2006), 3.3.2, for the variance of a prediction
 */
export class AdditiveModel {
  readonly #rows: number
  readonly #size: number
  readonly #bends: number
  readonly #design: Float64Array
  readonly #variances: Float64Array
  readonly #beyond: Float64Array
  #whole: Float64Array | null = null

  /**
   * @param times   times of the history in milliseconds, ascending, at least two of them different
   * @param future  times to forecast, after the history
   */
  constructor(times: Float64Array, future: Float64Array, seasons: readonly Season[]) {
    const [first, last] = [times[0]!, times.at(-1)!]
    const bends = findChangepoints(times)
    this.#rows = times.length
    this.#bends = bends.length
    this.#size = countWeights(bends.length, seasons)
    this.#variances = Float64Array.from({ length: this.#size }, (_, index) =>
      index < 2 ? prior.level : index < 2 + bends.length ? prior.change : prior.wave,
    )
    const all = [...times, ...future]
    this.#beyond = Float64Array.from(all, (time) => Math.max(0, (time - last) / (last - first)))
    this.#design = new Float64Array(all.length * this.#size)
    for (const [row, time] of all.entries()) {
      const at = (time - first) / (last - first)
      let cell = row * this.#size
      this.#design[cell++] = 1
      this.#design[cell++] = at
      for (const bend of bends) this.#design[cell++] = Math.max(0, at - (bend - first) / (last - first))
      for (const { days, order } of seasons)
        for (let wave = 1; wave <= order; wave++) {
          const angle = (2 * Math.PI * wave * time) / (days * dayMs)
          this.#design[cell++] = Math.cos(angle)
          this.#design[cell++] = Math.sin(angle)
        }
    }
  }

  /**
   * @param values      values of the history, NaN for missing values; at least two are known
   * @param confidence  share of new values that the interval should contain, between 0 and 1
   * @returns one number for each time of the history and of the future
   */
  forecast(values: Float64Array, confidence: number): Forecast {
    const known = values.filter((value) => !Number.isNaN(value))
    const low = known.reduce((a, b) => Math.min(a, b))
    const range = known.reduce((a, b) => Math.max(a, b)) - low
    if (range === 0) return constantForecast(low, this.#beyond.length)
    const scaled = values.map((value) => (value - low) / range)
    const { weights, noise, spread } = this.#fit(scaled, known.length)
    const bends = weights.subarray(2, 2 + this.#bends)
    const bend = bends.length > 0 ? bends.reduce((sum, each) => sum + each * each, 0) / bends.length : 0
    const reach = normalQuantile((1 + confidence) / 2)
    const [yhat, lower, upper] = [0, 0, 0].map(() => new Float64Array(this.#beyond.length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ]
    for (let row = 0; row < yhat.length; row++) {
      const x = this.#design.subarray(row * this.#size, (row + 1) * this.#size)
      let middle = 0
      for (let index = 0; index < x.length; index++) middle += x[index]! * weights[index]!
      // Future changes are equally likely at any time; each adds its size times the time that remains after it.
      const bent = (bends.length * bend * this.#beyond[row]! ** 3) / 3
      const half = reach * Math.sqrt(noise * (1 + spread(x)) + bent)
      yhat[row] = low + range * middle
      lower[row] = low + range * (middle - half)
      upper[row] = low + range * (middle + half)
    }
    return { yhat, lower, upper }
  }

  /** Alternates between estimating the weights and the noise for a few rounds, starting from a guess. */
  #fit(values: Float64Array, known: number) {
    const { products, moments, square } = this.#sums(values)
    let noise = 0.01
    for (let round = 0; ; round++) {
      const system = products.slice()
      for (let index = 0; index < this.#size; index++)
        system[index * this.#size + index]! += noise / this.#variances[index]!
      const solved = createSolver(system, this.#size)
      const weights = solved.solve(moments)
      if (round === rounds) return { weights, noise, spread: (x: Float64Array) => solved.form(x) }
      const inverse = solved.diagonal()
      const free = this.#size - noise * inverse.reduce((sum, each, index) => sum + each / this.#variances[index]!, 0)
      const left = Math.max(0, residualSum(weights, { products, moments, square }))
      noise = Math.max(minNoise, left / Math.max(1, known - free))
    }
  }

  /** Sums of products over the rows that have a value. The sums over all rows are the same for every series and are cached. */
  #sums(values: Float64Array): Sums {
    const size = this.#size
    const isComplete = !values.some(Number.isNaN)
    const products = isComplete && this.#whole ? this.#whole : new Float64Array(size * size)
    const isNew = products !== this.#whole
    const moments = new Float64Array(size)
    let square = 0
    for (let row = 0; row < this.#rows; row++) {
      const value = values[row]!
      if (Number.isNaN(value)) continue
      square += value * value
      const from = row * size
      for (let i = 0; i < size; i++) {
        const x = this.#design[from + i]!
        moments[i]! += x * value
        if (isNew) for (let j = 0; j <= i; j++) products[i * size + j]! += x * this.#design[from + j]!
      }
    }
    if (isNew)
      for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) products[j * size + i] = products[i * size + j]!
    if (isComplete) this.#whole = products
    return { products, moments, square }
  }
}

interface Sums {
  products: Float64Array
  moments: Float64Array
  square: number
}

/** Sum of squared residuals of the fit. */
function residualSum(weights: Float64Array, { products, moments, square }: Sums): number {
  const size = weights.length
  let left = square
  for (let i = 0; i < size; i++) {
    let sum = 0
    for (let j = 0; j < size; j++) sum += products[i * size + j]! * weights[j]!
    left += weights[i]! * (sum - 2 * moments[i]!)
  }
  return left
}

const constantForecast = (value: number, rows: number): Forecast => {
  const same = new Float64Array(rows).fill(value)
  return { yhat: same, lower: same, upper: same }
}

const countWeights = (bends: number, seasons: readonly Season[]): number =>
  2 + bends + seasons.reduce((sum, { order }) => sum + 2 * order, 0)

/** Approximate number of multiplications for one series. */
export function estimateWork(rows: number, seasons: readonly Season[]): number {
  const size = countWeights(changes.most, seasons)
  return (rows + rounds * size) * size ** 2
}

/** Times at which the trend may change, evenly spaced over the rows of the first part. */
function findChangepoints(times: Float64Array): number[] {
  const rows = Math.floor(times.length * changes.part)
  const count = Math.max(0, Math.min(changes.most, rows - 1))
  return Array.from({ length: count }, (_, index) => times[Math.round(((index + 1) * (rows - 1)) / count)]!)
}
