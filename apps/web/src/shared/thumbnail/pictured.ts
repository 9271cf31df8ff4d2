/** A saved thing that has a picture; a dashboard by id or short address. */
export type Pictured = { kind: 'chart'; id: number } | { kind: 'dashboard'; name: string | number }

/** What an address of ours leads to. */
export function picturedBy(href: string): Pictured | null {
  const chart = /[?&]slice_id=(\d+)/.exec(href)?.[1]
  if (chart) return { kind: 'chart', id: Number(chart) }
  const name = /\/dashboard\/([^/?]+)/.exec(href)?.[1]
  return name ? { kind: 'dashboard', name: decodeURIComponent(name) } : null
}
