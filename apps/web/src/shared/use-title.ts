import { useEffect } from 'react'

/** Prefix of the tab title: unsaved changes, a long-running query, a query that ended in the background. */
export type TitleMark = '•' | '▸' | '✓' | '✕'

/** Sets the browser tab title, such as `Sales weekly · Dashboards · Parquetry`. */
export function useTitle(parts: readonly (string | undefined)[], mark?: TitleMark): void {
  const title = [...parts.filter(Boolean), 'Parquetry'].join(' · ')
  useEffect(() => {
    document.title = mark ? `${mark} ${title}` : title
  }, [title, mark])
}
