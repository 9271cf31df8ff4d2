import { Button, IconButton, Menu, Select, SplitButton, useTranslate, type Command, type MenuItem } from '@parquetry/ui'
import { useMediaQuery, breakpoints } from '../../shared/use-media-query.ts'
import type { Query } from '../state.ts'
import { Elapsed } from './Elapsed.tsx'
import { limitOptions, readLimit } from './limit-options.ts'
import styles from './Toolbar.module.css'

export interface ToolbarProps {
  /** The running query, while which Stop replaces Run. */
  running: Query | undefined
  runCommand: Command
  /** All labels that the command may have, so that the bar does not move when it changes. */
  runLabels: readonly string[]
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
  /** Asks for a limit that is not listed. */
  onOtherLimit(): void
  /** Null when templates are disabled. */
  params: { isOpen: boolean; toggle(): void; isWrong: boolean } | null
  /** Null when the tables have their own pane. */
  schemaCommand: Command | null
}

/** The option that asks for a limit. */
const otherLimit = 0

export function Toolbar(props: ToolbarProps) {
  const isNarrow = useMediaQuery(breakpoints.narrow)
  const isTablet = useMediaQuery(breakpoints.tablet)
  const { running, saveCommand, formatCommand, shareCommand, params } = props
  const t = useTranslate()
  const limits = limitOptions(props.queryLimit, props.maxRow)
  const paramsItem = useParamsItem(params)
  const hidden: MenuItem[] = [
    ...(isTablet ? [{ command: shareCommand }] : []),
    ...(isNarrow ? [{ command: formatCommand }] : []),
    ...(isTablet ? paramsItem : []),
  ]
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('sqllab.toolbar', 'Query actions')}>
      {props.schemaCommand && (
        <IconButton icon="sidebar" label={props.schemaCommand.label} command={props.schemaCommand} />
      )}
      <span className={styles.run}>
        <span className={styles.widest} aria-hidden>
          {props.runLabels.map((label) => (
            <Button key={label} icon="play" tabIndex={-1}>
              {label}
            </Button>
          ))}
        </span>
        <RunButton {...props} />
      </span>
      <Select
        compact
        aria-label={t('sqllab.limit', 'Row limit')}
        prefix={t('sqllab.limitWord', 'Limit')}
        value={props.queryLimit}
        onChange={(limit) => (limit === otherLimit ? props.onOtherLimit() : limit && props.onLimit(limit))}
        options={[...limits, { value: otherLimit, label: t('sqllab.limit.other', 'Other limit…') }]}
        freeText={(text) => readLimit(text, props.maxRow)}
        nothing={t('sqllab.limit.range', 'Enter a whole number from 1 to {max, number}', { max: props.maxRow })}
      />
      <SplitButton
        command={saveCommand}
        menuLabel={t('sqllab.save.more', 'More save options')}
        items={props.saveMenu}
      />
      {!isTablet && <Button command={shareCommand} />}
      {/* Last, so that nothing moves under the pointer when a query starts. */}
      <span className={styles.spring}>{running && <Elapsed query={running} />}</span>
      {!isNarrow && <Button variant="quiet" command={formatCommand} />}
      {params && !isTablet && (
        <Button variant="quiet" aria-pressed={params.isOpen} onClick={params.toggle}>
          {params.isWrong
            ? t('sqllab.params.wrong', '{braces} Params (invalid)', { braces: '{}' })
            : t('sqllab.params', '{braces} Params', { braces: '{}' })}
        </Button>
      )}
      <More items={[...hidden, ...(hidden.length > 0 ? ['divider' as const] : []), ...props.moreMenu]} />
    </div>
  )
}

/** The commands that fit beside the pane names on a phone; all others are in its menu. */
export function PhoneToolbar(props: ToolbarProps) {
  const { queryLimit, onLimit } = props
  const t = useTranslate()
  const paramsItem = useParamsItem(props.params)
  const limits = limitOptions(queryLimit, props.maxRow)
  const shown = limits.find(({ value }) => value === queryLimit)?.label ?? String(queryLimit)
  const items: MenuItem[] = [
    { command: props.saveCommand },
    ...props.saveMenu,
    'divider',
    { command: props.shareCommand },
    { command: props.formatCommand },
    ...paramsItem,
    {
      label: t('sqllab.limit.now', 'Row limit: {limit}', { limit: shown }),
      items: [
        ...limits.map(({ value, label }) => ({
          label,
          checked: value === queryLimit,
          onSelect: () => onLimit(value),
        })),
        'divider',
        { label: t('sqllab.limit.other', 'Other limit…'), onSelect: props.onOtherLimit },
      ],
    },
    'divider',
    ...props.moreMenu,
  ]
  return (
    <div className={styles.phone} role="toolbar" aria-label={t('sqllab.toolbar', 'Query actions')}>
      <span className={styles.run}>
        <RunButton {...props} isShort />
      </span>
      <More items={items} />
    </div>
  )
}

/** Shows or hides the parameters where there is no space for a button; empty when templates are disabled. */
function useParamsItem(params: ToolbarProps['params']): MenuItem[] {
  const t = useTranslate()
  return params ? [{ label: t('sqllab.params.open', 'Parameters'), onSelect: params.toggle }] : []
}

function RunButton(props: ToolbarProps & { isShort?: boolean }) {
  const { running, runCommand, stopCommand, runMenu, isShort } = props
  const t = useTranslate()
  if (running) return <Button variant="danger" command={stopCommand} />
  return (
    <SplitButton
      variant="primary"
      command={runCommand}
      menuLabel={t('sqllab.run.more', 'More run options')}
      items={runMenu}
      {...(isShort && { 'aria-label': runCommand.label, children: t('sqllab.run.run', 'Run') })}
    />
  )
}

function More({ items }: { items: MenuItem[] }) {
  const t = useTranslate()
  return (
    <Menu label={t('sqllab.more', 'More query actions')} align="end" items={items}>
      <IconButton icon="more" label={t('sqllab.more', 'More query actions')} />
    </Menu>
  )
}
