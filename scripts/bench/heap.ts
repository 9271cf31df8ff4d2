import type { CDPSession } from 'playwright-core'

/** Heap of a page, in MB of V8: what its scripts retain, and their compiled code. */
export interface HeapUsage {
  retainedMB: number
  compiledMB: number
}

/** The part of a heap snapshot that is read here: a row of `node_fields` numbers for each object. */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]] } }
  nodes: number[]
}

async function takeSnapshot(session: CDPSession): Promise<Snapshot> {
  const chunks: string[] = []
  const take = ({ chunk }: { chunk: string }) => void chunks.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', take)
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', take)
  return JSON.parse(chunks.join('')) as Snapshot
}

/** Measures the heap after a garbage collection. Memory that the browser itself uses for the page is not included. */
export async function measureHeap(session: CDPSession): Promise<HeapUsage> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { snapshot, nodes } = await takeSnapshot(session)
  const { node_fields: fields, node_types } = snapshot.meta
  const [type, size, code] = [fields.indexOf('type'), fields.indexOf('self_size'), node_types[0].indexOf('code')]
  let compiled = 0
  for (let index = 0; index < nodes.length; index += fields.length)
    if (nodes[index + type] === code) compiled += nodes[index + size] ?? 0
  return { retainedMB: (usedSize - compiled) / 1e6, compiledMB: compiled / 1e6 }
}
