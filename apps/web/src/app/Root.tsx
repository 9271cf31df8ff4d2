import { Outlet, useLocation, useMatches, useSearch } from '@tanstack/react-router'
import { isStandalone, type RawSearch } from '../shared/page.ts'
import { NoAccessPage } from './error-pages.tsx'
import { isRefusedPath } from './refused-path.ts'
import { Shell } from './shell/Shell.tsx'

/** Renders the current page in its frame. */
export function Root() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  const path = useLocation({ select: ({ pathname }) => pathname })
  const standalone = useSearch({ strict: false, select: (raw: RawSearch) => isStandalone(raw) })
  if (page?.frame === 'bare') return <Outlet />
  return (
    <Shell frame={page?.frame ?? 'browse'} section={page?.section} standalone={standalone}>
      {isRefusedPath(path) ? <NoAccessPage /> : <Outlet />}
    </Shell>
  )
}
