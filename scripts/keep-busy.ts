import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * Starts a busy-looping process for each core, to simulate a loaded machine.
 * @returns stops the processes
 */
export function keepCoresBusy(): () => void {
  const loop =
    'process.stdin.resume().on("end", () => process.exit()); const spin = () => { const end = performance.now() + 50; while (performance.now() < end); setImmediate(spin) }; spin()'
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', loop], { stdio: ['pipe', 'ignore', 'inherit'] }),
  )
  return () => {
    for (const child of children) child.kill('SIGKILL')
  }
}
