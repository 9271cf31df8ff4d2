export interface DifferenceLine {
  how: 'same' | 'removed' | 'added' | 'omitted'
  text: string
}

/** Longer parts are shown as removed and added as a whole. */
const maxCells = 250_000
/** Unchanged lines that are shown around a change. */
const context = 2

const toLines = (text: string): string[] => (text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n'))

/** Lengths of the longest common sequences of the lines from each position on. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let a = before.length - 1; a >= 0; a--)
    for (let b = after.length - 1; b >= 0; b--)
      lengths[a]![b] =
        before[a] === after[b] ? lengths[a + 1]![b + 1]! + 1 : Math.max(lengths[a + 1]![b]!, lengths[a]![b + 1]!)
  return lengths
}

function* compare(before: readonly string[], after: readonly string[]): Generator<DifferenceLine> {
  let [a, b] = [0, 0]
  if (before.length * after.length <= maxCells) {
    const lengths = commonLengths(before, after)
    while (a < before.length && b < after.length) {
      if (before[a] === after[b]) {
        yield { how: 'same', text: before[a]! }
        a++
        b++
      } else if (lengths[a + 1]![b]! >= lengths[a]![b + 1]!) yield { how: 'removed', text: before[a++]! }
      else yield { how: 'added', text: after[b++]! }
    }
  }
  while (a < before.length) yield { how: 'removed', text: before[a++]! }
  while (b < after.length) yield { how: 'added', text: after[b++]! }
}

/** Compares two texts by lines. Unchanged lines far from a change are omitted. */
export function diffLines(before: string, after: string): DifferenceLine[] {
  const [was, is] = [toLines(before), toLines(after)]
  let start = 0
  while (start < was.length && start < is.length && was[start] === is[start]) start++
  let end = 0
  while (end < was.length - start && end < is.length - start && was.at(-1 - end) === is.at(-1 - end)) end++
  const same = (lines: readonly string[]): DifferenceLine[] => lines.map((text) => ({ how: 'same', text }))
  const lines = [
    ...same(was.slice(0, start)),
    ...compare(was.slice(start, was.length - end), is.slice(start, is.length - end)),
    ...same(was.slice(was.length - end)),
  ]
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ how }) => how !== 'same'),
  )
  return lines.flatMap((line, at): DifferenceLine[] =>
    isNear[at] ? [line] : at === 0 || isNear[at - 1] ? [{ how: 'omitted', text: '…' }] : [],
  )
}
