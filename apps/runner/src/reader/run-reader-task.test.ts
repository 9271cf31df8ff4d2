import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createZip, defaultArchiveLimits } from '@parquetry/bundle'
import { expect, it } from 'vitest'
import type { Job } from '../job.ts'
import { runReaderTask } from './run-reader-task.ts'

it('reports thousands of documents in few messages that contain nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-reader-'))
  const documents = Array.from(
    { length: 2000 },
    (_, n) => [`r/charts/${n}.yaml`, Buffer.from('slice_name: a\n')] as const,
  )
  const path = join(folder, 'packed.zip')
  const files = new Map([['r/metadata.yaml', Buffer.from('type: Slice\n')] as const, ...documents])
  writeFileSync(path, await createZip(files, new Date(0)))
  const messages: Uint8Array[] = []
  const job = {
    signal: new AbortController().signal,
    send: () => undefined,
    sendBytes: async (bytes: Uint8Array) => void messages.push(bytes),
  } as unknown as Job
  const output = join(folder, 'documents')
  await runReaderTask({ what: 'bundle', path, output, limits: defaultArchiveLimits }, new Uint8Array(), job)
  const lines = Buffer.concat(messages).toString('utf8').trim().split('\n')
  expect(lines).toHaveLength(2002)
  expect(messages.length).toBeLessThan(200)
  // Buffers wait until they are collected: of thousands of them, what is sent beside the text would fill the memory.
  expect(messages.map(({ buffer }) => buffer.byteLength)).toEqual(messages.map(({ byteLength }) => byteLength))
  rmSync(folder, { recursive: true })
})
