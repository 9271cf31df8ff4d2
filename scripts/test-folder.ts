import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A folder of the run for all that its tests and the processes they start put into the folder of temporary files. It goes
 * when the run ends, with what a test left that failed, or that was left out after its file had made a folder.
 */
export default function testFolder(): () => void {
  const before = process.env['TMPDIR']
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-run-'))
  process.env['TMPDIR'] = folder
  return () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
