import type { EmbeddedDriver } from '../shared/driver.ts'
import { DuckdbInstance } from './instance.ts'
import { loadFile } from './load-file.ts'
import { loadTable } from './load.ts'
import { previewParquet } from './preview-parquet.ts'
import { createParquetWriter } from './parquet.ts'

export const duckdbDriver: EmbeddedDriver = {
  open: (folder, tables, limits) => DuckdbInstance.open(folder, tables, limits),
  load: loadTable,
  loadFile,
  previewParquet,
  createParquetWriter,
}
