import { Outlet, useLocation, useMatches, useSearch } from '@tanstack/react-router'
import { boot } from '../shared/boot.ts'
import { isStandalone, type RawSearch } from '../shared/page.ts'
import { NoAccessPage } from './error-pages.tsx'
import { Shell } from './shell/Shell.tsx'

/** Path for which the server denied access when it sent the page; other paths of this visit are accessible. */
const closed = boot.common['no_access'] === true ? location.pathname : null

/** Renders the current page in its frame. */
export function Root() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  const path = useLocation({ select: ({ pathname }) => pathname })
  const standalone = useSearch({ strict: false, select: (raw: RawSearch) => isStandalone(raw) })
  if (page?.frame === 'bare') return <Outlet />
  return (
    <Shell frame={page?.frame ?? 'browse'} section={page?.section} standalone={standalone}>
      {path === closed ? <NoAccessPage /> : <Outlet />}
    </Shell>
  )
}
