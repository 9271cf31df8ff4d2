/** Returns the page numbers of a pager: `0 1 2 … 48`, with null for a gap. A gap never replaces a single page. */
export function listPagerItems(page: number, pages: number): (number | null)[] {
  const wanted = new Set([0, pages - 1, page - 1, page, page + 1].filter((one) => one >= 0 && one < pages))
  if (page <= 2) [0, 1, 2, 3].filter((one) => one < pages).forEach((one) => wanted.add(one))
  if (page >= pages - 3) [pages - 4, pages - 3, pages - 2].filter((one) => one >= 0).forEach((one) => wanted.add(one))
  const shown: (number | null)[] = []
  for (const one of [...wanted].toSorted((a, b) => a - b)) {
    const before = shown.at(-1)
    if (typeof before === 'number' && one - before === 2) shown.push(before + 1)
    else if (typeof before === 'number' && one - before > 2) shown.push(null)
    shown.push(one)
  }
  return shown
}
