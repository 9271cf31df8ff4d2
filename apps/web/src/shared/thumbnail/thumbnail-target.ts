/** A saved object that has a thumbnail; a dashboard by id or slug. */
export type ThumbnailTarget = { kind: 'chart'; id: number } | { kind: 'dashboard'; name: string | number }

/** Returns the object that a local address leads to. */
export function parseThumbnailTarget(href: string): ThumbnailTarget | null {
  const chart = /[?&]slice_id=(\d+)/.exec(href)?.[1]
  if (chart) return { kind: 'chart', id: Number(chart) }
  const name = /\/dashboard\/([^/?]+)/.exec(href)?.[1]
  return name ? { kind: 'dashboard', name: decodeURIComponent(name) } : null
}
