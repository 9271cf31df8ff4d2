import { Outlet, useMatches } from '@tanstack/react-router'
import { Shell } from './shell/Shell.tsx'

/** Puts the open page into its frame. */
export function Root() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  if (page?.frame === 'bare') return <Outlet />
  return (
    <Shell frame={page?.frame ?? 'browse'} section={page?.section}>
      <Outlet />
    </Shell>
  )
}
