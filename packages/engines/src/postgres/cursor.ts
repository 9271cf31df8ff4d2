import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type { Connection, FieldDef, Submittable } from 'pg'

/** The part of pg-cursor that is used here: the package has no types. */
export interface Cursor extends EventEmitter, Submittable {
  submit(connection: Connection): void
  read(
    rows: number,
    done: (error: Error | undefined, rows: (string | null)[][], result: { fields: FieldDef[] } | undefined) => void,
  ): void
  close(): Promise<void>
}

interface CursorOptions {
  rowMode: 'array'
  types: { getTypeParser: () => (text: string) => unknown }
}

export const Cursor = createRequire(import.meta.url)('pg-cursor') as new (
  text: string,
  values: readonly unknown[],
  options: CursorOptions,
) => Cursor
