import { pathsOf } from '@parquetry/model/page-paths'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { Page, RawSearch } from '../shared/page.ts'
import { CrashPage } from './CrashPage.tsx'
import { NotFoundPage } from './error-pages.tsx'
import { loadPage } from './load-page.ts'
import { isRefusedPath } from './refused-path.ts'
import { Root } from './Root.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: Page
  }
}

/** Each `src/<area>/pages.ts` defines its pages; adding one needs no change here. */
const areas = import.meta.glob<{ pages: readonly Page[] }>('../*/pages.ts', { eager: true })
const allPages = Object.values(areas).flatMap(({ pages }) => pages)

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })

const routes = allPages.flatMap((page) => {
  const component = lazyRouteComponent(async () => ({ default: await loadPage(page) }))
  return pathsOf(page.name).map((address) =>
    createRoute({
      getParentRoute: () => root,
      path: address.replaceAll(':', '$'),
      component,
      staticData: { page },
      ...(page.prefetch && {
        loader: ({ params, location, cause }) => {
          // Preloading a link does not open it, and a refused page shows no data.
          if (cause === 'preload' || isRefusedPath(location.pathname)) return undefined
          return page.prefetch?.(params, page.search?.(location.search as RawSearch) ?? {}, location.hash)
        },
        shouldReload: false,
        gcTime: 0,
      }),
    }),
  )
})

/** Values stay strings: other tools write and read `?slice_id=12`. */
const parseSearch = (search: string): RawSearch => Object.fromEntries(new URLSearchParams(search))
const stringifySearch = (search: Record<string, unknown>): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value != null) params.append(name, String(value))
  const text = params.toString()
  return text && `?${text}`
}

export const router = createRouter({
  routeTree: root.addChildren(routes),
  parseSearch,
  stringifySearch,
  trailingSlash: 'preserve',
  scrollRestoration: true,
  defaultErrorComponent: CrashPage,
  defaultPendingMs: 150,
})
