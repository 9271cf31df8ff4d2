import { useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { usePage } from '../../shared/page.ts'
import { can } from '../../shared/rights.ts'
import { ListPage } from '../ListPage.tsx'
import styles from '../lists.module.css'
import { rowLevelSecurityRules } from '../pages.ts'
import { ruleList } from './rule-list.tsx'
import { RuleDialog } from './RuleDialog.tsx'

/** `?new=true` opens the form of a new rule, `?edit=3` that of an existing one. */
export function RuleListPage() {
  const t = useTranslate()
  const mayWrite = can('can_write', 'Row Level Security')
  const definition = useMemo(() => ruleList(t, mayWrite, styles.clipped), [t, mayWrite])
  const { search, setSearch } = usePage(rowLevelSecurityRules)
  const editing = /^\d+$/.test(search['edit'] ?? '') ? Number(search['edit']) : null
  return (
    <ListPage page={rowLevelSecurityRules} definition={definition} onOpen={(dialog, id) => setSearch({ [dialog]: id })}>
      {mayWrite && search['new'] === 'true' && <RuleDialog id={null} onClose={() => setSearch({ new: null })} />}
      {mayWrite && editing !== null && (
        <RuleDialog key={editing} id={editing} onClose={() => setSearch({ edit: null })} />
      )}
    </ListPage>
  )
}
