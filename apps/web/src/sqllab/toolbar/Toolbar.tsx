import { Button, IconButton, Menu, Select, SplitButton, useText, type Command, type MenuItem } from '@parquetry/ui'
import { boot } from '../../shared/boot.ts'
import type { Query } from '../state.ts'
import { limitChoices } from '../tabs.ts'
import { Elapsed } from './Elapsed.tsx'
import styles from './Toolbar.module.css'

export interface ToolbarProps {
  /** The query that runs now, in whose time Stop stands in the place of Run. */
  running: Query | undefined
  runCommand: Command
  stopCommand: Command
  saveCommand: Command
  formatCommand: Command
  runMenu: MenuItem[]
  saveMenu: MenuItem[]
  moreMenu: MenuItem[]
  shareCommand: Command
  queryLimit: number
  maxRow: number
  onLimit(limit: number): void
  /** Null when templates are switched off. */
  params: { isOpen: boolean; toggle(): void; isWrong: boolean } | null
  isNarrow: boolean
  /** Null where the tables have a place of their own. */
  schemaCommand: Command | null
}

export function Toolbar(props: ToolbarProps) {
  const { running, runCommand, stopCommand, saveCommand, formatCommand, shareCommand, isNarrow, params } = props
  const t = useText()
  const limits = [...new Set([...limitChoices, props.queryLimit])].filter((limit) => limit <= props.maxRow)
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('sqllab.toolbar', 'Query')}>
      {props.schemaCommand && (
        <IconButton icon="sidebar" label={props.schemaCommand.label} command={props.schemaCommand} />
      )}
      <span className={styles.run}>
        {running ? (
          <Button variant="danger" command={stopCommand} />
        ) : (
          <SplitButton
            variant="primary"
            command={runCommand}
            menuLabel={t('sqllab.run.more', 'More ways to run')}
            items={props.runMenu}
          />
        )}
      </span>
      <Select
        compact
        aria-label={t('sqllab.limit', 'Row limit')}
        prefix={isNarrow ? undefined : t('sqllab.limitWord', 'Limit')}
        value={props.queryLimit}
        onChange={(limit) => limit && props.onLimit(limit)}
        options={limits
          .toSorted((a, b) => a - b)
          .map((value) => ({ value, label: value.toLocaleString(boot.common.locale.replace('_', '-')) }))}
      />
      <SplitButton
        command={saveCommand}
        menuLabel={t('sqllab.save.more', 'More ways to save')}
        items={props.saveMenu}
      />
      {isNarrow ? null : (
        <>
          <Button command={shareCommand} />
          {/* Last, so that nothing moves under the pointer when a query starts. */}
          <span className={styles.spring}>{running && <Elapsed query={running} />}</span>
          <Button variant="quiet" command={formatCommand} />
          {params && (
            <Button variant="quiet" aria-pressed={params.isOpen} onClick={params.toggle}>
              {params.isWrong
                ? t('sqllab.params.wrong', '{braces} Params (not valid)', { braces: '{}' })
                : t('sqllab.params', '{braces} Params', { braces: '{}' })}
            </Button>
          )}
        </>
      )}
      <Menu label={t('sqllab.more', 'More')} align="end" items={props.moreMenu}>
        <IconButton icon="more" label={t('sqllab.more', 'More')} />
      </Menu>
    </div>
  )
}
