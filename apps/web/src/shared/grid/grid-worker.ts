import type { Column, Frame } from '@parquetry/frame'
import { computeRowView } from './row-view.ts'
import { computeStatistics } from './statistics.ts'
import type { GridWorkerReply, GridWorkerTask } from './grid-worker-client.ts'

/** Columns received so far; the worker lives as long as its grid shows one frame. */
const columns: Column[] = []
const emptyColumn: Column = { name: '', type: null, kind: 'boolean', validity: null, data: new Uint8Array(0) }

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the other side of a worker has no origin
const reply = (answer: GridWorkerReply, transfer: Transferable[] = []): void => self.postMessage(answer, { transfer })

self.onmessage = ({ data: task }: MessageEvent<GridWorkerTask>): void => {
  for (const [index, column] of task.columns) columns[index] = column
  try {
    if (task.kind === 'statistics') {
      reply({ id: task.id, statistics: computeStatistics(columns[task.column] ?? emptyColumn, task.rows) })
      return
    }
    const frame: Frame = { rows: task.rows, columns: Array.from(columns, (column) => column ?? emptyColumn) }
    const view = computeRowView(frame, task.spec) ?? Uint32Array.from({ length: task.rows }, (_, row) => row)
    reply({ id: task.id, view }, [view.buffer])
  } catch (error) {
    reply({ id: task.id, error: String(error) })
  }
}
