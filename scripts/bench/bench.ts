import type { Product } from '../../apps/web/journeys/product.ts'
import type { Client } from './client.ts'
import type { Figure } from './figure.ts'
import type { RawEngine } from './raw-engine.ts'
import type { BenchDashboard } from './twenty-charts.ts'

/** What workloads share: one product with the examples, a script that is signed in, and the engine alone. */
export interface Bench {
  product: Product
  client: Client
  engine: RawEngine
  datasets: { flights: number; flights_with_airports: number }
  dashboard: BenchDashboard
  /** Path of a Chromium; workloads of the browser are left out without one. */
  browser: string | undefined
  /** Measured repetitions of what takes milliseconds; what takes a second is repeated less. */
  runs: number
  /** How long the mixed load goes on. */
  seconds: number
}

export type Workload = (bench: Bench) => Promise<Figure[]>
