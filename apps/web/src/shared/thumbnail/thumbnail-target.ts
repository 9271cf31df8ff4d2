/** A saved thing that has a picture; a dashboard by id or short address. */
export type ThumbnailTarget = { kind: 'chart'; id: number } | { kind: 'dashboard'; name: string | number }

/** What an address of ours leads to. */
export function parseThumbnailTarget(href: string): ThumbnailTarget | null {
  const chart = /[?&]slice_id=(\d+)/.exec(href)?.[1]
  if (chart) return { kind: 'chart', id: Number(chart) }
  const name = /\/dashboard\/([^/?]+)/.exec(href)?.[1]
  return name ? { kind: 'dashboard', name: decodeURIComponent(name) } : null
}
