import type { EmbeddedDriver } from '../shared/driver.ts'
import { DuckdbInstance } from './instance.ts'
import { loadFile } from './load-file.ts'
import { load } from './load.ts'
import { lookAtParquet } from './look-parquet.ts'
import { parquetWriter } from './parquet.ts'

export const duckdbDriver: EmbeddedDriver = {
  open: (folder, tables, limits) => DuckdbInstance.open(folder, tables, limits),
  load,
  loadFile,
  lookAtParquet,
  parquetWriter,
}
