import type { Product } from '../../apps/web/journeys/product.ts'
import type { Client } from './client.ts'
import type { Figure } from './figure.ts'
import type { RawEngine } from './raw-engine.ts'
import type { BenchDashboard } from './twenty-charts.ts'

/** Shared by all workloads: one product with the examples, a signed-in script, and the engine alone. */
export interface Bench {
  product: Product
  client: Client
  engine: RawEngine
  datasets: { flights: number; flights_with_airports: number }
  dashboard: BenchDashboard
  /** Path of a Chromium; browser workloads are skipped without one. */
  browser: string | undefined
  /** Measured repetitions of operations that take milliseconds; longer ones are repeated less. */
  runs: number
  /** Duration of the mixed load. */
  seconds: number
}

export type Workload = (bench: Bench) => Promise<Figure[]>
