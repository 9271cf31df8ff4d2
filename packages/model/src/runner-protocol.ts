import type { WireError } from './errors.ts'
import type { EmbeddedTable, Inspection, Limits, Plan, RunHeader, Source } from './plan.ts'

/**
 * Messages between the server and a runner: `u32` head length, `u32` body length (little-endian), the head as JSON, the body.
 * A job's answer is one `header`, any number of `bytes` (at most 1 MB each, with back-pressure), and one `end` or `error`.
 */
export type ToRunner =
  | { type: 'open'; source: Source; memoryLimitMb: number; threads: number }
  | { type: 'run'; job: number; plan: Plan }
  | { type: 'inspect'; job: number; sql: string; dialect: string }
  | { type: 'describe'; job: number; source: Source; what: Describe }
  | {
      type: 'draw'
      job: number
      plans: Record<string, Plan>
      viz_type: string
      form: Record<string, unknown>
      look: Record<string, unknown>
    }
  /** Makes a table file of an embedded source from a file we trust (examples, later uploads). */
  | {
      type: 'load'
      job: number
      folder: string
      table: EmbeddedTable
      from: { path: string; format: 'csv' | 'json' | 'parquet' | 'tsv'; select: string | null }
    }
  /** The set of tables changed: attach what is new, re-make views, detach late. */
  | { type: 'tables'; job: number; tables: EmbeddedTable[] }
  | { type: 'cancel'; job: number }
  | { type: 'end' }

export type FromRunner =
  | { type: 'ready' }
  | { type: 'header'; job: number; header: RunHeader | Record<string, unknown> }
  | { type: 'bytes'; job: number }
  | { type: 'progress'; job: number; statement: number; of: number }
  | { type: 'answer'; job: number; answer: Inspection | Described | { svg: string } | Record<string, unknown> }
  | { type: 'end'; job: number }
  | { type: 'error'; job: number; error: WireError }

/** What can be asked of a source's catalogue. */
export type Describe =
  | { what: 'ping' }
  | { what: 'schemas' }
  | { what: 'tables'; schema: string | null }
  | { what: 'table'; schema: string | null; table: string }
  /** Columns of a query, without running it. */
  | { what: 'columns'; sql: string }

export interface DescribedColumn {
  name: string
  /** Engine's type name, upper case. */
  type: string
  generic: 0 | 1 | 2 | 3
  comment: string | null
  nullable: boolean
}

export interface DescribedKey {
  name: string | null
  column_names: string[]
  type: 'pk' | 'fk' | 'index' | 'unique'
  referred_schema?: string | null
  referred_table?: string
  referred_columns?: string[]
}

export type Described =
  | { what: 'ping'; version: string }
  | { what: 'schemas'; schemas: string[] }
  | { what: 'tables'; tables: { name: string; type: 'table' | 'view' }[] }
  | { what: 'table'; columns: DescribedColumn[]; keys: DescribedKey[]; comment: string | null }
  | { what: 'columns'; columns: DescribedColumn[] }

export type { Limits }
