import { createHash } from 'node:crypto'

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const timestamp = /^timestamp: .*$/m

/**
 * Returns a function that replaces what differs between two runs in the files of a bundle: random UUIDs by ones that follow from
 * the name and their order, the same in each bundle, and the time of the export.
 * @param name  part of the UUIDs, so that those of two names differ
 */
export function createStableTexts(name: string): (files: ReadonlyMap<string, string>) => Map<string, string> {
  const known = new Map<string, string>()
  const stableUuid = (found: string): string => {
    const stable = known.get(found) ?? deriveUuid(`${name} ${known.size}`)
    known.set(found, stable)
    return stable
  }
  return (files) =>
    new Map(
      [...files].map(([path, text]) => [
        path,
        text.replace(uuid, stableUuid).replace(timestamp, "timestamp: '2026-01-01T00:00:00+00:00'"),
      ]),
    )
}

function deriveUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
