import { toastError, useNavigation, useTranslate } from '@parquetry/ui'
import { useEffect, useRef } from 'react'
import { boot } from '../../shared/boot.ts'
import { messageOf } from '../../shared/errors.ts'
import { usePage } from '../../shared/page.ts'
import type { Lab } from '../lab.ts'
import { sqlLab } from '../pages.ts'
import { isUntouchedSql } from '../tabs.ts'
import { resolveLink, linkParams } from './read-link.ts'

/** The form that was posted to the page; used once. */
let posted = boot.common['requested_query'] as { datasourceKey?: unknown; sql?: unknown } | null | undefined

/** Opens the content of the address in a new tab, and removes it from the address. */
export function useLinks(lab: Lab): void {
  const t = useTranslate()
  const { search, params, setSearch } = usePage(sqlLab)
  const { go } = useNavigation()
  const busy = useRef('')
  const address = JSON.stringify([search, params])
  useEffect(() => {
    const names = {
      shared: t('sqllab.open.shared', 'Shared query'),
      copyOf: (name: string) => t('sqllab.open.copy', 'Copy of {name}', { name }),
      query: (name: string) => t('sqllab.open.dataset', 'Query {name}', { name }),
    }
    const wanted = resolveLink(search, params['key'], posted ?? undefined, names)
    posted = undefined
    if (!wanted || busy.current === address) return
    busy.current = address
    const clear = (): void => {
      busy.current = ''
      if (params['key'] !== undefined) go('/superset/sqllab/', { replace: true })
      else setSearch(Object.fromEntries(linkParams.map((name) => [name, null])), { replace: true })
    }
    wanted
      .read(new AbortController().signal)
      .then((opening) => {
        const { queryEditors, activeId } = lab.store.getState()
        const there = queryEditors.find(({ remoteId }) => remoteId !== null && remoteId === opening.remoteId)
        if (there) return lab.store.setState({ activeId: there.id })
        const id = lab.open(opening)
        if (opening.autorun) lab.autorun.add(id)
        // The empty tab of a first visit is redundant beside the requested one.
        const [only] = queryEditors
        if (
          queryEditors.length === 1 &&
          only &&
          isUntouchedSql(only.sql) &&
          only.id === activeId &&
          opening.sql !== undefined
        )
          lab.discard(only.id)
      })
      .catch((error: unknown) => {
        const text = {
          query: t('sqllab.notLoaded', "Query couldn't be loaded"),
          datasource: t('sqllab.datasourceNotLoaded', "The datasource couldn't be loaded"),
          sql: t('sqllab.sqlNotLoaded', 'An error occurred while loading the SQL'),
        }[wanted.kind]
        toastError(`${text}: ${messageOf(error)}`)
      })
      .finally(clear)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `address` stands for what was read of it
  }, [address, lab, t])
}
