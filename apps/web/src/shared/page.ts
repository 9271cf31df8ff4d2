import type { PageName } from '@parquetry/model/page-paths'
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, type ComponentType } from 'react'

/** What stands behind `?`, unread: names and texts. */
export type RawSearch = Record<string, string | undefined>

/** Whether a name of the address is switched on. */
export const isParamOn = (text: string | undefined): boolean => text !== undefined && !['', '0', 'false'].includes(text)

/** Whether the address asks for the page alone, without what leads to others; a dashboard has grades of it, 1 to 3. */
export const isStandalone = ({ standalone }: RawSearch): boolean => isParamOn(standalone)

export type NavSection =
  | 'home'
  | 'dashboards'
  | 'charts'
  | 'annotation-layers'
  | 'datasets'
  | 'databases'
  | 'sqllab'
  | 'saved-queries'
  | 'history'
  | 'trash'

export interface Page<S extends object = object> {
  /** Its addresses stand under this name in the list that the server reads as well. */
  name: PageName
  /** `browse` has the sidebar and scrolls as a whole, `work` starts with the rail and fills the window, `bare` has no frame. */
  frame: 'browse' | 'work' | 'bare'
  section?: NavSection
  /** Reads the state that a link carries; anything odd becomes its default. */
  search?: (raw: RawSearch) => S
  load: () => Promise<ComponentType>
  /** Runs as the address is opened, beside `load` and before anything is drawn: asks what can be asked already. */
  prefetch?: (params: Record<string, string>, search: S, hash: string) => Promise<void>
}

/** Says one page. Export an array `pages` of them from `src/<area>/pages.ts`; the router finds the file. */
export const definePage = <S extends object = Record<never, never>>(page: Page<S>): Page<S> => page

export interface PageState<S> {
  search: S
  params: Record<string, string>
  /** What stands behind `#`. */
  hash: string
  /** Changes the address; undefined, null, false and '' leave the name out. Names that the page does not know stay. */
  setSearch(patch: Record<string, string | number | boolean | null | undefined>, options?: { replace?: boolean }): void
}

/** The open page's state from its address. */
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
