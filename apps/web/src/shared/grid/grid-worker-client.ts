import type { Column, Frame, TextColumn } from '@parquetry/frame'
import type { ViewSpec } from './row-view.ts'
import type { Statistics } from './statistics.ts'

export type GridWorkerTask = {
  id: number
  rows: number
  /** Columns that the worker does not have yet. */
  columns: [index: number, column: Column][]
} & ({ kind: 'view'; spec: ViewSpec } | { kind: 'statistics'; column: number })

export type GridWorkerReply = { id: number } & ({ view: Uint32Array } | { statistics: Statistics } | { error: string })

/** Work with a higher estimate runs in the worker. */
export const maxMainThreadMs = 50

/** A worker for one frame. It receives a copy of each column that it needs once, and `end` terminates it. */
export class GridWorkerClient {
  readonly #frame: Frame
  #worker: Worker | null = null
  #sent = new Set<number>()
  #waiting = new Map<number, { resolve(answer: GridWorkerReply): void; reject(error: Error): void }>()
  #next = 0

  constructor(frame: Frame) {
    this.#frame = frame
  }

  async view(spec: ViewSpec): Promise<Uint32Array> {
    const needed = [
      ...(spec.sorting ? [spec.sorting.column] : []),
      ...spec.filters.map(({ column }) => column),
      ...(spec.search.trim() === '' ? [] : spec.searched),
    ]
    const answer = await this.#ask({ kind: 'view', spec }, needed)
    return (answer as { view: Uint32Array }).view
  }

  async statistics(column: number): Promise<Statistics> {
    const answer = await this.#ask({ kind: 'statistics', column }, [column])
    return (answer as { statistics: Statistics }).statistics
  }

  end(): void {
    this.#worker?.terminate()
    this.#worker = null
    this.#sent.clear()
    for (const { reject } of this.#waiting.values()) reject(new Error('ended'))
    this.#waiting.clear()
  }

  #ask(
    task: { kind: 'view'; spec: ViewSpec } | { kind: 'statistics'; column: number },
    needed: readonly number[],
  ): Promise<GridWorkerReply> {
    const worker = (this.#worker ??= this.#start())
    const fresh = [...new Set(needed)].filter((index) => !this.#sent.has(index))
    const columns = fresh.flatMap((index): [number, Column][] => {
      const column = this.#frame.columns[index]
      return column ? [[index, copyColumn(column)]] : []
    })
    for (const index of fresh) this.#sent.add(index)
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const message: GridWorkerTask = { id, rows: this.#frame.rows, columns, ...task }
      worker.postMessage(message, { transfer: columns.flatMap(([, column]) => listBuffers(column)) })
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./grid-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<GridWorkerReply>) => {
      const waiting = this.#waiting.get(data.id)
      this.#waiting.delete(data.id)
      if ('error' in data) waiting?.reject(new Error(data.error))
      else waiting?.resolve(data)
    }
    worker.onerror = (event) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(event.message || 'worker'))
      this.#waiting.clear()
    }
    return worker
  }
}

const isText = (column: Column): column is TextColumn => column.kind === 'string' || column.kind === 'json'

/**
 * Copies a column to its own buffers: the columns of a frame share theirs, and transferring a view transfers its whole buffer.
 */
function copyColumn(column: Column): Column {
  const base = { ...column, validity: column.validity?.slice() ?? null }
  if (!isText(column)) return { ...base, data: column.data.slice() } as Column
  const { text } = column
  const dictionary = text.as === 'plain' ? text : text.words
  const plain = { ...dictionary, bytes: dictionary.bytes.slice(), offsets: dictionary.offsets.slice() }
  return {
    ...base,
    text: text.as === 'plain' ? plain : { as: 'dictionary', codes: text.codes.slice(), words: plain },
  } as Column
}

function listBuffers(column: Column): ArrayBuffer[] {
  const views: ArrayBufferView[] = column.validity ? [column.validity] : []
  if (!isText(column)) views.push(column.data)
  else {
    const { text } = column
    const dictionary = text.as === 'plain' ? text : text.words
    views.push(dictionary.bytes, dictionary.offsets)
    if (text.as === 'dictionary') views.push(text.codes)
  }
  return views.map(({ buffer }) => buffer as ArrayBuffer)
}
