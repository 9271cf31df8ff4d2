/** pg-cursor ships no types; this is the part of it that we use. */
declare module 'pg-cursor' {
  import type { EventEmitter } from 'node:events'
  import type { FieldDef, Submittable, Connection } from 'pg'

  interface CursorOptions {
    rowMode: 'array'
    types: { getTypeParser: () => (text: string) => unknown }
  }

  export default class Cursor extends EventEmitter implements Submittable {
    constructor(text: string, values: readonly unknown[], options: CursorOptions)
    submit(connection: Connection): void
    read(
      rows: number,
      done: (error: Error | undefined, rows: (string | null)[][], result: { fields: FieldDef[] } | undefined) => void,
    ): void
    close(): Promise<void>
  }
}
