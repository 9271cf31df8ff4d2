import { useEffect } from 'react'

/** Before the name in the tab: unsaved changes, a query that runs long, one that ended out of sight. */
export type TitleMark = '•' | '▸' | '✓' | '✕'

/** `Sales weekly · Dashboards · Parquetry` as the title of the browser's tab. */
export function useTitle(parts: readonly (string | undefined)[], mark?: TitleMark): void {
  const title = [...parts.filter(Boolean), 'Parquetry'].join(' · ')
  useEffect(() => {
    document.title = mark ? `${mark} ${title}` : title
  }, [title, mark])
}
