const [quote, backslash, open, close, list] = [34, 92, 123, 125, 91]

/**
 * The first objects of a JSON list, found without parsing it: strings may contain brackets, so they are skipped.
 * @returns the text itself when it has no more
 */
export function cutRows(rows: Buffer, max: number): Buffer {
  let depth = 0
  let found = 0
  if (max <= 0) return Buffer.from('[]')
  for (let index = rows.indexOf(list) + 1; index < rows.length; index++) {
    const byte = rows[index]
    if (byte === quote) index = findStringEnd(rows, index)
    else if (byte === open) depth++
    else if (byte === close && --depth === 0 && ++found === max)
      return Buffer.concat([rows.subarray(0, index + 1), Buffer.from(']')])
  }
  return rows
}

function findStringEnd(rows: Buffer, start: number): number {
  for (let end = rows.indexOf(quote, start + 1); end >= 0; end = rows.indexOf(quote, end + 1)) {
    let slashes = 0
    while (rows[end - 1 - slashes] === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return rows.length
}
