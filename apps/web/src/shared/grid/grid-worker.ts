import type { Column, Frame } from '@parquetry/frame'
import { rowView } from './row-view.ts'
import { statisticsOf } from './statistics.ts'
import type { Answer, Task } from './grid-work.ts'

/** Columns sent so far; the worker lives as long as its grid shows one frame. */
const columns: Column[] = []
const nothing: Column = { name: '', type: null, kind: 'boolean', validity: null, data: new Uint8Array(0) }

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the other side of a worker has no origin
const reply = (answer: Answer, transfer: Transferable[] = []): void => self.postMessage(answer, { transfer })

self.onmessage = ({ data: task }: MessageEvent<Task>): void => {
  for (const [index, column] of task.columns) columns[index] = column
  try {
    if (task.kind === 'statistics') {
      reply({ id: task.id, statistics: statisticsOf(columns[task.column] ?? nothing, task.rows) })
      return
    }
    const frame: Frame = { rows: task.rows, columns: Array.from(columns, (column) => column ?? nothing) }
    const view = rowView(frame, task.spec) ?? Uint32Array.from({ length: task.rows }, (_, row) => row)
    reply({ id: task.id, view }, [view.buffer])
  } catch (error) {
    reply({ id: task.id, error: String(error) })
  }
}
