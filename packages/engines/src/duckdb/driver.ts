import type { EmbeddedDriver } from '../shared/driver.ts'
import { DuckdbInstance } from './instance.ts'
import { load } from './load.ts'

export const duckdbDriver: EmbeddedDriver = {
  engine: 'duckdb',
  open: (folder, tables, limits) => DuckdbInstance.open(folder, tables, limits),
  load,
}
