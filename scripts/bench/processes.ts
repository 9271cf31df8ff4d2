import { readdirSync, readFileSync } from 'node:fs'

const readStatFields = (pid: number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** A process and all its descendants. Linux only: elsewhere none. */
export function listProcessTree(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readable('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const parent = Number(readStatFields(Number(name))[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      // It has ended since the folder was read.
    }
  }
  const family = (one: number): number[] => [one, ...(children.get(one) ?? []).flatMap(family)]
  return children.size > 0 ? family(pid) : []
}

const readable = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Memory of a process in megabytes, with its part of shared memory (PSS); 0 if it has ended. */
export function readMemoryMb(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kilobytes) / 1000
  } catch {
    return 0
  }
}

const tickMs = 10

/** CPU time of a process in milliseconds, of all its threads. */
export function readCpuMs(pid: number): number {
  const fields = readStatFields(pid)
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

/** Describes the memory of a process, in megabytes. */
export function describeMemory(pid: number): string {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const of = (name: string): string =>
      (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1000).toFixed(0)
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean).at(-1)
    return `${command}: ${of('Pss')} MB, ${of('Pss_Anon')} of it of its own, ${of('Pss_File')} of files`
  } catch {
    return `${pid} has ended`
  }
}
