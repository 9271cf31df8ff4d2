import type { PageName } from '@parquetry/model/page-paths'
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, type ComponentType } from 'react'

/** Unparsed parameters behind `?`: names and text. */
export type RawSearch = Record<string, string | undefined>

/** Returns whether a parameter of the address is switched on. */
export const isParamOn = (text: string | undefined): boolean => text !== undefined && !['', '0', 'false'].includes(text)

/** Returns whether the address requests the page without navigation; dashboards have levels of it, 1 to 3. */
export const isStandalone = ({ standalone }: RawSearch): boolean => isParamOn(standalone)

export type NavSection =
  | 'home'
  | 'dashboards'
  | 'charts'
  | 'annotation-layers'
  | 'css-templates'
  | 'themes'
  | 'plugins'
  | 'datasets'
  | 'databases'
  | 'sqllab'
  | 'saved-queries'
  | 'history'
  | 'roles'
  | 'row-level-security'
  | 'users'
  | 'groups'
  | 'registrations'
  | 'tags'
  | 'reports'
  | 'trash'

export interface Page<S extends object = object> {
  /** Key of its addresses in the list that the server reads as well. */
  name: PageName
  /** `browse` has the sidebar and scrolls as a whole, `work` starts with the rail and fills the window, `bare` has no frame. */
  frame: 'browse' | 'work' | 'bare'
  section?: NavSection
  /** Parses the state in a link; invalid values become their defaults. */
  search?: (raw: RawSearch) => S
  load: () => Promise<ComponentType>
  /** Runs when the address is opened, in parallel with `load` and before the first render: prefetches data. */
  prefetch?: (params: Record<string, string>, search: S, hash: string) => Promise<void>
}

/** Defines a page. Export an array `pages` of them from `src/<area>/pages.ts`; the router finds the file. */
export const definePage = <S extends object = Record<never, never>>(page: Page<S>): Page<S> => page

export interface PageState<S> {
  search: S
  params: Record<string, string>
  /** The fragment behind `#`. */
  hash: string
  /** Changes the address; undefined, null, false and '' remove the parameter. Parameters unknown to the page stay. */
  setSearch(patch: Record<string, string | number | boolean | null | undefined>, options?: { replace?: boolean }): void
}

/** Returns the state of the open page from its address. */
export function usePage<S extends object>(page: Page<S>): PageState<S> {
  const raw = useSearch({ strict: false }) as RawSearch
  const params = useParams({ strict: false }) as Record<string, string>
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const search = useMemo(() => page.search?.(raw) ?? ({} as S), [page, raw])
  const setSearch = useCallback<PageState<S>['setSearch']>(
    (patch, { replace = false } = {}) => {
      void navigate({
        to: '.',
        replace,
        resetScroll: false,
        search: ((before: RawSearch) => {
          const next: RawSearch = { ...before }
          for (const [name, value] of Object.entries(patch)) {
            if (value == null || value === false || value === '') delete next[name]
            else next[name] = String(value)
          }
          return next
        }) as never,
      })
    },
    [navigate],
  )
  return { search, params, hash, setSearch }
}
